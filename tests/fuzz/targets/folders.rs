//! Folders of results whose files were damaged: a cache gives what was put into it or nothing, and parts of a run are put together
//! or refused.
//!
//! The first byte says what is damaged, the second which file of it, two more where, the next how many bytes are replaced; by
//! what, the rest.

#![no_main]

use libfuzzer_sys::fuzz_target;
use magneto::options::Settings;
use magneto::record::cache::{Cache, CacheAnswer, CacheEntry, CacheKey};
use magneto::record::json::document;
use magneto::record::manifest::hash;
use magneto::record::merge::{are_enumerations, are_shares, merge, merge_enumerations, merge_shares};
use magneto::record::shard::{Member, Shard};
use magneto::record::{Part, Suite, Written, read, run};
use magneto::spec::{Overrides, Spec, parse_file, resolve};
use magneto::suite::{Interrupt, generate};
use magneto::threads::{Portion, Threads};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::TempDir;

const SOURCE: &[u8] = b"(FPCore (x) :name \"cube\" :pre (<= 1 x 2) :magneto-rel-error 1e-10 (* x (* x x)))";

fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder")
}

/// A run, a cache that has it, and the files of both.
struct Template {
    spec: Spec,
    settings: Settings,
    /// The files of the run's folder.
    run: Vec<(String, Vec<u8>)>,
    cache: Cache,
    /// The files of the cache's entry.
    entry: Vec<(PathBuf, Vec<u8>)>,
    _folder: TempDir,
}

fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let paths = fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path());
    let mut files: Vec<_> = paths.filter(|p| p.is_file()).map(|p| (p.clone(), fs::read(p).expect("a file"))).collect();
    files.sort();
    files
}

impl Template {
    fn new() -> Template {
        let spec = resolve(&parse_file(SOURCE), 0, "cube.fpcore", &Overrides::default()).expect("a specification");
        let settings = Settings::default();
        let generated = generate(&spec, &settings.suite, &Interrupt::default()).expect("a run");
        let suite = Suite { spec: &spec, source: SOURCE, settings: &settings, generated: &generated };
        let part = Part::new(&suite);
        let mut run: Vec<_> = part.files().into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect();
        let summary = run.iter().find(|(name, _)| name == "summary.json").expect("a summary").1.clone();
        let members = vec![Member::new((&spec, SOURCE), "", 1)];
        let shard = Shard::new(Portion::WHOLE, &settings, "", members, &summary);
        run.push(("shard.json".to_owned(), document(&shard)));
        let folder = folder();
        let cache = Cache::open(folder.path()).expect("a cache");
        let kept = CacheEntry {
            written: Written::new(&part, &Threads::new(1)),
            phases: generated.phases,
            sample: generated.sample,
            needless: Vec::new(),
            astray: 0,
            warnings: vec!["warning".to_owned()],
        };
        let key = CacheKey { spec: &spec, source: SOURCE, settings: &settings, decisions: "" };
        cache.put(&key, &suite, &kept).expect("an entry");
        let inside = fs::read_dir(folder.path()).expect("a folder").map(|e| e.expect("an entry").path());
        let entry = inside.into_iter().find(|p| p.is_dir()).expect("an entry");
        let entry = files(&entry);
        Template { spec, settings, run, cache, entry, _folder: folder }
    }

    fn key(&self) -> CacheKey<'_> {
        CacheKey { spec: &self.spec, source: SOURCE, settings: &self.settings, decisions: "" }
    }

    /// The cache with a file of its entry damaged.
    fn damage_cache(&self, which: u8, damage: impl Fn(&[u8]) -> Vec<u8>) {
        let (path, bytes) = &self.entry[usize::from(which) % self.entry.len()];
        fs::write(path, damage(bytes)).expect("a file");
        let found = self.cache.look(&self.key());
        if let Some(kept) = self.cache.get(&self.key()) {
            assert!(matches!(found, CacheAnswer::Kept { .. }), "{found:?}");
            assert_eq!((kept.astray, &kept.warnings[..]), (0, &["warning".to_owned()][..]));
            for (name, held) in run(vec![(String::new(), kept.written)], false).files {
                let as_put = self.run.iter().find(|(n, _)| *n == name);
                let bytes = magneto::record::store::Content::bytes(&held).expect("a file").into_owned();
                assert!(as_put.is_some_and(|(_, b)| *b == bytes), "{name} is not what was put into the cache");
            }
        }
        for (path, bytes) in &self.entry {
            fs::write(path, bytes).expect("a file");
        }
    }

    /// The folder of a run with a file of it damaged, and all hashes of that file right.
    fn damage_run(&self, which: u8, damage: impl Fn(&[u8]) -> Vec<u8>) {
        let folder = folder();
        let which = usize::from(which) % self.run.len();
        let damaged = damage(&self.run[which].1);
        let (before, after) = (hash(&self.run[which].1), hash(&damaged));
        for (k, (name, bytes)) in self.run.iter().enumerate() {
            let text = String::from_utf8_lossy(bytes).replace(&before, &after);
            fs::write(folder.path().join(name), if k == which { damaged.as_slice() } else { text.as_bytes() })
                .expect("a file");
        }
        let _ = (read::folders(folder.path()), read::is_interrupted(folder.path()));
        let _ = (read::folder(folder.path(), &self.spec, SOURCE), read::test_file(folder.path(), &self.spec, SOURCE));
        if let Ok(part) = Part::read(folder.path()) {
            let _ = part.files();
            let _ = Written::new(&part, &Threads::new(1));
        }
        match merge(&[folder.path().to_owned()]) {
            Ok(merged) => assert_eq!(merged.parts.len(), 1),
            Err(refused) => _ = (refused.to_string(), refused.hint()),
        }
    }
}

/// Two folders with a file each.
fn merge_two(name: &str, bytes: &[u8]) {
    let folders = [folder(), folder()];
    let cut = bytes.iter().position(|b| *b == 0xff).unwrap_or(bytes.len());
    for (folder, text) in folders.iter().zip([&bytes[..cut], bytes.get(cut + 1..).unwrap_or_default()]) {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let all: Vec<PathBuf> = folders.iter().map(|f| f.path().to_owned()).collect();
    for folders in [&all[..], &all[..1]] {
        let _ = (are_shares(folders), are_enumerations(folders));
        let _ = (merge_shares(folders), merge_enumerations(folders));
    }
}

static TEMPLATE: LazyLock<Template> = LazyLock::new(Template::new);

fuzz_target!(|bytes: &[u8]| {
    let [kind, which, from @ ..] = bytes else { return };
    match kind % 4 {
        2 => return merge_two("share.json", from),
        3 => return merge_two("worst-resume.json", from),
        _ => {}
    }
    let [a, b, length, text @ ..] = from else { return };
    let damage = |bytes: &[u8]| {
        let start = usize::from(u16::from_le_bytes([*a, *b])).min(bytes.len());
        let end = (start + usize::from(*length)).min(bytes.len());
        [&bytes[..start], text, &bytes[end..]].concat()
    };
    match kind % 4 {
        0 => TEMPLATE.damage_cache(*which, damage),
        _ => TEMPLATE.damage_run(*which, damage),
    }
});
