//! Test files as people really bring them: each is read rightly or refused with its place and a hint.

use magneto::floats::Format;
use magneto::spec::{OutOfRange, Overrides, Spec, parse_file, resolve};
use magneto::testfile::{Expected, FileProblem, Reader, TestRecord};
use std::path::Path;

fn spec(text: &str) -> Spec {
    resolve(&parse_file(text.as_bytes()), 0, "test.fpcore", &Overrides::default()).unwrap()
}

/// Two inputs of different formats, and a result of a third.
fn mixed() -> Spec {
    spec(
        "(FPCore ((! :precision binary64 x) (! :precision binary32 y)) :precision binary32 :name \"mixed\"
           :pre (and (<= -10 x 10) (<= -10 y 10)) (+ x y))",
    )
}

/// What a file of this name and contents holds: its tests with the notes, or the first problem.
fn read_as(name: &str, bytes: impl AsRef<[u8]>, spec: &Spec) -> Result<(Vec<TestRecord>, Vec<String>), FileProblem> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let mut reader = Reader::open(Path::new(&path), spec)?;
    let records = reader.by_ref().collect::<Result<Vec<_>, _>>()?;
    Ok((records, reader.notes()))
}

fn read(bytes: impl AsRef<[u8]>) -> Result<(Vec<TestRecord>, Vec<String>), FileProblem> {
    read_as("tests", bytes, &mixed())
}

/// Inputs of the tests, bit by bit.
#[track_caller]
fn inputs(bytes: impl AsRef<[u8]>, expected: &[[f64; 2]]) -> Vec<TestRecord> {
    let records = read(bytes).unwrap_or_else(|p| panic!("{}", p.0)).0;
    let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let found: Vec<_> = records.iter().map(|r| bits(&r.input)).collect();
    assert_eq!(found, expected.iter().map(|x| bits(x)).collect::<Vec<_>>());
    records
}

/// That a file is refused at a place, in words that hold all of these.
#[track_caller]
fn refused(bytes: impl AsRef<[u8]>, place: &str, words: &[&str]) {
    let problem = read(bytes).map(|r| panic!("{r:?}")).unwrap_err().0;
    assert!(problem.contains(&format!("tests{place}: ")), "no place {place} in\n{problem}");
    assert!(problem.starts_with("error: ") && problem.ends_with('\n'), "{problem}");
    for word in words {
        assert!(problem.contains(word), "no `{word}` in\n{problem}");
    }
}

#[test]
fn the_two_formats_differ() {
    let s = mixed();
    assert_eq!((s.inputs[0].format, s.inputs[1].format), (Format::BINARY64, Format::BINARY32));
}

#[test]
fn good_tables() {
    let one = [[1.5, 2.0]];
    for text in [
        "x,y\n1.5,2\n",
        "x,y\n1.5,2",
        "x,y\r\n1.5,2\r\n",
        "x,y\r\n1.5,2\r",
        "\u{feff}x,y\n1.5,2\n",
        "\n\nx,y\n\n1.5,2\n\n\n",
        "y,x\n2,1.5\n",
        " x , y \n 1.5 ,\t2 \n",
        "\"x\",\"y\"\n\"1.5\",\"2\"\n",
        "x, \"y\"\n1.5, \"2\" \n",
        "x,y,note\n1.5,2,\"said \"\"so\"\", twice\"\n",
        "x,y,note\n1.5,2,\"over\ntwo lines\"\n",
        "x,y,note\n1.5,2,5\" pipe\n",
        "x,y,\n1.5,2,\n",
        "x,y\n0x1.8p+0,0x1p1\n",
        "x,y\n+1.50,2e0\n",
        "x,y\n15E-1,0.02e+2\n",
        "x,x_dec,y,y_dec\n0x1.8p+0,9,2,9\n",
    ] {
        inputs(text, &one);
    }
    inputs("x,y\n-0,0\n0,-0x0p+0\n", &[[-0.0, 0.0], [0.0, -0.0]]);
    inputs(
        "x,y\n4.9e-324,1e-45\n2.2250738585072014e-308,1.1754944e-38\n",
        &[[5e-324, f64::from(f32::from_bits(1))], [f64::MIN_POSITIVE, f64::from(f32::MIN_POSITIVE)]],
    );
    inputs("x,y\n0.1,0.1\n", &[[0.1, f64::from(0.1f32)]]);
    // Latin-1 in a column that nobody reads.
    inputs(b"x,y,note\n1.5,2,\xfcber\n", &one);
}

