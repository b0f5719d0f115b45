//! What a search for the worst input found, as text, CSV and JSON.

mod document;
pub mod several;

pub use document::document;

use crate::harness::{Answer, RunRecord};
use crate::num::float::{decimal, hex};
use crate::num::outward::{digits_apart, digits_within};
use crate::num::{AtLeast, AtMost};
use crate::oracle::{Oracle, Verdict};
use crate::record::number::{both, rough};
use crate::record::table::line;
use crate::report::cases::{CaseGroup, ReportedCase, State};
use crate::report::off::ErrorUnit;
use crate::report::words;
use crate::spec::Spec;
use crate::worst::against::ComparedResults;
use crate::worst::exhaustive::EnumerationTally;
use crate::worst::{DomainPart, Searched, Unanswered, WrongStretch};
use std::fmt::Write as _;

/// A search with what is needed to tell of it.
pub struct WorstReport<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// The bytes of its file.
    pub source: &'a [u8],
    /// How the implementation was made and run.
    pub record: &'a RunRecord,
    /// What was found.
    pub searched: &'a Searched,
    /// The counts, if all inputs were enumerated.
    pub tally: Option<&'a EnumerationTally>,
    /// How another implementation was made and run, and both at the worst inputs of either.
    pub against: Option<(&'a RunRecord, &'a [ComparedResults])>,
}

/// How many parts of the domain the text lists.
const LISTED: usize = 8;

