//! Tables as other people have them: each is read rightly, with what was understood in a note, or refused with a hint.

use magneto::spec::{Overrides, Spec, parse_file, resolve};
use magneto::testfile::{DecimalMark, Delimiter, Expected, Layout, Reader, Scale, TestRecord, pairs};

/// A file name, its bytes, what is said of its layout, and what comes of it.
struct Table {
    name: &'static str,
    bytes: Vec<u8>,
    layout: Layout,
    outcome: Outcome,
}

enum Outcome {
    /// Pressure, temperature and what is expected of each test; words of the notes.
    Read(&'static [[f64; 3]], &'static [&'static str]),
    /// Words of the message.
    Refused(&'static [&'static str]),
}
use Outcome::{Read, Refused};

/// A test that expects nothing.
const NOTHING: f64 = f64::NAN;
const ONE: &[[f64; 3]] = &[[1.5, 2.5, NOTHING]];
const TWO: &[[f64; 3]] = &[[1.5, 2.5, 0.25], [3.0, 4.5, 0.75]];

fn gas() -> Spec {
    let text = "(FPCore (p T) :name \"gas\" :pre (and (<= 0 p 1000000) (<= 1 T 1000)) (/ p (* 287.05 T)))";
    resolve(&parse_file(text.as_bytes()), 0, "gas.fpcore", &Overrides::default()).unwrap()
}

fn table(name: &'static str, bytes: impl AsRef<[u8]>, outcome: Outcome) -> Table {
    said(name, bytes, Layout::default(), outcome)
}

fn said(name: &'static str, bytes: impl AsRef<[u8]>, layout: Layout, outcome: Outcome) -> Table {
    Table { name, bytes: bytes.as_ref().to_vec(), layout, outcome }
}

fn map(text: &str) -> Layout {
    Layout { map: pairs(text).unwrap(), ..Layout::default() }
}

fn scale(name: &str, text: &str) -> Layout {
    Layout { scale: vec![(name.to_owned(), Scale::read(text).unwrap())], ..Layout::default() }
}

fn strict() -> Layout {
    Layout { strict: true, ..Layout::default() }
}

fn utf16(text: &str, little: bool, mark: bool) -> Vec<u8> {
    let units = mark.then_some(0xfeff).into_iter().chain(text.encode_utf16());
    units.flat_map(|u| if little { u.to_le_bytes() } else { u.to_be_bytes() }).collect()
}

#[track_caller]
fn check(tables: Vec<Table>) {
    for table in tables {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(table.name);
        std::fs::write(&path, &table.bytes).unwrap();
        let spec = gas();
        let read = Reader::open_as(&path, &spec, table.layout).and_then(|mut reader| {
            let tests: Vec<TestRecord> = reader.by_ref().collect::<Result<_, _>>()?;
            Ok((tests, reader.notes().join("\n")))
        });
        let shown = String::from_utf8_lossy(&table.bytes[..table.bytes.len().min(200)]).into_owned();
        match (read, table.outcome) {
            (Ok((tests, notes)), Read(wanted, words)) => {
                let value = |r: &TestRecord| match r.expected {
                    Some(Expected::Value(y)) => y,
                    _ => NOTHING,
                };
                let found: Vec<[u64; 3]> =
                    tests.iter().map(|r| [r.input[0], r.input[1], value(r)].map(f64::to_bits)).collect();
                let wanted: Vec<[u64; 3]> = wanted.iter().map(|t| t.map(f64::to_bits)).collect();
                assert_eq!(found, wanted, "{shown}\n{tests:?}");
                words.iter().for_each(|w| assert!(notes.contains(w), "no `{w}` in the notes of\n{shown}\n{notes}"));
                assert!(!words.is_empty() || notes.is_empty(), "{shown}\n{notes}");
            }
            (Err(problem), Refused(words)) => {
                words.iter().for_each(|w| assert!(problem.0.contains(w), "no `{w}` in\n{}of\n{shown}", problem.0));
                assert!(problem.0.contains("hint: "), "{}", problem.0);
            }
            (Ok((tests, _)), Refused(_)) => panic!("{shown}\nis read as {tests:?}"),
            (Err(problem), Read(..)) => panic!("{shown}\n{}", problem.0),
        }
    }
}

#[test]
fn delimiters_and_decimal_marks() {
    let semicolons = "p;T;expected\n1,5;2,5;0,25\n3;4,5;0,75\n";
    check(vec![
        table("t.csv", semicolons, Read(TWO, &["semicolons", "decimal commas: `1,5` in line 2 as 1.5"])),
        table("t.csv", semicolons.replace('\n', "\r\n"), Read(TWO, &["semicolons"])),
        table("t.csv", format!("sep=;\n{semicolons}"), Read(TWO, &["decimal commas: `1,5` in line 3"])),
        table("t.csv", "p;T\n1.5;2.5\n", Read(ONE, &["semicolons"])),
        table("t.tsv", "p\tT\n1.5\t2.5\n", Read(ONE, &["tabs"])),
        table("t.txt", "p\tT\n1,5\t2,5\n", Read(ONE, &["tabs", "decimal commas"])),
        table("t.txt", "p|T\n1.5|2.5\n", Read(ONE, &["bars"])),
        table("t.dat", "  p    T\n  1.5  2.5\n", Read(ONE, &["spaces"])),
        table("t.dat", "# p T\n1.5 2.5\n", Read(ONE, &["spaces"])),
        table("t.csv", "# p,T\n1.5,2.5\n", Read(ONE, &[])),
        table("t.csv", "p,T\n\"1,5\",\"2,5\"\n", Read(ONE, &["decimal commas"])),
        said(
            "t.csv",
            semicolons,
            Layout {
                delimiter: Some(Delimiter::Semicolon),
                decimal: Some(DecimalMark::Comma),
                strict: true,
                ..Layout::default()
            },
            Read(TWO, &[]),
        ),
        said("t.csv", semicolons, strict(), Refused(&["--strict", "semicolons", "--delimiter semicolon"])),
        said(
            "t.csv",
            format!("sep=;\n{semicolons}"),
            strict(),
            Refused(&["--strict", "decimal commas", "--decimal comma"]),
        ),
        // A number with a point and one with a comma: one of them has thousands.
        table("t.csv", "p;T\n1.500;2,5\n", Refused(&["decimal comma in `2,5`, and a decimal point in line 2"])),
        table("t.csv", "p;T\n1.234,5;2\n", Refused(&["`p`", "without separators"])),
        table("t.tsv", "p\tT\n1,234\t2\n", Refused(&["thousands", "--decimal comma"])),
        said(
            "t.tsv",
            "p\tT\n1,500\t2,5\n",
            Layout { decimal: Some(DecimalMark::Comma), ..Layout::default() },
            Read(ONE, &["tabs"]),
        ),
        said(
            "t.csv",
            "p;T\n1,5;2,5\n",
            Layout { decimal: Some(DecimalMark::Point), ..Layout::default() },
            Refused(&["a decimal comma in `1,5`", "--decimal point"]),
        ),
        said(
            "t.csv",
            "p;T\n1.5;2.5\n",
            Layout { delimiter: Some(Delimiter::Comma), ..Layout::default() },
            Refused(&["no column"]),
        ),
        table("t.csv", "p,T\n1'000,2\n", Refused(&["without separators: 1000"])),
        table("t.csv", "p,T\n1,5,2\n", Refused(&["3 cells", "decimal points"])),
    ]);
}

#[test]
fn encodings() {
    let text = "p,T\n1.5,2.5\n";
    check(vec![
        table("t.csv", utf16(text, true, true), Read(ONE, &[])),
        table("t.csv", utf16(text, false, true), Read(ONE, &[])),
        table("t.csv", utf16("p\tT\r\n1,5\t2,5\r\n", true, true), Read(ONE, &["tabs", "decimal commas"])),
        table("t.csv", utf16(text, true, false), Read(ONE, &["UTF-16"])),
        said("t.csv", utf16(text, true, false), strict(), Refused(&["--strict", "UTF-16"])),
        table("t.csv", &utf16(text, true, true)[..9], Refused(&["not all of it", "save it as UTF-8"])),
        table("t.csv", b"name,p,T\nM\xfcnchen,1.5,2.5\n", Read(ONE, &["Latin-1", "line 2"])),
        said("t.csv", b"name,p,T\nM\xfcnchen,1.5,2.5\n", strict(), Refused(&["--strict", "Latin-1"])),
        table("t.csv", "\u{feff}p;T\n1,5;2,5\n", Read(ONE, &["semicolons"])),
        table("t.csv", "p,T\n\u{2212}1.5,2.5\n", Refused(&["hyphen"])),
    ]);
}

#[test]
fn headers() {
    check(vec![
        table("t.csv", "P_,T\n1.5,2.5\n", Read(ONE, &["column `P_` as p"])),
        table("t.csv", "p [Pa],T [K]\n1.5,2.5\n", Read(ONE, &["`p [Pa]` as p", "`T [K]` as T"])),
        table("t.csv", "p (Pa),T (K)\n1.5,2.5\n", Read(ONE, &["`p (Pa)` as p"])),
        table("t.csv", "T in K;p in Pa\n2,5;1,5\n", Read(ONE, &["`T in K` as T"])),
        said("t.csv", "p [Pa],T\n1.5,2.5\n", strict(), Refused(&["--strict", "`p [Pa]`", "--map"])),
        table("t.csv", "p,T\nPa,K\n1.5,2.5\n", Read(ONE, &["line 2", "units: Pa, K"])),
        table("t.csv", "p;T\n[kPa];[-]\n1,5;2,5\n", Read(ONE, &["units: [kPa], [-]"])),
        said("t.csv", "p,T\nPa,K\n1.5,2.5\n", strict(), Refused(&["--strict", "units"])),
        table("t.csv", "p,T\noops,wrong\n1.5,2.5\n", Refused(&["`p`"])),
        table(
            "t.csv",
            "Test report 12,,\nmade by,me,\n\np,T,expected\n1.5,2.5,0.25\n3,4.5,0.75\n",
            Read(TWO, &["before the header: lines 1 to 3"]),
        ),
        said("t.csv", "Report\np,T\n1.5,2.5\n", strict(), Refused(&["--strict", "before the header"])),
        table("t.csv", "# made by hand\np,T\n# first\n1.5,2.5\n", Read(ONE, &["begin with #"])),
        table("t.csv", "p;T;;\n1,5;2,5;;\n;;;\n", Read(ONE, &["semicolons"])),
        table("t.csv", "p,T,Result\n1.5,2.5,7\n", Read(ONE, &["ignored `Result`", "--map expected=Result"])),
        table("t.csv", "Pressure,T\n1.5,2.5\n", Refused(&["no column `p`", "--map p=COLUMN"])),
        table("t.csv", "1.5,2.5\n3,4\n", Refused(&["names the columns: p,T", "--map p=1,T=2"])),
        table("t.csv", "p,t,T,P\n1.5,9,2.5,9\n", Read(ONE, &["ignored `t`, `P`"])),
        table("t.csv", "Test ID,p,T\na,1.5,2.5\n", Read(ONE, &["`Test ID` as test_id"])),
        // A line of a byte order mark and a line end is blank, as files have it that are put together of several.
        table("t.csv", "made by me\n\u{feff}\r\np\tT\n1.5\t2.5\n", Read(ONE, &["lines 1 to 2"])),
    ]);
}

#[test]
fn what_is_said_of_columns() {
    let german = "Druck;Temperatur;Soll\n1,5;2,5;0,25\n3;4,5;0,75\n";
    check(vec![
        said("t.csv", german, map("p=Druck,T=Temperatur,expected=Soll"), Read(TWO, &["semicolons"])),
        said("t.csv", "1.5,2.5,0.25\n3,4.5,0.75\n", map("p=1,T=2,expected=3"), Read(TWO, &[])),
        said("t.csv", "a,b\n1.5,2.5\n", map("p=1,T=2"), Read(ONE, &[])),
        said("t.csv", german, map("p=Drukc,T=Temperatur"), Refused(&["no column `Drukc`", "is `Druck` meant?"])),
        said("t.csv", "p,T\n1.5,2.5\n", map("q=p"), Refused(&["`q` is no field", "p, T, test_id"])),
        said("t.csv", "p,T\n0.0015,2.5\n", scale("p", "1000"), Read(ONE, &[])),
        said("t.csv", "p,T\n1.5,-270.65\n", scale("T", "1+273.15"), Read(ONE, &[])),
        said("t.json", r#"[{"Druck": 1.5, "T": 2.5}]"#, map("p=Druck"), Read(ONE, &[])),
    ]);
    assert!(Scale::read("-1").is_err());
}

/// A ZIP archive whose files are not compressed.
fn archive(files: &[(&str, String)]) -> Vec<u8> {
    let crc = |bytes: &[u8]| {
        !bytes.iter().fold(!0u32, |mut c, b| {
            c ^= u32::from(*b);
            (0..8).for_each(|_| c = if c & 1 == 1 { c >> 1 ^ 0xedb8_8320 } else { c >> 1 });
            c
        })
    };
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let mut head = Vec::new();
        head.extend([20u16, 0, 0, 0, 0x21].iter().flat_map(|n| n.to_le_bytes()));
        head.extend([crc(text.as_bytes()), text.len() as u32, text.len() as u32].iter().flat_map(|n| n.to_le_bytes()));
        head.extend((name.len() as u16).to_le_bytes());
        head.extend(0u16.to_le_bytes());
        directory.extend(*b"PK\x01\x02\x14\0");
        directory.extend(&head);
        directory.extend([0u8; 10]);
        directory.extend((out.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        out.extend(*b"PK\x03\x04");
        out.extend(head);
        out.extend(name.as_bytes());
        out.extend(text.as_bytes());
    }
    let (start, length, n) = (out.len() as u32, directory.len() as u32, files.len() as u16);
    out.extend(directory);
    out.extend(*b"PK\x05\x06\0\0\0\0");
    out.extend([n, n].iter().flat_map(|n| n.to_le_bytes()));
    out.extend([length, start].iter().flat_map(|n| n.to_le_bytes()));
    out.extend([0u8; 2]);
    out
}

/// A cell that holds a number, if the text is one; `d:` begins a date, `e:` an error.
fn xlsx_cell(text: &str) -> String {
    match text {
        "" => "<c/>".to_owned(),
        _ if text.starts_with("e:") => format!("<c t=\"e\"><v>{}</v></c>", &text[2..]),
        _ if text.starts_with("d:") => format!("<c t=\"d\"><v>{}</v></c>", &text[2..]),
        _ if text.parse::<f64>().is_ok() => format!("<c><v>{text}</v></c>"),
        _ => format!("<c t=\"inlineStr\"><is><t>{text}</t></is></c>"),
    }
}

fn xlsx(sheets: &[(&str, &str)]) -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006/relationships";
    let mut files = vec![
        (
            "[Content_Types].xml".to_owned(),
            "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>".to_owned(),
        ),
        (
            "_rels/.rels".to_owned(),
            format!(
                "<Relationships xmlns=\"{package}\"><Relationship Id=\"r1\" Type=\"{relations}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
            ),
        ),
    ];
    let (mut list, mut links) = (String::new(), String::new());
    for (k, (name, text)) in sheets.iter().enumerate() {
        let n = k + 1;
        list += &format!("<sheet name=\"{name}\" sheetId=\"{n}\" r:id=\"r{n}\"/>");
        links +=
            &format!("<Relationship Id=\"r{n}\" Type=\"{relations}/worksheet\" Target=\"worksheets/sheet{n}.xml\"/>");
        let row = |(r, line): (usize, &str)| {
            let cells: String = line.split('\t').map(xlsx_cell).collect();
            if line.is_empty() { String::new() } else { format!("<row r=\"{}\">{cells}</row>", r + 1) }
        };
        let rows: String = text.lines().enumerate().map(row).collect();
        files.push((
            format!("xl/worksheets/sheet{n}.xml"),
            format!("<worksheet xmlns=\"{main}\"><sheetData>{rows}</sheetData></worksheet>"),
        ));
    }
    files.push((
        "xl/workbook.xml".to_owned(),
        format!("<workbook xmlns=\"{main}\" xmlns:r=\"{relations}\"><sheets>{list}</sheets></workbook>"),
    ));
    files.push((
        "xl/_rels/workbook.xml.rels".to_owned(),
        format!("<Relationships xmlns=\"{package}\">{links}</Relationships>"),
    ));
    archive(&files.iter().map(|(n, t)| (n.as_str(), t.clone())).collect::<Vec<_>>())
}

fn ods(sheets: &[(&str, &str)]) -> Vec<u8> {
    let cell = |t: &str| match t.parse::<f64>() {
        Ok(_) => format!(
            "<table:table-cell office:value-type=\"float\" office:value=\"{t}\"><text:p>{t}</text:p></table:table-cell>"
        ),
        Err(_) => format!("<table:table-cell office:value-type=\"string\"><text:p>{t}</text:p></table:table-cell>"),
    };
    let row =
        |line: &str| format!("<table:table-row>{}</table:table-row>", line.split('\t').map(cell).collect::<String>());
    let sheet = |(name, text): &(&str, &str)| {
        format!("<table:table table:name=\"{name}\">{}</table:table>", text.lines().map(row).collect::<String>())
    };
    let base = "urn:oasis:names:tc:opendocument:xmlns";
    let body: String = sheets.iter().map(sheet).collect();
    let content = format!(
        "<office:document-content xmlns:office=\"{base}:office:1.0\" xmlns:table=\"{base}:table:1.0\" xmlns:text=\"{base}:text:1.0\">\
           <office:body><office:spreadsheet>{body}</office:spreadsheet></office:body></office:document-content>"
    );
    archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet".to_owned()),
        ("META-INF/manifest.xml", format!("<manifest:manifest xmlns:manifest=\"{base}:manifest:1.0\"/>")),
        ("content.xml", content),
    ])
}

