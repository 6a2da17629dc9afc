//! Names of processor architectures: x86, arm64, wasm32.
//!
//! One document that is written for several of them is like one of several versions. A name of
//! its own is enough; words as "arm" or "hard-float", which mean other things too, count beside
//! such a name, beside the width in bits, or behind the name of a system.
//!
//! Not for operating systems, which are software with a version, and not for models of
//! processors, which identify.
//!
//! Source: written for this project. Cost: some look-ups a token.

use super::super::difference::Words;
use super::lexicon::{self, ARCHITECTURE, PLATFORM, SOFTWARE};

/// Tokens on each side in which a name confirms a word.
const AROUND: usize = 4;

/// Tokens of the longest entry.
const ENTRY_MOST: usize = 2;

/// Whether token `at` names an architecture or belongs to the name of one.
pub(super) fn names(words: &Words, at: usize) -> bool {
    if is_within(words, at, ARCHITECTURE) {
        return true;
    }
    if !is_within(words, at, PLATFORM) {
        return false;
    }
    let is_system = |at: usize| lexicon::entry(words, at).1.has(SOFTWARE);
    at.checked_sub(1).is_some_and(is_system)
        || around(at, at + 1)
            .any(|near| is_within(words, near, ARCHITECTURE) || is_width(words, near))
}

/// Whether an architecture, or a word of one, stands near some tokens.
pub(super) fn is_beside(words: &Words, start: usize, end: usize) -> bool {
    around(start, end)
        .any(|at| is_within(words, at, ARCHITECTURE) || is_within(words, at, PLATFORM))
}

fn around(start: usize, end: usize) -> impl Iterator<Item = usize> {
    (start.saturating_sub(AROUND)..start).chain(end..end + AROUND)
}

/// Whether token `at` is in an entry of a kind. Endings in another script are passed over.
fn is_within(words: &Words, at: usize, kind: usize) -> bool {
    let is_covered = (at.saturating_sub(ENTRY_MOST - 1)..=at).any(|first| {
        let (length, kinds) = lexicon::entry(words, first);
        first + length > at && kinds.has(kind)
    });
    is_covered || is_inflected(words.token(at), kind)
}

/// "amd64의", "arm64で": a name and an ending in another script.
fn is_inflected(token: &str, kind: usize) -> bool {
    let end = token.find(|c: char| !c.is_ascii()).unwrap_or(token.len());
    let name = token.get(..end).unwrap_or_default();
    end < token.len() && !name.is_empty() && lexicon::kinds(name).has(kind)
}

/// "32 bit", "64bit".
fn is_width(words: &Words, at: usize) -> bool {
    let is_bit = words.token(at + 1) == "bit" && matches!(words.token(at), "32" | "64");
    is_bit || matches!(words.token(at), "32bit" | "64bit")
}

#[cfg(test)]
mod tests {
    use super::super::super::text::{Rules, Text};
    use super::*;

    fn words(text: &str) -> Words {
        let mut normal = Text::new();
        normal.normalise(Rules::V3, text);
        let mut words = Words::new();
        words.read(&normal);
        words
    }

    #[test]
    fn names_are_known_and_words_need_one() {
        for (text, wanted) in [
            ("x86", vec!["x86"]),
            ("on x86_64 and x86-64 only", vec!["x86_64", "x86", "64"]),
            ("S/390 and RISC-V", vec!["s", "390", "risc", "v"]),
            (
                "64-bit PowerPC little-endian (ppc64el)",
                vec!["powerpc", "little", "endian", "ppc64el"],
            ),
            ("32-bit soft-float ARM", vec!["soft", "float", "arm"]),
            ("the list debian-arm", vec!["arm"]),
            ("amd64의 부트로더", vec!["amd64의"]),
            ("an arm and a leg", vec![]),
            ("a little-endian number", vec![]),
            ("the alpha male with a pc", vec![]),
            ("s 390 pages v", vec!["s", "390"]),
        ] {
            let words = words(text);
            let found: Vec<_> = (0..words.len())
                .filter(|&at| names(&words, at))
                .map(|at| words.token(at))
                .collect();
            assert_eq!(found, wanted, "{text}");
        }
    }
}
