//! A function of a shared library behind the pipe protocol, in a process of its own, in which foreign code may
//! do anything.
#![allow(unsafe_code)]

use super::adapter::{ADAPTER, CallingWay};
use super::batch::{ELSEWHERE, IMPOSSIBLE, MISPLACED, NONE, NOTHING, STATUS, TOO_MANY, UNTYPED, UNWRITTEN, VALUE};
use super::signature::{ArgumentPassing, MAX_ARGUMENTS, Returns, Signature, Width};
use crate::num::float::hex;
use crate::spec::{ResultPlace, parse_rational};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::ffi::{OsStr, c_int, c_void};
use std::fs::File;
use std::io::{self, BufRead as _, Read as _, Write};
use std::time::{Duration, Instant};

/// Answers are written when they are so many bytes, or after so long a time, which is looked at once in so many points.
const FULL: usize = 1 << 15;
const OFTEN: Duration = Duration::from_millis(20);
const LOOK: usize = 64;

/// What a call gave.
enum Called {
    Value(f64),
    Status(c_int),
    /// Nothing was stored where the result is expected, and something where an input is passed.
    Misplaced,
    /// An input is no number of the type that the function takes.
    Impossible,
    /// Nothing was stored where a result is expected.
    Unwritten,
}

/// An adapter, see [`ADAPTER`].
type Adapter = unsafe extern "C" fn(*const c_void, *const f64, *mut f64, *mut c_int) -> c_int;

/// A function that is loaded, with how it is called.
struct Loaded {
    address: *const c_void,
    way: LoadedWay,
}

enum LoadedWay {
    Form(Signature),
    Adapter { call: Adapter, result: ResultPlace, _library: Library },
}

impl LoadedWay {
    /// Loads what a way to call needs.
    fn new(way: &CallingWay) -> Result<LoadedWay, libloading::Error> {
        let (path, result) = match way {
            CallingWay::Form(signature) => return Ok(LoadedWay::Form(*signature)),
            CallingWay::Adapter(path, result) => (path, *result),
        };
        // SAFETY: this library was compiled for nothing else, and its function is of that type.
        unsafe {
            let library = Library::open(Some(path), RTLD_NOW | RTLD_LOCAL)?;
            let call = *library.get::<Adapter>(ADAPTER.as_bytes())?;
            Ok(LoadedWay::Adapter { call, result, _library: library })
        }
    }
}

impl Loaded {
    /// Calls the function with the inputs; `None` if they are too many.
    ///
    /// # Safety
    /// A function that is called so must stand at the address.
    unsafe fn call(&self, x: &mut [f64]) -> Option<Called> {
        match &self.way {
            // SAFETY: the caller's promise.
            LoadedWay::Form(signature) => unsafe { call(self.address, *signature, x) },
            LoadedWay::Adapter { call, result, .. } => {
                let (mut y, mut status) = (vec![f64::NAN; result.count], 0);
                // SAFETY: the caller's promise; the adapter takes as many inputs and gives as many results as the specification
                // has.
                let impossible = unsafe { call(self.address, x.as_ptr(), y.as_mut_ptr(), &raw mut status) };
                Some(match (impossible, status) {
                    (0, 0) => Called::Value(y[result.index]),
                    (0, status) => Called::Status(status),
                    (1, _) => Called::Impossible,
                    _ => Called::Unwritten,
                })
            }
        }
    }
}

/// What is asked of a loaded library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// An answer to each line of inputs.
    Lines,
    /// Answers to batches of points with so many inputs each, see [`super::batch`].
    Batches(usize),
    /// The files of which code is in memory, see [`super::foundation`].
    Files,
}

