//! What a search for the worst input found, as text, CSV and JSON.

use crate::harness::{Answer, Record};
use crate::num::float::{decimal, hex};
use crate::oracle::{Oracle, Verdict};
use crate::record::number::{both, rough};
use crate::record::table::line;
use crate::spec::Spec;
use crate::worst::{Finding, Part, Searched, measure::shown};
use serde::Serialize;
use std::fmt::Write as _;

/// A search with what is needed to tell of it.
pub struct Report<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// How the implementation was made and run.
    pub record: &'a Record,
    /// What was found.
    pub searched: &'a Searched,
}

/// How many parts of the domain the text lists.
const LISTED: usize = 8;

impl Report<'_> {
    /// The verdict on the worst result and on what came back instead of results.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let parts = self.searched.parts.iter().map(verdict);
        let verdicts: Vec<Verdict> = parts.chain(self.searched.findings.iter().map(|_| Verdict::Ko)).collect();
        let has = |v: Verdict| verdicts.contains(&v);
        if has(Verdict::Ko) {
            Verdict::Ko
        } else if has(Verdict::Uncertain) {
            Verdict::Uncertain
        } else {
            Verdict::Ok
        }
    }

    fn implementation(&self) -> String {
        let value = |name: &str| self.record.0.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
        let what = ["function", "command"].iter().find_map(|n| value(n)).unwrap_or("the implementation");
        let of = ["source", "library"].iter().find_map(|n| value(n));
        of.map_or(what.to_owned(), |of| format!("{what} of {of}"))
    }

    /// The report for people.
    #[must_use]
    pub fn text(&self) -> String {
        let Searched { evaluations, parts, findings, .. } = self.searched;
        let mut text = format!("{}: accuracy {}\n", self.spec.name, self.spec.accuracy);
        let _ = writeln!(text, "  implementation      {}", self.implementation());
        let _ = writeln!(text, "  evaluations         {evaluations}");
        for finding in findings {
            let _ = writeln!(text, "  {:19} {}", what(&finding.answer), shown(self.spec, &finding.input));
            let _ = writeln!(text, "                      {} times; a finite result is owed there", finding.times);
        }
        match parts.first() {
            None => text.push_str("  worst               no result could be judged\n"),
            Some(worst) => {
                let e = &worst.exact;
                let _ =
                    writeln!(text, "  worst error         {} x the bound, {} ulps", rough(e.tolerances), rough(e.ulps));
                let _ = writeln!(text, "    at                {}", shown(self.spec, &worst.input));
                let _ = writeln!(text, "    returned          {}", both(worst.result));
                if let Some((lo, hi)) = ends(&e.oracle) {
                    let _ = writeln!(text, "    owed              from {} to {}", both(lo), both(hi));
                }
            }
        }
        if parts.len() > 1 {
            text.push_str("worst by part of the domain\n");
            for part in parts.iter().take(LISTED) {
                let ends: Vec<String> =
                    part.ends.iter().map(|(a, b)| format!("[{}, {}]", short(*a), short(*b))).collect();
                let (e, at) = (&part.exact, part.input.iter().map(|x| hex(*x)).collect::<Vec<_>>().join(", "));
                let _ = writeln!(text, "  {:>10} ulps  at {at}  in {}", rough(e.ulps), ends.join(" x "));
            }
        }
        text.push_str(match self.verdict() {
            Verdict::Ko => "KO\n",
            Verdict::Uncertain => "UNCERTAIN: not settled at the precision cap\n",
            Verdict::Ok => {
                "Nothing outside the bound was found. Other inputs were not looked at: this is a search, not a proof.\n"
            }
        });
        text
    }

    /// `worst.csv`: a test file that `check` takes, the worst first.
    #[must_use]
    pub fn csv(&self) -> Vec<u8> {
        let mut header = vec!["test_id".to_owned()];
        for input in &self.spec.inputs {
            header.extend([input.name.clone(), format!("{}_dec", input.name)]);
        }
        let more = ["lo", "hi", "result", "result_dec", "tolerances", "ulps", "verdict"];
        header.extend(more.map(str::to_owned));
        let mut bytes = line(&header);
        for (k, part) in self.searched.parts.iter().enumerate() {
            let mut cells = vec![format!("w{:03}", k + 1)];
            cells.extend(part.input.iter().flat_map(|x| [hex(*x), decimal(*x)]));
            let (lo, hi) = ends(&part.exact.oracle).map_or((String::new(), String::new()), |(a, b)| (hex(a), hex(b)));
            let (y, e) = (part.result, &part.exact);
            cells.extend([lo, hi, hex(y), decimal(y), decimal(e.tolerances), decimal(e.ulps)]);
            cells.push(verdict(part).name().to_owned());
            bytes.extend(line(&cells));
        }
        bytes
    }

    /// `worst.json`.
    #[must_use]
    pub fn json(&self, exit: u8) -> impl Serialize {
        let name = |k: usize| self.spec.inputs[k].name.clone();
        let named = |x: &[f64]| x.iter().enumerate().map(|(k, v)| (name(k), hex(*v))).collect::<Vec<_>>();
        Document {
            schema: "magneto/worst/1",
            specification: self.spec.name.clone(),
            accuracy: self.spec.accuracy.to_string(),
            implementation: self.record.0.clone(),
            evaluations: self.searched.evaluations,
            interrupted: self.searched.interrupted,
            exit,
            parts: self
                .searched
                .parts
                .iter()
                .map(|part| Row {
                    from: named(&part.ends.iter().map(|e| e.0).collect::<Vec<_>>()),
                    to: named(&part.ends.iter().map(|e| e.1).collect::<Vec<_>>()),
                    input: named(&part.input),
                    result: hex(part.result),
                    owed: ends(&part.exact.oracle).map(|(a, b)| [hex(a), hex(b)]),
                    tolerances: decimal(part.exact.tolerances),
                    ulps: decimal(part.exact.ulps),
                    verdict: verdict(part).name(),
                })
                .collect(),
            findings: self
                .searched
                .findings
                .iter()
                .map(|f| Found { input: named(&f.input), what: said(f), times: f.times })
                .collect(),
        }
    }
}

