//! Figures of the paper (Jeangoudoux, Darulova, Lauter: *Interval Constraint-Based Mutation Testing of Numerical
//! Specifications*, ISSTA 2021) with which a run is compared. The counts of mutants per formula and type are those of
//! its published data.

use crate::mutate::MutationOperator;

/// Its mutants over all formulas.
pub const MUTANTS: usize = 12_367;
/// Its mean adequacy: killed and probably killed of all mutants.
pub const ADEQUACY: f64 = 0.88;
/// The time that its solver had for one problem. Unit: seconds.
pub const SOLVER_SECONDS: f64 = 10.0;

/// The types in the order of the counts below.
pub const TYPES: [MutationOperator; 8] = [
    MutationOperator::Accuracy,
    MutationOperator::Bounds,
    MutationOperator::Constant,
    MutationOperator::Variable,
    MutationOperator::Unary,
    MutationOperator::Binary,
    MutationOperator::Add,
    MutationOperator::Delete,
];

/// What the paper's Table 3 says of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kills {
    /// The number of mutants.
    pub mutants: usize,
    /// Killed by random testing, probably killed ones with them.
    pub random: usize,
    /// Killed by the paper's prototype, probably killed ones with them.
    pub magneto: usize,
}

/// The rows of the paper's Table 3, in the order of [`TYPES`].
pub const KILLS: [Kills; 8] = [
    Kills { mutants: 544, random: 422, magneto: 498 },
    Kills { mutants: 270, random: 122, magneto: 196 },
    Kills { mutants: 240, random: 227, magneto: 228 },
    Kills { mutants: 404, random: 402, magneto: 402 },
    Kills { mutants: 938, random: 783, magneto: 795 },
    Kills { mutants: 2427, random: 2401, magneto: 2404 },
    Kills { mutants: 7035, random: 5996, magneto: 6306 },
    Kills { mutants: 245, random: 244, magneto: 244 },
];

/// A formula of the published data whose counts are what Table 3 lacks; `test01_sum3` has the same ones.
pub const LEFT_OUT: &str = "sum";

/// A figure that each formula has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Killed and probably killed of all mutants.
    Adequacy,
    /// The same by random testing for as long (BB).
    RandomAdequacy,
    /// The number of tests.
    Tests,
    /// The number of tests of random testing for as long (BB).
    RandomTests,
    /// The time. Unit: seconds.
    Seconds,
    /// The number of operations of the formula.
    Operations,
}

impl What {
    /// In a few words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            What::Adequacy => "adequacy",
            What::RandomAdequacy => "adequacy of random testing (BB)",
            What::Tests => "tests",
            What::RandomTests => "tests of random testing (BB)",
            What::Seconds => "seconds",
            What::Operations => "operations",
        }
    }

    /// How many digits after the point are shown.
    #[must_use]
    pub fn digits(self) -> usize {
        match self {
            What::Adequacy | What::RandomAdequacy => 2,
            What::Tests | What::RandomTests | What::Operations => 1,
            What::Seconds => 3,
        }
    }
}

/// How a figure spreads over the formulas; none for what is not stated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// The smallest.
    pub min: Option<f64>,
    /// The one in the middle, or the mean of the two there.
    pub median: Option<f64>,
    /// The mean.
    pub mean: Option<f64>,
    /// The largest.
    pub max: Option<f64>,
}

impl Spread {
    /// Of some values; none if there are none.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let n = sorted.len();
        let median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0;
        let mean = sorted.iter().sum::<f64>() / n as f64;
        Some(Spread { min: Some(min), median: Some(median), mean: Some(mean), max: Some(max) })
    }
}

const fn spread(min: f64, median: f64, mean: f64, max: f64) -> Spread {
    Spread { min: Some(min), median: Some(median), mean: Some(mean), max: Some(max) }
}

