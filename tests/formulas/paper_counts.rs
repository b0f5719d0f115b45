//! The paper's operators make the mutants that the paper counted: per formula and per type, 12,367 in all.

use crate::support;
use magneto::bench::published::{COUNTS, MUTANTS, TYPES};
use magneto::mutate::{OperatorSet, mutants};
use magneto::spec::Spec;
use std::collections::HashSet;

fn counts(spec: &Spec) -> [usize; 8] {
    let made = mutants(spec, &OperatorSet::Paper);
    let ids: HashSet<&str> = made.iter().map(|m| m.id.as_str()).collect();
    assert_eq!(ids.len(), made.len(), "{}: an id is used twice", spec.name);
    assert_eq!(made.iter().filter(|m| !TYPES.contains(&m.operator)).count(), 0);
    TYPES.map(|t| made.iter().filter(|m| m.operator == t).count())
}

#[test]
fn the_paper_folder_has_the_counts_of_the_paper() {
    let specs = support::paper69();
    assert_eq!(specs.len(), COUNTS.len());
    let mut all = 0;
    for (spec, (name, expected)) in specs.iter().zip(COUNTS) {
        assert_eq!(spec.name, name);
        let found = counts(spec);
        assert_eq!(found, expected, "{name}");
        all += found.iter().sum::<usize>();
    }
    assert_eq!(all, MUTANTS);
    the_table_says_the_same();
}

/// The counts as they were published, where that table is there: what stands in the program was copied from it.
fn the_table_says_the_same() {
    let (Some(table), Some(formulas)) = (support::shared("paper69.csv"), support::shared("paper69.fpcore")) else {
        return;
    };
    let specs = support::specs_of(&formulas);
    let mut reader = csv::Reader::from_path(table).unwrap();
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|h| h == name).unwrap_or_else(|| panic!("no column {name}"));
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!((records.len(), specs.len()), (69, 69));
    let mut all = 0;
    for ((record, spec), (name, embedded)) in records.iter().zip(&specs).zip(COUNTS) {
        let number = |column: usize| record[column].parse::<usize>().unwrap();
        let expected = TYPES.map(|t| number(column(t.name())));
        assert_eq!((&record[column("name")], spec.name.as_str()), (name, name));
        assert_eq!(expected, embedded, "{name}");
        assert_eq!(counts(spec), expected, "{name}");
        assert_eq!(expected.iter().sum::<usize>(), number(column("mutants")), "{name}");
        assert_eq!(spec.inputs.len(), number(column("inputs")), "{name}");
        all += number(column("mutants"));
    }
    assert_eq!(all, MUTANTS);
}
