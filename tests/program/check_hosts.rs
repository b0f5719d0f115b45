//! `magneto check` and `magneto worst` of functions in C++, Fortran and Octave: how they are named, called and recorded.

use crate::cli_support::{Ended, Folder};
use crate::support::compilers::has;
use std::process::Command;

/// f(x, y) = x + y within an ulp; what is outside of the domain is to be refused.
const SUM: &str = "(FPCore (x y) :name \"sum\" :pre (and (<= 0 x 8) (<= 0 y 8)) :magneto-out-of-range reject\n  \
                   :magneto-ulps (1 binary64) (+ x y))\n";

/// A folder with the specification and a file.
fn folder(name: &str, text: &str) -> Folder {
    let folder = Folder::new();
    folder.write("f.fpcore", SUM.replace(" :magneto-out-of-range reject", "")).write("in.csv", "x,y\n1,2\n0.1,0.2\n");
    folder.write("refuses.fpcore", SUM).write("all.csv", "x,y\n1,2\n0.5,0.25\n9,1\n-1,2\n");
    folder.write(name, text);
    folder
}

fn check(folder: &Folder, flag: &str, file: &str, function: &str) -> Ended {
    folder.run(&["check", "f.fpcore", "in.csv", flag, file, "--fn", function, "--json"])
}

const CPP: &str = "#include <stdexcept>\n#include <vector>\n\
    namespace filters { namespace fast {\n\
    double add(double x, double y) { return x + y; }\n\
    double refs(const double &x, const double &y) { return x + y; }\n\
    double boxed(double x, double y) { std::vector<double> v{x, y}; return v.at(0) + v.at(1); }\n\
    } }\n\
    namespace other { double refs(double x, double y) { return x + y; } }\n\
    double twin(double x, double y) { return x + y; }\n\
    float twin(float x, float y) { return x - y; }\n\
    template <class T> T lerp(T x, T y) { return x + y; }\n\
    template double lerp<double>(double, double);\n\
    template <class T> T one(T x, T y) { return x + y; }\n\
    template double one<double>(double, double);\n\
    template float one<float>(float, float);\n\
    struct Mixer { double gain; double mix(double x, double y); static double plain(double x, double y); };\n\
    double Mixer::mix(double x, double y) { return gain * (x + y); }\n\
    double Mixer::plain(double x, double y) { return x + y; }\n\
    extern \"C\" double c_name(double x, double y) { return x + y; }\n\
    extern \"C\" void stored(double x, double y, double &out) { out = x + y; }\n";

#[test]
fn functions_of_cpp_are_found_by_the_names_that_the_source_has() {
    let folder = folder("f.cpp", CPP);
    for (function, signature) in [
        ("filters::fast::add", "f64"),
        ("fast::add", "f64"),
        ("add", "f64"),
        ("filters::fast::refs", "f64-ref"),
        ("boxed", "f64"),
        ("twin(double, double)", "f64"),
        ("twin(double,double)", "f64"),
        ("lerp<double>", "f64"),
        ("lerp", "f64"),
        ("one<double>", "f64"),
        ("Mixer::plain", "f64"),
        ("c_name", "f64"),
        ("stored", "f64-out"),
        ("_ZN7filters4fast3addEdd", "f64"),
    ] {
        let ended = check(&folder, "--c-source", "f.cpp", function).expect(0);
        let record = &ended.json()["implementation"];
        assert_eq!(record["signature"], signature, "{function}: {record:#}");
        assert!(record["compile"].as_str().unwrap().starts_with("c++ "), "{record:#}");
    }
    let record = check(&folder, "--c-source", "f.cpp", "add").json()["implementation"].clone();
    assert_eq!((&record["kind"], &record["symbol"]), (&"c-source".into(), &"_ZN7filters4fast3addEdd".into()));
}