impl WorstReport<'_> {
    /// The verdict on the worst result and on what came back instead of results.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let parts = self.searched.parts.iter().map(verdict);
        let counted = |n: u64, v: Verdict| (n > 0).then_some(v);
        let tally =
            self.tally.map_or([None, None], |t| [counted(t.ko, Verdict::Ko), counted(t.uncertain, Verdict::Uncertain)]);
        let findings = self.searched.findings.iter().map(|_| Verdict::Ko);
        let verdicts: Vec<Verdict> = parts.chain(findings).chain(tally.into_iter().flatten()).collect();
        let has = |v: Verdict| verdicts.contains(&v);
        if has(Verdict::Ko) {
            Verdict::Ko
        } else if has(Verdict::Uncertain) {
            Verdict::Uncertain
        } else {
            Verdict::Ok
        }
    }

    fn implementation(record: &RunRecord) -> String {
        let value = |name: &str| record.0.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
        let what = ["function", "command"].iter().find_map(|n| value(n)).unwrap_or("the implementation");
        let of = ["source", "library"].iter().find_map(|n| value(n));
        of.map_or(what.to_owned(), |of| format!("{what} of {of}"))
    }

    /// The report for people.
    #[must_use]
    pub fn text(&self) -> String {
        let Searched { evaluations, parts, findings, .. } = self.searched;
        let unit = ErrorUnit::of(&self.spec.accuracy);
        let mut text = format!("{}: accuracy {}\n", self.spec.name, self.spec.accuracy);
        let _ = writeln!(text, "  implementation      {}", Self::implementation(self.record));
        let _ = writeln!(text, "  evaluations         {evaluations}");
        if let Some(t) = self.tally {
            let _ = writeln!(text, "  inputs looked at    {} of {}, {} in the domain", t.seen, t.inputs, t.owed);
            let _ = writeln!(text, "    right, wrong      {}, {}; not settled {}", t.ok, t.ko, t.uncertain);
            let _ = writeln!(text, "    no error above    {} ulps", AtMost(t.at_most_ulps));
        }
        for finding in findings {
            let _ = writeln!(text, "  {:19} {}", what(&finding.answer), words::input(self.spec, &finding.input));
            let _ = writeln!(text, "                      {} times; a finite result is owed there", finding.times);
        }
        let shown = |y: f64| self.spec.result_format.shown(y);
        match parts.first() {
            None => text.push_str("  worst               no result could be judged\n"),
            Some(worst) => {
                let e = &worst.exact;
                let _ = writeln!(text, "  worst error         {}", unit.tell(e.tolerances));
                let _ = writeln!(text, "    at                {}", words::input(self.spec, &worst.input));
                let _ = writeln!(text, "    returned          {}", shown(worst.result));
                if let Some((lo, hi)) = e.oracle.ends() {
                    let _ = writeln!(text, "    owed              from {} to {}", shown(lo), shown(hi));
                }
            }
        }
        if parts.len() > 1 {
            text.push_str("worst by part of the domain\n");
            for part in parts.iter().take(LISTED) {
                let ends: Vec<String> = part.ends.iter().map(|(a, b)| range(*a, *b)).collect();
                let at = part.input.iter().map(|x| hex(*x)).collect::<Vec<_>>().join(", ");
                let error = unit.tell(part.exact.tolerances);
                let _ = writeln!(text, "  {error:>15}  at {at}  in {}", ends.join(" x "));
            }
        }
        text.push_str(&self.regions());
        text.push_str(&self.compared());
        let certificate = self.tally.is_some_and(EnumerationTally::is_complete);
        text.push_str(match self.verdict() {
            Verdict::Ko if self.searched.interrupted => {
                "KO, interrupted: the search had not ended, and may have missed worse\n"
            }
            Verdict::Ko => "KO\n",
            Verdict::Uncertain => "UNCERTAIN: not settled at the precision cap\n",
            Verdict::Ok if parts.is_empty() => "UNCERTAIN: nothing was judged\n",
            Verdict::Ok if certificate => {
                "OK at every input of the domain, each of which was looked at, for this build.\n"
            }
            Verdict::Ok => {
                "Nothing outside the bound was found. Other inputs were not looked at: this is a search, not a proof.\n"
            }
        });
        text
    }

    /// Where results are wrong.
    fn regions(&self) -> String {
        let regions = &self.searched.regions;
        let mut text = String::new();
        if !regions.is_empty() {
            text.push_str("where results are wrong (ends by bisection)\n");
        }
        let mut told = vec![false; regions.len()];
        for (k, region) in regions.iter().enumerate() {
            if std::mem::replace(&mut told[k], true) {
                continue;
            }
            let mirror = (k + 1..regions.len()).find(|j| !told[*j] && mirrored(region, &regions[*j]));
            mirror.into_iter().for_each(|j| told[j] = true);
            let name = &self.spec.inputs[region.input].name;
            let _ = write!(text, "  {}", stretch(region, name, mirror.map(|j| &regions[j])));
            if self.spec.inputs.len() > 1 {
                let _ = write!(text, ", beside {}", words::input(self.spec, &region.at));
            }
            let both = [Some(k), mirror].into_iter().flatten();
            let (wrong, tried) = both.fold((0, 0), |(w, t), j| (w + regions[j].wrong, t + regions[j].tried));
            let _ = writeln!(text, ": wrong at {wrong} of {tried} inputs tried there");
        }
        text
    }

    /// Two implementations at the same inputs.
    fn compared(&self) -> String {
        let Some((record, rows)) = self.against else { return String::new() };
        let mut text = format!("at the worst inputs of either, in ulps: this one, {}\n", Self::implementation(record));
        let ulps =
            |k: usize, row: &ComparedResults| row.ulps[k].map_or_else(|| what(&row.answers[k]).to_owned(), rough);
        for row in rows {
            let (a, b) = (ulps(0, row), ulps(1, row));
            let _ = writeln!(text, "  {a:>10} {b:>10}  at {}", words::input(self.spec, &row.input));
        }
        let worse = |k: usize| {
            let number = |row: &ComparedResults, k: usize| row.ulps[k].unwrap_or(f64::INFINITY);
            rows.iter().filter(|row| number(row, k) > number(row, 1 - k)).count()
        };
        let _ = writeln!(text, "  this one errs more at {} of them, the other at {}", worse(0), worse(1));
        text
    }

    /// `worst.csv`: a test file that `check` takes, findings first, then the worst first.
    #[must_use]
    pub fn csv(&self) -> Vec<u8> {
        let mut header = vec!["test_id".to_owned()];
        for input in &self.spec.inputs {
            header.extend([input.name.clone(), format!("{}_dec", input.name)]);
        }
        let more = ["lo", "hi", "result", "result_dec", "tolerances", "ulps", "verdict"];
        header.extend(more.map(str::to_owned));
        let mut bytes = line(&header);
        let mut row = |id: String, input: &[f64], oracle: Option<&Oracle>, rest: [String; 5]| {
            let (lo, hi) =
                oracle.and_then(Oracle::ends).map_or((String::new(), String::new()), |(a, b)| (hex(a), hex(b)));
            let inputs = input.iter().flat_map(|x| [hex(*x), decimal(*x)]);
            let cells: Vec<String> = std::iter::once(id).chain(inputs).chain([lo, hi]).chain(rest).collect();
            bytes.extend(line(&cells));
        };
        for (id, f) in self.named_findings() {
            let ko = Verdict::Ko.name().to_owned();
            row(
                id,
                &f.input,
                f.oracle.as_ref(),
                [what(&f.answer).to_owned(), String::new(), String::new(), String::new(), ko],
            );
        }
        for (id, part) in self.named_parts() {
            let (y, e) = (part.result, &part.exact);
            let verdict = verdict(part).name().to_owned();
            row(
                id,
                &part.input,
                Some(&e.oracle),
                [hex(y), decimal(y), decimal(e.tolerances), decimal(e.ulps), verdict],
            );
        }
        bytes
    }

    /// The parts with their names as tests.
    fn named_parts(&self) -> impl Iterator<Item = (String, &DomainPart)> {
        self.searched.parts.iter().enumerate().map(|(k, part)| (format!("w{:03}", k + 1), part))
    }

    /// The findings with their names as tests.
    fn named_findings(&self) -> impl Iterator<Item = (String, &Unanswered)> {
        self.searched.findings.iter().enumerate().map(|(k, finding)| (format!("f{:03}", k + 1), finding))
    }

    /// The parts and findings as test cases.
    #[must_use]
    pub fn groups(&self) -> Vec<CaseGroup> {
        let unit = ErrorUnit::of(&self.spec.accuracy);
        let part = |(name, part): (String, &DomainPart)| {
            let said = format!(
                "off by {}: returned {}",
                unit.tell(part.exact.tolerances),
                self.spec.result_format.shown(part.result)
            );
            let state = match verdict(part) {
                Verdict::Ok => State::Passed,
                Verdict::Ko => State::Failed(said),
                Verdict::Uncertain => State::Open(said),
            };
            ReportedCase { name, about: words::input(self.spec, &part.input), state }
        };
        let finding = |(name, f): (String, &Unanswered)| ReportedCase {
            name,
            about: words::input(self.spec, &f.input),
            state: State::Failed(said(f)),
        };
        let cases = self.named_parts().map(part).chain(self.named_findings().map(finding)).collect();
        vec![CaseGroup { name: self.spec.name.clone(), cases }]
    }
}

