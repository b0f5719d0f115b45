//! `magneto report --format record`: what is said on the cover, and the PDF.

use super::destination;
use super::exit::Failure;
use super::no_run::no_run;
use super::output::Output;
use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Args};
use magneto::record::check::Check;
use magneto::record::manifest::hash;
use magneto::record::read;
use magneto::record::store::{self, Files, RECORD_PDF};
use magneto::record::verification::{self, Verification};
use magneto::report::forms::{self, Stored};
use magneto::report::html::record::{CoverPage, FILE, RECORD, RecordAnnex, SignedRecord};
use magneto::report::html::{FurtherEvidence, further_evidence};
use magneto::requirements::{Requirement, Requirements};
use magneto::tool::{Scratch, ToolError, browser_status};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The cover of a record, and where its requirements are. What is not said stays a line to be filled in by hand.
#[derive(Args)]
#[command(next_help_heading = "Record")]
pub(crate) struct CoverOptions {
    /// The document's id. Default: left to be filled in
    #[arg(long, value_name = "TEXT")]
    id: Option<String>,
    /// The document's revision. Default: left to be filled in
    #[arg(long, value_name = "TEXT")]
    revision: Option<String>,
    /// The document's date. Default: that of SOURCE_DATE_EPOCH, else left to be filled in
    #[arg(long, value_name = "DATE")]
    date: Option<String>,
    /// The item whose software is tested. Default: left to be filled in
    #[arg(long, value_name = "TEXT")]
    item: Option<String>,
    /// Its assurance or integrity level. Default: left to be filled in
    #[arg(long, value_name = "TEXT")]
    level: Option<String>,
    /// The version of the software under test. Default: left to be filled in
    #[arg(long, value_name = "TEXT")]
    software: Option<String>,
    /// On what it ran, and how that differs from where it is used. Default: left to be filled in
    #[arg(long, value_name = "TEXT")]
    target: Option<String>,
    /// Who ran the tests. Default: left to be filled in
    #[arg(long, value_name = "NAME")]
    tester: Option<String>,
    /// Who verified the results. Default: left to be filled in
    #[arg(long, value_name = "NAME")]
    verifier: Option<String>,
    /// Who approves them. Default: left to be filled in
    #[arg(long, value_name = "NAME")]
    approver: Option<String>,
    /// Who gets the record. Default: left to be filled in
    #[arg(long, value_name = "TEXT")]
    distribution: Option<String>,
    /// The requirements, TOML, CSV or ReqIF. Default: the nearest requirements.toml upward from the current folder
    #[arg(long, value_name = "FILE")]
    requirements: Option<PathBuf>,
    /// What stands behind the record at its end, for every specification: tests, mutants, proofs. These may be many pages
    #[arg(long, value_name = "ANNEX", value_delimiter = ',', value_parser = PossibleValuesParser::new(RecordAnnex::ALL.map(RecordAnnex::name)))]
    annex: Vec<String>,
    /// Also write a PDF beside the record, by Chromium or WeasyPrint where one is installed
    #[arg(long)]
    pdf: bool,
}

/// The programs that make a PDF of a page, in the order in which they are tried; `$CHROMIUM` names another Chromium.
const PRINTERS: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "chrome", "weasyprint"];
/// The most that making a PDF may take.
const PRINTING: Duration = Duration::from_secs(120);