#[test]
fn a_name_of_several_functions_lists_them_and_a_misspelt_one_has_a_suggestion() {
    let folder = folder("f.cpp", CPP);
    for (function, said) in [
        ("twin", &["f.cpp has 2 functions `twin`", "`twin(double, double)`", "`twin(float, float)`"][..]),
        (
            "refs",
            &[
                "2 functions `refs`",
                "`filters::fast::refs(double const&, double const&)`",
                "`other::refs(double, double)`",
            ],
        ),
        ("one", &["`one<double>(double, double)`", "`one<float>(float, float)`"]),
        ("filters::fast::ad", &["no function `filters::fast::ad`", "did you mean `filters::fast::add`?"]),
        ("c_nmae", &["did you mean `c_name`?"]),
        ("boxd", &["did you mean `filters::fast::boxed`?"]),
        ("lerp<float>", &["no function `lerp<float>`", "ask for an instance"]),
        ("nothing_like_it", &["hint: it has `", " more"]),
    ] {
        check(&folder, "--c-source", "f.cpp", function).expect(2).says(said);
    }
    check(&folder, "--c-source", "f.cpp", "twin(float, float)").expect(4).says(&["takes float"]);
    check(&folder, "--c-source", "f.cpp", "Mixer::mix").expect(4).says(&["cannot be called with the 2 inputs"]);
    let worst = ["worst", "f.fpcore", "--evaluations", "2000", "--c-source", "f.cpp", "--fn"];
    folder.run(&[&worst[..], &["twin"]].concat()).expect(2).says(&["2 functions `twin`"]);
    folder.run(&[&worst[..], &["filters::fast::refs"]].concat()).expect(0);
    // A library without debug information has the names all the same.
    let mut cxx = Command::new("c++");
    cxx.args(["-shared", "-fPIC", "-o", "f.so", "f.cpp"]).current_dir(folder.root());
    assert!(cxx.status().unwrap().success());
    let lib = ["check", "f.fpcore", "in.csv", "--lib", "./f.so", "--symbol"];
    folder.run(&[&lib[..], &["fast::add"]].concat()).expect(0).says(&["is assumed"]);
    folder.run(&[&lib[..], &["fast::ad"]].concat()).expect(2).says(&["did you mean `filters::fast::add`?"]);
}

const FORTRAN: &str = "module filters\n  implicit none\ncontains\n\
    double precision function add(x, y)\n double precision, intent(in) :: x, y\n add = x + y\nend function\n\
    subroutine store(x, y, out)\n real(8), intent(in) :: x, y\n real(8), intent(out) :: out\n out = x + y\nend subroutine\n\
    subroutine info(x, y, out, ierr)\n real(8), intent(in) :: x, y\n real(8), intent(out) :: out\n integer, intent(out) :: ierr\n \
    out = x + y\n ierr = 0\n if (x > 8 .or. x < 0) ierr = 1\nend subroutine\n\
    real(8) function array(x)\n real(8), intent(in) :: x(2)\n array = x(1) + x(2)\nend function\n\
    real(8) function three(x)\n real(8), intent(in) :: x(3)\n three = x(1) + x(2)\nend function\n\
    real(8) function assumed(x)\n real(8), intent(in) :: x(:)\n assumed = sum(x)\nend function\n\
    real(8) function mixed(x, y)\n real(8), intent(in) :: x\n real(8), value :: y\n mixed = x + y\nend function\n\
    real function narrow(x, y)\n real, intent(in) :: x, y\n narrow = x + y\nend function\nend module\n\
    module more\ncontains\nreal(8) function twin(x, y)\n real(8) :: x, y\n twin = x + y\nend function\nend module\n\
    module even_more\ncontains\nreal(8) function twin(x, y)\n real(8) :: x, y\n twin = x - y\nend function\nend module\n\
    subroutine first(out, x, y)\n real(8), intent(out) :: out\n real(8), intent(in) :: x, y\n out = x + y\nend subroutine\n\
    real(8) function plain(x, y)\n real(8), intent(in) :: x, y\n plain = x + y\nend function\n\
    real(8) function to_c(x, y) bind(C, name=\"c_add\")\n real(8), value :: x, y\n to_c = x + y\nend function\n\
    real(8) function stops(x, y)\n real(8) :: x, y\n stops = x + y\n if (x > 0.5d0) error stop 'too large'\nend function\n";