#[test]
fn identifiers_lines_and_expectations() {
    let text = "test_id,y,x,lo,hi,expected\n\nfirst,2,1.5,3.4,3.6,3.5\n\n,2,1.5,,,REJECT\nlast,2,1.5,,4,-inf\n";
    let records = inputs(text, &[[1.5, 2.0]; 3]);
    let ids: Vec<(&str, usize)> = records.iter().map(|r| (r.id.as_str(), r.line)).collect();
    assert_eq!(ids, [("first", 3), ("#2", 5), ("last", 6)]);
    // Rounded inward to binary32.
    let (lo, hi) = (records[0].lo.unwrap(), records[0].hi.unwrap());
    assert!(lo > 3.4 && lo < 3.4 + 1e-6 && f64::from(lo as f32) == lo, "{lo}");
    assert!(hi < 3.6 && hi > 3.6 - 1e-6 && f64::from(hi as f32) == hi, "{hi}");
    assert_eq!(records[0].expected, Some(Expected::Value(3.5)));
    assert_eq!((records[1].lo, records[1].expected), (None, Some(Expected::Response(OutOfRange::Reject))));
    assert_eq!((records[2].hi, records[2].expected), (Some(4.0), Some(Expected::Value(f64::NEG_INFINITY))));
}

#[test]
fn good_json() {
    let one = [[1.5, 2.0]];
    for text in [
        r#"[{"x": 1.5, "y": 2}]"#,
        "\u{feff} [ {\"y\": \"0x1p1\", \"x\": \" 1.5 \"} ]\n",
        r#"{"schema": "any", "tests": [{"inputs": {"x": "0x1.8p+0", "y": "2"}, "lo": null}]}"#,
        r#"[{"x": 1.5, "y": 2e0, "deep": {"a": [1, {}]}}]"#,
        r#"[{"\u0078": 1.5, "y": 2}]"#,
    ] {
        inputs(text, &one);
    }
    let records = inputs("[\n{\"id\": \"a\", \"x\": 1.5, \"y\": 2},\n\n{\"x\": 1.5, \"y\": 2}]", &[[1.5, 2.0]; 2]);
    assert_eq!((records[0].id.as_str(), records[0].line), ("a", 2));
    assert_eq!((records[1].id.as_str(), records[1].line), ("#2", 4));
}

