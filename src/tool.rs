//! Programs of others: compilers, linkers, what they make, and implementations under test. All are started here, each in a
//! process group of its own, and none outlives this program: what runs when it ends, however it ends, is killed, and
//! temporary folders are removed.

use crate::halt;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};
use std::fmt;
use std::io::{self, Read, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The variable that marks what was started here. It is inherited by what leaves the process group too (setsid).
const MARK: &str = "MAGNETO_IMPLEMENTATION";
/// How many have been started: each has a mark of its own.
static STARTED: AtomicU64 = AtomicU64::new(0);

/// The address space of each process of a tool. Unit: bytes.
const MEMORY: u64 = 4 << 30;
/// How long a tool may take.
const TIME: Duration = Duration::from_secs(300);
/// What a tool may write to its standard output or error, each. Unit: bytes.
const OUTPUT: usize = 256 << 20;
/// How often a request to end is looked for.
const LOOK: Duration = Duration::from_millis(20);

/// Sets the limits and becomes the tool. A shell says 127 of a program that is not there.
const LIMITED: &str = "ulimit -c 0; ulimit -v \"$1\" 2>/dev/null; shift; exec \"$@\"";
/// The limit of a browser: it reserves far more address space than it ever uses, and ends at once where it gets less.
const RESERVED: &str = "unlimited";
const NOT_THERE: i32 = 127;

/// Why there is no answer from a tool.
#[derive(Debug)]
pub enum ToolError {
    /// It is not there.
    Missing,
    /// This program is to end early, see [`halt`].
    Halted,
    /// It took longer than allowed, and was killed.
    Slow(Duration),
    /// It wrote more than allowed, and was killed.
    Wordy,
    /// It needs more memory than allowed.
    Memory,
    /// It cannot be started, or not be waited for.
    Io(io::Error),
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToolError::Missing => f.write_str("there is no such program"),
            ToolError::Halted => f.write_str("interrupted"),
            ToolError::Slow(time) => write!(f, "it took more than {} s and was killed", time.as_secs()),
            ToolError::Wordy => write!(f, "it wrote more than {} MiB and was killed", OUTPUT >> 20),
            ToolError::Memory => {
                write!(f, "it needs more than {} GiB of memory, which is all that it gets", MEMORY >> 30)
            }
            ToolError::Io(e) => write!(f, "{e}"),
        }
    }
}

impl std::error::Error for ToolError {}

impl From<io::Error> for ToolError {
    fn from(e: io::Error) -> Self {
        if e.kind() == io::ErrorKind::NotFound { ToolError::Missing } else { ToolError::Io(e) }
    }
}

/// What a tool came to.
#[derive(Debug)]
pub struct ToolOutput {
    /// How it ended.
    pub status: ExitStatus,
    /// What it wrote to its standard output.
    pub output: String,
    /// What it wrote to its standard error.
    pub said: String,
}

/// Runs a tool with `input` to read. What a command says of its environment, folder and pipes is not looked at.
///
/// # Errors
/// See [`ToolError`]. An exit status other than 0 is none, unless the tool had too little memory.
pub fn answer(command: &Command, input: &str) -> Result<ToolOutput, ToolError> {
    run(command, Some(input), TIME, &limit())
}

/// The same for so long at most.
///
/// # Errors
/// See [`ToolError`].
pub fn answer_within(command: &Command, input: &str, time: Duration) -> Result<ToolOutput, ToolError> {
    run(command, Some(input), time, &limit())
}

/// Runs a program that writes into files, for so long at most; how it ended. What it prints is thrown away.
///
/// # Errors
/// See [`ToolError`].
pub fn status(command: &Command, time: Duration) -> Result<ExitStatus, ToolError> {
    run(command, None, time, &limit()).map(|answer| answer.status)
}

/// The same of a browser, whose address space is not limited.
///
/// # Errors
/// See [`ToolError`].
pub fn browser_status(command: &Command, time: Duration) -> Result<ExitStatus, ToolError> {
    run(command, None, time, RESERVED).map(|answer| answer.status)
}

/// [`MEMORY`] as a shell takes it. Unit: KiB.
fn limit() -> String {
    (MEMORY >> 10).to_string()
}

