//! Ada: a main procedure that calls the function under test, with based literals.

use super::names::{both, comment};
use super::{CodeCase, CodeCases, Duty};
use crate::floats::Format;
use crate::spec::ResultPlace;
use std::collections::BTreeSet;
use std::fmt::Write as _;

fn type_of(format: Format) -> &'static str {
    if format == Format::BINARY64 || format.is_fixed() { "Long_Float" } else { "Float" }
}

/// Whether the values of a format are integers, as those of Ada's integer types.
fn is_whole(format: Format) -> bool {
    format.is_fixed() && format.least_exponent() >= 0
}

/// The positive literal of an argument: an integer such as `3`, which is none of Ada's real types, or a real number.
fn literal(x: f64, format: Format) -> String {
    if is_whole(format) { format!("{:.0}", x.abs()) } else { constant(x.abs(), format) }
}

/// The negative arguments of a program, as named numbers: those have no type, where the `-` of a package's own type would have to be
/// visible.
struct Negatives(Vec<String>);

impl Negatives {
    fn new(cases: &CodeCases) -> Self {
        let all = cases.inside.iter().chain(&cases.outside);
        let each = all.flat_map(|case| cases.inputs.iter().zip(&case.input));
        let negative = each.filter(|(_, x)| **x < 0.0).map(|((_, format), x)| literal(*x, *format));
        Negatives(negative.collect::<BTreeSet<_>>().into_iter().collect())
    }

    fn declared(&self) -> String {
        let one = |(k, literal): (usize, &String)| format!("   Magneto_Minus_{} : constant := -{literal};\n", k + 1);
        self.0.iter().enumerate().map(one).collect()
    }

    /// An argument of a call.
    fn argument(&self, x: f64, format: Format) -> String {
        let literal = literal(x, format);
        match self.0.binary_search(&literal) {
            Ok(k) if x < 0.0 => format!("Magneto_Minus_{}", k + 1),
            _ if x == 0.0 && x.is_sign_negative() => constant(x, format),
            _ => literal,
        }
    }
}

/// An exact constant such as `16#C#E-1`: whole digits, and an exponent of 16. -0 has no literal.
fn constant(x: f64, format: Format) -> String {
    if x == 0.0 {
        let negative = x.is_sign_negative();
        return if negative { format!("{}'Copy_Sign (0.0, -1.0)", type_of(format)) } else { "0.0".to_owned() };
    }
    let bits = x.abs().to_bits();
    let (field, fraction) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
    let (mantissa, exponent) = if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    let zeros = mantissa.trailing_zeros();
    let (mantissa, exponent) = (mantissa >> zeros, exponent + i64::from(zeros));
    let mantissa = u128::from(mantissa) << exponent.rem_euclid(4);
    let literal = format!("16#{mantissa:X}.0#E{}", exponent.div_euclid(4));
    if x < 0.0 { format!("(-{literal})") } else { literal }
}

/// A string literal.
fn quoted(text: &str) -> String {
    let plain: String = text.chars().map(|c| if (' '..='~').contains(&c) { c } else { '?' }).collect();
    // Lines of Ada are not long everywhere.
    let pieces: Vec<String> =
        plain.as_bytes().chunks(60).map(|p| String::from_utf8_lossy(p).replace('"', "\"\"")).collect();
    pieces.iter().map(|p| format!("\"{p}\"")).collect::<Vec<_>>().join("\n      & ")
}

pub(super) fn files(cases: &CodeCases, function: &str) -> Vec<(String, String)> {
    let ident = &cases.ident;
    let (result, negatives) = (type_of(cases.result), Negatives::new(cases));
    let mut out = String::new();
    cases.about.iter().for_each(|line| {
        let _ = writeln!(out, "--  {line}");
    });
    // A function of a package, or a library function.
    let unit = function.rsplit_once('.').map_or(function, |(unit, _)| unit);
    let environment = if cases.outside.is_empty() { "" } else { "with Ada.Environment_Variables;\n" };
    let (found, counted) = counted(cases);
    let _ = write!(
        out,
        "with {unit};\nwith Ada.Command_Line;\n{environment}with Ada.Text_IO;\n\n\
         procedure Test_{ident} is\n\n   Magneto_Failed, Magneto_Count : Natural := 0;\n{}\n   \
           procedure Magneto_Check (Id : String; Y, Lo, Hi : {result}; {found}Why : String) is\n   begin\n      \
             Magneto_Count := Magneto_Count + 1;\n{counted}      \
             if not (Lo <= Y and then Y <= Hi) then\n         \
               Magneto_Failed := Magneto_Failed + 1;\n         \
               Ada.Text_IO.Put_Line\n           (\"FAIL \" & Id & \": \" & Y'Image & \" is not in [\" & Lo'Image & \", \" & Hi'Image & \"]; \" & Why);\n      \
             end if;\n   end Magneto_Check;\n\n",
        negatives.declared()
    );
    if !cases.outside.is_empty() {
        let _ = write!(
            out,
            "   procedure Magneto_Outside (Id : String; Right : Boolean; Why : String) is\n   begin\n      \
               Magneto_Count := Magneto_Count + 1;\n      \
               if not Right then\n         Magneto_Failed := Magneto_Failed + 1;\n         \
               Ada.Text_IO.Put_Line (\"FAIL \" & Id & \": \" & Why);\n      \
               end if;\n   end Magneto_Outside;\n\n"
        );
    }
    out.push_str("begin\n");
    for case in &cases.inside {
        let Duty::Within { lo, hi } = case.duty else { continue };
        lead(&mut out, cases, case, "   ");
        let _ = writeln!(out, "   --  from {} to {}", both(lo), both(hi));
        let call = call(cases, case, function, &negatives);
        let [lo, hi] = [lo, hi].map(|x| constant(x, cases.result));
        let (id, why) = (&case.id, quoted(&case.why));
        let _ = match cases.place {
            None => writeln!(out, "   Magneto_Check\n     (\"{id}\",\n      {call},\n      {lo}, {hi},\n      {why});"),
            Some(place) => writeln!(
                out,
                "   declare\n      Magneto_Y : {result} := 0.0;\n      Magneto_Place : Natural := 0;\n   begin\n{}      \
                   Magneto_Check\n        (\"{id}\", Magneto_Y,\n         {lo}, {hi}, Magneto_Place,\n      {why});\n   end;",
                taken(place, result, &call)
            ),
        };
    }
    if !cases.outside.is_empty() {
        out.push_str(
            "\n   --  Inputs outside the domain. How a function refuses an input is its own affair, so that these are\n   \
             --  skipped unless the environment has MAGNETO_OUT_OF_RANGE. A refusal is an exception or a NaN.\n   \
             if Ada.Environment_Variables.Exists (\"MAGNETO_OUT_OF_RANGE\") then\n",
        );
        for case in &cases.outside {
            outside(&mut out, cases, case, &call(cases, case, function, &negatives));
        }
        out.push_str("   end if;\n");
    }
    let _ = write!(
        out,
        "   Ada.Text_IO.Put_Line\n     (Magneto_Failed'Image & \" of\" & Magneto_Count'Image & \" tests failed\");\n   \
           if Magneto_Failed > 0 then\n      Ada.Command_Line.Set_Exit_Status (Ada.Command_Line.Failure);\n   end if;\n\
         end Test_{ident};\n"
    );
    // GNAT wants names of files in lower case.
    vec![(format!("test_{}.adb", ident.to_ascii_lowercase()), out)]
}