impl CoverOptions {
    /// Writes the record of what is in some folders, into the first if no file is chosen; the files of specifications are looked
    /// for in `above`. Returns the record's file, if it is one.
    pub(crate) fn write(
        &self,
        dirs: &[PathBuf],
        above: &str,
        chosen: Option<&Path>,
        matches: &ArgMatches,
        output: &Output,
    ) -> Result<Option<PathBuf>, Failure> {
        let found = Found::read(dirs, above)?;
        found.note_what_changed(dirs, output);
        let dir = &dirs[0];
        let here = std::env::current_dir().unwrap_or_default();
        let file = self.requirements.clone().or_else(|| Requirements::nearest(&here));
        let read = |path: &PathBuf| Requirements::read(path).map_err(|problem| Failure::rendered(vec![problem.0]));
        let requirements = file.as_ref().map(read).transpose()?;
        let cover = self.cover()?;
        found.note_other_levels(&cover.level, requirements.as_ref(), output);
        let named = |annex: &RecordAnnex| self.annex.iter().any(|name| name == annex.name());
        let annexes: Vec<RecordAnnex> = RecordAnnex::ALL.into_iter().filter(named).collect();
        let record = SignedRecord {
            run: &found.stored,
            requirements: requirements.as_ref(),
            is_interrupted: found.is_interrupted,
            further: &found.further,
            checked: &found.checked,
            cover: &cover,
            annexes: &annexes,
        };
        let page = record.page().into_bytes();
        if chosen == Some(Path::new("-")) {
            output.print(page)?;
            return Ok(None);
        }
        let place = match chosen {
            Some(path) => {
                destination::write(matches, chosen, RECORD, || Ok(page))?;
                path.to_owned()
            }
            None => {
                store::write_into(dir, &Files::from([(FILE.to_owned(), page)]), RECORD)?;
                dir.join(FILE)
            }
        };
        let mut written = format!("{}\n", place.display());
        if self.pdf {
            let pdf = place.with_extension("pdf");
            print(&place, &pdf)?;
            written += &format!("{}\n", pdf.display());
        }
        if !output.quiet {
            output.say(written)?;
        }
        Ok(Some(place))
    }

    fn cover(&self) -> Result<CoverPage, Failure> {
        let date = match (&self.date, std::env::var("SOURCE_DATE_EPOCH")) {
            (Some(date), _) => date.clone(),
            (None, Ok(seconds)) => {
                let wrong = || Failure::usage(format!("SOURCE_DATE_EPOCH is `{seconds}`, not a number of seconds"));
                day(seconds.trim().parse().map_err(|_| wrong())?)
            }
            (None, Err(_)) => String::new(),
        };
        let text = |said: &Option<String>| said.clone().unwrap_or_default();
        Ok(CoverPage {
            id: text(&self.id),
            revision: text(&self.revision),
            date,
            item: text(&self.item),
            level: text(&self.level),
            software: text(&self.software),
            target: text(&self.target),
            tester: text(&self.tester),
            verifier: text(&self.verifier),
            approver: text(&self.approver),
            distribution: text(&self.distribution),
        })
    }
}

/// What is in folders of which a record is made.
#[derive(Default)]
struct Found {
    stored: Vec<Stored>,
    further: Vec<FurtherEvidence>,
    checked: Vec<Verification>,
    is_interrupted: bool,
}

impl Found {
    /// A folder without a run, such as one of `cover`, may stand beside those of runs.
    fn read(dirs: &[PathBuf], above: &str) -> Result<Self, Failure> {
        let mut all = Found::default();
        let mut without = None;
        for dir in dirs {
            let further = further_evidence(dir).map_err(|e| no_run(dir, &e))?;
            match forms::read(dir, above) {
                Ok(stored) => {
                    all.is_interrupted |= read::is_interrupted(dir).map_err(|e| no_run(dir, &e))?;
                    all.stored.extend(stored);
                }
                Err(why) if dir.join("summary.json").exists() || further.is_empty() => {
                    return Err(no_run(dir, &why));
                }
                Err(why) => without = Some(no_run(dir, &why)),
            }
            all.further.extend(further);
            all.checked.extend(verification::of_folder(dir).map_err(|e| no_run(dir, &e))?);
        }
        if let Some(failure) = without.filter(|_| all.stored.is_empty()) {
            return Err(failure);
        }
        let about = all.stored.iter().map(|one| &one.part.manifest.specification);
        let misfit = about.flat_map(|about| all.further.iter().filter_map(|f| f.misfit(about))).next();
        match misfit {
            Some(why) => Err(Failure::usage_hint(why, "run `magneto gen` again, then what wrote that file")),
            None => Ok(all),
        }
    }