fn verdict(part: &Part) -> Verdict {
    part.exact.oracle.verdict(part.result)
}

/// What a result may be at most; `None` where there is no such thing.
fn ends(oracle: &Oracle) -> Option<(f64, f64)> {
    match oracle {
        Oracle::Decided { lo, hi, .. } => Some((*lo, *hi)),
        Oracle::Capped { outer, .. } => Some(*outer),
        Oracle::Unsatisfiable | Oracle::Undefined | Oracle::Unsettled => None,
    }
}

/// A number of which a reader only needs the place.
fn short(x: f64) -> String {
    if x != 0.0 && !(1e-3..1e6).contains(&x.abs()) { format!("{x:.2e}") } else { format!("{x:.4}") }
}

fn what(answer: &Answer) -> &'static str {
    match answer {
        Answer::Value(y) if y.is_nan() => "NaN",
        Answer::Value(_) => "infinite",
        Answer::Reject(_) => "refused",
        Answer::Crash(_) => "crash",
        Answer::Hang { .. } => "no answer in time",
        Answer::Garbage(_) | Answer::Missing => "unreadable",
    }
}

fn said(finding: &Finding) -> String {
    match &finding.answer {
        Answer::Crash(how) | Answer::Reject(how) | Answer::Garbage(how) => format!("{}: {how}", what(&finding.answer)),
        answer => what(answer).to_owned(),
    }
}

type Named = Vec<(String, String)>;

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    specification: String,
    accuracy: String,
    implementation: Named,
    evaluations: u64,
    interrupted: bool,
    exit: u8,
    parts: Vec<Row>,
    findings: Vec<Found>,
}

#[derive(Serialize)]
struct Row {
    from: Named,
    to: Named,
    input: Named,
    result: String,
    owed: Option<[String; 2]>,
    tolerances: String,
    ulps: String,
    verdict: &'static str,
}

#[derive(Serialize)]
struct Found {
    input: Named,
    what: String,
    times: u64,
}