#[test]
fn functions_of_fortran_take_references_values_and_arrays() {
    if !has(&["gfortran"]) {
        return;
    }
    let folder = folder("f.f90", FORTRAN);
    for flags in ["-O0", "-O2"] {
        for (function, signature) in [
            ("add", "f64-ref"),
            ("filters::add", "f64-ref"),
            ("ADD", "f64-ref"),
            ("store", "f64-ref-out"),
            ("info", "f64-ref-info"),
            ("array", "f64-array"),
            ("plain", "f64-ref"),
            ("to_c", "f64"),
            ("c_add", "f64"),
            ("more::twin", "f64-ref"),
        ] {
            let mut command =
                folder.command(&["check", "f.fpcore", "in.csv", "--json", "--fortran-source", "f.f90", "--fn"]);
            let ended = Ended::new(&command.arg(function).env("FFLAGS", flags).output().unwrap()).expect(0);
            let record = &ended.json()["implementation"];
            assert_eq!(
                (&record["signature"], &record["kind"]),
                (&signature.into(), &"fortran-source".into()),
                "{record:#}"
            );
            assert!(record["compile"].as_str().unwrap().starts_with(&format!("gfortran {flags} ")), "{record:#}");
            assert!(record["source_sha256"].as_str().is_some_and(|hash| hash.len() == 64), "{record:#}");
        }
    }
    // No file of a module stays in the folder.
    assert!(
        std::fs::read_dir(folder.root()).unwrap().flatten().all(|e| e.path().extension().is_none_or(|e| e != "mod"))
    );
    for (function, code, said) in [
        ("twin", 2, &["f.f90 has 2 functions `twin`", "`even_more::twin`", "`more::twin`"][..]),
        ("ad", 2, &["no function `ad`", "did you mean `filters::add`?"]),
        ("three", 4, &["`double three(double [3])`, which cannot be called with the 2 inputs"]),
        ("assumed", 4, &["array with a descriptor"]),
        ("mixed", 4, &["`double mixed(double &, double)`"]),
        ("narrow", 4, &["takes float"]),
    ] {
        check(&folder, "--fortran-source", "f.f90", function).expect(code).says(said);
    }
    // Where the result is the first argument nothing can be said of it.
    let said = "an argument before it seems to be the result";
    let first = check(&folder, "--fortran-source", "f.f90", "first").expect(4);
    assert!(first.out.contains(said) && first.json()["counts"]["ko"] == 0, "{}", first.out);
    let worst = ["worst", "f.fpcore", "--evaluations", "2000", "--fortran-source", "f.f90", "--fn", "first"];
    folder.run(&worst).expect(4).says(&[said]);
    check(&folder, "--c-source", "f.f90", "add").expect(2).says(&["write --fortran-source f.f90"]);
    check(&folder, "--fortran-source", "f.f9", "add").expect(2).says(&["did you mean `f.f90`?"]);
    let mut command = folder.command(&["check", "f.fpcore", "--fortran-source", "f.f90", "--fn", "add"]);
    let missing = Ended::new(&command.env("FC", "no-fortran-anywhere").output().unwrap()).expect(4);
    missing.says(&["no-fortran-anywhere", "install gfortran, or name a compiler by $FC"]);
}