    /// A note on requirements that are tested and have another level than the cover.
    fn note_other_levels(&self, level: &str, requirements: Option<&Requirements>, output: &Output) {
        let Some(requirements) = requirements.filter(|_| !level.is_empty()) else { return };
        let is_other = |r: &&Requirement| !r.level.is_empty() && !r.level.trim().eq_ignore_ascii_case(level.trim());
        let is_tested = |r: &&Requirement| self.stored.iter().any(|one| one.requirements().contains(&r.id.as_str()));
        let others = requirements.list.iter().filter(is_other).filter(is_tested);
        let others: Vec<String> = others.map(|r| format!("{} has level {}", r.id, r.level)).collect();
        if let [first, rest @ ..] = &others[..] {
            let more = if rest.is_empty() { String::new() } else { format!(", and {} more differ", rest.len()) };
            output.note(format!("the cover says level {level}, but {first}{more}"));
        }
    }

    /// Notes on files that are not any more what was tested, as far as they are where they were.
    fn note_what_changed(&self, dirs: &[PathBuf], output: &Output) {
        let is_kept = dirs.iter().filter(|dir| dir.join(verification::FILE).is_file()).count();
        if is_kept > self.checked.len() {
            output.note("verify.json is about another run, and is left out: run `magneto verify DIR --keep` again");
        }
        for one in &self.stored {
            let of_spec = (one.file.as_str(), one.part.manifest.specification.sha256.as_str(), "magneto gen");
            let of_check = |c: &Check| {
                let get = |key: &str| c.implementation.get(key).cloned();
                Some((get("source")?, get("source_sha256")?))
            };
            let code: Vec<(String, String)> = one.checks.iter().filter_map(of_check).collect();
            let code = code.iter().map(|(file, sha)| (file.as_str(), sha.as_str(), "magneto check"));
            for (file, sha, command) in std::iter::once(of_spec).chain(code) {
                if std::fs::read(file).is_ok_and(|bytes| hash(&bytes) != sha) {
                    output.note(format!("{file} has changed since it was tested: run `{command}` again"));
                }
            }
        }
    }
}

/// Makes a PDF of a page by the first of the programs that is there.
fn print(page: &Path, pdf: &Path) -> Result<(), Failure> {
    store::may_write(pdf, RECORD_PDF)?;
    let page = page.canonicalize().map_err(|e| Failure::usage(format!("cannot read {}: {e}", page.display())))?;
    let scratch =
        Scratch::make().map_err(|(path, e)| Failure::usage(format!("cannot write {}: {e}", path.display())))?;
    let made = scratch.path().join("record.pdf");
    let own = std::env::var("CHROMIUM").ok();
    for program in own.iter().map(String::as_str).chain(PRINTERS) {
        let mut command = Command::new(program);
        if program == "weasyprint" {
            command.arg(&page).arg(&made);
        } else {
            command.args(["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]);
            command.arg(format!("--user-data-dir={}", scratch.path().join("profile").display()));
            command.arg(format!("--print-to-pdf={}", made.display())).arg(format!("file://{}", page.display()));
        }
        match browser_status(&command, PRINTING) {
            Err(ToolError::Missing) => {}
            Ok(ended) if ended.success() && made.is_file() => {
                let bytes = std::fs::read(&made).map_err(|e| Failure::usage(format!("cannot read the PDF: {e}")))?;
                return Ok(store::write_file(pdf, RECORD_PDF, bytes)?);
            }
            Ok(ended) => return Err(Failure::usage(format!("{program} made no PDF: {ended}"))),
            Err(e) => return Err(Failure::usage(format!("{program} made no PDF: {e}"))),
        }
    }
    Err(Failure::usage_hint(
        "there is no program that makes a PDF",
        "install Chromium or WeasyPrint, or print record.html from a browser; $CHROMIUM names a Chromium elsewhere",
    ))
}

/// The day of a number of seconds since 1970 (Hinnant, *chrono-compatible low-level date algorithms*, `civil_from_days`).
fn day(seconds: u64) -> String {
    let days = seconds / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year_of_era + u64::from(month <= 2))
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days() {
        for (seconds, date) in [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (1_735_689_599, "2024-12-31"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(day(seconds), date);
        }
    }
}
