//! Calls of an implementation in batches: for a library's function in one write a batch, for a function of this process in
//! one call, for everything else over the pipe protocol.
//!
//! A batch that the process does not survive is put to a new process one point after the other, so that the crash or
//! the hang is that of one point.

use super::answer::{Answer, rounded};
pub use super::function::Stop;
use super::function::{self, InProcess};
use super::pipe::{PipeProgram, run};
use super::process::described;
use super::{HarnessFault, RunLimits};
use crate::floats::Format;
use crate::tool::Group;
use std::io::{self, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use std::sync::atomic::{AtomicBool, Ordering};

/// The flag of [`super::CALL`] that asks for batches; the number of inputs follows.
pub const BATCHES: &str = "--batches";
/// The bytes of one answer: [`VALUE`] or [`STATUS`], and a binary64 number or an integer, least significant byte first; or
/// [`REFUSED`] or [`CRASHED`], and the number of bytes of the words that follow.
pub(super) const ANSWER_BYTES: usize = 9;
/// What begins an answer that is a number.
pub(super) const VALUE: u8 = 0;
/// What begins an answer that is the status of a refusal.
pub(super) const STATUS: u8 = 1;
/// What begins the answer to a point that the signature cannot take.
pub(super) const NONE: u8 = 2;
/// What begins an answer that is a refusal in words.
const REFUSED: u8 = 3;
/// What begins an answer that is a crash in words, which the process survived.
const CRASHED: u8 = 4;
/// What begins the answer to a point at which the result was stored where an input is passed.
pub(super) const ELSEWHERE: u8 = 5;
/// What is said of such a call, which shows that the signature is not the function's.
pub(super) const MISPLACED: &str = "the function stored nothing in its last argument, where its result is expected, and changed an \
                                    input: an argument before it seems to be the result";
/// What begins the answer to a point with a number that is none of the type that the function takes.
pub(super) const UNTYPED: u8 = 6;
/// What is said of such a point.
pub(super) const IMPOSSIBLE: &str = "an input is no number of the type that the function takes";
/// What begins the answer to a point at which nothing was stored where a result is expected.
pub(super) const UNWRITTEN: u8 = 7;
/// What is said of such a call.
pub(super) const NOTHING: &str = "the function stored nothing where a result is expected";
/// What is said of a point that the signature cannot take.
pub(super) const TOO_MANY: &str = "too many inputs for the signature";
/// The most bytes of such words.
const MAX_WORDS: usize = 1 << 16;
/// How long one look at a silent process takes.
const SLICE: Duration = Duration::from_millis(50);

/// Puts points to an implementation.
pub struct Caller<'a> {
    callee: Callee<'a>,
    inputs: usize,
    format: Format,
    limits: &'a RunLimits,
    stop: Option<&'a AtomicBool>,
    life: Option<Life>,
    /// Why the last call ended early.
    stopped: Option<Stop>,
    /// How often the process was started.
    pub starts: u32,
    /// What the process said when it was ready: of a library, where it is.
    pub ready: Option<String>,
}

/// What is called.
#[derive(Clone, Copy)]
enum Callee<'a> {
    Program(&'a PipeProgram),
    Function(&'a InProcess<'a>),
}

struct Life {
    child: Child,
    group: Group,
    stdin: ChildStdin,
    output: Receiver<Vec<u8>>,
    pending: Vec<u8>,
}

impl Drop for Life {
    fn drop(&mut self) {
        self.group.end();
        let _ = self.child.wait();
    }
}

/// What a batch, or a part of it, ended with.
enum Ended {
    All,
    /// After so many answers: a crash, described, or no answer in time.
    Crash(String),
    Hang,
}

impl<'a> Caller<'a> {
    /// Make ready to call a program with so many `inputs` and results of `format`.
    #[must_use]
    pub fn new(
        program: &'a PipeProgram,
        inputs: usize,
        format: Format,
        limits: &'a RunLimits,
        stop: Option<&'a AtomicBool>,
    ) -> Self {
        Caller::of(Callee::Program(program), (inputs, format), limits, stop)
    }

