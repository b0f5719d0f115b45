//! The library's functions of complex numbers. Code under test has them as functions of the parts, which store those of the result
//! (`magneto_cexp(x, y, &re, &im)`): how a complex number is passed differs between machines.

use super::{Math, found};
use std::collections::HashMap;
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

/// The function of this name.
pub(super) fn math(name: &str) -> Option<Math> {
    TABLE.get(name).copied()
}