/// Loads `library`, and answers each line of inputs on standard input with the result of `symbol` on standard output,
/// as the pipe protocol has it, or does another [`Service`]. What the library itself writes to standard output goes to standard
/// error.
///
/// # Errors
/// What went wrong with the pipes; a library that cannot be loaded is told over the pipe.
pub fn serve(library: &OsStr, symbol: &str, way: &CallingWay, service: Service) -> io::Result<()> {
    let mut to = File::from(rustix::io::dup(io::stdout())?);
    rustix::stdio::dup2_stdout(io::stderr())?;
    // SAFETY: loading a library runs its initialisers, which may do anything. It is what the user asked to test, and
    // this process exists for nothing else.
    let loaded = unsafe { Library::open(Some(library), RTLD_NOW | RTLD_LOCAL) };
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(e) => return writeln!(to, "error: the library cannot be loaded: {}", one_line(&e)),
    };
    // SAFETY: the address is only taken here.
    let address = match unsafe { loaded.get::<*const c_void>(symbol.as_bytes()) } {
        Ok(found) => *found,
        Err(_) => return writeln!(to, "error: the library has no function `{symbol}`"),
    };
    let way = match LoadedWay::new(way) {
        Ok(way) => way,
        Err(e) => return writeln!(to, "error: what calls the function cannot be loaded: {}", one_line(&e)),
    };
    let function = Loaded { address, way };
    writeln!(to, "ready {}", mapped_file(address as usize).unwrap_or_default())?;
    match service {
        Service::Lines => serve_lines(&mut to, &function),
        Service::Batches(inputs) => serve_batches(&mut to, &function, inputs),
        Service::Files => serve_files(&mut to),
    }
}

/// Tells which files have code in memory, where the system does.
fn serve_files(to: &mut File) -> io::Result<()> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    for line in maps.lines() {
        let is_code = line.split_whitespace().nth(1).is_some_and(|permissions| permissions.contains('x'));
        if let Some(at) = line.find('/').filter(|_| is_code) {
            writeln!(to, "file {}", &line[at..])?;
        }
    }
    writeln!(to, "end")
}

/// Answers each line of inputs.
fn serve_lines(to: &mut File, function: &Loaded) -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let line = line?;
        let numbers: Option<Vec<f64>> = line.split_whitespace().map(number).collect();
        let Some(mut inputs) = numbers else {
            writeln!(to, "error: cannot read `{line}`")?;
            continue;
        };
        // SAFETY: that the function has this signature is the user's claim. If it has not, what happens stays in this
        // process.
        let (called, errno) = with_errno(|| unsafe { function.call(&mut inputs) });
        match called {
            Some(Called::Value(y)) => match ERRNO.iter().find(|(number, _)| *number == errno) {
                Some((_, name)) => writeln!(to, "{} errno {name}", hex(y))?,
                None => writeln!(to, "{}", hex(y))?,
            },
            Some(Called::Status(status)) => writeln!(to, "error: returned status {status}")?,
            Some(Called::Misplaced) => writeln!(to, "broken: {MISPLACED}")?,
            Some(Called::Impossible) => writeln!(to, "error: {IMPOSSIBLE}")?,
            Some(Called::Unwritten) => writeln!(to, "broken: {NOTHING}")?,
            None => writeln!(to, "error: {TOO_MANY}")?,
        }
    }
    Ok(())
}

/// The values of `errno` that say what C99 has for mathematical functions: an argument outside the domain, a result outside the
/// range.
const ERRNO: [(i32, &str); 2] = [(33, "EDOM"), (34, "ERANGE")];

/// Sets `errno` to 0, makes a call, and returns what the call set it to besides.
fn with_errno<T>(call: impl FnOnce() -> T) -> (T, i32) {
    unsafe extern "C" {
        #[cfg_attr(target_os = "macos", link_name = "__error")]
        safe fn __errno_location() -> *mut i32;
    }
    let at = __errno_location();
    // SAFETY: the C library keeps one for each thread, at an address that is good as long as the thread lives.
    unsafe { *at = 0 };
    let result = call();
    // SAFETY: as above.
    (result, unsafe { *at })
}

