//! The Python package in the environments that `.ci/setup ci` makes: of the oldest and of the newest Python of this machine.
//!
//! What a wheel has is put there by hand, with the library of this very build: to build a wheel takes minutes, and
//! `make wheel` does.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Says that something is missing and that a test goes without it; where CI is set that is a failure.
fn missing(what: &str) {
    let ci = std::env::var("CI").is_ok_and(|v| !matches!(v.as_str(), "" | "0" | "false"));
    assert!(!ci, "{what}: run .ci/setup ci, or unset CI to go without");
    println!("skipped: {what}");
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The minor version of the Python of an environment, by its name: `3.9`.
fn version(environment: &Path) -> Option<u32> {
    environment.file_name()?.to_str()?.strip_prefix("3.")?.parse().ok()
}

/// The environments by the versions of their Pythons.
fn environments() -> Vec<(u32, PathBuf)> {
    let folder = std::fs::read_dir(here().join("../target/python-environments"));
    let all = folder.into_iter().flatten().flatten().map(|entry| entry.path());
    let mut all: Vec<(u32, PathBuf)> = all.filter_map(|path| Some((version(&path)?, path))).collect();
    all.sort();
    all
}

fn run(program: &Path, arguments: &[&OsStr], folder: &Path) -> Output {
    let mut command = Command::new(program);
    // A file of this machine's temporary folder must not be taken for a module.
    command.args(arguments).current_dir(folder).env_remove("PYTHONPATH").env("PYTHONDONTWRITEBYTECODE", "1");
    command.output().unwrap_or_else(|e| panic!("{}: {e}", program.display()))
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Where this build is.
fn target() -> PathBuf {
    // target/debug/deps/python-…
    let own = std::env::current_exe().unwrap();
    own.ancestors().nth(2).unwrap().to_owned()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let to = to.join(entry.file_name());
        match entry.path().is_dir() {
            true if entry.file_name() == "__pycache__" => {}
            true => copy(&entry.path(), &to),
            false => drop(std::fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// Puts the package into an environment, as a wheel would, and its tests and example into a folder there.
fn install(environment: &Path, minor: u32) -> PathBuf {
    let packages = environment.join(format!("lib/python3.{minor}/site-packages"));
    let package = packages.join("magneto");
    let _ = std::fs::remove_dir_all(&package);
    copy(&here().join("magneto"), &package);
    // A build of the package alone puts it in the folder above, one of the tests does not.
    let built = ["lib_magneto.so", "lib_magneto.dylib", "deps/lib_magneto.so", "deps/lib_magneto.dylib"];
    let files = built.iter().map(|name| target().join(name));
    let library =
        files.max_by_key(|file| file.metadata().and_then(|m| m.modified()).ok()).expect("the library is built");
    std::fs::copy(library, package.join("_magneto.abi3.so")).unwrap();
    let about = packages.join("magneto-0.dist-info");
    std::fs::create_dir_all(&about).unwrap();
    let project = std::fs::read_to_string(here().join("../pyproject.toml")).unwrap();
    assert!(project.contains("[project.entry-points.pytest11]\nmagneto = \"magneto._pytest\"\n"));
    std::fs::write(about.join("METADATA"), "Metadata-Version: 2.1\nName: magneto\nVersion: 0\n").unwrap();
    std::fs::write(about.join("entry_points.txt"), "[pytest11]\nmagneto = magneto._pytest\n").unwrap();
    let work = environment.join("work");
    let _ = std::fs::remove_dir_all(&work);
    for folder in ["tests", "example"] {
        copy(&here().join(folder), &work.join(folder));
    }
    std::fs::copy(here().join("../docs/src/python.md"), work.join("python.md")).unwrap();
    work
}

/// The package's own tests, its example and its types.
fn tested(minor: u32, environment: &Path, with_types: bool) {
    let work = install(environment, minor);
    let own = environment.join("bin/python");
    let run =
        |arguments: &[&str], folder: &Path| run(&own, &arguments.iter().map(OsStr::new).collect::<Vec<_>>(), folder);
    let tests = run(&["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"], &work);
    assert!(tests.status.success(), "Python 3.{minor}:\n{}", text(&tests));
    let example = run(&["-m", "pytest", "-p", "no:cacheprovider", "--magneto-no-cache"], &work.join("example"));
    let said = text(&example);
    assert!(said.contains("1 failed, 2 passed"), "Python 3.{minor}:\n{said}");
    assert!(said.contains("mass flow: accuracy relative 1e-12") && said.contains("`287.5`"), "{said}");
    if with_types {
        let types = run(&["-m", "mypy", "--strict", "--cache-dir", "types", "-p", "magneto"], &work);
        assert!(types.status.success(), "{}", text(&types));
    }
}

#[test]
fn the_package_on_the_oldest_and_the_newest_python() {
    let environments = environments();
    let Some((newest, _)) = environments.last() else {
        return missing("there is no environment of Python in target/python-environments");
    };
    std::thread::scope(|scope| {
        for (minor, environment) in &environments {
            scope.spawn(move || tested(*minor, environment, minor == newest));
        }
    });
}
