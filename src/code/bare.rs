//! A module without what only people and debuggers read: what another program needs to look at proofs again.

use super::module::Malformed;
use wasmparser::{Parser, Payload};

/// The custom section that stays: it says which data are constants.
const KEPT: &str = "name";

/// The module in `bytes` with its custom sections left out, but for that of names. Offsets in its code stay what they are.
///
/// # Errors
/// They are no module.
pub(super) fn bare(bytes: &[u8]) -> Result<Vec<u8>, Malformed> {
    let mut out = bytes.get(..8).unwrap_or_default().to_vec();
    for payload in Parser::new(0).parse_all(bytes) {
        let payload = payload?;
        if matches!(&payload, Payload::CustomSection(section) if section.name() != KEPT) {
            continue;
        }
        if let Some((id, range)) = payload.as_section() {
            let contents = bytes.get(range.start as usize..range.end as usize);
            let contents = contents.ok_or_else(|| Malformed("the module ends within a section".to_owned()))?;
            out.push(id);
            put_size(&mut out, contents.len());
            out.extend_from_slice(contents);
        }
    }
    Ok(out)
}

/// An unsigned number in LEB128.
fn put_size(out: &mut Vec<u8>, mut size: usize) {
    while size >= 0x80 {
        out.push(size as u8 | 0x80);
        size >>= 7;
    }
    out.push(size as u8);
}