fn run(command: &Command, input: Option<&str>, time: Duration, memory: &str) -> Result<ToolOutput, ToolError> {
    let mut limited = Command::new("/bin/sh");
    limited.args(["-c", LIMITED, "sh", memory]).arg(command.get_program()).args(command.get_args());
    limited.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let pipe = || if input.is_some() { Stdio::piped() } else { Stdio::null() };
    limited.stdin(pipe()).stdout(pipe()).stderr(pipe());
    if halt::requested() {
        return Err(ToolError::Halted);
    }
    let (child, group) = Group::start(&mut limited)?;
    let mut running = Running { child, group, has_ended: false };
    if let (Some(mut to), Some(text)) = (running.child.stdin.take(), input.map(str::to_owned)) {
        // What ends early reads no more.
        std::thread::Builder::new().spawn(move || to.write_all(text.as_bytes()))?;
    }
    let output = running.child.stdout.take().map(read).transpose()?;
    let said = running.child.stderr.take().map(read).transpose()?;
    let deadline = Instant::now() + time;
    let mut texts = [String::new(), String::new()];
    for (from, text) in [output, said].iter().zip(&mut texts) {
        if let Some(from) = from {
            let bytes = await_until(deadline, time, |wait| from.recv_timeout(wait))?;
            *text = String::from_utf8_lossy(&bytes.ok_or(ToolError::Wordy)?).into_owned();
        }
    }
    let ended = |wait| {
        let ended = has_ended(&running.child);
        if !ended {
            std::thread::sleep(Duration::min(wait, Duration::from_millis(1)));
        }
        if ended { Ok(()) } else { Err(RecvTimeoutError::Timeout) }
    };
    await_until(deadline, time, ended)?;
    let status = running.child.wait()?;
    running.has_ended = true;
    let [output, said] = texts;
    match status.code() {
        Some(NOT_THERE) => Err(ToolError::Missing),
        Some(0) => Ok(ToolOutput { status, output, said }),
        _ if SHORT.iter().any(|words| said.contains(words)) => Err(ToolError::Memory),
        _ => Ok(ToolOutput { status, output, said }),
    }
}

/// What compilers, linkers and the C++ library say that get no more memory.
const SHORT: [&str; 5] =
    ["out of memory", "virtual memory exhausted", "Cannot allocate memory", "std::bad_alloc", "failed to allocate"];

/// Waits for something, a while at a time, until it is there, the time is over or this program is to end.
fn await_until<T>(
    deadline: Instant,
    time: Duration,
    mut what: impl FnMut(Duration) -> Result<T, RecvTimeoutError>,
) -> Result<T, ToolError> {
    loop {
        match what(LOOK) {
            Ok(found) => return Ok(found),
            Err(RecvTimeoutError::Disconnected) => return Err(io::Error::other("nobody reads from it").into()),
            Err(RecvTimeoutError::Timeout) if halt::requested() => return Err(ToolError::Halted),
            Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline => return Err(ToolError::Slow(time)),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// All that comes from a pipe, by a thread; none where it is too much.
fn read(from: impl Read + Send + 'static) -> io::Result<Receiver<Option<Vec<u8>>>> {
    let (sender, receiver) = channel();
    std::thread::Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.take(OUTPUT as u64 + 1).read_to_end(&mut bytes);
        let _ = sender.send((bytes.len() <= OUTPUT).then_some(bytes));
    })?;
    Ok(receiver)
}

/// A tool that is killed unless it ended by itself: what that left behind, such as a compiler's cache, is nobody's business.
struct Running {
    child: Child,
    group: Group,
    has_ended: bool,
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.has_ended {
            self.group.end();
            let _ = self.child.wait();
        }
    }
}

/// Whether a process has ended. It stays unreaped, so that its number stays that of its group.
pub(crate) fn has_ended(child: &Child) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(Some(_)))
}

/// A process and all that it starts, told from others by their group and by [`MARK`] in their environment.
pub(crate) struct Group {
    leader: Pid,
    mark: String,
}

impl Group {
    /// Starts a process as the leader of a group of its own, marked.
    pub(crate) fn start(command: &mut Command) -> io::Result<(Child, Self)> {
        let mark = format!("{}-{}", std::process::id(), STARTED.fetch_add(1, Ordering::Relaxed));
        // First the warden: what is started before it is not known to it.
        let warden = warden();
        let child = command.env(MARK, &mark).process_group(0).spawn()?;
        let group = Group { leader: Pid::from_child(&child), mark };
        tell(warden, "+", &child.id().to_string());
        Ok((child, group))
    }

