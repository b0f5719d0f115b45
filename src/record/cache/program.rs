//! What tells this program from every other one, older and newer builds of it among them.

use crate::record::manifest::hash;
use std::io;

/// The hash of the program and of the libraries that it runs on: the C library's functions are among what chooses points.
/// Versions would not do: a build for development has none of its own.
pub(super) fn identity() -> io::Result<String> {
    // By this the C library may be told to take other functions.
    let tunables = std::env::var_os("GLIBC_TUNABLES").unwrap_or_default();
    Ok(hash(format!("{} {}", tunables.to_string_lossy(), code::identity()?).as_bytes()))
}

/// What is in memory of the files that have code there. The rest of a program's file, which may be most of it, is for
/// debuggers.
#[cfg(target_os = "linux")]
mod code {
    use crate::record::manifest::hash;
    use crate::tool::Scratch;
    use std::collections::BTreeMap;
    use std::fs::{self, File};
    use std::io::{self, Read as _, Seek as _, SeekFrom};

    /// The file that runs, even where another one has its name by now.
    const OWN: &str = "/proc/self/exe";

    /// The pieces of a file that are in memory: where each begins, and how long it is. Unit: bytes.
    type Pieces = Vec<(u64, u64)>;

    /// The libraries beside its own that a program of somebody else is not told from others by: what that has loaded beside
    /// them, and when, changes nothing of what this code finds.
    const OF_ALL: [&str; 4] = ["libc", "libm", "libgcc_s", "ld-linux"];

    /// Whether a file is one of the libraries that this code runs on, wherever it does.
    fn is_of_all(name: &str) -> bool {
        let name = name.rsplit('/').next().unwrap_or(name);
        OF_ALL.iter().any(|own| name.strip_prefix(own).is_some_and(|rest| rest.starts_with(['.', '-'])))
    }

    /// The file from which this very code was loaded.
    fn home(maps: &str) -> Option<&str> {
        let here = mapped as *const () as usize as u64;
        let holds =
            |(_, _, address, (_, length)): &(&str, bool, u64, (u64, u64))| here.wrapping_sub(*address) < *length;
        maps.lines().filter_map(mapped).find(holds).map(|(name, ..)| name)
    }

    pub(super) fn identity() -> io::Result<String> {
        let own = fs::read_link(OWN)?;
        let own = own.to_string_lossy();
        let maps = fs::read_to_string("/proc/self/maps")?;
        let mut files: BTreeMap<&str, (bool, Pieces)> = BTreeMap::new();
        let guest = home(&maps).filter(|home| *home != own);
        for (name, is_code, _, piece) in maps.lines().filter_map(mapped) {
            if guest.is_some_and(|home| name != home && !is_of_all(name)) {
                continue;
            }
            let name = if name == own { OWN } else { name };
            // What this program compiled and loaded itself follows from it, and is no part of it.
            if Scratch::held(name) {
                continue;
            }
            let (has_code, pieces) = files.entry(name).or_default();
            *has_code |= is_code;
            pieces.push(piece);
        }
        let of_code = files.into_iter().filter(|(_, (has_code, _))| *has_code);
        let mut hashes = of_code.map(|(name, (_, pieces))| file(name, pieces)).collect::<io::Result<Vec<_>>>()?;
        // In an order that does not depend on where the files are.
        hashes.sort_unstable();
        Ok(hashes.join(" "))
    }

    /// A line of the table: addresses, permissions, offset, device, inode, and the file if there is one. Its name, whether
    /// it is code, where it begins in memory, and its piece.
    fn mapped(line: &str) -> Option<(&str, bool, u64, (u64, u64))> {
        let name = &line[line.find('/')?..];
        let mut words = line.split_whitespace();
        let number = |text: &str| u64::from_str_radix(text, 16).ok();
        let (from, to) = words.next()?.split_once('-')?;
        let is_code = words.next()?.contains('x');
        let from = number(from)?;
        Some((name, is_code, from, (number(words.next()?)?, number(to)?.checked_sub(from)?)))
    }

    fn file(name: &str, mut pieces: Pieces) -> io::Result<String> {
        pieces.sort_unstable();
        let mut bytes = Vec::new();
        let read = || {
            let mut file = File::open(name)?;
            for (offset, length) in pieces {
                file.seek(SeekFrom::Start(offset))?;
                (&mut file).take(length).read_to_end(&mut bytes)?;
            }
            Ok(())
        };
        read().map_err(|e: io::Error| io::Error::new(e.kind(), format!("{name}: {e}")))?;
        Ok(hash(&bytes))
    }
}

/// The libraries are those of the version of the system.
#[cfg(target_vendor = "apple")]
mod code {
    use crate::record::manifest::hash;
    use std::io;

    pub(super) fn identity() -> io::Result<String> {
        let system = std::fs::read("/System/Library/CoreServices/SystemVersion.plist")?;
        let program = std::fs::read(std::env::current_exe()?)?;
        Ok(format!("{} {}", hash(&program), hash(&system)))
    }
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
mod code {
    pub(super) fn identity() -> std::io::Result<String> {
        Err(std::io::ErrorKind::Unsupported.into())
    }
}
