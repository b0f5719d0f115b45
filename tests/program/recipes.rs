//! The recipes, run as their pages say. Of those for many machines what comes out is what one run gives.
#![cfg(target_os = "linux")]

use crate::cli_support::{Ended, Folder, missing};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const MAGNETO: &str = env!("CARGO_BIN_EXE_magneto");
/// As many parts as the recipes of the tests have.
const PARTS: &str = "4";

fn recipe(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("recipes").join(path)
}

/// Where a program is that may be outside of a user's path.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin", "/sbin"].map(PathBuf::from));
    folders.map(|f| f.join(name)).find(|p| p.is_file())
}

/// Whether all of these are there; else a note.
fn has(names: &[&str]) -> bool {
    let lacking: Vec<&str> = names.iter().copied().filter(|n| program(n).is_none()).collect();
    if !lacking.is_empty() {
        missing(&format!("{} (packages make, parallel, openssh-server, slurmctld, slurmd, munge)", lacking.join(", ")));
    }
    lacking.is_empty()
}

/// Specifications in a folder, each of which takes a while.
fn specifications(folder: &Folder) {
    for k in 1..=8 {
        let text = format!(
            "(FPCore (x y) :name \"s{k}\" :pre (and (<= 0 x {k}) (<= 1 y 2)) :magneto-abs-error 1e-1
               (+ (* (sin x) (exp (- 0 (* x y)))) (/ (sqrt (+ {k} (* x y))) (+ 1 (log y)))))"
        );
        folder.write(&format!("lib/s{k}.fpcore"), text);
    }
}

const OPTIONS: &str = "--budget 30 --operators constant,unary --min-score 0.9";

/// A command with what recipes are told by the environment.
fn told(folder: &Folder, program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder.root()).env("SPECS", "lib/*.fpcore").env("OPTIONS", OPTIONS).env("MAGNETO", MAGNETO);
    command.env("PARTS", "parts").env("SHARDS", PARTS).env("OUT", "merged").stdin(Stdio::null());
    command
}

/// That what was put together is what one run gives.
#[track_caller]
fn is_whole(folder: &Folder) {
    let mut arguments = vec!["gen", "lib", "-o", "whole", "-q", "--force"];
    arguments.extend(OPTIONS.split(' '));
    folder.run(&arguments).expect(0);
    let whole = folder.files("whole");
    assert!(whole.len() > 60 && folder.files("merged") == whole);
}

