//! The pipe protocol: a long-lived process that reads one line a test and writes one line a test.
//!
//! Nothing that the process does takes this program down or lets it wait for ever: it is the leader of a process group,
//! which is killed as a whole; its output is read by threads of their own, line by line and of bounded length; and what
//! it has written more than it was asked for voids what it answered since it was started.

use super::answer::{Answer, GivenAnswer, MAX_LINE, clip, parse_one_of};
use super::process::{Event, Process};
use super::{HarnessFault, RunLimits};
use crate::floats::Format;
use crate::num::float::hex;
use crate::spec::ResultPlace;
use crate::text::quote;
use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A program that speaks the protocol.
#[derive(Clone, Debug)]
pub struct PipeProgram {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// What it is, in a message that says that it cannot be started.
    pub name: String,
    /// Whether it writes a line when it is ready: `ready`, with something to record after it, or `error: why not`. Such a program
    /// answers batches, too, where it is asked for that, see [`super::batch`].
    pub says_ready: bool,
    /// Which of the numbers of a line is the answer.
    pub result: ResultPlace,
}

/// What became of the tests.
#[derive(Clone, Debug, Default)]
pub struct PipeRun {
    /// An answer a test.
    pub answers: Vec<GivenAnswer>,
    /// What happened beside the answers.
    pub notes: Vec<String>,
    /// Why the run ended early.
    pub broken: Option<HarnessFault>,
    /// What the program said when it was ready.
    pub ready: Option<String>,
    /// The last lines that it wrote to its standard error.
    pub errors: Vec<String>,
    /// How many times it was started.
    pub starts: u32,
    /// Whether the run was interrupted from outside.
    pub interrupted: bool,
}

/// Put tests (id and input) to a program.
#[must_use]
pub fn run(
    program: &PipeProgram,
    tests: &[(String, Vec<f64>)],
    format: Format,
    limits: &RunLimits,
    stop: Option<&AtomicBool>,
) -> PipeRun {
    let mut session = Session::new(program, tests, format, limits, stop);
    if session.ask_all() {
        session.finish();
    }
    session.end_life();
    session.run
}

/// Why no more tests are put.
enum Stop {
    Broken(HarnessFault),
    Interrupted,
}

/// One process, from its start to its end.
struct Life {
    process: Process,
    /// The first test that it was given.
    first: usize,
    /// How many tests it has answered.
    answered: usize,
}

struct Session<'a> {
    program: &'a PipeProgram,
    tests: &'a [(String, Vec<f64>)],
    format: Format,
    limits: &'a RunLimits,
    stop: Option<&'a AtomicBool>,
    life: Option<Life>,
    run: PipeRun,
}

/// How long one look at a silent process takes before it is asked whether it still lives.
const SLICE: Duration = Duration::from_millis(50);
/// How long what a process has written before its end may take to arrive.
const DRAIN: Duration = Duration::from_millis(500);
/// How long a process may take to end at the end of its input.
const FAREWELL: Duration = Duration::from_secs(2);

impl<'a> Session<'a> {
    fn new(
        program: &'a PipeProgram,
        tests: &'a [(String, Vec<f64>)],
        format: Format,
        limits: &'a RunLimits,
        stop: Option<&'a AtomicBool>,
    ) -> Self {
        let run = PipeRun { answers: vec![Answer::Missing.into(); tests.len()], ..PipeRun::default() };
        Session { program, tests, format, limits, stop, life: None, run }
    }

    /// Puts all tests. Whether that came to its end.
    fn ask_all(&mut self) -> bool {
        for test in 0..self.tests.len() {
            match self.ask(test) {
                Ok(given) => self.run.answers[test] = given,
                Err(Stop::Broken(broken)) => {
                    self.run.broken = Some(broken);
                    return false;
                }
                Err(Stop::Interrupted) => {
                    self.run.interrupted = true;
                    return false;
                }
            }
        }
        true
    }

    /// The answer to one test.
    fn ask(&mut self, test: usize) -> Result<GivenAnswer, Stop> {
        let mut again = false;
        loop {
            self.notice_excess(test);
            if self.life.is_none() {
                self.start(test)?;
            }
            match self.ask_once(test)? {
                // It went away in peace after an earlier answer: that says nothing of this test.
                None if !again => again = true,
                None => return Ok(Answer::Crash("the process ended without an answer".into()).into()),
                Some(given) => return Ok(given),
            }
        }
    }

