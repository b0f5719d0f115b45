//! An angle in degrees brought to [-180, 180), and a table that is read with checked bounds. Compiled by
//! `rustc --target wasm32-unknown-unknown --crate-type cdylib -O -C panic=abort -C debuginfo=0 -C strip=symbols`.
#![no_std]

#[panic_handler]
fn stop(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

const STEPS: [f64; 5] = [0.0, 0.5, 2.0, 4.5, 8.0];

#[no_mangle]
pub extern "C" fn wrapped(degrees: f64) -> f64 {
    if !(degrees > -1e15 && degrees < 1e15) {
        return 0.0;
    }
    let turns = (degrees + 180.0) / 360.0;
    let whole = turns as i64 as f64;
    let floor = if whole > turns { whole - 1.0 } else { whole };
    degrees - 360.0 * floor
}

#[no_mangle]
pub extern "C" fn step(level: i32, gain: f32) -> f64 {
    let at = if level < 0 { 0 } else { level as usize };
    if gain == 1.5 {
        return STEPS[at];
    }
    match at {
        0 => -1.0,
        1 | 2 => STEPS[at] * f64::from(gain),
        _ => 100.0,
    }
}
