//! The library's functions of complex numbers. Code under test has them as functions of the parts, which store those of the result
//! (`magneto_cexp(x, y, &re, &im)`): how a complex number is passed differs between machines. Those of `long double` are called as others of
//! that type are (see `wide`).
//!
//! Products and quotients come from the C compiler's own support library, of which versions differ (gcc 12 divides otherwise than gcc
//! 11): the compiler is asked for a library that has them.

use super::{Library, Math, RTLD_LOCAL, RTLD_NOW, found};
use crate::cc::compiler::{self, named};
use crate::tool::Scratch;
use std::collections::HashMap;
use std::process::Command;
use std::sync::LazyLock;

/// A complex number as C passes and returns it: like a structure of its two parts, on x86-64 and AArch64.
#[repr(C)]
#[derive(Clone, Copy)]
struct Complex<T> {
    re: T,
    im: T,
}

/// Functions of one number and of two, each with the name that code under test calls.
macro_rules! complex {
    ($table:ident $float:ident $one:ident $two:ident: $($single:ident)*; $($double:ident)*) => {$(
        extern "C" fn $single(x: $float, y: $float, re: &mut $float, im: &mut $float) {
            type F = extern "C" fn(Complex<$float>) -> Complex<$float>;
            // SAFETY: C has the function of this name with this type.
            static F: LazyLock<Option<F>> = LazyLock::new(|| unsafe { found(stringify!($single)) });
            let Some(f) = *F else { return };
            Complex { re: *re, im: *im } = f(Complex { re: x, im: y });
        }
    )*
    $(
        extern "C" fn $double(x: $float, y: $float, z: $float, t: $float, re: &mut $float, im: &mut $float) {
            type F = extern "C" fn(Complex<$float>, Complex<$float>) -> Complex<$float>;
            // SAFETY: as above.
            static F: LazyLock<Option<F>> = LazyLock::new(|| unsafe { found(stringify!($double)) });
            let Some(f) = *F else { return };
            Complex { re: *re, im: *im } = f(Complex { re: x, im: y }, Complex { re: z, im: t });
        }
    )*
    fn $table(table: &mut HashMap<&'static str, Math>) {
        $(table.insert(concat!("magneto_", stringify!($single)), Math::$one($single));)*
        $(table.insert(concat!("magneto_", stringify!($double)), Math::$two($double));)*
    }};
}

complex!(add_double f64 Complex ComplexTwo: cexp clog csqrt csin ccos ctan casin cacos catan csinh ccosh ctanh casinh cacosh catanh cproj; cpow);
complex!(add_single f32 ComplexSingle ComplexTwoSingle: cexpf clogf csqrtf csinf ccosf ctanf casinf cacosf catanf csinhf ccoshf ctanhf casinhf
    cacoshf catanhf cprojf; cpowf);

/// All of them that the library has, by name.
static TABLE: LazyLock<HashMap<&'static str, Math>> = LazyLock::new(|| {
    let mut table = HashMap::new();
    // SAFETY: nothing is called.
    if unsafe { found::<extern "C" fn()>("cexp") }.is_some() {
        add_double(&mut table);
        add_single(&mut table);
    }
    table
});

/// Products and quotients, under the names that compilers call.
const ARITHMETIC: &str = "\
#define MAGNETO_OF(NAME, FLOAT, SIGN) \\
    void NAME(FLOAT a, FLOAT b, FLOAT c, FLOAT d, FLOAT *re, FLOAT *im) \\
    { \\
        FLOAT _Complex z, w; \\
        __real__ z = a, __imag__ z = b, __real__ w = c, __imag__ w = d; \\
        z = z SIGN w; \\
        *re = __real__ z, *im = __imag__ z; \\
    }
MAGNETO_OF(magneto___muldc3, double, *)
MAGNETO_OF(magneto___divdc3, double, /)
MAGNETO_OF(magneto___mulsc3, float, *)
MAGNETO_OF(magneto___divsc3, float, /)
#define MAGNETO_WIDE(NAME, SIGN) \\
    long double _Complex NAME(long double a, long double b, long double c, long double d) \\
    { \\
        long double _Complex z, w; \\
        __real__ z = a, __imag__ z = b, __real__ w = c, __imag__ w = d; \\
        return z SIGN w; \\
    }
MAGNETO_WIDE(magneto___mulxc3, *)
MAGNETO_WIDE(magneto___divxc3, /)
";

/// The library that the C compiler makes of them, which stays loaded.
static COMPILED: LazyLock<Option<Library>> = LazyLock::new(|| {
    let folder = Scratch::make().ok()?;
    let (source, library) = (folder.path().join("complex.c"), folder.path().join("complex.so"));
    std::fs::write(&source, ARITHMETIC).ok()?;
    let mut command = Command::new(named("CC", "cc"));
    command.args(["-O0", "-shared", "-fPIC", "-ffp-contract=off", "-w"]).arg(&source).arg("-o").arg(&library);
    command.env("TMPDIR", folder.path());
    compiler::run(&command, "").ok()?;
    // SAFETY: the file was made from our own text; nothing of it runs when it is loaded.
    unsafe { Library::open(Some(&library), RTLD_NOW | RTLD_LOCAL) }.ok()
});

/// A product or a quotient.
fn arithmetic(name: &str) -> Option<Math> {
    type Double = extern "C" fn(f64, f64, f64, f64, &mut f64, &mut f64);
    type Single = extern "C" fn(f32, f32, f32, f32, &mut f32, &mut f32);
    let is_single = match name {
        "magneto___muldc3" | "magneto___divdc3" => false,
        "magneto___mulsc3" | "magneto___divsc3" => true,
        _ => return None,
    };
    let library = COMPILED.as_ref()?;
    // SAFETY: the text defines them with these types.
    Some(match is_single {
        false => Math::ComplexTwo(*unsafe { library.get::<Double>(name.as_bytes()) }.ok()?),
        true => Math::ComplexTwoSingle(*unsafe { library.get::<Single>(name.as_bytes()) }.ok()?),
    })
}

/// The function of this name.
pub(super) fn math(name: &str) -> Option<Math> {
    TABLE.get(name).copied().or_else(|| arithmetic(name))
}

/// Where the function of `long double` is that code under test calls by this name, and how many values it takes.
pub(super) fn wide(name: &str) -> Option<(usize, usize)> {
    let own = name.strip_prefix("magneto_")?;
    if matches!(own, "__mulxc3" | "__divxc3") {
        // SAFETY: a function's address has the size of a number of this type.
        return Some((*unsafe { COMPILED.as_ref()?.get::<usize>(name.as_bytes()) }.ok()?, 4));
    }
    // The others are named as those of doubles are, of which no other begins so.
    let double = own.strip_suffix('l').map(|double| format!("magneto_{double}"))?;
    let count = match TABLE.get(double.as_str())? {
        Math::Complex(_) => 2,
        _ => 4,
    };
    // SAFETY: as above.
    Some((unsafe { found::<usize>(own) }?, count))
}
