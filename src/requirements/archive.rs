//! Archives of ReqIF (`.reqifz`): the ReqIF files in one, within a bound of what they unpack to. The only file that names zip.

use std::io::{Cursor, Read as _};
use zip::ZipArchive;

/// The most that all files together may unpack to. Unit: bytes.
const MOST: u64 = 256 << 20;

/// A file of an archive.
pub(super) struct Member {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// The ReqIF files of an archive, in the order of their names; else why there are none.
pub(super) fn reqif_files(archive: &[u8]) -> Result<Vec<Member>, String> {
    let unreadable = |e: &dyn std::fmt::Display| format!("the archive cannot be read: {e}");
    let mut archive = ZipArchive::new(Cursor::new(archive)).map_err(|e| unreadable(&e))?;
    let (mut found, mut left) = (Vec::new(), MOST);
    for k in 0..archive.len() {
        let file = archive.by_index(k).map_err(|e| unreadable(&e))?;
        let name = String::from_utf8_lossy(file.name_raw()).into_owned();
        if !file.is_file() || !name.to_ascii_lowercase().ends_with(".reqif") {
            continue;
        }
        let mut bytes = Vec::new();
        // What an archive says of sizes is not believed.
        file.take(left + 1).read_to_end(&mut bytes).map_err(|e| unreadable(&e))?;
        left = left
            .checked_sub(bytes.len() as u64)
            .ok_or_else(|| format!("the ReqIF files of the archive have more than {} MiB", MOST >> 20))?;
        found.push(Member { name, bytes });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    if found.is_empty() { Err("there is no .reqif file in the archive".to_owned()) } else { Ok(found) }
}
