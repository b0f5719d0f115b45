//! How a function of a library takes its inputs and gives its result.

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
/// `-out` or `-status` if the result is stored through a pointer.
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
            return Err(format!("the signature {self} takes float, and the input {name} is a binary64 number").into());
        }
        if !self.array && spec.inputs.len() > MAX_ARGUMENTS {
            let count = spec.inputs.len();
            return Err(
                format!("{count} inputs are more than the {MAX_ARGUMENTS} that the signature {self} can take").into()
            );
        }
        Ok(())
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
    let quoted = crate::spec::diagnostic::quote(text);
    format!("unknown signature {quoted}; there are f64 and f32, alone or with one of{}", all.join(" "))
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
        let s: Signature = "f32-status".parse().unwrap();
        assert_eq!(s.declaration("f", 2), "int f(float, float, float *)");
    }
}
