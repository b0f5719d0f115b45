//! How a function of the library is written down: its types by name, in C, in the module and in Rust.

/// The types in Rust. `ToF64` and its like are addresses of what the function stores.
macro_rules! rust {
    (F64) => {
        f64
    };
    (F32) => {
        f32
    };
    (I32) => {
        i32
    };
    (I64) => {
        i64
    };
    (None) => {
        ()
    };
    (ToF64) => {
        &mut f64
    };
    (ToF32) => {
        &mut f32
    };
    (ToI32) => {
        &mut i32
    };
}

/// The argument that bits stand for; room for what is stored.
macro_rules! from_bits {
    (F64 $x:expr) => {
        f64::from_bits($x)
    };
    (F32 $x:expr) => {
        f32::from_bits($x as u32)
    };
    (I32 $x:expr) => {
        $x as i32
    };
    (I64 $x:expr) => {
        $x as i64
    };
    (ToF64 $x:expr) => {
        0.0f64
    };
    (ToF32 $x:expr) => {
        0.0f32
    };
    (ToI32 $x:expr) => {
        0i32
    };
}

macro_rules! to_bits {
    (F64 $x:expr) => {
        $x.to_bits()
    };
    (F32 $x:expr) => {
        u64::from($x.to_bits())
    };
    (I32 $x:expr) => {
        u64::from($x as u32)
    };
    (I64 $x:expr) => {
        $x as u64
    };
}

/// What is handed over.
macro_rules! passed {
    (ToF64 $x:ident) => {
        &mut $x
    };
    (ToF32 $x:ident) => {
        &mut $x
    };
    (ToI32 $x:ident) => {
        &mut $x
    };
    ($ty:ident $x:ident) => {
        $x
    };
}

/// What was stored, by the type, in the order of the parameters.
macro_rules! stored {
    (ToF64 $x:ident $at:expr, $store:ident) => { $store($at, Type::F64, to_bits!(F64 $x))? };
    (ToF32 $x:ident $at:expr, $store:ident) => { $store($at, Type::F32, to_bits!(F32 $x))? };
    (ToI32 $x:ident $at:expr, $store:ident) => { $store($at, Type::I32, to_bits!(I32 $x))? };
    ($ty:ident $x:ident $at:expr, $store:ident) => {
        let _ = $at;
    };
}

macro_rules! parameter {
    (ToF64) => {
        Parameter::To(Type::F64)
    };
    (ToF32) => {
        Parameter::To(Type::F32)
    };
    (ToI32) => {
        Parameter::To(Type::I32)
    };
    ($ty:ident) => {
        Parameter::Value(Type::$ty)
    };
}

macro_rules! result {
    (None, $call:expr) => {{
        $call;
        None
    }};
    ($ty:ident, $call:expr) => { Some(to_bits!($ty $call)) };
}

macro_rules! result_type {
    (None) => {
        None
    };
    ($ty:ident) => {
        Some(Type::$ty)
    };
}
