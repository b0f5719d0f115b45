//! Tests in code: tables of pytest, GoogleTest, Catch2 and Unity, assertions and JUnit results are read where they are plain
//! literals, and refused at their place where they are not.

use magneto::spec::{Overrides, Spec, parse_file, resolve};
use magneto::testfile::{Expected, Layout, Reader, TestRecord, pairs};

fn gas() -> Spec {
    let text = "(FPCore (p T) :name \"gas\" :pre (and (<= 0 p 1000000) (<= 1 T 1000)) (/ p (* 287.05 T)))";
    resolve(&parse_file(text.as_bytes()), 0, "gas.fpcore", &Overrides::default()).unwrap()
}

fn read(name: &str, text: &str, layout: Layout) -> Result<(Vec<TestRecord>, String), String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let spec = gas();
    let mut reader = Reader::open_as(&path, &spec, layout).map_err(|p| p.0)?;
    let tests: Vec<TestRecord> = reader.by_ref().collect::<Result<_, _>>().map_err(|p| p.0)?;
    Ok((tests, reader.notes().join("\n")))
}

/// The tests of a file as text: name, inputs, what is expected, and what the test lets pass.
#[track_caller]
fn tests(name: &str, text: &str, wanted: &[&str]) -> String {
    let (found, notes) = read(name, text, Layout::default()).unwrap_or_else(|e| panic!("{e}"));
    let show = |r: &TestRecord| {
        let expected = match r.expected {
            Some(Expected::Value(y)) => format!(" {y}"),
            Some(Expected::Response(r)) => format!(" {}", r.name()),
            None => String::new(),
        };
        let passes = r.passes.map_or(String::new(), |(a, b)| format!(" [{a:.4}, {b:.4}]"));
        format!("{}: {} {}{expected}{passes}", r.id, r.input[0], r.input[1])
    };
    assert_eq!(found.iter().map(show).collect::<Vec<_>>(), wanted, "{text}");
    notes
}

#[track_caller]
fn refused(name: &str, text: &str, words: &[&str]) {
    let message = read(name, text, Layout::default()).map(|r| panic!("{text}\nis read as {r:?}")).unwrap_err();
    words.iter().for_each(|w| assert!(message.contains(w), "no `{w}` in\n{message}"));
    assert!(message.contains("hint: "), "{message}");
}

#[test]
fn pytest() {
    tests(
        "test_gas.py",
        "import pytest\n\n@pytest.mark.parametrize(\"p, T, expected\", [\n    (1.5, 2_0, 0.25),  # first\n    pytest.param(-0.5, 1e1, 3, id=\"b\"),\n])\ndef test_gas(p, T, expected):\n    assert gas(p, T) == pytest.approx(expected, abs=0.5)\n",
        &["#1: 1.5 20 0.25 [-0.2500, 0.7500]", "b: -0.5 10 3 [2.5000, 3.5000]"],
    );
    tests(
        "test_gas.py",
        "CASES = [\n  (\"hot\", 1.5, 900.0),\n  ('cold', float.fromhex('0x1p-1'), 1.0),\n]\n@pytest.mark.parametrize(['name', 'p', 'T'], CASES, ids=['x', 'y'])\ndef test(name, p, T): ...\n",
        &["x: 1.5 900", "y: 0.5 1"],
    );
    // Default tolerances of approx; one inside the table.
    tests(
        "t.py",
        "@pytest.mark.parametrize((\"T\", \"p\", \"expected\"), ((2.0, 1.0, pytest.approx(1000000.0)), (2.0, math.nan, 1.0), (3.0, 1.0, None)))\ndef t(): pass\n",
        &["#1: 1 2 1000000 [999999.0000, 1000001.0000]", "#3: 1 3"],
    );
    let head = "@pytest.mark.parametrize('p,T', ";
    refused(
        "t.py",
        &format!("{head}[(1.0, 2.0), (math.pi, 3.0)])\ndef t(): pass\n"),
        &["t.py:1:47", "`math.pi` is no plain number"],
    );
    refused("t.py", &format!("{head}[(1.0, 2.0 * 3)])\n"), &["`2.0 * 3` is no plain number"]);
    refused("t.py", &format!("{head}make_cases())\n"), &["no plain list"]);
    refused("t.py", &format!("{head}CASES)\n"), &["`CASES` is no list of values in this file"]);
    refused("t.py", "def test(): assert gas(1, 2) == 3\n", &["no test in it", "parametrize with the names p, T"]);
    refused("t.py", "@pytest.mark.parametrize('p,v', [(1, 2)])\n", &["no column `T`"]);
    let (_, notes) = read("t.py", "@pytest.mark.parametrize('p,t', [(1, 2)])\n", Layout::default()).unwrap();
    assert!(notes.contains("read column `t` as T"), "{notes}");
    let strict = Layout { strict: true, ..Layout::default() };
    assert!(read("t.py", "@pytest.mark.parametrize('p,t', [(1, 2)])\n", strict).unwrap_err().contains("--strict"));
    let message = read("t.py", "@pytest.mark.parametrize('p,T', [(1, 2, 3)])\n", Layout::default()).unwrap_err();
    assert!(message.contains("3 values, and 2 names"), "{message}");
}