/// The parameter that says how many results came back, and what is said where others are owed.
fn counted(cases: &CodeCases) -> (&'static str, String) {
    match cases.place {
        None => ("", String::new()),
        Some(ResultPlace { count, .. }) => (
            "Found : Natural; ",
            format!(
                "      if Found /= {count} then\n         Magneto_Failed := Magneto_Failed + 1;\n         \
                   Ada.Text_IO.Put_Line (\"FAIL \" & Id & \": it returned\" & Found'Image & \" results, and {count} are owed; \" & Why);\n         \
                   return;\n      end if;\n"
            ),
        ),
    }
}

fn lead(out: &mut String, cases: &CodeCases, case: &CodeCase, indent: &str) {
    let shown: Vec<String> =
        cases.inputs.iter().zip(&case.input).map(|((name, _), x)| format!("{name} = {}", both(*x))).collect();
    let _ = writeln!(out, "{indent}--  {}", comment(&shown.join(", ")));
}

/// The statements that take one of the results of a call. The array may be of any type, with any first index and any number of
/// dimensions.
fn taken(place: ResultPlace, result: &str, call: &str) -> String {
    format!(
        "      for Magneto_Element of {call} loop\n         \
           if Magneto_Place = {} then\n            Magneto_Y := {result} (Magneto_Element);\n         end if;\n         \
           Magneto_Place := Magneto_Place + 1;\n      end loop;\n",
        place.index
    )
}

fn call(cases: &CodeCases, case: &CodeCase, function: &str, negatives: &Negatives) -> String {
    let inputs: Vec<String> =
        cases.inputs.iter().zip(&case.input).map(|((_, f), x)| negatives.argument(*x, *f)).collect();
    // An aggregate of one element needs its index.
    let aggregate = |elements: &[String]| match elements {
        [one] => format!("(1 => {one})"),
        _ => format!("({})", elements.join(", ")),
    };
    let numbers = cases.arguments.iter().map(|argument| argument.expression(&inputs, &aggregate));
    let arguments: Vec<String> = numbers.chain(cases.sizes.iter().map(|(_, size)| size.to_string())).collect();
    let call = if arguments.is_empty() {
        function.to_owned()
    } else {
        format!("{function}\n        ({})", arguments.join(",\n         "))
    };
    // A value of an integer or fixed-point type is compared as a float, which has it.
    let is_converted = cases.result.is_fixed() && cases.place.is_none();
    if is_converted { format!("{} ({call})", type_of(cases.result)) } else { call }
}

fn outside(out: &mut String, cases: &CodeCases, case: &CodeCase, call: &str) {
    let Duty::Response(response) = &case.duty else { return };
    lead(out, cases, case, "      ");
    let (result, why) = (type_of(cases.result), quoted(&case.why));
    let right = if response == "saturate" { "Magneto_Y - Magneto_Y = 0.0" } else { "Magneto_Y /= Magneto_Y" };
    let (declared, taken) = match cases.place {
        None => (String::new(), format!("         Magneto_Y := {call};\n")),
        Some(place) => ("         Magneto_Place : Natural := 0;\n".to_owned(), taken(place, result, call)),
    };
    let _ = write!(
        out,
        "      declare\n         Magneto_Y : {result} := 0.0;\n{declared}      begin\n{taken}         \
           Magneto_Outside (\"{}\", {right}, {why});\n",
        case.id
    );
    if response == "reject" {
        let _ = writeln!(
            out,
            "      exception\n         when others =>\n            Magneto_Outside (\"{}\", True, \"\");",
            case.id
        );
    }
    out.push_str("      end;\n");
}