/// Answers batches: a byte that asks for a write after each answer unless it is 0, the number of points in four bytes,
/// and their inputs, all least significant byte first.
fn serve_batches(to: &mut File, function: &Loaded, inputs: usize) -> io::Result<()> {
    let mut from = io::stdin().lock();
    let (mut head, mut bytes, mut answers, mut x) = ([0; 5], Vec::new(), Vec::new(), Vec::new());
    loop {
        let mut written = Instant::now();
        match from.read_exact(&mut head) {
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            read => read?,
        }
        let count = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
        bytes.resize(count * inputs * 8, 0);
        from.read_exact(&mut bytes)?;
        for point in 0..count {
            let own = &bytes[point * inputs * 8..(point + 1) * inputs * 8];
            x.clear();
            x.extend(own.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)));
            // SAFETY: as above.
            let (tag, payload) = match unsafe { function.call(&mut x) } {
                Some(Called::Value(y)) => (VALUE, y.to_le_bytes()),
                Some(Called::Status(status)) => (STATUS, i64::from(status).to_le_bytes()),
                Some(Called::Misplaced) => (ELSEWHERE, [0; 8]),
                Some(Called::Impossible) => (UNTYPED, [0; 8]),
                Some(Called::Unwritten) => (UNWRITTEN, [0; 8]),
                None => (NONE, [0; 8]),
            };
            answers.push(tag);
            answers.extend(payload);
            // Now and then in any case: a slow function is no hanging one.
            let is_time = || point % LOOK == 0 && written.elapsed() > OFTEN;
            if head[0] != 0 || answers.len() >= FULL || is_time() {
                to.write_all(&answers)?;
                answers.clear();
                written = Instant::now();
            }
        }
        to.write_all(&answers)?;
        answers.clear();
    }
}

/// A number of a line. A zero keeps its sign, which a rational number has not.
fn number(word: &str) -> Option<f64> {
    let x = parse_rational(word).ok()?.to_f64();
    Some(if x == 0.0 && word.starts_with('-') { -0.0 } else { x })
}

fn one_line(e: &dyn std::error::Error) -> String {
    let text = e.source().map_or_else(|| e.to_string(), ToString::to_string);
    text.replace('\n', " ")
}

/// The file that an address was mapped from, where the system tells.
fn mapped_file(address: usize) -> Option<String> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    maps.lines().find_map(|line| {
        let (range, rest) = line.split_once(' ')?;
        let (from, to) = range.split_once('-')?;
        let (from, to) = (usize::from_str_radix(from, 16).ok()?, usize::from_str_radix(to, 16).ok()?);
        let path = rest.find('/').map(|at| rest[at..].to_owned());
        if (from..to).contains(&address) { path } else { None }
    })
}

/// One type for each of a list of indices.
macro_rules! same {
    ($index:literal $t:ty) => {
        $t
    };
}

/// Calls a function at `$address` that takes the arguments `$x`, of type `$a`, and returns a result of type `$t`.
macro_rules! returning {
    ($address:expr, $x:expr, $a:ty, $t:ty; $($count:literal: $($i:literal)*;)*) => {
        match $x.len() {
            $($count => {
                let f: unsafe extern "C" fn($(same!($i $a)),*) -> $t = std::mem::transmute($address);
                Some(f($($x[$i]),*))
            })*
            _ => None,
        }
    };
}

/// Calls a function at `$address` that takes the arguments and, after them, the pointer `$out` to a `$t`.
macro_rules! storing {
    ($address:expr, $x:expr, $a:ty, $t:ty, $out:expr, $returned:ty; $($count:literal: $($i:literal)*;)*) => {
        match $x.len() {
            $($count => {
                let f: unsafe extern "C" fn($(same!($i $a),)* *mut $t) -> $returned = std::mem::transmute($address);
                Some(f($($x[$i],)* $out))
            })*
            _ => None,
        }
    };
}