#[test]
fn google_test() {
    tests(
        "gas_test.cc",
        "#include \"gas.h\"\nTEST(Gas, Values) {\n  EXPECT_NEAR(gas(1.5, 20), 0.25, 0.5);\n  EXPECT_DOUBLE_EQ(3.0, ns::gas(1'000.0, 1e1)); // two\n  EXPECT_EQ(other(1, 2, 3), 4);\n}\n",
        &["#1: 1.5 20 0.25 [-0.2500, 0.7500]", "#2: 1000 10 3"],
    );
    let notes = tests(
        "gas_test.cpp",
        "INSTANTIATE_TEST_SUITE_P(All, GasTest, ::testing::Values(\n  std::make_tuple(1.5, 20.0, 0.25),\n  std::make_tuple(0x1p3, 10.0, 3.0)));\n",
        &["#1: 1.5 20 0.25", "#2: 8 10 3"],
    );
    assert!(notes.contains("by their places as p, T, expected"), "{notes}");
    // The structure says which value is which, and an assertion over all rows its tolerance.
    let notes = tests(
        "gas_test.cpp",
        "struct Case { const char *name; double T; double p; double want; };\nconst Case kCases[] = {\n  {\"a\", 20.0, 1.5, 0.1f},\n  {\"b\", 10.0, 8, 3},\n};\nINSTANTIATE_TEST_SUITE_P(All, G, testing::ValuesIn(kCases));\nTEST_P(G, W) { EXPECT_NEAR(gas(GetParam().p, GetParam().T), GetParam().want, 1e-3); }\n",
        &["a: 1.5 20", "b: 8 10"],
    );
    assert!(notes.is_empty(), "{notes}");
    let text = "TEST(A, B) { EXPECT_NEAR(pressure(1, 2), 3, 1); EXPECT_NEAR(volume(1, 2), 3, 1); }";
    refused("t.cc", text, &["both `pressure` and `volume`", "--fn"]);
    let layout = Layout { function: Some("volume".to_owned()), ..Layout::default() };
    assert_eq!(read("t.cc", text, layout).unwrap().0.len(), 1);
    refused("t.cc", "TEST(A, B) { EXPECT_EQ(gas(M_PI, 2), 3); }", &["`M_PI` is no plain number"]);
    refused("t.cc", "TEST(A, B) { EXPECT_EQ(gas(010, 2), 3); }", &["octal"]);
}

