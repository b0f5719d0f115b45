//! Every text of a specification x 50 payloads x every output: no text is code, markup, a formula or an order to a terminal
//! anywhere, and compilers and validators take all that is written. MAGNETO_LONG asks for all payloads in every field (else
//! for every tenth, by turns); MAGNETO_SCHEMAS names a folder with `stryker.json` and `sarif.json` to validate with
//! (Python's jsonschema does it).

mod outputs;

use crate::cli_support::Folder;
use crate::cli_support::payloads::PAYLOADS;
use magneto::spec::{Overrides, parse_file, resolve};
use magneto::text::is_hidden;

/// Where a text stands in a specification.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Field {
    Name,
    Requirement,
    Description,
    Property,
    Comment,
    Identifier,
    Input,
    Variable,
}

const FIELDS: [Field; 8] = [
    Field::Name,
    Field::Requirement,
    Field::Description,
    Field::Property,
    Field::Comment,
    Field::Identifier,
    Field::Input,
    Field::Variable,
];

/// A specification with a text in a field; its other names differ by `k`.
fn core(field: Field, text: &str, k: usize) -> String {
    let string = text.replace('\\', "\\\\").replace('"', "\\\"");
    let in_string = |here: Field, other: String| if field == here { string.clone() } else { other };
    // What ends a symbol cannot be in one.
    let ends = |c: &char| !c.is_whitespace() && !"()[]\";#\u{feff}".contains(*c);
    let symbol = |here: Field, other: &str| {
        let own: String = text.chars().filter(ends).collect();
        if field == here { own } else { other.to_owned() }
    };
    let (name, requirement) = (in_string(Field::Name, format!("p{k}")), in_string(Field::Requirement, format!("R{k}")));
    let (description, cite) = (in_string(Field::Description, "d".into()), in_string(Field::Property, "c".into()));
    let comment = if field == Field::Comment { text.replace(['\n', '\r'], " ") } else { "c".into() };
    let (identifier, input) = (symbol(Field::Identifier, &format!("p{k}")), symbol(Field::Input, "x"));
    let variable = symbol(Field::Variable, "v");
    format!(
        "; {comment}\n(FPCore {identifier} ({input})\n  :name \"{name}\"\n  :description \"{description}\"\n  :alias \"{cite}\"\n  \
         :pre (<= 1 {input} 4)\n  :magneto-req \"{requirement}\"\n  :magneto-rel-error 1e-9\n  (let ([{variable} (* 0.1 {input})]) \
         (+ {variable} 0.5)))\n"
    )
}

/// A file of specifications with the payloads in a field, each that can stand there.
fn file(field: Field, payloads: &[&str]) -> (String, usize) {
    let all = payloads.iter().enumerate().map(|(k, text)| core(field, text, k));
    let good = |text: &String| {
        let file = parse_file(text.as_bytes());
        file.diagnostics.is_empty()
            && file.cores.len() == 1
            && resolve(&file, 0, "s.fpcore", &Overrides::default()).is_ok()
    };
    let cores: Vec<String> = all.filter(good).collect();
    (cores.concat(), cores.len())
}

/// Whether nothing in a text moves a terminal or hides from a reader. A tab does neither.
fn is_plain(text: &str) -> bool {
    !text.contains(|c| is_hidden(c) && c != '\n' && c != '\t')
}

#[test]
fn no_text_of_a_specification_is_more_than_a_text() {
    let long = std::env::var_os("MAGNETO_LONG").is_some();
    let mut outputs = 0;
    for (turn, field) in FIELDS.into_iter().enumerate() {
        // Few texts are names of formulas: none that hides a character from a reader is.
        let is_symbol = matches!(field, Field::Identifier | Field::Input | Field::Variable);
        let (each, share) = if is_symbol { (6, 8) } else { (20, 4) };
        let payloads: Vec<&str> =
            PAYLOADS.into_iter().enumerate().filter(|(k, _)| long || k % each == turn % each).map(|(_, p)| p).collect();
        let (text, count) = file(field, &payloads);
        // One alone has no folder of its own.
        assert!(count > 1 && count > payloads.len() / share, "{field:?}: {count} of {}", payloads.len());
        let folder = Folder::new();
        folder.write("s.fpcore", &text);
        let run = ["gen", "s.fpcore", "--operators", "constant,bounds", "--budget", "50", "--boundary"];
        let ended = folder.run(&run);
        assert!(matches!(ended.code, Some(0 | 3)), "{field:?}: {}", ended.err);
        assert!(is_plain(&ended.out) && is_plain(&ended.err), "{field:?}: {:?} {:?}", ended.out, ended.err);
        let run = outputs::Run { folder: &folder, said: format!("{field:?}"), count };
        let written = run.files() + run.exports() + run.reports();
        println!("{field:?}: {count} payloads, {written} files");
        outputs += written;
    }
    println!("{outputs} files in all");
}

/// Texts that come with tests and implementations, and from the one who accepts a mutant.
#[test]
fn no_text_of_others_is_more_than_a_text() {
    let folder = Folder::new();
    folder.write("s.fpcore", core(Field::Name, "s", 0));
    // A number tells apart what is the same after spaces are taken off.
    let quoted = |(k, p): (usize, &&str)| format!("\"{}{k}\",1.5\n", p.replace('"', "\"\""));
    let rows: String = PAYLOADS.iter().enumerate().map(quoted).collect();
    folder.write("in.csv", format!("test_id,x\n{rows}"));
    // The k-th answer is an error with the k-th payload, on one line.
    let lines: String = PAYLOADS.iter().map(|p| format!("error: {}\n", p.replace(['\n', '\r', '\0'], " "))).collect();
    folder.write("answers", &lines);
    let answer = "exec 3<answers; while read -r x; do IFS= read -r a <&3; printf '%s\\n' \"$a\"; done";
    let check = ["check", "s.fpcore", "in.csv", "--exec", answer, "--junit", "junit.xml", "-o", "out"];
    for more in [&[][..], &["--tap"], &["--json"], &["--verbose"]] {
        let ended = folder.run(&[&check[..], more].concat());
        assert_eq!(ended.code, Some(1), "{}", ended.err);
        assert!(is_plain(&ended.err), "{:?}", ended.err);
        if more == ["--json"] {
            ended.json();
        } else {
            assert!(is_plain(&ended.out), "{:?}", ended.out);
        }
    }
    outputs::is_xml(&folder, "junit.xml");
    outputs::is_table(&folder.read("out/check.csv"), "check.csv");
    let ended = folder.run(&["eval", "s.fpcore", "in.csv", "--operators", "constant", "-o", "eval"]);
    assert!(matches!(ended.code, Some(0 | 1 | 3)) && is_plain(&ended.out) && is_plain(&ended.err), "{:?}", ended.err);
    for (name, bytes) in folder.files("eval").into_iter().filter(|f| f.0.ends_with(".csv")) {
        outputs::is_table(&String::from_utf8(bytes).unwrap(), &name);
    }
}