/// Whether two regions are each other's mirror images about 0, as far as a reader sees.
fn mirrored(a: &WrongStretch, b: &WrongStretch) -> bool {
    let close = |x: f64, y: f64| (x - y).abs() <= 0.01 * x.abs().max(y.abs()).max(f64::MIN_POSITIVE);
    let apart = a.ends.0 > 0.0 && b.ends.1 < 0.0 || a.ends.1 < 0.0 && b.ends.0 > 0.0;
    a.input == b.input && apart && close(a.ends.0, -b.ends.1) && close(a.ends.1, -b.ends.0)
}

/// A region in words: `|x| <= 1.2e-8`. Ends are rounded inward: beyond them results are right.
fn stretch(region: &WrongStretch, name: &str, mirror: Option<&WrongStretch>) -> String {
    let (lo, hi) = region.ends;
    let symmetric = lo < 0.0 && hi > 0.0 && (lo + hi).abs() <= 0.01 * hi;
    let sizes = |r: &WrongStretch| (r.ends.0.abs().min(r.ends.1.abs()), r.ends.0.abs().max(r.ends.1.abs()));
    let (near, far) = sizes(region);
    if let Some((other_near, other_far)) = mirror.map(sizes) {
        // What both have.
        let (near, far) = (near.max(other_near), far.min(other_far));
        let digits = digits_within(near, far, 4);
        let far = AtLeast(far);
        return if near.next_down() == 0.0 {
            format!("0 < |{name}| <= {far:.digits$}")
        } else {
            format!("{:.digits$} <= |{name}| <= {far:.digits$}", AtMost(near))
        };
    }
    let digits = digits_within(lo, hi, 4);
    match region.whole {
        (true, true) => format!("all {name}"),
        _ if lo.to_bits() == hi.to_bits() => format!("{name} = {}", both(lo)),
        _ if symmetric => format!("|{name}| <= {:.digits$}", AtLeast(near)),
        (true, false) => format!("{name} <= {:.digits$}", AtLeast(hi)),
        (false, true) => format!("{name} >= {:.digits$}", AtMost(lo)),
        (false, false) => format!("{:.digits$} <= {name} <= {:.digits$}", AtMost(lo), AtLeast(hi)),
    }
}

