//! How a function of a library takes its inputs and gives its result.

use crate::cc::{Prototype, SourceFunction, SourceType, declaration};
use crate::floats::Format;
use crate::spec::Spec;
use crate::unfit::Unfit;
use std::fmt;
use std::str::FromStr;

/// The type of inputs and result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// `double`.
    F64,
    /// `float`.
    F32,
}

/// How the result comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// It is returned.
    Value,
    /// It is stored where the last argument, a pointer, points to; nothing is returned.
    Out,
    /// The same, and an `int` is returned: 0 for success, anything else refuses the input.
    Status,
}

/// A C signature: `f64`, `f32`, with `-array` if there is one pointer to all inputs instead of an argument each, and
/// `-out` or `-status` if the result is stored through a pointer. A declaration in C is read as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// `double` or `float`.
    pub width: Width,
    /// Whether the inputs are one array.
    pub array: bool,
    /// How the result comes back.
    pub returns: Returns,
}

/// The most inputs that are passed as an argument each.
pub const MAX_ARGUMENTS: usize = 16;

impl Signature {
    /// The one that fits a specification: `float` where binary32 holds every input and result, else `double`.
    #[must_use]
    pub fn of(spec: &Spec) -> Self {
        let wide = |f: Format| f == Format::BINARY64;
        let double = wide(spec.result_format) || spec.inputs.iter().any(|i| wide(i.format));
        Signature { width: if double { Width::F64 } else { Width::F32 }, array: false, returns: Returns::Value }
    }

    /// Whether the inputs of a specification can be passed so.
    ///
    /// # Errors
    /// A sentence that says why not.
    pub fn fits(self, spec: &Spec) -> Result<(), Unfit> {
        if self.width == Width::F32
            && let Some(wide) = spec.inputs.iter().find(|i| i.format == Format::BINARY64)
        {
            let name = &wide.name;
            return Err(format!(
                "the signature {self} takes float, and the input {name} is a binary64 number; for a function of floats the \
                 specification has `:precision binary32`, or `:magneto-inputs binary32` where only the inputs are floats"
            )
            .into());
        }
        if !self.array && spec.inputs.len() > MAX_ARGUMENTS {
            let count = spec.inputs.len();
            return Err(
                format!("{count} inputs are more than the {MAX_ARGUMENTS} that the signature {self} can take").into()
            );
        }
        Ok(())
    }

    /// Whether a function of this prototype is called so, with so many inputs.
    #[must_use]
    pub fn is_of(self, prototype: &Prototype, inputs: usize) -> bool {
        prototype.returned == self.returned() && prototype.parameters == self.parameters(inputs)
    }

    /// The one by which a function of this prototype is called with so many inputs, if there is one.
    #[must_use]
    pub fn of_prototype(prototype: &Prototype, inputs: usize) -> Option<Self> {
        let returns = [Returns::Value, Returns::Out, Returns::Status];
        let all = [Width::F64, Width::F32].into_iter().flat_map(|width| [false, true].map(|array| (width, array)));
        let mut all = all.flat_map(|(width, array)| returns.map(|returns| Signature { width, array, returns }));
        all.find(|signature| signature.is_of(prototype, inputs))
    }

    /// The one of a function as a person declares it, if there is one.
    fn of_declaration(function: &SourceFunction) -> Option<Self> {
        let width = |ty: &SourceType| match ty {
            SourceType::Float(8) => Some(Width::F64),
            SourceType::Float(4) => Some(Width::F32),
            _ => None,
        };
        let parameter = |ty: &SourceType| match ty {
            SourceType::Pointer(to, _) => Some((width(to)?, true)),
            ty => Some((width(ty)?, false)),
        };
        let parameters: Vec<_> = function.parameters.iter().map(|(_, ty)| parameter(ty)).collect::<Option<_>>()?;
        let returns = match function.result {
            SourceType::Void => Returns::Out,
            SourceType::Int { bytes: 4, signed: true } => Returns::Status,
            _ => Returns::Value,
        };
        let width = width(&function.result).or_else(|| parameters.first().map(|(width, _)| *width))?;
        let pointers = parameters.iter().filter(|(_, is_pointer)| *is_pointer).count();
        let outs = usize::from(returns != Returns::Value);
        let array = pointers > outs;
        let inputs = if array { 1 } else { parameters.len().checked_sub(outs)? };
        let expected = (0..inputs).map(|_| (width, array)).chain((0..outs).map(|_| (width, true)));
        expected.eq(parameters.iter().copied()).then_some(Signature { width, array, returns })
    }

