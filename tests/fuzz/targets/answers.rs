//! What an implementation answers: one line, and lines with several results. The first bytes say of what format and how many.

#![no_main]

use libfuzzer_sys::fuzz_target;
use magneto::floats::Format;
use magneto::harness::Answer;
use magneto::harness::answer::{parse, parse_one_of};
use magneto::num::float::hex;
use magneto::spec::ResultPlace;

fuzz_target!(|bytes: &[u8]| {
    let [format, place, rest @ ..] = bytes else { return };
    let fixed = Format::fixed(-8, 16).expect("a format");
    let formats = [Format::BINARY64, Format::BINARY32, Format::BINARY16, Format::BFLOAT16, Format::INTEGER, fixed];
    let format = formats[usize::from(*format) % formats.len()];
    let count = 1 + usize::from(*place % 4);
    let place = ResultPlace { index: usize::from(*place / 4) % count, count };
    let text = String::from_utf8_lossy(rest);
    for line in text.lines() {
        let one = parse(line, format);
        let _ = parse_one_of(line, place, format);
        let Ok(Answer::Value(y)) = one else { continue };
        // Beyond its range a fixed-point format has no value to round to.
        assert!(!y.is_finite() || format.holds(y) || format.is_fixed(), "{line} is {y}");
        let again = if y.is_nan() { "nan".to_owned() } else { hex(y) };
        match parse(&again, format) {
            Ok(Answer::Value(z)) => assert!(z.to_bits() == y.to_bits() || z.is_nan() && y.is_nan(), "{again} is {z}"),
            other => panic!("{again}: {other:?}"),
        }
    }
});