#[test]
fn catch2() {
    tests(
        "gas.cpp",
        "TEST_CASE(\"gas\", \"[gas]\") {\n  REQUIRE(gas(1.5, 20.) == Approx(0.25).margin(0.5));\n  CHECK_THAT(gas(8, 10), Catch::Matchers::WithinRel(4.0, 0.25));\n}\n",
        &["#1: 1.5 20 0.25 [-0.2500, 0.7500]", "#2: 8 10 4 [3.0000, 5.0000]"],
    );
    tests(
        "gas.cpp",
        "TEST_CASE(\"gas\") {\n  auto [p, T, want] = GENERATE(table<double, double, double>({ {1.5, 20, 0.25}, std::make_tuple(8, 10, 3.0) }));\n}\n",
        &["#1: 1.5 20 0.25", "#2: 8 10 3"],
    );
    refused("gas.cpp", "void f() { GENERATE(table<double, double>({ {1.5, x} })); }", &["`x` is no plain number"]);
    refused(
        "gas.cpp",
        "void f() { GENERATE(table<double, double>({ {1.5, 2, 3, 4} })); }",
        &["4 values", "--map p=1,T=2"],
    );
}

#[test]
fn unity_and_arrays() {
    tests(
        "test_gas.c",
        "void test_gas(void) {\n  TEST_ASSERT_DOUBLE_WITHIN(0.5, 0.25, gas(1.5, 20.0));\n  TEST_ASSERT_EQUAL_DOUBLE(3, gas(8, 10));\n}\n",
        &["#1: 1.5 20 0.25 [-0.2500, 0.7500]", "#2: 8 10 3"],
    );
    let notes = tests(
        "test_gas.c",
        "TEST_CASE(1.5, 20.0, 0.25)\nTEST_CASE(8, 10, 3)\nvoid test_gas(double p, double T, double e) {}\n",
        &["#1: 1.5 20 0.25", "#2: 8 10 3"],
    );
    assert!(notes.contains("by their places"), "{notes}");
    tests(
        "test_gas.c",
        "static const struct { double p, T, expected; } cases[] = {\n  { .T = 20.0, .p = 1.5, .expected = 0.25 },\n  { 8, 10, 3 },\n};\nstatic const double table[][2] = { {1, 2} };\n",
        &["#1: 1.5 20 0.25", "#2: 8 10 3"],
    );
    tests(
        "gas.c",
        "double test_vectors[2][3] = { {1.5, 20, 0.25}, {-8, 10, 3} };",
        &["#1: 1.5 20 0.25", "#2: -8 10 3"],
    );
    refused("gas.c", "double coefficients[2][3] = { {1.5, 20, 0.25} };", &["no test in it"]);
    refused(
        "gas.c",
        "void f(void) { TEST_ASSERT_EQUAL_DOUBLE(3, gas(a, 10)); }",
        &["gas.c:1:", "`a` is no plain number"],
    );
    let text = "TEST_CASE(9, 20, 1.5)\n";
    let layout = Layout { map: pairs("p=3,T=2").unwrap(), strict: true, ..Layout::default() };
    assert_eq!(read("t.c", text, layout).unwrap().0[0].input, [1.5, 20.0]);
    let strict = Layout { strict: true, ..Layout::default() };
    assert!(read("t.c", "TEST_CASE(1.5, 20)\n", strict).unwrap_err().contains("--strict"));
}

#[test]
fn junit() {
    tests(
        "r.xml",
        "<testsuite><testcase name=\"a &amp; b\"><properties><property name=\"p\" value=\"1.5\"/><property name=\"T\" value=\"20\"/>\n<property name=\"expected\" value=\"0.25\"/></properties></testcase><testcase name=\"other\"/></testsuite>",
        &["a & b: 1.5 20 0.25"],
    );
    let notes = tests(
        "r.xml",
        "<testsuite>\n<testcase name=\"test_gas[1.5-20.0-1e-05]\"/>\n<testcase name=\"test_gas[-2-3--4]\"></testcase></testsuite>",
        &["test_gas[1.5-20.0-1e-05]: 1.5 20 0.00001", "test_gas[-2-3--4]: -2 3 -4"],
    );
    assert!(notes.contains("by their places"), "{notes}");
    refused("r.xml", "<testsuite><testcase name=\"a\"/></testsuite>", &["no test in it", "properties p, T"]);
    let message = read("r.xml", "<testsuite><testcase name=\"a\"></testsuite>", Layout::default()).unwrap_err();
    assert!(message.contains("no XML"), "{message}");
}