    /// `None`: the process had ended with status 0 after an earlier answer.
    fn ask_once(&mut self, test: usize) -> Result<Option<GivenAnswer>, Stop> {
        let Some(life) = &mut self.life else { return Ok(None) };
        let words: Vec<String> = self.tests[test].1.iter().map(|x| hex(*x)).collect();
        life.process.send(words.join(" ") + "\n");
        let fresh = life.answered == 0 && !self.program.says_ready;
        let time = if fresh { self.limits.start.max(self.limits.answer) } else { self.limits.answer };
        let event = self.wait(time)?;
        let Some(life) = &mut self.life else { return Ok(None) };
        Ok(Some(match event {
            Some(Event::Line { bytes, more }) => {
                // A byte order mark may come before the first line.
                let bytes =
                    if life.answered == 0 { bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes) } else { &bytes };
                life.answered += 1;
                let read = match std::str::from_utf8(bytes) {
                    Ok(text) => parse_one_of(text, self.program.result, self.format)
                        .map(|answer| (answer, text.trim().to_owned())),
                    Err(_) => Err(format!("{} bytes that are no text", bytes.len()).into()),
                };
                if more {
                    let excess = match life.process.next(DRAIN) {
                        Some(Event::Line { bytes, .. } | Event::TooLong(bytes) | Event::End { partial: bytes }) => {
                            bytes
                        }
                        None => Vec::new(),
                    };
                    self.void(test + 1, &excess);
                }
                match read {
                    Ok(_) if more => self.run.answers[test].clone(),
                    Ok((answer, text)) => GivenAnswer { answer, text: Some(text) },
                    // Said of this line whether or not the next one has arrived: the reason must not depend on timing.
                    Err(why) => {
                        self.end_life();
                        Answer::Garbage(format!("expected one line with a number, found: {why}")).into()
                    }
                }
            }
            Some(Event::TooLong(bytes)) => {
                let start = quote(&String::from_utf8_lossy(&bytes[..bytes.len().min(200)]));
                self.end_life();
                Answer::Garbage(format!("a line of more than {MAX_LINE} bytes, which begins with {start}")).into()
            }
            Some(Event::End { partial }) => {
                let answered = life.answered;
                let ended = life.process.status(DRAIN);
                self.end_life();
                let code = ended.as_ref().and_then(|s| s.code);
                if matches!(code, Some(126 | 127)) && answered == 0 {
                    return Err(Stop::Broken(self.broken(test, "the program cannot be started".into())));
                }
                if code == Some(0) && answered > 0 && partial.is_empty() {
                    return Ok(None);
                }
                let how = ended.map_or("the process closed its standard output".to_owned(), |s| s.text);
                let unfinished = String::from_utf8_lossy(&partial);
                let unfinished = match unfinished.trim() {
                    "" => String::new(),
                    text => format!(", after {} without a line end", quote(text)),
                };
                Answer::Crash(format!("{how} before it answered{unfinished}")).into()
            }
            None => {
                self.end_life();
                Answer::Hang { seconds: time.as_secs_f64() }.into()
            }
        }))
    }

    /// The next event of the process; `None` if there is none in time.
    fn wait(&mut self, time: Duration) -> Result<Option<Event>, Stop> {
        let deadline = Instant::now() + time;
        let Some(life) = &mut self.life else { return Ok(None) };
        loop {
            if self.stop.is_some_and(|s| s.load(Ordering::Relaxed)) {
                return Err(Stop::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if let Some(event) = life.process.next(left.min(SLICE)) {
                return Ok(Some(event));
            }
            if life.process.has_ended() {
                // What it has started must not keep the pipe open; what it has written before is still in there.
                life.process.kill();
                let event = life.process.next(DRAIN);
                return Ok(Some(event.unwrap_or(Event::End { partial: Vec::new() })));
            }
            if left.is_zero() {
                return Ok(None);
            }
        }
    }

    /// Start the process for a test.
    fn start(&mut self, test: usize) -> Result<(), Stop> {
        if self.run.starts > self.limits.restarts {
            let starts = self.run.starts;
            let last = match test.checked_sub(1).map(|t| &self.run.answers[t].answer) {
                Some(Answer::Crash(how)) => format!("; the last time, {how}"),
                Some(Answer::Garbage(why)) => format!("; the last time, {why}"),
                Some(Answer::Hang { .. }) => "; the last time it gave no answer in time".to_owned(),
                _ => "; it ends after each answer, but has to read lines until the end of its input".to_owned(),
            };
            let why = format!("the process had to be started {starts} times, more than --restarts allows{last}");
            return Err(Stop::Broken(self.broken(test, why)));
        }
        self.run.starts += 1;
        let process = match Process::start(&self.program.command) {
            Ok(process) => process,
            Err(e) => {
                return Err(Stop::Broken(self.broken(test, format!("{} cannot be started: {e}", self.program.name))));
            }
        };
        self.life = Some(Life { process, first: test, answered: 0 });
        if self.program.says_ready {
            self.await_ready(test)?;
        }
        Ok(())
    }

    fn await_ready(&mut self, test: usize) -> Result<(), Stop> {
        let why = match self.wait(self.limits.start)? {
            Some(Event::Line { bytes, .. }) => {
                let text = String::from_utf8_lossy(&bytes).trim().to_owned();
                if let Some(rest) = text.strip_prefix("ready") {
                    self.run.ready = Some(rest.trim().to_owned());
                    return Ok(());
                }
                clip(text.strip_prefix("error:").unwrap_or(&text), 400)
            }
            Some(_) => {
                let status = self.life.as_mut().and_then(|l| l.process.status(DRAIN));
                let how = status.map_or("it closed its standard output".to_owned(), |s| s.text);
                format!("the implementation could not be loaded: {how}")
            }
            None => {
                let seconds = self.limits.start.as_secs_f64();
                format!("the implementation was not ready after {seconds} s (--start-timeout)")
            }
        };
        let broken = self.broken(test, why);
        // What does not start at all has nothing to do with the first test.
        let test = broken.test.filter(|_| self.run.starts > 1);
        Err(Stop::Broken(HarnessFault { test, ..broken }))
    }

    /// Lines that nobody asked for: which line answers which test is not known since the process was started.
    fn notice_excess(&mut self, test: usize) {
        let Some(life) = &mut self.life else { return };
        let excess = match life.process.next(Duration::ZERO) {
            Some(Event::Line { bytes, .. } | Event::TooLong(bytes)) => bytes,
            Some(end @ Event::End { .. }) => {
                life.process.put_back(end);
                return;
            }
            None => return,
        };
        self.void(test, &excess);
    }

    /// Void the answers of this life, which stands before `test`.
    fn void(&mut self, test: usize, excess: &[u8]) {
        let Some(life) = &self.life else { return };
        let text = quote(String::from_utf8_lossy(excess).trim());
        let last = &self.tests[test - 1].0;
        let since = &self.tests[life.first].0;
        let why = if life.first + 1 == test {
            format!("more than one line was written for it; {text} is too much")
        } else {
            format!(
                "more lines than tests were written from {since} to {last} ({text} is too much): which line answers \
                 which test is not known"
            )
        };
        for given in &mut self.run.answers[life.first..test] {
            *given = Answer::Garbage(why.clone()).into();
        }
        self.end_life();
    }

    /// The end of the input: the process has to end, and nothing more may come.
    fn finish(&mut self) {
        let tests = self.tests.len();
        let Some(life) = &mut self.life else { return };
        life.process.close_input();
        match self.wait(FAREWELL) {
            Ok(Some(Event::Line { bytes, .. } | Event::TooLong(bytes))) => return self.void(tests, &bytes),
            Ok(Some(Event::End { partial })) if !partial.is_empty() => return self.void(tests, &partial),
            Ok(Some(Event::End { .. })) => {}
            Ok(None) => {
                let note = "the process did not end at the end of its input and was killed";
                self.run.notes.push(note.to_owned());
                return;
            }
            Err(_) => return,
        }
        let status = self.life.as_mut().and_then(|l| l.process.status(FAREWELL));
        if let Some(status) = status.filter(|s| s.code != Some(0)) {
            self.run.notes.push(format!("after the last test {}", status.text));
        }
    }

    fn end_life(&mut self) {
        if let Some(mut life) = self.life.take() {
            life.process.kill();
            let errors = life.process.errors();
            if !errors.is_empty() {
                self.run.errors = errors;
            }
        }
    }

    fn broken(&mut self, test: usize, why: String) -> HarnessFault {
        self.end_life();
        HarnessFault { test: self.tests.get(test).map(|t| t.0.clone()), why, errors: self.run.errors.clone() }
    }
}
