//! One process with its pipes.

use super::answer::MAX_LINE;
use crate::tool::{Group, has_ended};
use rustix::process::Signal;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, Read, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Something on the standard output of a process.
#[derive(Debug)]
pub(super) enum Event {
    /// A line.
    Line {
        /// Without its end.
        bytes: Vec<u8>,
        /// Whether something was written together with it and stands after it.
        more: bool,
    },
    /// The beginning of a line that is longer than allowed; nothing is read after it.
    TooLong(Vec<u8>),
    /// It is closed.
    End {
        /// What came after the last line end.
        partial: Vec<u8>,
    },
}

/// How a process ended.
#[derive(Debug)]
pub(super) struct Status {
    /// Its exit status, if no signal ended it.
    pub(super) code: Option<i32>,
    /// In words: `the process was ended by signal 11 (SIGSEGV)`.
    pub(super) text: String,
}

/// A running process, or one that has ended and was not looked after yet.
pub(super) struct Process {
    child: Child,
    group: Group,
    input: Option<Sender<String>>,
    events: Receiver<Event>,
    waiting: Option<Event>,
    tail: Arc<Mutex<VecDeque<u8>>>,
    tail_done: Receiver<()>,
}

/// How much of the standard error is kept.
const TAIL_BYTES: usize = 4096;
const TAIL_LINES: usize = 10;
/// Lines that wait to be looked at; who writes more has to wait.
const QUEUE: usize = 16;

impl Process {
    /// Starts a program as the leader of a process group of its own.
    pub(super) fn start(command: &[OsString]) -> io::Result<Self> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(io::Error::other("there is no program to start"));
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (mut child, group) = Group::start(&mut command)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("there are no pipes to it"));
        };
        // As many lines as there are tests at most: this one needs no bound.
        let (input, lines) = channel::<String>();
        let (sender, events) = sync_channel(QUEUE);
        let (done, tail_done) = channel();
        let tail = Arc::new(Mutex::new(VecDeque::new()));
        let kept = tail.clone();
        let spawn = |name: &str, work: Box<dyn FnOnce() + Send>| {
            // The threads end with their pipes. Nobody waits for them: a process that left the group may keep a pipe.
            std::thread::Builder::new().name(name.to_owned()).spawn(work)
        };
        let threads = [
            spawn(
                "input",
                Box::new(move || {
                    // A process that does not read is found out by its silence.
                    while let Ok(line) = lines.recv() {
                        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                            return;
                        }
                    }
                }),
            ),
            spawn("output", Box::new(move || read_lines(stdout, &sender))),
            spawn(
                "errors",
                Box::new(move || {
                    keep_tail(stderr, &kept);
                    let _ = done.send(());
                }),
            ),
        ];
        let process = Process { child, group, input: Some(input), events, waiting: None, tail, tail_done };
        match threads.into_iter().find_map(Result::err) {
            Some(e) => Err(e),
            None => Ok(process),
        }
    }

    /// Gives it a line, which it may read or not.
    pub(super) fn send(&mut self, line: String) {
        if let Some(input) = &self.input {
            let _ = input.send(line);
        }
    }

    /// Closes its standard input.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// The next event within a time.
    pub(super) fn next(&mut self, time: Duration) -> Option<Event> {
        self.waiting.take().or_else(|| self.events.recv_timeout(time).ok())
    }

    /// Keep an event for the next call of [`Process::next`].
    pub(super) fn put_back(&mut self, event: Event) {
        self.waiting = Some(event);
    }

    /// Whether it has ended.
    pub(super) fn has_ended(&self) -> bool {
        has_ended(&self.child)
    }

    /// How it ended, if it does within a time.
    pub(super) fn status(&mut self, time: Duration) -> Option<Status> {
        let deadline = Instant::now() + time;
        while !self.has_ended() {
            if Instant::now() >= deadline {
                return None;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        self.group.end();
        self.child.wait().ok().map(described)
    }

    /// Ends it and all of its group.
    pub(super) fn kill(&mut self) {
        self.input = None;
        self.group.end();
    }

    /// The last lines of its standard error; it must have ended.
    pub(super) fn errors(&mut self) -> Vec<String> {
        let _ = self.tail_done.recv_timeout(Duration::from_millis(200));
        let bytes: Vec<u8> = self.tail.lock().map(|t| t.iter().copied().collect()).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<String> = text.lines().map(printable).filter(|l| !l.trim().is_empty()).collect();
        lines[lines.len().saturating_sub(TAIL_LINES)..].to_vec()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}

/// A line without what would move a terminal's cursor or change its colours.
fn printable(line: &str) -> String {
    line.chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect()
}

fn read_lines(mut from: impl Read, to: &SyncSender<Event>) {
    let mut line: Vec<u8> = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        let count = match from.read(&mut buffer) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Ok(0) | Err(_) => break,
            Ok(count) => count,
        };
        for (k, &byte) in buffer[..count].iter().enumerate() {
            if byte == b'\n' {
                let more = k + 1 < count;
                if to.send(Event::Line { bytes: std::mem::take(&mut line), more }).is_err() {
                    return;
                }
            } else if line.len() == MAX_LINE {
                let _ = to.send(Event::TooLong(line));
                return;
            } else {
                line.push(byte);
            }
        }
    }
    let _ = to.send(Event::End { partial: line });
}

fn keep_tail(mut from: impl Read, tail: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0; 4096];
    loop {
        match from.read(&mut buffer) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => return,
            Ok(count) => {
                let Ok(mut tail) = tail.lock() else { return };
                tail.extend(&buffer[..count]);
                let excess = tail.len().saturating_sub(TAIL_BYTES);
                tail.drain(..excess);
            }
        }
    }
}

/// How a process ended, in words.
pub(super) fn described(status: ExitStatus) -> Status {
    let text = match (status.signal(), status.code()) {
        (Some(signal), _) => format!("the process was ended by {}", signal_name(signal)),
        // A shell says so of the program that it ran.
        (None, Some(code @ 129..=159)) => {
            format!("the process ended with status {code} (what a shell says of {})", signal_name(code - 128))
        }
        (None, Some(code)) => format!("the process ended with status {code}"),
        (None, None) => "the process ended".to_owned(),
    };
    Status { code: status.code(), text }
}

fn signal_name(signal: i32) -> String {
    let named = [
        (Signal::ILL, "SIGILL"),
        (Signal::TRAP, "SIGTRAP"),
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::KILL, "SIGKILL"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::TERM, "SIGTERM"),
        (Signal::INT, "SIGINT"),
        (Signal::HUP, "SIGHUP"),
        (Signal::XCPU, "SIGXCPU"),
        (Signal::SYS, "SIGSYS"),
    ];
    match named.iter().find(|(s, _)| s.as_raw() == signal) {
        Some((_, name)) => format!("signal {signal} ({name})"),
        None => format!("signal {signal}"),
    }
}
