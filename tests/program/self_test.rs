//! `self-test` and what the program says of its build.

use crate::cli_support::Folder;

#[test]
fn this_program_gives_the_answers_that_are_known() {
    let folder = Folder::new();
    let document = folder.run(&["self-test", "--json"]).expect(0).json();
    assert_eq!(document["schema"], "magneto/self-test/1");
    let answers = document["answers"].as_array().unwrap();
    let of = |outcome: &str| answers.iter().filter(|a| a["outcome"] == outcome).count();
    assert!(answers.len() > 12 && of("wrong") == 0, "{document}");
    // Only what needs somebody else's program may be missing.
    for answer in answers.iter().filter(|a| a["outcome"] == "skipped") {
        let name = answer["name"].as_str().unwrap();
        assert!(["C", "Python", "cover", "reach"].contains(&name), "{answer}");
    }
    // Nothing is left behind where it ran.
    assert!(folder.files(".").is_empty());
}

#[test]
fn what_is_missing_is_skipped_with_a_word() {
    let folder = Folder::new();
    let mut command = folder.command(&["self-test"]);
    command.env("CC", "no-compiler").env("PYTHON", "no-python");
    let shown = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert!(shown.contains("skipped   C ") && shown.contains("there is no no-compiler here"), "{shown}");
    assert!(shown.contains("there is no no-python here") && shown.contains(" skipped, 0 wrong\n"), "{shown}");
}

/// A wrong answer is found: with a Python that adds a little to every result.
#[test]
fn a_wrong_answer_is_found() {
    let folder = Folder::new();
    folder.write("wrong", "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\necho nonsense\nexit 1\n");
    let path = folder.path("wrong");
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    std::fs::set_permissions(&path, permissions).unwrap();
    let mut command = folder.command(&["self-test", "--quiet"]);
    let output = command.env("PYTHON", &path).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.starts_with("wrong     Python ") && shown.contains("1 wrong\n"), "{shown}");
    assert_eq!(shown.lines().count(), 3, "{shown}");
}

/// What `make dist` packs, of a program that is there already: this one, behind a script, since what is built here is far larger
/// than what is handed on.
#[test]
fn an_archive_has_all_that_people_need() {
    let folder = Folder::new();
    let program = folder.command(&[]).get_program().to_string_lossy().into_owned();
    folder.write("wrapped", format!("#!/bin/sh\nexec '{program}' \"$@\"\n"));
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut build = std::process::Command::new(here.join("packaging/build.sh"));
    let output = build.env("PROGRAM", folder.path("wrapped")).env("OUT", folder.path("dist")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let files = folder.files("dist");
    let has = |end: &str| files.iter().any(|f| f.0.ends_with(end) && !f.1.is_empty());
    let inside = [
        "/magneto",
        "/completions/magneto",
        "/completions/_magneto",
        "/completions/magneto.fish",
        "/man/magneto.1",
        "/README.md",
        "/LICENSE",
        "/LICENSE-MIT",
        "/LICENSE-APACHE",
        "/licences/LICENSE-GPL.md",
        "/licences/LICENSE-LGPL.md",
        "/licences/THIRD-PARTY.md",
    ];
    for end in inside {
        assert!(has(end), "no {end}");
    }
    // What its README names is there.
    let (path, readme) = files.iter().find(|f| f.0.ends_with("/README.md") && f.0.matches('/').count() == 1).unwrap();
    let (root, readme) = (folder.path("dist").join(path), String::from_utf8_lossy(readme));
    let root = root.parent().unwrap();
    assert!(readme.contains("magneto self-test") && !readme.contains("make demo"), "{readme}");
    let is_name = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let mut named = 0;
    for word in readme.split(|c: char| !is_name(c)).map(|word| word.trim_end_matches('.')) {
        let is_shipped = ["specs/", "tests/", "docs/", "recipes/"].iter().any(|head| word.starts_with(head));
        if is_shipped && std::path::Path::new(word).extension().is_some() {
            assert!(root.join(word).exists(), "no {word}");
            named += 1;
        }
    }
    assert!(named > 20, "{named} files named");
    // CaDiCaL's notice stands in the folder of its sources, below that of its binding.
    let notices = files.iter().find(|f| f.0.ends_with("/THIRD-PARTY.md")).unwrap();
    let notices = String::from_utf8_lossy(&notices.1);
    for text in
        ["| [bumpalo](", "cadical/LICENSE\n", "Copyright (c) 2021-2023 Armin Biere, University of Freiburg, Germany"]
    {
        assert!(notices.contains(text), "no {text}");
    }
    assert!(!notices.contains("| [criterion]("), "a library that only tests have");
    let archive = files.iter().find(|f| f.0.ends_with(".tar.gz")).unwrap();
    let sums = folder.read("dist/SHA256SUMS");
    assert!(sums.contains(&archive.0), "{sums}");
    // Twice the same.
    assert!(build.output().unwrap().status.success());
    assert!(folder.files("dist").iter().any(|f| f == archive));
    if std::process::Command::new("dpkg-deb").arg("--version").output().is_err() {
        return crate::cli_support::missing("dpkg-deb");
    }
    let package = files.iter().find(|f| f.0.ends_with(".deb")).expect("a Debian package");
    let listed =
        std::process::Command::new("dpkg-deb").arg("-c").arg(folder.path("dist").join(&package.0)).output().unwrap();
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    for path in [
        "./usr/bin/magneto",
        "./usr/share/man/man1/magneto.1.gz",
        "./usr/share/doc/magneto/copyright",
        "./usr/share/doc/magneto/THIRD-PARTY.md.gz",
    ] {
        assert!(listed.contains(path), "no {path} in\n{listed}");
    }
}

#[test]
fn a_program_says_what_it_was_built_from() {
    let folder = Folder::new();
    let text = folder.run(&["--version", "--verbose"]).expect(0).out;
    let first = format!("magneto {}\n", env!("CARGO_PKG_VERSION"));
    assert!(text.starts_with(&first), "{text}");
    for line in
        ["commit    ", "features  cli, html", "target    ", "rustc     rustc 1.", "MPFR      4.", "GMP       6."]
    {
        assert!(text.contains(line), "{text}");
    }
    assert!(text.contains(std::env::consts::ARCH), "{text}");
    let document = folder.run(&["--version", "--verbose", "--json"]).expect(0).json();
    assert_eq!(document["schema"], "magneto/version/1");
    assert!(text.contains(document["machine"].as_str().unwrap()), "{document}");
    assert_eq!(folder.run(&["--version"]).expect(0).out, first);
}
