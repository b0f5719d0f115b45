//! `worst.json`.

use super::{WorstReport, said, verdict, what};
use crate::num::AtMost;
use crate::num::float::{decimal, hex};
use crate::oracle::{self, Oracle};
use crate::record::manifest::{VERSION, file_name, hash, inputs, sizes};
use crate::record::tests::named;
use crate::record::worst::{Against, Compared, Exhaustive, Finding, Largest, Region, Worst, WorstPart};
use crate::record::{Fields, VerdictWord};
use crate::spec::ResultPlace;

fn word(verdict: oracle::Verdict) -> VerdictWord {
    match verdict {
        oracle::Verdict::Ok => VerdictWord::Ok,
        oracle::Verdict::Ko => VerdictWord::Ko,
        oracle::Verdict::Uncertain => VerdictWord::Uncertain,
    }
}

/// What is written of a search that ends with an exit code.
#[must_use]
pub fn document(report: &WorstReport<'_>, exit: u8) -> Worst {
    let (spec, searched) = (report.spec, report.searched);
    Worst {
        magneto: VERSION.to_owned(),
        specification: spec.name.clone(),
        requirement: spec.requirement.clone(),
        file: file_name(spec),
        sha256: hash(report.source),
        accuracy: spec.accuracy.to_string(),
        inputs: inputs(spec),
        sizes: sizes(spec),
        result_format: spec.result_format.name().to_owned(),
        result_place: ResultPlace::of_array(&spec.core).map(|place| [place.index, place.count]),
        implementation: Fields(report.record.0.clone()),
        exit,
        interrupted: searched.interrupted,
        broken: None,
        evaluations: searched.evaluations,
        exhaustive: report.tally.map(|t| Exhaustive {
            complete: t.is_complete(),
            inputs: t.inputs,
            seen: t.seen,
            owed: t.owed,
            ok: t.ok,
            ko: t.ko,
            uncertain: t.uncertain,
            at_most_ulps: AtMost(t.at_most_ulps).to_string(),
        }),
        parts: report.named_parts().map(|p| part(report, p)).collect(),
        regions: searched
            .regions
            .iter()
            .map(|r| Region {
                along: spec.inputs[r.input].name.clone(),
                from: hex(r.ends.0),
                to: hex(r.ends.1),
                at: named(spec, &r.at, hex),
                tried: r.tried,
                wrong: r.wrong,
            })
            .collect(),
        findings: report
            .named_findings()
            .map(|(id, f)| {
                let owed = f.oracle.as_ref().and_then(Oracle::ends).map(|(a, b)| [hex(a), hex(b)]);
                Finding { id, input: named(spec, &f.input, hex), what: said(f), owed, times: f.times }
            })
            .collect(),
        against: report.against.map(|(record, rows)| Against {
            implementation: Fields(record.0.clone()),
            inputs: rows
                .iter()
                .map(|row| Compared {
                    input: named(spec, &row.input, hex),
                    results: row.answers.each_ref().map(|a| match a {
                        crate::harness::Answer::Value(y) => hex(*y),
                        other => what(other).to_owned(),
                    }),
                    ulps: row.ulps.map(|u| u.map(decimal)),
                    verdicts: row.verdicts.map(word),
                })
                .collect(),
        }),
        picture: searched
            .profile
            .cells
            .iter()
            .flatten()
            .map(|(x, error)| Largest { input: x.iter().map(|x| hex(*x)).collect(), error: hex(*error) })
            .collect(),
    }
}

fn part(report: &WorstReport<'_>, (id, part): (String, &crate::worst::DomainPart)) -> WorstPart {
    let low: Vec<f64> = part.ends.iter().map(|e| e.0).collect();
    let high: Vec<f64> = part.ends.iter().map(|e| e.1).collect();
    WorstPart {
        id,
        from: named(report.spec, &low, hex),
        to: named(report.spec, &high, hex),
        input: named(report.spec, &part.input, hex),
        input_dec: named(report.spec, &part.input, decimal),
        result: hex(part.result),
        owed: part.exact.oracle.ends().map(|(a, b)| [hex(a), hex(b)]),
        tolerances: decimal(part.exact.tolerances),
        ulps: decimal(part.exact.ulps),
        verdict: word(verdict(part)),
    }
}