#[test]
fn fortran_refuses_stops_and_is_searched() {
    if !has(&["gfortran"]) {
        return;
    }
    let folder = folder("f.f90", FORTRAN);
    let info =
        folder.run(&["check", "refuses.fpcore", "all.csv", "--fortran-source", "f.f90", "--fn", "info", "--json"]);
    let document = info.expect(0).json();
    assert_eq!((&document["counts"]["ok"], &document["robustness"]["ok"]), (&2.into(), &2.into()), "{document:#}");
    let stops = check(&folder, "--fortran-source", "f.f90", "stops").expect(1).json();
    assert_eq!((&stops["tests"][0]["answer"], &stops["tests"][1]["answer"]), (&"crash".into(), &"result".into()));
    let worst = ["worst", "f.fpcore", "--evaluations", "5000", "--json", "--fortran-source", "f.f90", "--fn", "plain"];
    let found = folder.run(&worst).expect(0).json();
    assert_eq!(found["implementation"]["kind"], "fortran-source", "{found:#}");
    let against = [&worst[..], &["--against", "f.f90", "--against-symbol", "more::twin"]].concat();
    folder.run(&against).expect(0);
    // A library that is optimised does not say how some arguments are passed, but a person can.
    let mut fc = Command::new("gfortran");
    fc.args(["-shared", "-fPIC", "-O2", "-g", "-o", "f.so", "f.f90"]).current_dir(folder.root());
    assert!(fc.status().unwrap().success());
    let lib = ["check", "f.fpcore", "in.csv", "--lib", "./f.so", "--symbol", "plain", "--signature", "f64-ref"];
    folder.run(&lib).expect(0);
    let value = ["check", "f.fpcore", "in.csv", "--lib", "./f.so", "--symbol", "c_add"];
    folder.run(&value).expect(4).says(&["--signature says it"]);
    folder.run(&[&value[..], &["--signature", "f64"]].concat()).expect(0);
}

const OCTAVE: &str = "1;\n\
    function z = add(x, y)\n  x + y\n  z = x + y;\nend\n\
    function z = refuses(x, y)\n  if x > 8 || x < 0, error('range:x', 'x is out of range'); end\n  z = x + y;\nend\n\
    function z = wrong(x, y)\n  z = x - y;\nend\n\
    function z = vector(x, y)\n  z = [x y];\nend\n\
    function z = typo(x, y)\n  z = x + z;\nend\n\
    function z = complex_root(x, y)\n  z = sqrt(-x);\nend\n\
    function z = one(x)\n  z = x;\nend\n\
    function z = leaves(x, y)\n  exit(3);\nend\n\
    function z = hangs(x, y)\n  while true, end\nend\n";