/// The same, and after that pointer the pointer `$info` to an `int`.
macro_rules! informing {
    ($address:expr, $x:expr, $a:ty, $t:ty, $out:expr, $info:expr; $($count:literal: $($i:literal)*;)*) => {
        match $x.len() {
            $($count => {
                let f: unsafe extern "C" fn($(same!($i $a),)* *mut $t, *mut c_int) = std::mem::transmute($address);
                Some(f($($x[$i],)* $out, $info))
            })*
            _ => None,
        }
    };
}

/// Calls a function at `$address` that takes the arguments and, after them, a pointer to each of the results from `$y` on, whose
/// places are `$outs`.
macro_rules! scattering {
    ($address:expr, $x:expr, $a:ty, $t:ty, $y:expr, $returned:ty, $outs:tt; $($count:literal: $($i:literal)*;)*) => {
        match $x.len() {
            $($count => Some(scattering_so_many!($address, $x, $a, $t, $y, $returned, ($($i)*), $outs)),)*
            _ => None,
        }
    };
}

/// The same with so many arguments.
macro_rules! scattering_so_many {
    ($address:expr, $x:expr, $a:ty, $t:ty, $y:expr, $returned:ty, ($($i:literal)*), ($($o:literal)*)) => {{
        let f: unsafe extern "C" fn($(same!($i $a),)* $(same!($o *mut $t)),*) -> $returned =
            std::mem::transmute($address);
        f($($x[$i],)* $($y.add($o)),*)
    }};
}

/// The same for every number of results up to [`super::signature::MAX_POINTERS`], and every number of arguments.
macro_rules! any_results {
    ($address:expr, $x:expr, $a:ty, $t:ty, $y:expr, $returned:ty, $results:expr) => {
        match $results {
            2 => any_arity!(scattering; $address, $x, $a, $t, $y, $returned, (0 1)),
            3 => any_arity!(scattering; $address, $x, $a, $t, $y, $returned, (0 1 2)),
            4 => any_arity!(scattering; $address, $x, $a, $t, $y, $returned, (0 1 2 3)),
            5 => any_arity!(scattering; $address, $x, $a, $t, $y, $returned, (0 1 2 3 4)),
            6 => any_arity!(scattering; $address, $x, $a, $t, $y, $returned, (0 1 2 3 4 5)),
            7 => any_arity!(scattering; $address, $x, $a, $t, $y, $returned, (0 1 2 3 4 5 6)),
            8 => any_arity!(scattering; $address, $x, $a, $t, $y, $returned, (0 1 2 3 4 5 6 7)),
            _ => None,
        }
    };
}

/// One of those for every number of arguments up to [`super::signature::MAX_ARGUMENTS`].
macro_rules! any_arity {
    ($call:ident; $($head:tt)*) => {
        $call!($($head)*;
            0: ;
            1: 0;
            2: 0 1;
            3: 0 1 2;
            4: 0 1 2 3;
            5: 0 1 2 3 4;
            6: 0 1 2 3 4 5;
            7: 0 1 2 3 4 5 6;
            8: 0 1 2 3 4 5 6 7;
            9: 0 1 2 3 4 5 6 7 8;
            10: 0 1 2 3 4 5 6 7 8 9;
            11: 0 1 2 3 4 5 6 7 8 9 10;
            12: 0 1 2 3 4 5 6 7 8 9 10 11;
            13: 0 1 2 3 4 5 6 7 8 9 10 11 12;
            14: 0 1 2 3 4 5 6 7 8 9 10 11 12 13;
            15: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14;
            16: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15;
        )
    };
}