/// What the paper's Table 2 says over the formulas.
pub const SPREADS: [(What, Spread); 6] = [
    (What::Adequacy, spread(0.69, 0.91, 0.88, 1.0)),
    (What::RandomAdequacy, spread(0.69, 0.88, 0.85, 1.0)),
    (What::Tests, Spread { min: None, ..spread(0.0, 3.0, 3.6, 9.0) }),
    (What::RandomTests, Spread { min: None, ..spread(0.0, 3.0, 2.9, 8.0) }),
    (What::Seconds, spread(4.0, 19.8, 76.9, 1083.4)),
    (What::Operations, Spread { min: None, median: None, mean: Some(8.1), max: Some(63.0) }),
];

/// Name and counts (accuracy, bounds, constant, variable, unary, binary, add, delete) of the 69 formulas, in the order
/// of fpbench/paper/ORDER.
#[rustfmt::skip]
pub const COUNTS: [(&str, [usize; 8]); 69] = [
    ("carthesianToPolar, radius", [8, 4, 0, 4, 14, 15, 84, 2]),
    ("carthesianToPolar, theta", [8, 4, 4, 2, 14, 15, 42, 2]),
    ("polarToCarthesian, x", [8, 4, 4, 2, 14, 15, 42, 2]),
    ("polarToCarthesian, y", [8, 4, 4, 2, 14, 15, 42, 2]),
    ("instantaneousCurrent", [8, 8, 4, 15, 28, 40, 105, 8]),
    ("sqrt_add", [8, 2, 2, 0, 28, 15, 42, 1]),
    ("exp1x_log", [8, 2, 2, 0, 42, 10, 42, 2]),
    ("x_by_xy", [8, 4, 0, 1, 0, 10, 63, 2]),
    ("hypot", [8, 4, 0, 4, 14, 15, 84, 2]),
    ("logexp", [8, 2, 2, 0, 28, 5, 21, 1]),
    ("sum", [8, 6, 0, 12, 0, 40, 189, 9]),
    ("nonlin1", [8, 2, 2, 0, 0, 10, 42, 1]),
    ("nonlin2", [8, 4, 2, 0, 0, 35, 126, 4]),
    ("i4", [8, 4, 0, 3, 14, 10, 63, 2]),
    ("i6", [8, 4, 0, 0, 14, 5, 42, 2]),
    ("himmilbeau", [8, 4, 4, 12, 0, 75, 252, 8]),
    ("logexp", [8, 2, 2, 0, 28, 5, 21, 1]),
    ("sphere", [8, 8, 0, 12, 28, 15, 84, 4]),
    ("azimuth", [8, 8, 0, 27, 98, 40, 189, 12]),
    ("intro-example", [8, 2, 2, 0, 0, 10, 42, 1]),
    ("sec4-example", [8, 4, 2, 0, 0, 35, 126, 4]),
    ("test01_sum3", [8, 6, 0, 12, 0, 40, 189, 9]),
    ("test02_sum8", [8, 16, 0, 54, 0, 35, 168, 8]),
    ("test03_nonlin2", [8, 4, 0, 2, 0, 15, 84, 2]),
    ("test05_nonlin1, r4", [8, 2, 2, 0, 0, 20, 63, 1]),
    ("test05_nonlin1, test2", [8, 2, 2, 0, 0, 10, 21, 1]),
    ("test06_sums4, sum1", [8, 8, 0, 10, 0, 15, 84, 4]),
    ("test06_sums4, sum2", [8, 8, 0, 8, 0, 15, 84, 4]),
    ("NMSE example 3.3", [8, 4, 0, 1, 28, 10, 63, 2]),
    ("NMSE example 3.4", [8, 2, 2, 0, 28, 10, 42, 1]),
    ("NMSE example 3.5", [8, 2, 2, 0, 28, 10, 42, 1]),
    ("NMSE example 3.6", [8, 2, 2, 0, 28, 20, 42, 2]),
    ("NMSE problem 3.3.1", [8, 2, 2, 0, 0, 20, 42, 1]),
    ("NMSE problem 3.3.2", [8, 4, 0, 1, 28, 10, 63, 2]),
    ("NMSE problem 3.3.3", [8, 2, 4, 0, 0, 35, 63, 2]),
    ("NMSE problem 3.3.5", [8, 4, 0, 1, 28, 10, 63, 2]),
    ("NMSE problem 3.3.6", [8, 2, 2, 0, 28, 10, 42, 1]),
    ("NMSE problem 3.3.7", [8, 2, 4, 0, 28, 15, 42, 2]),
    ("NMSE example 3.7", [8, 2, 2, 0, 14, 5, 21, 1]),
    ("NMSE example 3.8", [8, 2, 2, 0, 28, 30, 84, 2]),
    ("NMSE example 3.9", [8, 2, 2, 0, 14, 15, 42, 1]),
    ("NMSE example 3.10", [8, 2, 2, 0, 28, 15, 42, 2]),
    ("NMSE problem 3.4.1", [8, 2, 2, 0, 14, 15, 63, 1]),
    ("NMSE problem 3.4.2", [8, 6, 2, 10, 42, 50, 168, 9]),
    ("NMSE problem 3.4.3", [8, 2, 2, 0, 14, 15, 42, 1]),
    ("NMSE problem 3.4.4", [8, 2, 4, 0, 42, 20, 42, 2]),
    ("NMSE problem 3.4.5", [8, 2, 0, 0, 28, 15, 84, 2]),
    ("NMSE section 3.5", [8, 4, 2, 0, 14, 10, 42, 2]),
    ("NMSE section 3.11", [8, 2, 2, 0, 28, 10, 42, 1]),
    ("Complex square root", [8, 4, 4, 5, 28, 35, 105, 2]),
    ("Complex sine and cosine", [8, 4, 6, 3, 42, 25, 63, 4]),
    ("Shoelace formula", [8, 12, 4, 48, 0, 65, 252, 6]),
    ("doppler1", [8, 6, 8, 12, 0, 90, 126, 9]),
    ("doppler2", [8, 6, 8, 12, 0, 90, 126, 9]),
    ("doppler3", [8, 6, 8, 12, 0, 90, 126, 9]),
    ("rigidBody1", [8, 6, 4, 10, 0, 35, 126, 6]),
    ("rigidBody2", [8, 6, 4, 22, 0, 70, 252, 12]),
    ("jetEngine", [8, 4, 10, 42, 0, 315, 882, 22]),
    ("turbine1", [8, 6, 10, 16, 0, 80, 168, 3]),
    ("turbine2", [8, 6, 8, 14, 0, 60, 147, 3]),
    ("turbine3", [8, 6, 8, 16, 0, 80, 168, 3]),
    ("verhulst", [8, 2, 8, 0, 0, 25, 42, 1]),
    ("predatorPrey", [8, 2, 8, 0, 0, 45, 84, 3]),
    ("carbonGas", [8, 2, 18, 0, 0, 70, 63, 3]),
    ("sine", [8, 2, 6, 0, 0, 90, 336, 3]),
    ("sqroot", [8, 2, 12, 0, 0, 90, 210, 4]),
    ("sineOrder3", [8, 2, 8, 0, 0, 35, 84, 2]),
    ("bspline3", [8, 2, 4, 0, 0, 20, 63, 1]),
    ("Rump's example, with pow", [8, 4, 14, 9, 0, 122, 189, 8]),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Two independent figures of the paper agree: its data are its Table 3 and one formula more.
    #[test]
    fn the_data_and_table_3_differ_by_one_formula() {
        let left_out = COUNTS.iter().find(|c| c.0 == LEFT_OUT).map(|c| c.1);
        let all: [usize; 8] = std::array::from_fn(|k| COUNTS.iter().map(|c| c.1[k]).sum());
        assert_eq!(all.iter().sum::<usize>(), MUTANTS);
        let missing: [usize; 8] = std::array::from_fn(|k| all[k] - KILLS[k].mutants);
        assert_eq!(Some(missing), left_out);
        for row in KILLS {
            assert!(row.random <= row.magneto && row.magneto <= row.mutants, "{row:?}");
        }
    }

    #[test]
    fn spreads() {
        assert_eq!(Spread::of(&[3.0, 1.0, 2.0, 10.0]), Some(spread(1.0, 2.5, 4.0, 10.0)));
        assert_eq!(Spread::of(&[7.0]), Some(spread(7.0, 7.0, 7.0, 7.0)));
        assert_eq!(Spread::of(&[]), None);
    }
}
