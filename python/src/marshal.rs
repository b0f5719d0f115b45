//! Work of Rust for Python: done on a thread of its own, while the thread of Python waits for it, calls the user's function
//! whenever the work asks for it, and looks for signals.

use magneto::floats::Format;
use magneto::harness::Answer;
use magneto::harness::batch::Stop;
use magneto::harness::inside::InProcess;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, channel, sync_channel};
use std::thread::Builder;
use std::time::Duration;

/// How long Python waits before it looks for signals.
const SLICE: Duration = Duration::from_millis(20);
/// Expressions may be nested deeply, and what walks over them is recursive. Unit: bytes.
const STACK: usize = 64 << 20;

/// Points that are to be put to the function, and where its answers go.
struct Request {
    numbers: Vec<f64>,
    reply: SyncSender<Result<Vec<Answer>, Stop>>,
}

/// Does some work without holding Python up. The work gets the user's function as it calls it, and a flag that is set when it is
/// to end early.
///
/// # Errors
/// What a signal's handler, or Python on the way to the function, raised: a KeyboardInterrupt, say.
pub(crate) fn work<T: Send>(
    py: Python<'_>,
    function: Option<&Bound<'_, PyAny>>,
    inputs: usize,
    work: impl FnOnce(&InProcess<'_>, &AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let (sender, receiver) = channel::<Request>();
    let receiver = Mutex::new(receiver);
    std::thread::scope(|scope| {
        let stop = &stop;
        let asks = move || {
            let ask = |numbers: &[f64]| {
                let (reply, answers) = sync_channel(1);
                let sent = sender.send(Request { numbers: numbers.to_vec(), reply });
                sent.ok().and_then(|()| answers.recv().ok()).unwrap_or(Err(Stop::Interrupted))
            };
            work(&ask, stop)
        };
        let worker = Builder::new().stack_size(STACK).spawn_scoped(scope, asks)?;
        let mut raised: Option<PyErr> = None;
        loop {
            let next =
                py.detach(|| receiver.lock().map_or(Err(RecvTimeoutError::Disconnected), |r| r.recv_timeout(SLICE)));
            let result = match next {
                Ok(request) => answered(py, function.filter(|_| raised.is_none()), inputs, request),
                Err(RecvTimeoutError::Timeout) if raised.is_none() => py.check_signals(),
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if let Err(error) = result {
                stop.store(true, Ordering::Relaxed);
                raised.get_or_insert(error);
            }
        }
        let done = py.detach(|| worker.join());
        match (raised, done) {
            (Some(error), _) => Err(error),
            (None, Ok(done)) => Ok(done),
            (None, Err(_)) => Err(PyRuntimeError::new_err("a bug in Magneto: its own code panicked")),
        }
    })
}

/// Puts points to the function and hands on what it answers.
fn answered(py: Python<'_>, function: Option<&Bound<'_, PyAny>>, inputs: usize, request: Request) -> PyResult<()> {
    let Some(function) = function else {
        let _ = request.reply.send(Err(Stop::Interrupted));
        return Ok(());
    };
    let (answers, result) = match call(py, function, inputs, &request.numbers) {
        Ok(answers) => (Ok(answers), Ok(())),
        Err(error) => (Err(Stop::Interrupted), Err(error)),
    };
    // Who asked may have ended.
    let _ = request.reply.send(answers);
    result
}

/// Python takes the points' numbers as bytes and gives those of the results, with what is no number beside them, by place: a
/// kind and words.
fn call(py: Python<'_>, function: &Bound<'_, PyAny>, inputs: usize, numbers: &[f64]) -> PyResult<Vec<Answer>> {
    let count = numbers.len().checked_div(inputs).unwrap_or(1);
    let given = function.call1((bytes(py, numbers), count))?;
    let (results, others): (Bound<'_, PyBytes>, Bound<'_, PyDict>) = given.extract()?;
    let mut answers: Vec<Answer> = floats(results.as_bytes()).map(Answer::Value).collect();
    for (place, other) in others {
        let (kind, words): (String, String) = other.extract()?;
        if let Some(answer) = answers.get_mut(place.extract::<usize>()?) {
            *answer = if kind == "error" { Answer::Reject(words) } else { Answer::Crash(words) };
        }
    }
    Ok(answers)
}

/// Numbers as bytes, the least significant first.
pub(crate) fn bytes<'py>(py: Python<'py>, numbers: &[f64]) -> Bound<'py, PyBytes> {
    let all: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    PyBytes::new(py, &all)
}

/// The numbers of such bytes.
pub(crate) fn floats(bytes: &[u8]) -> impl Iterator<Item = f64> {
    bytes.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap_or_default()))
}

/// The first number that is no value of its input's format, with the place of that input.
pub(crate) fn astray(numbers: &[f64], formats: &[Format]) -> Option<(usize, f64)> {
    let places = (0..formats.len()).cycle().zip(numbers);
    places.into_iter().find(|(k, x)| !formats[*k].holds(**x)).map(|(k, x)| (k, *x))
}