    /// Kills the process, its group, and what has left the group.
    pub(crate) fn end(&self) {
        /// What is killed may have started more in the meantime.
        const ROUNDS: usize = 20;
        let _ = kill_process_group(self.leader, Signal::KILL);
        for _ in 0..ROUNDS {
            let left = self.marked();
            if left.is_empty() {
                return;
            }
            for pid in left {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
    }

    /// The processes with this mark in the environment that they were started with, where the system tells. One that has
    /// ended has none.
    fn marked(&self) -> Vec<Pid> {
        let entry = format!("{MARK}={}", self.mark);
        let of_it = |pid: &i32| {
            let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.split(|b| *b == 0).any(|e| e == entry.as_bytes())
        };
        let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = all.filter_map(|e| e.file_name().to_str()?.parse::<i32>().ok());
        pids.filter(of_it).filter_map(Pid::from_raw).collect()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        tell(warden(), "-", &self.leader.as_raw_nonzero().to_string());
    }
}

/// A temporary folder for what tools read and write; it is removed with this.
#[derive(Debug)]
pub struct Scratch(TempDir);

/// How the names of such folders begin.
const PREFIX: &str = "magneto-";
/// How many characters follow that look random.
const RANDOM: usize = 6;

impl Scratch {
    /// Makes one where the system has such folders.
    ///
    /// # Errors
    /// None can be made there; with the folder for all of them.
    pub fn make() -> Result<Scratch, (PathBuf, io::Error)> {
        let folder = tempfile::Builder::new().prefix(PREFIX).rand_bytes(RANDOM).tempdir();
        let scratch = Scratch(folder.map_err(|e| (std::env::temp_dir(), e))?);
        scratch.tell("f");
        Ok(scratch)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Whether a file that is loaded, by its name in the system's table, is or was in such a folder.
    #[must_use]
    pub fn held(name: &str) -> bool {
        let mut parts = Path::new(name).strip_prefix(std::env::temp_dir()).ok().into_iter().flatten();
        let is_named = |folder: &str| folder.strip_prefix(PREFIX).is_some_and(|rest| rest.len() == RANDOM);
        parts.next().and_then(|folder| folder.to_str()).is_some_and(is_named) && parts.next().is_some()
    }

    /// The warden removes nothing that it could take for another folder.
    fn tell(&self, what: &str) {
        let shown = self.path().to_str().filter(|p| p.starts_with('/') && !p.contains('\n') && p.trim() == *p);
        shown.into_iter().for_each(|p| tell(warden(), what, p));
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.tell("r");
    }
}

/// The other end of the pipe that the warden reads: it ends with this process, even where SIGKILL ends that.
type Warden = Option<Mutex<ChildStdin>>;

/// What cleans up behind this process, see `warden.sh`; none where there is no shell.
fn warden() -> &'static Warden {
    static WARDEN: OnceLock<Warden> = OnceLock::new();
    WARDEN.get_or_init(|| {
        let mut command = Command::new("/bin/sh");
        let marks = format!("{MARK}={}-", std::process::id());
        command.args(["-c", include_str!("warden.sh"), "sh", &marks]).current_dir("/").process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().ok()?.stdin.take().map(Mutex::new)
    })
}

fn tell(warden: &Warden, what: &str, which: &str) {
    if let Some(Ok(mut to)) = warden.as_ref().map(Mutex::lock) {
        let _ = to.write_all(format!("{what} {which}\n").as_bytes());
    }
}

/// A text as one word of a shell: as it is, if it holds nothing that means more to one.
#[must_use]
pub fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._/+-".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(text: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", text]);
        command
    }

    #[test]
    fn files_in_folders_of_its_own_are_told_from_others() {
        let folder = Scratch::make().unwrap();
        let file = folder.path().join("a.so").to_str().unwrap().to_owned();
        assert!([file.clone(), format!("{file} (deleted)")].iter().all(|name| Scratch::held(name)));
        let other = std::env::temp_dir().join("magneto-0.1.0/bin/a.so");
        for name in [other.to_str().unwrap(), "/usr/lib/libm.so.6", folder.path().to_str().unwrap()] {
            assert!(!Scratch::held(name), "{name}");
        }
    }

    #[test]
    fn a_tool_reads_writes_and_ends() {
        let answer = answer(&shell("read x; echo \"<$x>\"; echo said >&2; exit 3"), "a line\n").unwrap();
        assert_eq!((answer.status.code(), &*answer.output, &*answer.said), (Some(3), "<a line>\n", "said\n"));
        assert!(matches!(super::answer(&Command::new("/no/such/program"), ""), Err(ToolError::Missing)));
    }

    #[test]
    fn what_takes_too_long_or_too_much_is_killed() {
        let short = Duration::from_millis(50);
        assert!(matches!(run(&shell("sleep 1000 & wait"), Some(""), short, &limit()), Err(ToolError::Slow(_))));
        assert!(matches!(status(&shell("exec >&- 2>&-; sleep 1000"), short), Err(ToolError::Slow(_))));
        assert!(matches!(answer(&shell("cat /dev/zero"), ""), Err(ToolError::Wordy)));
        let limit = answer(&shell("ulimit -v"), "").unwrap().output;
        assert_eq!(limit.trim(), super::limit());
        let limit = run(&shell("ulimit -v"), Some(""), TIME, RESERVED).unwrap().output;
        assert_eq!(limit.trim(), RESERVED);
        assert!(matches!(answer(&shell("echo 'cc1: out of memory' >&2; exit 1"), ""), Err(ToolError::Memory)));
    }

    #[test]
    fn a_request_to_end_kills_what_runs() {
        let token = halt::Token::default();
        let asked = token.clone();
        let asking = std::thread::spawn(move || asked.request(halt::HaltReason::Interrupted));
        let ended = halt::under(Some(token), || answer(&shell("while :; do sleep 1; done"), ""));
        assert!(matches!(ended, Err(ToolError::Halted)));
        asking.join().unwrap();
    }
}