#[test]
fn notes_say_what_was_ignored_and_rounded() {
    let notes = |text: &str| read(text).unwrap().1.join("\n");
    assert_eq!(notes("x,y,kills,lo,origin\n1,2,a b,,probe\n"), "");
    let said = notes("x,y,who,why\n1,2,a,b\n1,0.1,a,b\n0.2,0.1,a,b\n");
    assert!(said.contains("`who`, `why`"), "{said}");
    assert!(said.contains("rounded 3 decimals") && said.contains("line 3, column 3: `0.1`"), "{said}");
    assert!(notes(r#"[{"x": 1, "y": 2, "who": 3}]"#).contains("`who`"));
}

#[test]
fn tests_with_inputs_that_are_no_finite_numbers_are_left_out_with_a_note() {
    let (records, notes) = read("x,y\n1.5,2\nnan,2\n-Inf,oops\n2,+Infinity\n3,4\n").unwrap();
    let kept: Vec<&[f64]> = records.iter().map(|r| &r.input[..]).collect();
    assert_eq!(kept, [[1.5, 2.0], [3.0, 4.0]]);
    assert_eq!(records[1].line, 6);
    assert!(notes.join("\n").contains("left out 3 tests") && notes.join("\n").contains("line 3"), "{notes:?}");
    // Two of three at once: no depth of calls.
    let long = format!("x,y\n{}1,2\n", "nan,1\n".repeat(200_000));
    assert_eq!(read(&long).unwrap().0.len(), 1);
}

#[test]
fn broken_tables() {
    refused("x,y\n1;5,2\n", ":2:1", &["`1;5`"]);
    refused("x,y\n\"1,5\",2.5\n", ":2:7", &["decimal point in `2.5`", "decimal comma in line 2"]);
    refused("x,y\n\"1,500\",2\n", ":2:2", &["thousands", "decimal point: 1.500"]);
    refused("x,y\n1,5,2\n", ":2:5", &["3 cells", "decimal points"]);
    refused("x,y\n1\n", ":2:2", &["1 cells", "header 2"]);
    refused("x\n1\n", ":1:1", &["no column `y`"]);
    refused("u,y\n1,2\n", ":1:1", &["no column `x`", "--map x=COLUMN"]);
    refused("x,y,x\n1,2,1\n", ":1:5", &["two columns `x`"]);
    refused("1,2\n3,4\n", ":1:1", &["names the columns: x,y"]);
    refused("x,y\n1,\n", ":2:3", &["`y`: the cell is empty"]);
    // A row of empty cells is a blank one, as spreadsheets write it.
    refused("x,y\n,\n", "", &["no test"]);
    refused("x,y\nnan,2\n", ":2", &["finite"]);
    refused("x,y\n1,-Inf\n", ":2", &["finite"]);
    refused("x,y\n1e400,2\n", ":2:1", &["beyond the binary64 numbers"]);
    refused("x,y\n1,1e39\n", ":2:3", &["beyond the binary32 numbers"]);
    refused("x,y\n1,0x1.0000001p0\n", ":2:3", &["no binary32 number", "nearest"]);
    refused("x,y\n1e-400,2\n", ":2:1", &["too small"]);
    refused("x,y\n1,2\n\n3,oops\n", ":4:3", &["`oops`"]);
    refused("x,y,note\n1,2,\"a\nb\"\n3,oops,\n", ":4:3", &["`oops`"]);
    refused("x,y,note\n1,2,\"never closed\n3,4,\n", ":2:5", &["not closed"]);
    refused("x,y\n\"1\"5,2\n", ":2:4", &["closing quote"]);
    refused("x,y\r1,2\r3,4\n", ":1:4", &["carriage return"]);
    refused(b"x,y\n1,\xff\n", ":2:3", &["not a decimal"]);
    refused(b"\xff\xfex\0,\0y\0\n", ":1:1", &["UTF-16"]);
    refused("x,y,lo,hi\n1,2,4,3\n", ":2:5", &["between"]);
    refused("x,y,lo\n1,2,wide\n", ":2:5", &["`lo`"]);
    refused("x,y,expected\n1,2,maybe\n", ":2:5", &["`expected`", "reject"]);
    refused("x,y\n1/3,2\n", ":2:1", &["quotient"]);
    refused("# made by hand\nu,v\n1,2\n", ":1:1", &["no column"]);
    refused("x,y\n", "", &["no test"]);
    refused("\n\n", "", &["blank"]);
}

#[test]
fn broken_json() {
    refused("[]", "", &["no test"]);
    refused("{}", ":1:1", &["no member `tests`"]);
    refused("{\"tests\": 3}", ":1:11", &["list of tests"]);
    refused("[1]", ":1:2", &["list of tests"]);
    refused("[{\"x\": 1.5}]", ":1:2", &["no value for `y`"]);
    refused("[{\"x\": 1.5,\n \"y\": }]", ":2:7", &["list of tests"]);
    refused("[{\"x\": 1.5, \"y\": 2}", ":1:19", &["list of tests"]);
    refused("[{\"x\": 1.5, \"y\": 2, \"x\": 3}]", ":1:26", &["`x` is given twice"]);
    refused("[{\"x\": 1.5,\n \"y\": true}]", ":2:7", &["neither"]);
    refused("[{\"x\": 1.5, \"y\": [2]}]", ":1:18", &["neither"]);
    refused("[{\"x\": 1e400, \"y\": 2}]", ":1:8", &["beyond"]);
    refused("[{\"x\": NaN, \"y\": 2}]", ":1:8", &["list of tests"]);
    refused("{\"x\": 1.5, \"y\": 2}\n{\"x\": 1.5, \"y\": 2}", ":2:1", &["array of objects"]);
    refused(b"[{\"x\": \"\xff\", \"y\": 2}]", ":1:9", &["UTF-8"]);
}

#[test]
fn an_empty_file_and_no_file() {
    refused("", "", &["empty", "x,y"]);
    let missing = Reader::open(Path::new("/nonexistent/tests.csv"), &mixed()).err().unwrap().0;
    assert!(missing.contains("cannot read"), "{missing}");
    assert!(Reader::open(Path::new("/"), &mixed()).err().unwrap().0.contains("folder"));
    // The name decides where the contents do not.
    assert!(read_as("t.json", "x,y\n1,2\n", &mixed()).unwrap_err().0.contains("JSON"));
}

#[test]
fn names_that_are_taken() {
    let s = spec("(FPCore (lo y) :name \"taken\" :pre (and (<= 0 lo 1) (<= 0 y 1)) (+ lo y))");
    let (records, _) = read_as("t.csv", "input.lo,y,lo\n0.5,1,1.5\n", &s).unwrap();
    assert_eq!((records[0].input.as_slice(), records[0].lo), (&[0.5, 1.0][..], Some(1.5)));
    let (records, _) = read_as("t.json", r#"{"tests": [{"inputs": {"lo": 0.5, "y": 1}, "lo": 1.5}]}"#, &s).unwrap();
    assert_eq!((records[0].input.as_slice(), records[0].lo), (&[0.5, 1.0][..], Some(1.5)));
}

#[test]
fn after_a_bad_cell_the_others_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tests.csv");
    std::fs::write(&path, "x,y\n1,2\noops,2\n3,4\n5,oops\n").unwrap();
    let s = mixed();
    let items: Vec<bool> = Reader::open(&path, &s).unwrap().map(|r| r.is_ok()).collect();
    assert_eq!(items, [true, false, true, false]);
}

/// Every file that differs from a good one by one piece is read or refused, with a place, and what is read are numbers.
#[test]
fn files_that_are_slightly_broken() {
    let table = "test_id,x,y,expected\r\na,0x1.8p+0,-2.5,\"1.5\"\r\nb,1e-3,0.1,reject\r\n";
    let json = r#"{"tests": [{"id": "a", "inputs": {"x": "0x1.8p+0", "y": -2.5}, "lo": null}, {"x": 1e-3, "y": 2}]}"#;
    let pieces: [&[u8]; 14] = [
        b"",
        b"\"",
        b",",
        b";",
        b"\n",
        b"\r",
        b"\0",
        b"\xff",
        b"\xef\xbb\xbf",
        b"-",
        b"e",
        b"{",
        b"]",
        b"99999999999999999999",
    ];
    let s = mixed();
    let (mut good, mut bad) = (0, 0);
    for whole in [table, json] {
        for at in (0..whole.len()).step_by(3) {
            for (k, piece) in pieces.iter().enumerate() {
                // Inserted, in the place of a character, or at the end of what was cut off.
                let rest = match k % 3 {
                    0 => &whole[at..],
                    1 => &whole[at + 1..],
                    _ => "",
                };
                let bytes = [&whole.as_bytes()[..at], *piece, rest.as_bytes()].concat();
                match read_as("tests", &bytes, &s) {
                    Ok((records, _)) => {
                        good += 1;
                        assert!(!records.is_empty());
                        for r in records {
                            assert!(s.inputs.iter().zip(&r.input).all(|(i, x)| i.format.holds(*x)), "{r:?}");
                        }
                    }
                    Err(FileProblem(text)) => {
                        bad += 1;
                        assert!(
                            text.starts_with("error: ") && text.contains("/tests:") && text.ends_with('\n'),
                            "{text}"
                        );
                    }
                }
            }
        }
    }
    assert!(good > 100 && bad > 300, "{good} {bad}");
}

/// A column of names is used where there is no `test_id`; equal names are told apart.
#[test]
fn other_columns_of_names() {
    let ids = |bytes: &str| {
        let (records, notes) = read(bytes).unwrap_or_else(|p| panic!("{}", p.0));
        (records.into_iter().map(|r| r.id).collect::<Vec<_>>(), notes)
    };
    for column in ["id", "name", "test", "test_name"] {
        let (names, notes) = ids(&format!("x,{column},y\n1,cold start,2\n2,,3\n3,cold start,4\n"));
        assert_eq!(names, ["cold start", "#2", "cold start (#3)"], "{column}");
        assert!(notes.is_empty(), "{notes:?}");
        let (names, _) = ids(&format!(r#"[{{"x": 1, "{column}": "cold", "y": 2}}, {{"x": 1, "y": 2}}]"#));
        assert_eq!(names, ["cold", "#2"], "{column}");
    }
    // `test_id` comes first, and an input is an input.
    let (names, notes) = ids("test_id,x,y,name\na,1,2,b\na,1,2,b\n");
    assert_eq!(names, ["a", "a"]);
    assert!(notes[0].contains("ignored `name`"), "{notes:?}");
    assert_eq!(ids(r#"[{"x": 1, "y": 2, "name": "b", "test_id": "a"}]"#).0, ["a"]);
    let s = spec("(FPCore (name) :name \"taken\" :pre (<= 0 name 9) name)");
    let (records, _) = read_as("tests.csv", "name,id\n4,five\n", &s).unwrap();
    assert_eq!((records[0].id.as_str(), records[0].input[0]), ("five", 4.0));
}
