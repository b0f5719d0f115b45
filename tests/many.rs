//! Many specifications at once: folders and patterns.

mod cli_support;

use cli_support::{Folder, SMALL};

const FEW: [&str; 2] = ["--operators", "constant"];

/// The names of the specifications of a run, in order.
fn names(folder: &Folder, run: &str) -> Vec<String> {
    let summary = folder.json(&format!("{run}/summary.json"));
    let all = summary["specifications"].as_array().unwrap();
    all.iter().map(|s| s["specification"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn folders_and_patterns_stand_for_their_files() {
    let folder = Folder::new();
    for (file, name) in [("lib/b", "b"), ("lib/a", "a"), ("lib/deep/er/c", "c"), ("lib/.hidden/d", "d"), ("e", "e")] {
        folder.write(&format!("{file}.fpcore"), SMALL.replace("small", name));
    }
    folder.write("lib/notes.txt", "no specification");
    let run = |arguments: &[&str]| {
        folder.run(&[&["gen", "-o", "out", "--force"], &FEW[..], arguments].concat()).expect(0);
        names(&folder, "out")
    };
    assert_eq!(run(&["lib"]), ["a", "b", "c"]);
    assert_eq!(run(&["lib/"]), ["a", "b", "c"]);
    assert_eq!(run(&["lib/*.fpcore"]), ["a", "b"]);
    assert_eq!(run(&["lib/**/*"]), ["a", "b", "c"]);
    assert_eq!(run(&["**/[ce].fpcore"]), ["e", "c"]);
    // In the order of the arguments, and each file once.
    assert_eq!(run(&["lib/b.fpcore", "e.fpcore", "lib", "./lib/*"]), ["b", "e", "a", "c"]);
    // A run's own copies of specifications are none.
    assert_eq!(run(&["."]), ["e", "a", "b", "c"]);
    let text = folder.run(&["lint", "lib"]).expect(0).out;
    assert!(["a", "b", "c"].iter().all(|n| text.contains(&format!("{n}: "))), "{text}");
}

#[test]
fn a_pattern_that_fits_nothing_is_an_error() {
    let folder = Folder::new();
    folder.write("a.fpcore", SMALL).write("empty/notes.txt", "");
    let refused = |argument: &str, why: &str| {
        folder.run(&["gen", "a.fpcore", argument, "-o", "out"]).expect(2).says(&[why]);
        assert!(!folder.path("out").exists());
    };
    refused("empty", "error: there is no .fpcore file in empty\nhint: name a folder that has one\n");
    refused("b*", "error: there is no .fpcore file that fits b*\nhint: `*` stands for part of a name");
    refused("a[.fpcore", "a[.fpcore is no pattern");
    refused("***/x", "***/x is no pattern");
    // Other commands are about one specification.
    folder.run(&["mutants", "empty"]).expect(2).says(&["empty is a folder"]);
}

/// A name with the signs of patterns in it is that file, and a folder's name is no pattern.
#[test]
fn what_exists_is_no_pattern() {
    let folder = Folder::new();
    folder.write("[ab].fpcore", SMALL.replace("small", "brackets")).write("a.fpcore", SMALL);
    folder.write("d[x]/f.fpcore", SMALL.replace("small", "inside")).write("dx/g.fpcore", SMALL);
    folder.run(&[&["gen", "[ab].fpcore", "d[x]", "-o", "out"], &FEW[..]].concat()).expect(0);
    assert_eq!(names(&folder, "out"), ["brackets", "inside"]);
}