fn verdict(part: &DomainPart) -> Verdict {
    part.exact.oracle.verdict(part.result)
}

/// A part of an input's range, of which a reader needs the place: rounded outward, so that the ends are apart.
fn range(lo: f64, hi: f64) -> String {
    let digits = digits_apart(lo, hi, 3);
    format!("[{:.digits$}, {:.digits$}]", AtLeast(lo), AtMost(hi))
}

/// What came in place of a finite number, in a word or two.
pub(crate) fn what(answer: &Answer) -> &'static str {
    match answer {
        Answer::Value(y) if y.is_nan() => "NaN",
        Answer::Value(_) => "infinite",
        Answer::Reject(_) => "refused",
        Answer::Crash(_) => "crash",
        Answer::Hang { .. } => "no answer in time",
        Answer::Garbage(_) | Answer::Missing => "unreadable",
    }
}

fn said(finding: &Unanswered) -> String {
    match &finding.answer {
        Answer::Crash(how) | Answer::Reject(how) | Answer::Garbage(how) => format!("{}: {how}", what(&finding.answer)),
        answer => what(answer).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(ends: (f64, f64), whole: (bool, bool)) -> WrongStretch {
        WrongStretch { input: 0, ends, whole, at: Vec::new(), tried: 1, wrong: 1 }
    }

    /// What is told is a part of the region; of two regions, of each.
    #[test]
    fn regions_are_told_rounded_inward() {
        let inside = (false, false);
        let told = |ends, whole, mirror: Option<(f64, f64)>| {
            stretch(&region(ends, whole), "x", mirror.map(|ends| region(ends, inside)).as_ref())
        };
        assert_eq!(told((709.782_71, 1e3), (false, true), None), "x >= 709.8");
        assert_eq!(told((-1e3, -709.782_71), (true, false), None), "x <= -709.8");
        assert_eq!(told((1.000_019, 1.999_99), inside, None), "1.001 <= x <= 1.999");
        assert_eq!(told((-1.995_1e-8, 1.999_9e-8), inside, None), "|x| <= 1.995e-8");
        assert_eq!(told((1.000_1, 2.0), inside, Some((-1.999_9, -1.004_9))), "1.005 <= |x| <= 1.999");
        assert_eq!(told((f64::from_bits(1), 2.0), inside, Some((-1.995_1, -f64::from_bits(1)))), "0 < |x| <= 1.995");
        // Ends that are near to each other have as many digits as it takes.
        assert_eq!(told((1.000_000_11, 1.000_000_99), inside, None), "1.0000002 <= x <= 1.0000009");
    }
}