/// Calls a function at `$address` with the arguments `$x`, of type `$a`, in the way of `$returns`; the results, of type `$t`, go
/// into `$y`, and the status is returned.
macro_rules! with_arguments {
    ($address:expr, $returns:expr, $x:expr, $a:ty, $t:ty, $y:ident) => {
        match $returns {
            Returns::Value => {
                $y[0] = any_arity!(returning; $address, $x, $a, $t)?;
                0
            }
            Returns::Out => {
                any_arity!(storing; $address, $x, $a, $t, $y.as_mut_ptr(), ())?;
                0
            }
            Returns::Status => any_arity!(storing; $address, $x, $a, $t, $y.as_mut_ptr(), c_int)?,
            Returns::Info => {
                let mut info: c_int = 0;
                any_arity!(informing; $address, $x, $a, $t, $y.as_mut_ptr(), &raw mut info)?;
                info
            }
            Returns::Outs => {
                any_results!($address, $x, $a, $t, $y.as_mut_ptr(), (), $y.len())?;
                0
            }
            Returns::OutsStatus => any_results!($address, $x, $a, $t, $y.as_mut_ptr(), c_int, $y.len())?,
        }
    };
}

/// So many results need no memory of their own.
const FEW: usize = 8;

/// The function `$name` that calls with inputs of type `$t`. `$unset` are the bits of a NaN that no arithmetic makes.
macro_rules! caller {
    ($name:ident, $t:ty, $unset:literal) => {
        /// Calls the function at `address`, which must have the signature, with the inputs.
        unsafe fn $name(address: *const c_void, signature: Signature, x: &mut [$t]) -> Option<Called> {
            let ResultPlace { index, count } = signature.result;
            let mut few = [<$t>::from_bits($unset); FEW];
            let mut many = Vec::new();
            let y = match few.get_mut(..count) {
                Some(y) => y,
                None => {
                    many.resize(count, <$t>::from_bits($unset));
                    &mut many[..]
                }
            };
            let bits = |x: &[$t]| -> Vec<_> { x.iter().map(|x| x.to_bits()).collect() };
            let may_change = signature.passing != ArgumentPassing::Values && signature.returns != Returns::Value;
            let before = if may_change { bits(x) } else { Vec::new() };
            // SAFETY: by the caller's promise, each function type below is the one that stands at the address; `x` and
            // `y` outlive the call. Pointers are such as may be written through: Fortran may do that.
            let status: c_int = unsafe {
                match signature.passing {
                    ArgumentPassing::Values => with_arguments!(address, signature.returns, x, $t, $t, y),
                    ArgumentPassing::Array => {
                        let first = x.as_mut_ptr();
                        let pointers = std::slice::from_ref(&first);
                        with_arguments!(address, signature.returns, pointers, *mut $t, $t, y)
                    }
                    ArgumentPassing::References => {
                        let first = x.as_mut_ptr();
                        let mut pointers = [std::ptr::null_mut(); MAX_ARGUMENTS];
                        let pointers = pointers.get_mut(..x.len())?;
                        (0..x.len()).for_each(|k| pointers[k] = first.add(k));
                        with_arguments!(address, signature.returns, pointers, *mut $t, $t, y)
                    }
                }
            };
            Some(match status {
                0 if may_change && y[index].to_bits() == $unset && bits(x) != before => Called::Misplaced,
                0 => Called::Value(f64::from(y[index])),
                status => Called::Status(status),
            })
        }
    };
}
caller!(call_f64, f64, 0x7ff8_6d61_676e_6574);
caller!(call_f32, f32, 0x7fc6_6d61);

/// Calls the function at `address` with the inputs; `None` if they are too many.
///
/// # Safety
/// A function of that signature must stand at the address.
unsafe fn call(address: *const c_void, signature: Signature, x: &mut [f64]) -> Option<Called> {
    match signature.width {
        // SAFETY: the caller's promise.
        Width::F64 => unsafe { call_f64(address, signature, x) },
        Width::F32 => {
            // Exact: the inputs are values of a format that binary32 holds.
            let mut x: Vec<f32> = x.iter().map(|x| *x as f32).collect();
            // SAFETY: the caller's promise.
            unsafe { call_f32(address, signature, &mut x) }
        }
    }
}