#[test]
fn functions_of_octave_are_checked() {
    if !has(&["octave-cli"]) {
        return;
    }
    let folder = folder("f.m", OCTAVE);
    folder.write(
        "it's/add_all.m",
        "function z = add_all(x, y)\n  z = helper(x) + y;\nend\nfunction z = helper(x)\n  z = x;\nend\n",
    );
    let record = check(&folder, "--octave", "f.m", "add").expect(0).json()["implementation"].clone();
    assert_eq!((&record["kind"], &record["octave"]), (&"octave".into(), &"octave-cli".into()));
    assert!(record["octave_version"].as_str().unwrap().contains("version") && record["source_sha256"].is_string());
    folder.run(&["check", "f.fpcore", "in.csv", "--octave", "it's/add_all.m"]).expect(0);
    let refuses = ["check", "refuses.fpcore", "all.csv", "--json", "--octave", "f.m", "--fn", "refuses"];
    let document = folder.run(&refuses).expect(0).json();
    assert_eq!((&document["counts"]["ok"], &document["robustness"]["ok"]), (&2.into(), &2.into()), "{document:#}");
    let answers = |function: &str| {
        let document = check(&folder, "--octave", "f.m", function).expect(1).json();
        let first = &document["tests"][0];
        (first["answer"].as_str().unwrap().to_owned(), first["reason"].as_str().unwrap().to_owned())
    };
    for (function, answer, said) in [
        ("wrong", "result", "not within the bound"),
        ("vector", "crash", "a double of 1x2, which is no number"),
        ("typo", "crash", "'z' undefined"),
        ("complex_root", "crash", "the complex number"),
        ("leaves", "crash", "ended with status 3"),
    ] {
        let (kind, reason) = answers(function);
        assert!(kind == answer && reason.contains(said), "{function}: {kind}, {reason}");
    }
    // A number or an array has the class of its format.
    folder.write(
        "classes.fpcore",
        "(FPCore classes ((v 2) (! :precision binary32 x) (! :precision binary32 w 2) y)\n  :magneto-ulps 4\n  \
           :pre (and (<= 1 (ref v 0) 2) (<= 1 (ref v 1) 2) (<= 1 x 2) (<= 1 (ref w 0) 2) (<= 1 (ref w 1) 2) (<= 1 y 2))\n  \
           (+ (+ (ref v 1) x) (+ (ref w 0) y)))\n",
    );
    folder.write(
        "classes.m",
        "function y = classes(v, x, w, y)\n  assert({class(v), class(x), class(w), class(y)}, \
           {'double', 'single', 'single', 'double'});\n  y = v(2) + double(x) + double(w(1)) + y;\nend\n",
    );
    folder.run(&["check", "classes.fpcore", "--octave", "classes.m"]).expect(0);
    let hang = ["check", "f.fpcore", "in.csv", "--timeout", "1", "--octave", "f.m", "--fn", "hangs"];
    let hung = folder.run(&hang).expect(1).out;
    assert!(hung.contains("no answer within 1 s"), "{hung}");
    for (file, function, said) in [
        ("f.m", "one", "one takes 1 arguments, and the specification has 2"),
        ("f.m", "ad", "has no function ad"),
        ("it's/add_all.m", "helper", "of the file of a function only that can be called"),
    ] {
        check(&folder, "--octave", file, function).expect(4).says(&[said]);
    }
    let mut command = folder.command(&["check", "f.fpcore", "in.csv", "--octave", "f.m", "--fn", "add"]);
    let missing = Ended::new(&command.env("OCTAVE", "no-octave-anywhere").output().unwrap()).expect(4);
    missing.says(&["`no-octave-anywhere`", "name it by $OCTAVE"]);
}

#[test]
fn octave_is_searched_in_batches_and_named_by_a_project() {
    if !has(&["octave-cli", "gfortran"]) {
        return;
    }
    let folder = folder("f.m", OCTAVE);
    folder.write("f.f90", FORTRAN).write("f.cpp", CPP);
    let worst = ["worst", "f.fpcore", "--evaluations", "2000", "--json", "--octave", "f.m", "--fn"];
    let right = folder.run(&[&worst[..], &["add"]].concat()).expect(0).json();
    assert_eq!(right["implementation"]["kind"], "octave");
    let typo = folder.run(&[&worst[..], &["typo"]].concat()).expect(1).out;
    assert!(typo.contains("'z' undefined"), "{typo}");
    folder.run(&[&worst[..], &["leaves"]].concat()).expect(1);
    folder.write(
        "magneto.toml",
        "[[implementation]]\nname = \"model\"\nspec = \"f.fpcore\"\noctave = \"f.m\"\nfn = \"add\"\n\
         [[implementation]]\nname = \"old\"\nspec = \"f.fpcore\"\nfortran-source = \"f.f90\"\nfn = \"filters::add\"\n\
         [[implementation]]\nname = \"new\"\nspec = \"f.fpcore\"\nc-source = \"f.cpp\"\nfn = \"filters::fast::add\"\n",
    );
    let all = folder.run(&["check"]).expect(0);
    assert!(all.out.contains("model") && all.out.contains("3 of 3 implementations passed"), "{}", all.out);
    all.says(&["what a function of Octave reads is not known"]);
    folder.run(&["worst", "--evaluations", "1000"]).expect(0);
}

