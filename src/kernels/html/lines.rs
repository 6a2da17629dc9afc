//! Lines: an extractor's text as the blocks of the page that it is made of.
//!
//! An extractor breaks lines where it likes: at `br`, inside `pre`, twice between paragraphs. What
//! a host repeats is known by block, so each line of a main text should be one block. The text is
//! read from its start, and what stands there is looked for among the page's blocks, from the last
//! one that was found onwards; white space does not count. What is no block stays a line of its
//! own.
//!
//! Not for finding where a text was copied from: a block that stands in it in part is not found.
//!
//! Cost: linear in both texts; [`STEPS_PER_BYTE`] bound what hostile blocks can make of it.

use xxhash_rust::xxh3::xxh3_64;

use super::walk::Found;

/// Blocks with the same first word that are tried at one place, on either side of the last.
const TRIED: usize = 8;

/// Characters that are compared, for each byte of the two texts.
const STEPS_PER_BYTE: usize = 16;

/// A part of a main text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// A block of the page, by its number.
    Block(usize),
    /// A line that is none.
    Other(&'t str),
}

/// The blocks of a page by their first words.
pub(super) struct Blocks<'p> {
    found: &'p Found,
    /// The hash of a first word and the number of the block, sorted.
    words: Vec<(u64, usize)>,
}

impl<'p> Blocks<'p> {
    pub(super) fn of(found: &'p Found) -> Self {
        let word = |at: usize| (first_word(text_of(found, at)), at);
        let mut words: Vec<(u64, usize)> = (0..found.more.runs.len()).map(word).collect();
        words.sort_unstable();
        Blocks { found, words }
    }

    /// What `text` is made of, in its order.
    pub(super) fn pieces<'t>(&self, text: &'t str) -> Vec<Piece<'t>> {
        let mut pieces = Vec::new();
        let mut steps = (text.len() + self.found.text.len()).saturating_mul(STEPS_PER_BYTE);
        let (mut rest, mut next) = (text.trim_start(), 0);
        while !rest.is_empty() {
            let (piece, length) = match self.find(rest, next, &mut steps) {
                Some((block, length)) => (Piece::Block(block), length),
                None => {
                    let line = rest.split('\n').next().unwrap_or_default();
                    (Piece::Other(line.trim()), line.len())
                }
            };
            if let Piece::Block(block) = piece {
                next = block + 1;
            }
            pieces.push(piece);
            rest = rest.get(length..).unwrap_or_default().trim_start();
        }
        pieces
    }

    /// The block that stands at the start of `text`, best behind `next`; and its length there.
    fn find(&self, text: &str, next: usize, steps: &mut usize) -> Option<(usize, usize)> {
        let word = first_word(text);
        let from = |block: usize| {
            let start = self.words.partition_point(|entry| *entry < (word, block));
            let entries =
                self.words.iter().skip(start).take_while(move |(other, _)| *other == word);
            entries.take(TRIED).map(|(_, block)| *block)
        };
        from(next).chain(from(0)).find_map(|block| {
            let length = start_of(text, text_of(self.found, block), steps)?;
            Some((block, length))
        })
    }
}

/// The text of a block.
pub(super) fn text_of(found: &Found, block: usize) -> &str {
    let run = found.more.runs.get(block);
    run.and_then(|run| found.text.get(run.start..run.end)).unwrap_or_default()
}

fn first_word(text: &str) -> u64 {
    xxh3_64(text.split_whitespace().next().unwrap_or_default().as_bytes())
}

/// How much of the start of `text` is `run`, whatever the white space; none when it is not all
/// there or ends inside a word.
fn start_of(text: &str, run: &str, steps: &mut usize) -> Option<usize> {
    if text.as_bytes().starts_with(run.as_bytes()) && !run.is_empty() {
        *steps = steps.checked_sub(run.len())?;
        return ends_word(text, run.len());
    }
    let mut signs = text.char_indices().filter(|(_, sign)| !sign.is_whitespace());
    let mut end = 0;
    for wanted in run.chars().filter(|sign| !sign.is_whitespace()) {
        *steps = steps.checked_sub(1)?;
        let (at, _) = signs.next().filter(|(_, sign)| *sign == wanted)?;
        end = at + wanted.len_utf8();
    }
    ends_word(text, end)
}

/// `end`, if no word of `text` goes on there.
fn ends_word(text: &str, end: usize) -> Option<usize> {
    let after = text.get(end..).unwrap_or_default();
    after.chars().next().is_none_or(char::is_whitespace).then_some(end)
}

/// The main text that `pieces` make: one line each, white space folded.
pub(super) fn joined(found: &Found, pieces: &[Piece<'_>]) -> String {
    let mut text = String::new();
    for piece in pieces {
        let line = match piece {
            Piece::Block(block) => text_of(found, *block),
            Piece::Other(line) => line,
        };
        if !text.is_empty() {
            text.push('\n');
        }
        let start = text.len();
        // A block has one space between words, or one line break.
        let is_folded = matches!(piece, Piece::Block(_)) && !line.contains('\n');
        let words = (!is_folded).then(|| line.split_whitespace());
        for word in words.into_iter().flatten().chain(is_folded.then_some(line)) {
            if text.len() > start {
                text.push(' ');
            }
            text.push_str(word);
        }
    }
    text
}