/// A process that is ended with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits for something, at most for some seconds.
#[track_caller]
fn until(seconds: u64, what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(seconds), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn make_runs_parts_side_by_side() {
    if !has(&["make"]) {
        return;
    }
    let folder = Folder::new();
    specifications(&folder);
    let run = || {
        let mut make = told(&folder, "make");
        // Not those of a make that runs this test.
        make.env_remove("MAKEFLAGS").env_remove("MAKELEVEL");
        Ended::new(&make.arg("-f").arg(recipe("make/Makefile")).arg("-j4").output().unwrap())
    };
    run().expect(0);
    is_whole(&folder);
    // What is unchanged comes from the cache.
    let again = run().expect(0);
    assert_eq!(again.err.matches("note: 2 of 2 unchanged").count(), 4, "{}", again.err);
    is_whole(&folder);
    // What is wrong fails the build.
    folder.write("lib/s3.fpcore", "(FPCore (x) :name \"s3\" (+ x)");
    assert_eq!(run().code, Some(2));
}

#[test]
fn parallel_runs_parts_over_ssh() {
    if !has(&["parallel", "sshd", "ssh", "ssh-keygen"]) {
        return;
    }
    let folder = Folder::new();
    specifications(&folder);
    for key in ["host", "key"] {
        let file = folder.path(key);
        let made = Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(file).status().unwrap();
        assert!(made.success());
    }
    // Where the server gives up its rights, if it has some.
    let _ = std::fs::create_dir("/run/sshd");
    let port = free_port();
    let at = |name: &str| folder.path(name).display().to_string();
    let settings = format!(
        "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nStrictModes no\nUsePAM no\n\
         PasswordAuthentication no\nPidFile none\n",
        at("host"),
        at("key.pub")
    );
    folder.write("sshd_config", settings);
    let mut server = Command::new(program("sshd").unwrap());
    server.args(["-D", "-e", "-f", &at("sshd_config")]).stderr(Stdio::null());
    let _server = Running(server.spawn().unwrap());
    until(20, "sshd does not come up", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
    let ssh = format!(
        "ssh -p {port} -i {} -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o BatchMode=yes -o LogLevel=ERROR",
        at("key")
    );
    let mut login = Command::new("sh");
    let login = login.args(["-c", &format!("{ssh} 127.0.0.1 true")]).stdin(Stdio::null()).output().unwrap();
    if !login.status.success() {
        let why = String::from_utf8_lossy(&login.stderr).into_owned();
        return missing(&format!("a login by ssh on this machine ({})", why.trim()));
    }
    let mut run = told(&folder, recipe("parallel/run.sh"));
    run.args([PARTS, "merged", "127.0.0.1", "localhost"]).env("PARALLEL_SSH", ssh).env("PARALLEL_HOME", at("home"));
    Ended::new(&run.output().unwrap()).expect(0);
    is_whole(&folder);
}

fn free_port() -> u16 {
    std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

/// The commands of a step of the workflow.
fn step(name: &str) -> String {
    let text = std::fs::read_to_string(recipe("github-actions/magneto.yml")).unwrap();
    let (_, step) = text.split_once(&format!("- name: {name}\n")).unwrap();
    let (_, run) = step.split_once("        run: |\n").unwrap();
    run.lines().map_while(|line| line.strip_prefix("          ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_steps_of_the_workflow_run() {
    let folder = Folder::new();
    specifications(&folder);
    let folder_of_program = Path::new(MAGNETO).parent().unwrap().display().to_string();
    let path = format!("{folder_of_program}:{}", std::env::var("PATH").unwrap());
    let run = |name: &str, shard: &str| {
        let mut bash = told(&folder, "bash");
        bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &step(name)]);
        bash.env("PATH", &path).env("SHARD", shard);
        Ended::new(&bash.output().unwrap())
    };
    for shard in ["3", "1", "4", "2"] {
        run("Run", shard).expect(0);
        // Uploaded by one job, and downloaded by another.
        std::fs::create_dir_all(folder.path("parts")).unwrap();
        let place = folder.path(&format!("parts/part-{shard}"));
        std::fs::rename(folder.path(&format!("magneto.parts/{shard}")), place).unwrap();
    }
    run("Merge", "").expect(0);
    assert!(folder.path("magneto.out/s1/report.html").is_file());
    folder
        .run(&["merge", "parts/part-1", "parts/part-2", "parts/part-3", "parts/part-4", "-o", "merged", "-q"])
        .expect(0);
    is_whole(&folder);
}

/// A cluster of one machine.
struct Slurm<'a> {
    folder: &'a Folder,
    _daemons: Vec<Running>,
}

impl<'a> Slurm<'a> {
    fn start(folder: &'a Folder) -> Self {
        use std::os::unix::fs::PermissionsExt as _;
        let at = |name: &str| folder.path(name).display().to_string();
        let said = |name: &str, argument: &str| {
            let output = Command::new(name).arg(argument).output().unwrap();
            String::from_utf8(output.stdout).unwrap().trim().to_owned()
        };
        let (host, user) = (said("hostname", "-s"), said("id", "-un"));
        let (ports, root) = ([free_port(), free_port()], folder.root().display());
        folder.write("slurm/key", [7; 1024]).write("slurm/state/x", "").write("slurm/spool/x", "");
        std::fs::set_permissions(folder.path("slurm/key"), std::fs::Permissions::from_mode(0o400)).unwrap();
        let settings = format!(
            "ClusterName=one\nSlurmctldHost={host}(127.0.0.1)\nAuthType=auth/munge\nCredType=cred/munge\n\
             AuthInfo=socket={root}/slurm/socket\nSlurmUser={user}\nSlurmdUser={user}\nSlurmctldPort={}\nSlurmdPort={}\n\
             StateSaveLocation={root}/slurm/state\nSlurmdSpoolDir={root}/slurm/spool\n\
             SlurmctldPidFile={root}/slurm/ctld.pid\nSlurmdPidFile={root}/slurm/d.pid\n\
             ProctrackType=proctrack/pgid\nTaskPlugin=task/none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n\
             MpiDefault=none\nSwitchType=switch/none\nJobAcctGatherType=jobacct_gather/none\n\
             AccountingStorageType=accounting_storage/none\nReturnToService=2\nSlurmdParameters=config_overrides\n\
             SchedulerParameters=sched_interval=1,bf_interval=1\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs=4 RealMemory=9000 State=UNKNOWN\n\
             PartitionName=all Nodes=ALL Default=YES State=UP\n",
            ports[0], ports[1]
        );
        folder.write("slurm.conf", settings);
        let daemon = |name: &str, arguments: &[String]| {
            let mut command = Command::new(program(name).unwrap());
            command.args(arguments).env("SLURM_CONF", at("slurm.conf")).current_dir(folder.root());
            Running(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
        };
        let munge = [
            "key-file=slurm/key",
            "socket=slurm/socket",
            "pid-file=slurm/m.pid",
            "log-file=slurm/m.log",
            "seed-file=slurm/seed",
        ];
        let munge = munge.iter().map(|a| a.replace('=', &format!("={root}/"))).map(|a| format!("--{a}"));
        let munge: Vec<String> = ["--foreground", "--force"].map(str::to_owned).into_iter().chain(munge).collect();
        let mut daemons = vec![daemon("munged", &munge)];
        until(20, "munged does not come up", || folder.path("slurm/socket").exists());
        daemons.push(daemon("slurmctld", &["-D".to_owned(), "-i".to_owned()]));
        daemons.push(daemon("slurmd", &["-D".to_owned()]));
        let cluster = Slurm { folder, _daemons: daemons };
        until(60, "Slurm does not come up", || cluster.ask("sinfo", &["-h", "-o", "%T"]).trim() == "idle");
        cluster
    }

    fn command(&self, name: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Command {
        let mut command = told(self.folder, name);
        command.args(arguments).env("SLURM_CONF", self.folder.path("slurm.conf")).env("RECIPES", recipe(""));
        command
    }

    fn ask(&self, name: &str, arguments: &[&str]) -> String {
        let output = self.command(name, arguments).output().unwrap();
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Waits until nothing is left to do.
    fn wait(&self) {
        until(240, "jobs do not come to an end", || {
            let output = self.command("squeue", &["-h"]).output().unwrap();
            output.status.success() && output.stdout.is_empty()
        });
    }

    /// The process of a part.
    fn process(&self, part: &str) -> Option<String> {
        let all = std::fs::read_dir("/proc").unwrap().flatten().map(|e| e.path());
        let is_it = |process: &PathBuf| {
            let line = std::fs::read(process.join("cmdline")).unwrap_or_default();
            let words: Vec<&[u8]> = line.split(|b| *b == 0).collect();
            words.first() == Some(&MAGNETO.as_bytes())
                && words.contains(&part.as_bytes())
                && std::fs::read_link(process.join("cwd")).ok() == self.folder.root().canonicalize().ok()
        };
        all.into_iter().find(is_it).map(|p| p.file_name().unwrap().to_string_lossy().into_owned())
    }
}

#[test]
fn slurm_runs_an_array_and_what_was_killed_is_submitted_again() {
    if !has(&["slurmctld", "slurmd", "munged", "sbatch", "squeue"]) {
        return;
    }
    let folder = Folder::new();
    specifications(&folder);
    let slurm = Slurm::start(&folder);
    let few = ["--cpus-per-task=1", "--mem=1000"];
    let submit = || {
        let all = [&[PARTS, "merged"], &few[..]].concat();
        Ended::new(&slurm.command(recipe("slurm/run.sh"), &all).output().unwrap()).expect(0);
    };
    submit();
    let mut killed = false;
    until(120, "part 2 is not run", || {
        let Some(process) = slurm.process("2/4") else { return folder.path("parts/2/shard.json").exists() };
        killed = Command::new("kill").args(["-9", &process]).status().is_ok_and(|s| s.success());
        killed
    });
    slurm.wait();
    assert!(killed, "part 2 was done before it could be killed");
    // Nothing is put together of parts that are not all there.
    assert!(!folder.path("merged").exists() && !folder.path("parts/2").exists());
    let part = recipe("slurm/shard.sbatch").display().to_string();
    let job = slurm.ask("sbatch", &["--parsable", "--array=2", few[0], few[1], &part]);
    let merge = recipe("slurm/merge.sbatch").display().to_string();
    let merge = slurm.command("sbatch", &[&format!("--dependency=afterok:{job}"), &merge]).output().unwrap();
    Ended::new(&merge).expect(0);
    slurm.wait();
    is_whole(&folder);
    // The first command again: all comes from the cache.
    std::fs::remove_dir_all(folder.path("merged")).unwrap();
    submit();
    slurm.wait();
    is_whole(&folder);
}

/// The lines of a YAML file below a key at its indentation, each block of `- |` as a script.
fn scripts(text: &str, key: &str) -> String {
    let head = format!("  {key}:");
    let below = text.lines().skip_while(|l| **l != head).skip(1).take_while(|l| l.starts_with("    "));
    let line = |l: &str| match l.trim_start().strip_prefix("- ") {
        Some("|") => String::new(),
        Some(command) => command.to_owned(),
        None => l.trim_start_matches("      ").to_owned(),
    };
    below.map(|l| line(l) + "\n").collect()
}

#[test]
fn gitlab() {
    let folder = Folder::new();
    folder.write("specs/f.fpcore", "(FPCore (x) :name \"f\" :pre (<= 1 x 2) :magneto-ulps 1 x)");
    folder.write("magneto.toml", "[[implementation]]\nspec = \"specs/*.fpcore\"\nexec = \"cat\"\n");
    let text = std::fs::read_to_string(recipe("gitlab/magneto.gitlab-ci.yml")).unwrap();
    for key in ["script", "after_script"] {
        let lines = scripts(&text, key);
        assert!(lines.contains("magneto "), "{lines}");
        let mut command = Command::new("bash");
        command.args(["-e", "-c", &lines]).current_dir(folder.root());
        let bin = Path::new(MAGNETO).parent().unwrap().display().to_string();
        command.env("PATH", format!("{bin}:{}", std::env::var("PATH").unwrap()));
        command
            .env("SPECS", "specs")
            .env("OPTIONS", "--operators bounds")
            .env("CHECK", "true")
            .env("CARGO_HOME", "none");
        Ended::new(&command.output().unwrap()).expect(0);
    }
    for file in ["magneto.out/junit.xml", "magneto.out/report.html", "magneto-check.xml", "magneto.out/check.json"] {
        assert!(folder.path(file).is_file(), "{file}");
    }
    // A gate that fails does not keep the implementations from being run.
    std::fs::remove_file(folder.path("magneto-check.xml")).unwrap();
    let mut command = Command::new("bash");
    command.args(["-e", "-c", &scripts(&text, "script")]).current_dir(folder.root());
    let bin = Path::new(MAGNETO).parent().unwrap().display().to_string();
    command.env("PATH", format!("{bin}:{}", std::env::var("PATH").unwrap())).env("SPECS", "specs").env("CHECK", "true");
    command.env("OPTIONS", "--operators accuracy --min-score 1 --score paper --budget 1");
    Ended::new(&command.output().unwrap()).expect(1);
    assert!(folder.path("magneto-check.xml").is_file());
}

/// Each hook is a command that passes where all is right.
#[test]
fn pre_commit_hooks() {
    let folder = Folder::new();
    folder.write("f.fpcore", "(FPCore (x) :name \"f\" :pre (<= 1 x 2) :magneto-ulps 1 x)");
    folder.write("magneto.toml", "[[implementation]]\nspec = \"f.fpcore\"\nexec = \"cat\"\n");
    let text = std::fs::read_to_string(recipe("../.pre-commit-hooks.yaml")).unwrap();
    let entries: Vec<&str> = text.lines().filter_map(|l| l.trim().strip_prefix("entry: magneto ")).collect();
    assert_eq!(entries.len(), 2);
    for entry in entries {
        let files: &[&str] = if entry.starts_with("lint") { &["f.fpcore"] } else { &[] };
        let arguments: Vec<&str> = entry.split(' ').chain(files.iter().copied()).collect();
        folder.run(&arguments).expect(0);
        // One that fails says why.
        if entry.starts_with("check") {
            folder.write(
                "magneto.toml",
                "[[implementation]]\nspec = \"f.fpcore\"\nexec = \"while read x; do echo 3; done\"\n",
            );
            let out = folder.run(&arguments).expect(1).out;
            assert!(out.contains("0 of 1 implementations passed") && out.contains("off by"), "{out}");
        }
    }
}

#[test]
fn cmake() {
    if program("cmake").is_none() {
        missing("cmake");
        return;
    }
    let folder = Folder::new();
    let build = folder.path("build");
    let run = |program: &str, arguments: &[&str]| {
        Ended::new(&Command::new(program).args(arguments).current_dir(folder.root()).output().unwrap())
    };
    let source = recipe("cmake/example").display().to_string();
    let build = build.to_str().unwrap();
    run("cmake", &["-S", &source, "-B", build, &format!("-DMAGNETO={MAGNETO}")]).expect(0);
    run("cmake", &["--build", build]).expect(0);
    let tested = run("ctest", &["--test-dir", build]).expect(8).out;
    assert!(tested.contains("1 tests failed out of 2") && tested.contains("cube_of_sum (Failed)"), "{tested}");
}

#[test]
fn every_function_of_the_mathematical_library_is_searched() {
    let folder = Folder::new();
    for name in ["magneto.toml", "math.fpcore", "mathf.fpcore"] {
        folder.write(name, std::fs::read_to_string(recipe("libm").join(name)).unwrap());
    }
    let table = folder.run(&["worst", "--evaluations", "100", "--json"]).expect(1).json();
    let rows = table["implementations"].as_array().unwrap();
    assert_eq!(rows.len(), 92);
    let error = |row: &serde_json::Value| row["ulps"].as_str().unwrap().parse::<f64>().unwrap();
    for row in rows {
        let name = row["specification"].as_str().unwrap();
        // What IEEE 754 asks to be exact is so everywhere; no function but those with zeros that are no floats errs by much.
        let most = match name.trim_end_matches('f') {
            "ceil" | "copysign" | "fabs" | "floor" | "fmax" | "fmin" | "fmod" | "nearbyint" | "remainder" | "round"
            | "trunc" => 0.0,
            "j0" | "j1" | "y0" | "y1" | "lgamma" | "tgamma" => f64::INFINITY,
            _ => 16.0,
        };
        assert!(row["broken"].is_null() && error(row) <= most, "{row}");
    }
    assert!(rows.iter().any(|row| row["specification"] == "y0" && error(row) > 1e9), "the zeros of y0 are missed");
}