/// What a Python function does at one input in a batch is found at that input, and nothing else is lost.
#[test]
fn functions_of_python_are_searched_in_batches() {
    if !has(&["python3"]) {
        return;
    }
    let folder = Folder::new();
    folder.write("f.fpcore", "(FPCore f (x) :pre (<= 1 x 2) :magneto-ulps 4 (* x (+ x 1)))\n");
    folder.write(
        "n.fpcore",
        "(FPCore n (k) :precision (fixed 0 16) :pre (<= 0 k 999) :magneto-ulps 1/2 (* k (+ k 1)))\n",
    );
    folder.write(
        "f.py",
        "import os, sys, time\n\
         def right(x):\n    print('no answer')\n    return x * (x + 1)\n\
         def wrong(x): return x * (x + 1) + (1e-9 if 1.25 < x < 1.5 else 0)\n\
         def refuses(x):\n    if x > 1.5: raise ValueError('above é\\nall')\n    return right(x)\n\
         def fails(x): return right(x) if x < 1.5 else right(x).missing\n\
         def exits(x): return right(x) if x < 1.5 else sys.exit(3)\n\
         def dies(x): return right(x) if x < 1.5 else os._exit(3)\n\
         def hangs(x):\n    if x == 2: time.sleep(60)\n    return right(x)\n\
         def whole(k):\n    assert type(k) is int\n    return k * (k + 1) if k * (k + 1) < 32768 else 32767\n",
    );
    let worst = |file: &str, function: &str| {
        let name = format!("f.py:{function}");
        folder.run(&["worst", file, "--evaluations", "3000", "--timeout", "1", "--json", "--python", &name])
    };
    assert_eq!(worst("f.fpcore", "right").expect(0).json()["findings"].as_array().map(Vec::len), Some(0));
    for (function, said) in [
        ("wrong", "\"verdict\": \"KO\""),
        ("refuses", "ValueError: above é all"),
        ("fails", "has no attribute 'missing'"),
        ("exits", "SystemExit: 3"),
        ("dies", "ended with status 3"),
        ("hangs", "no answer"),
    ] {
        let found = worst("f.fpcore", function).expect(1);
        assert!(found.out.contains(said), "{function}: {}", found.out);
    }
    worst("n.fpcore", "whole").expect(0);
    let record = worst("f.fpcore", "right").expect(0).json()["implementation"].clone();
    assert!(record["python_version"].is_string() || record["kind"] == "python", "{record:#}");
}

#[test]
fn a_formula_stands_in_the_place_of_a_specification() {
    let folder = folder(
        "f.c",
        "#include <math.h>\ndouble f(double x) { return exp(x) - 1; }\ndouble g(double x) { return expm1(x); }\n",
    );
    folder.write("x.csv", "x\n0.5\n1e-9\n");
    let formula = ["--formula", "x: [0, 1] -> exp(x) - 1", "--rel-error", "1e-12", "--c-source", "f.c", "--fn"];
    folder.run(&[&["check"], &formula[..], &["g"]].concat()).expect(0);
    let wrong = folder.run(&[&["check", "x.csv"], &formula[..], &["f", "--json"]].concat()).expect(1).json();
    assert_eq!((&wrong["counts"]["tests"], &wrong["counts"]["ko"]), (&2.into(), &1.into()), "{wrong:#}");
    folder.run(&[&["worst", "--evaluations", "2000"], &formula[..], &["g"]].concat()).expect(0);
    if has(&["clang", "wasm-ld"]) {
        let cover = [
            "cover",
            "f.c",
            "--fn",
            "g",
            "--no-native",
            "--formula",
            "x: [0, 1] -> exp(x) - 1",
            "--rel-error",
            "1e-12",
        ];
        let judged = folder.run(&cover).expect(0);
        assert!(judged.out.contains("error"), "{}", judged.out);
    }
}