#[test]
fn workbooks() {
    let tests = "p\tT\texpected\n1.5\t2.5\t0.25\n3\t4.5\t0.75\n";
    let sheet = |name: &str| Layout { sheet: Some(name.to_owned()), ..Layout::default() };
    check(vec![
        table("t.xlsx", xlsx(&[("Tests", tests)]), Read(TWO, &[])),
        table("t.ods", ods(&[("Tests", tests)]), Read(TWO, &[])),
        table(
            "t.xlsx",
            xlsx(&[("About", "a text"), ("Tests", tests)]),
            Read(TWO, &["sheet `Tests` of `About`, `Tests`"]),
        ),
        table("t.xlsx", xlsx(&[("One", tests), ("Two", tests)]), Refused(&["`One` and `Two`", "--sheet"])),
        said("t.xlsx", xlsx(&[("One", "p\tT\n9\t9\n"), ("Two", tests)]), sheet("Two"), Read(TWO, &[])),
        said("t.xlsx", xlsx(&[("One", tests)]), sheet("Three"), Refused(&["no sheet `Three`", "`One`"])),
        table("t.xlsx", xlsx(&[("Tests", "\n\nReport\n\np\tT\n1.5\t2.5\n")]), Read(ONE, &["rows 3 to 4"])),
        table("t.xlsx", xlsx(&[("Tests", "p\tT\n1.5\te:#N/A\n")]), Refused(&["sheet `Tests`, cell B2", "#N/A"])),
        table("t.xlsx", xlsx(&[("Tests", "p\tT\n1.5\td:2024-05-01\n")]), Refused(&["cell B2", "a date"])),
        table("t.ods", ods(&[("Tests", "p\tT\n1,5\t2,5\n")]), Read(ONE, &["decimal commas"])),
        table("t.bin", xlsx(&[("Tests", tests)]), Read(TWO, &[])),
        table("t.xlsx", "p,T\n1.5,2.5\n", Refused(&["no workbook can be read", "save it as"])),
    ]);
}
