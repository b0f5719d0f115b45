//! Mutations of texts in brackets, FPCore and SMT-LIB: whole subterms are replaced, repeated and left out, so that most of what
//! comes of it is read and not refused for a bracket.

use std::ops::Range;

/// SplitMix64.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }
}

/// The subterms of a text: words, and lists with all that is in them.
fn subterms(text: &[u8]) -> Vec<Range<usize>> {
    let (mut all, mut open, mut word) = (Vec::new(), Vec::new(), None);
    for (at, byte) in text.iter().enumerate() {
        let is_word = !byte.is_ascii_whitespace() && !b"()[]".contains(byte);
        match (word, is_word) {
            (None, true) => word = Some(at),
            (Some(start), false) => {
                all.push(start..at);
                word = None;
            }
            _ => {}
        }
        match byte {
            b'(' | b'[' => open.push(at),
            b')' | b']' => all.extend(open.pop().map(|start| start..at + 1)),
            _ => {}
        }
    }
    all.extend(word.map(|start| start..text.len()));
    all
}

/// A text with one of its subterms replaced by one of another text, which may be the same, or left out, or repeated; none
/// where there are no subterms.
fn grafted(text: &[u8], other: &[u8], draw: &mut Draw) -> Option<Vec<u8>> {
    let (own, others) = (subterms(text), subterms(other));
    let at = own.get(draw.below(own.len()))?;
    let graft = &other[others.get(draw.below(others.len()))?.clone()];
    let (before, here, after) = (&text[..at.start], &text[at.clone()], &text[at.end..]);
    Some(match draw.below(8) {
        0 => [before, after].concat(),
        1 => [before, here, b" ", here, after].concat(),
        2 => [before, here, b" ", graft, after].concat(),
        3 => [before, b"(", graft, b" ", here, b")", after].concat(),
        _ => [before, graft, after].concat(),
    })
}

/// Changes the first `size` bytes of `data`, by subterms or, now and then, as `plain` does. How many bytes there are then.
pub fn mutate(data: &mut [u8], size: usize, seed: u32, plain: impl FnOnce(&mut [u8], usize) -> usize) -> usize {
    let mut draw = Draw(seed.into());
    let mut text = data[..size].to_vec();
    let times = draw.below(4);
    for _ in 0..times {
        text = grafted(&text, &text, &mut draw).filter(|t| t.len() <= data.len()).unwrap_or(text);
    }
    if times == 0 || text.is_empty() {
        return plain(data, size);
    }
    data[..text.len()].copy_from_slice(&text);
    text.len()
}

/// Makes one text of two. How many bytes of `out` it has.
pub fn cross(one: &[u8], other: &[u8], out: &mut [u8], seed: u32) -> usize {
    let mut draw = Draw(seed.into());
    let mut text = one.to_vec();
    for _ in 0..=draw.below(3) {
        text = grafted(&text, other, &mut draw).filter(|t| t.len() <= out.len()).unwrap_or(text);
    }
    let size = text.len().min(out.len());
    out[..size].copy_from_slice(&text[..size]);
    size
}