    /// Make ready to call a function of this process with so many `inputs` and results of `format`, to which its answers are
    /// rounded. Nothing bounds its time; what it does to the process it does to this one.
    #[must_use]
    pub fn of_function(
        function: &'a InProcess<'a>,
        inputs: usize,
        format: Format,
        limits: &'a RunLimits,
        stop: Option<&'a AtomicBool>,
    ) -> Self {
        Caller::of(Callee::Function(function), (inputs, format), limits, stop)
    }

    fn of(
        callee: Callee<'a>,
        (inputs, format): (usize, Format),
        limits: &'a RunLimits,
        stop: Option<&'a AtomicBool>,
    ) -> Self {
        Caller { callee, inputs, format, limits, stop, life: None, stopped: None, starts: 0, ready: None }
    }

    /// Another caller of the same program, with a process of its own; of a function of this process, of that.
    #[must_use]
    pub fn another(&self) -> Self {
        Caller::of(self.callee, (self.inputs, self.format), self.limits, self.stop)
    }

    /// The flag that ends calls early, from outside.
    #[must_use]
    pub fn stop(&self) -> Option<&'a AtomicBool> {
        self.stop
    }

    /// Whether the program takes batches: each but those of the user, which know no protocol but that of lines.
    #[must_use]
    pub fn takes_batches(&self) -> bool {
        matches!(self.callee, Callee::Program(program) if program.says_ready)
    }

    /// Whether several callers may call it at a time: a library, each in a process of its own, or a function of this process.
    /// Programs of the user are not run beside each other.
    #[must_use]
    pub fn allows_threads(&self) -> bool {
        self.takes_batches() || matches!(self.callee, Callee::Function(_))
    }

    /// Starts the process of a library, so that it is known which file was loaded.
    ///
    /// # Errors
    /// It cannot be loaded, or the run was interrupted.
    pub fn load(&mut self) -> Result<(), Stop> {
        if self.takes_batches() && self.life.is_none() {
            self.life = Some(self.start()?);
        }
        Ok(())
    }

    /// The answers to points, in their order. If the harness breaks or the run is interrupted, what was answered before
    /// that; the next call fails.
    ///
    /// # Errors
    /// The harness broke, or the run was interrupted, before the first answer.
    pub fn call(&mut self, points: &[Vec<f64>]) -> Result<Vec<Answer>, Stop> {
        if let Some(stop) = self.stopped.take() {
            return Err(stop);
        }
        match self.callee {
            Callee::Function(called) => return function::call(called, &points.concat(), points.len(), self.format),
            Callee::Program(program) if !self.takes_batches() => return self.call_by_lines(program, points),
            Callee::Program(_) => {}
        }
        let mut answers = Vec::with_capacity(points.len());
        let mut careful = false;
        while answers.len() < points.len() {
            // One after the other only until what broke the batch is found.
            let from = answers.len();
            let left = &points[from..];
            let numbers = left.iter().flatten().copied();
            let ended = match self.exchange(numbers, left.len(), careful, &mut |answer| answers.push(answer)) {
                Ok(ended) => ended,
                Err(stop) if answers.is_empty() => return Err(stop),
                Err(stop) => {
                    self.stopped = Some(stop);
                    return Ok(answers);
                }
            };
            match ended {
                Ended::All => {}
                Ended::Crash(_) | Ended::Hang if !careful => {
                    answers.truncate(from);
                    careful = true;
                    continue;
                }
                Ended::Crash(how) => answers.push(Answer::Crash(how)),
                Ended::Hang => answers.push(Answer::Hang { seconds: self.limits.answer.as_secs_f64() }),
            }
            careful = false;
        }
        Ok(answers)
    }

    /// The results at points whose inputs stand one after the other in `inputs`, into `results`, with what is no number
    /// in `others`, where a NaN takes its place. `false` if the process did not survive that, and nothing is known.
    ///
    /// # Errors
    /// The harness broke, or the run was interrupted.
    pub fn results(
        &mut self,
        inputs: &[f64],
        results: &mut Vec<f64>,
        others: &mut Vec<(usize, Answer)>,
    ) -> Result<bool, Stop> {
        results.clear();
        others.clear();
        let count = inputs.len() / self.inputs.max(1);
        let mut take = |answer| match answer {
            Answer::Value(y) => results.push(y),
            other => {
                others.push((results.len(), other));
                results.push(f64::NAN);
            }
        };
        if count == 0 {
            return Ok(true);
        }
        if let Callee::Function(called) = self.callee {
            function::call(called, inputs, count, self.format)?.into_iter().for_each(take);
            return Ok(true);
        }
        if self.takes_batches() {
            let ended = self.exchange(inputs.iter().copied(), count, false, &mut take)?;
            return Ok(matches!(ended, Ended::All));
        }
        let points: Vec<Vec<f64>> = inputs.chunks(self.inputs).map(<[f64]>::to_vec).collect();
        self.call(&points)?.into_iter().for_each(take);
        Ok(results.len() == count)
    }

    fn call_by_lines(&mut self, program: &PipeProgram, points: &[Vec<f64>]) -> Result<Vec<Answer>, Stop> {
        let tests: Vec<_> = points.iter().enumerate().map(|(k, x)| (format!("p{}", k + 1), x.clone())).collect();
        // It is not known whether it writes a line for each input and no more: its end says so.
        let mut run = run(program, &tests, self.format, self.limits, self.stop);
        self.starts += run.starts;
        self.ready = run.ready.take().or(self.ready.take());
        let broken = run.broken.take().map(|b| Stop::Broken(HarnessFault { test: None, ..b }));
        let stop = if run.interrupted { Some(Stop::Interrupted) } else { broken };
        let answered = run.answers.into_iter().map(|given| given.answer);
        let Some(stop) = stop else { return Ok(answered.collect()) };
        let answers: Vec<Answer> = answered.take_while(|a| *a != Answer::Missing).collect();
        if answers.is_empty() {
            return Err(stop);
        }
        self.stopped = Some(stop);
        Ok(answers)
    }

    /// Puts `count` points, whose inputs are `numbers`, to the process, and hands on what it answers.
    fn exchange(
        &mut self,
        numbers: impl Iterator<Item = f64>,
        count: usize,
        careful: bool,
        take: &mut dyn FnMut(Answer),
    ) -> Result<Ended, Stop> {
        let mut life = match self.life.take() {
            Some(life) => life,
            None => self.start()?,
        };
        let mut bytes = Vec::with_capacity(5 + count * self.inputs * 8);
        bytes.push(u8::from(careful));
        bytes.extend(u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
        numbers.for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
        let mut missing = count;
        // A process that has ended does not read: what it has answered says how far it came.
        let _ = life.stdin.write_all(&bytes).and_then(|()| life.stdin.flush());
        // In a batch the time for one answer is the time for the next answers that come.
        while missing > 0 {
            let Some(chunk) = self.wait(&mut life, self.limits.answer)? else { return Ok(Ended::Hang) };
            if chunk.is_empty() {
                let how = life.child.wait().map_or("the process ended".to_owned(), |status| described(status).text);
                return Ok(Ended::Crash(format!("{how} before it answered")));
            }
            life.pending.extend(chunk);
            let mut at = 0;
            while let Some((answer, end)) = self.read(&life.pending[at..])? {
                take(answer);
                missing = missing.saturating_sub(1);
                at += end;
            }
            life.pending.drain(..at);
        }
        self.life = Some(life);
        Ok(Ended::All)
    }

    /// The first answer among some bytes, and how many of them it has; none where it is not all there.
    fn read(&self, bytes: &[u8]) -> Result<Option<(Answer, usize)>, Stop> {
        let Some((head, rest)) = bytes.split_at_checked(ANSWER_BYTES) else { return Ok(None) };
        let payload: [u8; 8] = head[1..].try_into().unwrap_or_default();
        let wrong = || self.broken("the function's process wrote what is no answer", None);
        let answer = match head[0] {
            VALUE => Answer::Value(rounded(f64::from_le_bytes(payload), self.format)),
            STATUS => Answer::Reject(format!("returned status {}", i64::from_le_bytes(payload))),
            kind @ (REFUSED | CRASHED) => {
                let length = usize::try_from(u64::from_le_bytes(payload)).unwrap_or(usize::MAX);
                if length > MAX_WORDS {
                    return Err(wrong());
                }
                let Some(words) = rest.get(..length) else { return Ok(None) };
                let words = String::from_utf8_lossy(words).into_owned();
                let answer = if kind == REFUSED { Answer::Reject(words) } else { Answer::Crash(words) };
                return Ok(Some((answer, ANSWER_BYTES + length)));
            }
            UNWRITTEN => return Err(self.broken(NOTHING, None)),
            UNTYPED => Answer::Reject(IMPOSSIBLE.to_owned()),
            ELSEWHERE => return Err(self.broken(MISPLACED, None)),
            _ => return Err(wrong()),
        };
        Ok(Some((answer, ANSWER_BYTES)))
    }

    /// The next bytes; empty at the end of the output, `None` if nothing came in time.
    fn wait(&self, life: &mut Life, time: Duration) -> Result<Option<Vec<u8>>, Stop> {
        let deadline = Instant::now() + time;
        loop {
            if self.stop.is_some_and(|s| s.load(Ordering::Relaxed)) {
                return Err(Stop::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match life.output.recv_timeout(left.min(SLICE)) {
                Ok(chunk) => return Ok(Some(chunk)),
                Err(RecvTimeoutError::Disconnected) => return Ok(Some(Vec::new())),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn broken(&self, why: &str, error: Option<io::Error>) -> Stop {
        let why = error.map_or(why.to_owned(), |e| format!("{why}: {e}"));
        Stop::Broken(HarnessFault { test: None, why, errors: Vec::new() })
    }

    fn start(&mut self) -> Result<Life, Stop> {
        if self.starts > self.limits.restarts {
            let why = format!("the process had to be started {} times, more than --restarts allows", self.starts);
            return Err(self.broken(&why, None));
        }
        self.starts += 1;
        let command = if let Callee::Program(program) = self.callee { &program.command[..] } else { &[] };
        let (program, arguments) = command.split_first().ok_or_else(|| self.broken("no program", None))?;
        let mut command = Command::new(program);
        command.args(arguments).arg(BATCHES).arg(self.inputs.to_string());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let (mut child, group) =
            Group::start(&mut command).map_err(|e| self.broken("the process cannot be started", Some(e)))?;
        let (Some(stdin), Some(mut stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(self.broken("there are no pipes to the process", None));
        };
        let (sender, output) = sync_channel(64);
        std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(count) = stdout.read(&mut buffer) {
                if count == 0 || sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let mut life = Life { child, group, stdin, output, pending: Vec::new() };
        // The line that says that it is ready, or why not.
        while !life.pending.contains(&b'\n') {
            match self.wait(&mut life, self.limits.start)? {
                Some(chunk) if !chunk.is_empty() => life.pending.extend(chunk),
                _ => return Err(self.broken("the implementation could not be loaded", None)),
            }
        }
        let end = life.pending.iter().position(|b| *b == b'\n').unwrap_or_default();
        let line: Vec<u8> = life.pending.drain(..=end).collect();
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        match line.strip_prefix("error:") {
            Some(why) => Err(self.broken(why.trim(), None)),
            None => {
                self.ready = Some(line.strip_prefix("ready").unwrap_or_default().trim().to_owned());
                Ok(life)
            }
        }
    }
}