    fn element(self) -> &'static str {
        if self.width == Width::F64 { "double" } else { "float" }
    }

    /// The type of what is returned, as C writes it.
    #[must_use]
    pub fn returned(self) -> &'static str {
        match self.returns {
            Returns::Value => self.element(),
            Returns::Out => "void",
            Returns::Status => "int",
        }
    }

    /// The types of the parameters, as C writes them without qualifiers.
    #[must_use]
    pub fn parameters(self, inputs: usize) -> Vec<String> {
        let t = self.element();
        let mut types = if self.array { vec![format!("{t} *")] } else { vec![t.to_owned(); inputs] };
        if self.returns != Returns::Value {
            types.push(format!("{t} *"));
        }
        types
    }

    /// As C declares it.
    #[must_use]
    pub fn declaration(self, name: &str, inputs: usize) -> String {
        let mut parameters = self.parameters(inputs);
        if self.array {
            parameters[0].insert_str(0, "const ");
        }
        if parameters.is_empty() {
            parameters.push("void".to_owned());
        }
        format!("{} {name}({})", self.returned(), parameters.join(", "))
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = if self.width == Width::F64 { "f64" } else { "f32" };
        let array = if self.array { "-array" } else { "" };
        let returns = match self.returns {
            Returns::Value => "",
            Returns::Out => "-out",
            Returns::Status => "-status",
        };
        write!(f, "{width}{array}{returns}")
    }
}

impl FromStr for Signature {
    type Err = Unfit;
    fn from_str(text: &str) -> Result<Self, Unfit> {
        if text.contains('(') {
            // Only types count here that are as long everywhere.
            let function = declaration::parse(text, 8).map_err(|e| e.to_string())?;
            return Self::of_declaration(&function).ok_or_else(|| not_callable(text).into());
        }
        let (width, rest) = match text.split_at_checked(3) {
            Some(("f64", rest)) => (Width::F64, rest),
            Some(("f32", rest)) => (Width::F32, rest),
            _ => return Err(unknown(text).into()),
        };
        let (array, rest) = rest.strip_prefix("-array").map_or((false, rest), |rest| (true, rest));
        let returns = match rest {
            "" => Returns::Value,
            "-out" => Returns::Out,
            "-status" => Returns::Status,
            _ => return Err(unknown(text).into()),
        };
        Ok(Signature { width, array, returns })
    }
}

fn unknown(text: &str) -> String {
    let all = ["", "-out", "-status", "-array", "-array-out", "-array-status"];
    let quoted = crate::text::quote(text);
    format!("unknown signature {quoted}; there are f64 and f32, alone or with one of{}", all.join(" "))
}

fn not_callable(text: &str) -> String {
    let quoted = crate::text::quote(text);
    format!(
        "a function {quoted} cannot be called: it takes all inputs as double or all as float, an argument each or one pointer to \
         all, and returns the result or takes a pointer to it as its last argument"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_signature_reads_back() {
        for width in [Width::F64, Width::F32] {
            for array in [false, true] {
                for returns in [Returns::Value, Returns::Out, Returns::Status] {
                    let signature = Signature { width, array, returns };
                    assert_eq!(signature.to_string().parse(), Ok(signature));
                }
            }
        }
        for wrong in ["", "f16", "double", "f64-", "f64-out-array", "é64"] {
            assert!(wrong.parse::<Signature>().is_err(), "{wrong}");
        }
        for (text, short) in [
            ("double f(double x, double)", "f64"),
            ("float (float)", "f32"),
            ("double f(const double *x)", "f64-array"),
            ("double f(void)", "f64"),
            ("void f(float x, float y, float *out)", "f32-out"),
            ("int f(const double x[3], double *out);", "f64-array-status"),
            ("f64 f(f64)", "f64"),
        ] {
            assert_eq!(text.parse(), short.parse::<Signature>(), "{text}");
        }
        for wrong in
            ["double f(float)", "void f(double)", "double f(double *, double)", "long f(double, double *)", "f("]
        {
            assert!(wrong.parse::<Signature>().is_err(), "{wrong}");
        }
        let s: Signature = "f32-status".parse().unwrap();
        assert_eq!(s.declaration("f", 2), "int f(float, float, float *)");
    }
}
