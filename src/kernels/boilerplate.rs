//! Boilerplate: which lines of a main text go because the host repeats them.
//!
//! A line is one block of text. What many pages of a host hold is the frame of the host and says
//! nothing of a page. Not every repeated line is frame, so these stay: heads of tables, the first
//! heading and main headings, headings of what stays, and long lines, which are repeated content.
//! A page that would lose nearly all of its text, and be left with next to nothing, keeps it.
//!
//! Not for finding repeated blocks: that is a count over pages, see `repeated_block.sql`.
//!
//! Source: D. Gibson, K. Punera, A. Tomkins, "The volume and evolution of web page templates",
//! 2005; the exceptions are the project's own.
//! Cost: one look-up in a sorted list a line.

use super::html::line_hash;
use super::text::Text;

/// Bits of what a line is.
pub mod flag {
    /// Head of a table, caption or defined term.
    pub const HEAD: i64 = 1;
    /// Any heading.
    pub const HEADING: i64 = 2;
    /// A main heading, `h1`.
    pub const MAIN_HEADING: i64 = 4;
    /// Most of it is link text.
    pub const LINKS: i64 = 8;
}

/// A line of a main text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Hash of its normalised text.
    pub hash: i64,
    /// What it is, by the bits of [`flag`].
    pub flags: i64,
    /// Its tokens.
    pub tokens: i64,
}

/// Bounds of a removal, by the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// A repeated line of more tokens stays.
    pub long_tokens: i64,
    /// No page loses this share of its tokens, in thousandths,
    pub vanish_share_milli: i64,
    /// when it would be left with fewer tokens than this.
    pub vanish_tokens: i64,
    /// No page is left with fewer tokens.
    pub tokens_min: i64,
}

/// What became of the repeated lines of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Some went.
    Removed,
    /// All stay, and some of them are long: repeated content.
    KeptLong,
    /// All stay, because hardly anything would be left.
    KeptWhole,
    /// All stay: headings and heads of tables.
    KeptFrame,
}

impl Verdict {
    /// The stable name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Removed => "removed",
            Verdict::KeptLong => "kept_long",
            Verdict::KeptWhole => "kept_whole",
            Verdict::KeptFrame => "kept_frame",
        }
    }
}

/// Which lines of a page go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// Their hashes, sorted and distinct; every line with such a hash goes.
    pub removed: Vec<i64>,
    /// Lines that go.
    pub lines: usize,
    /// What became of the repeated lines.
    pub verdict: Verdict,
}

impl Removal {
    fn none(verdict: Verdict) -> Self {
        Self { removed: Vec::new(), lines: 0, verdict }
    }
}

/// Which of `lines` go, when the host repeats the lines with the hashes `repeated`, sorted.
pub fn removal(lines: &[Line], repeated: &[i64], bounds: Bounds) -> Removal {
    let is_repeated = |line: &Line| repeated.binary_search(&line.hash).is_ok();
    let is_long = |line: &Line| line.tokens > bounds.long_tokens;
    let has_long = lines.iter().any(|line| is_repeated(line) && is_long(line));
    let stays = staying(lines, |line| !is_repeated(line) || is_long(line));
    let mut staying: Vec<i64> =
        lines.iter().zip(&stays).filter(|(_, stays)| **stays).map(|(line, _)| line.hash).collect();
    staying.sort_unstable();
    let goes = |line: &&Line| staying.binary_search(&line.hash).is_err();
    let mut removed: Vec<i64> = lines.iter().filter(goes).map(|line| line.hash).collect();
    if removed.is_empty() {
        return Removal::none(if has_long { Verdict::KeptLong } else { Verdict::KeptFrame });
    }
    let tokens: i64 = lines.iter().map(|line| line.tokens).sum();
    let lost: i64 = lines.iter().filter(goes).map(|line| line.tokens).sum();
    let is_vanishing =
        lost.saturating_mul(1000) >= tokens.saturating_mul(bounds.vanish_share_milli);
    let left = tokens - lost;
    if is_vanishing && left < bounds.vanish_tokens || left < bounds.tokens_min {
        return Removal::none(Verdict::KeptWhole);
    }
    let count = removed.len();
    removed.sort_unstable();
    removed.dedup();
    Removal { removed, lines: count, verdict: Verdict::Removed }
}

/// Whether each line stays: of those that `is_kept` leaves open, the first heading, main headings,
/// heads of tables, and a heading whose next line of text stays.
fn staying(lines: &[Line], is_kept: impl Fn(&Line) -> bool) -> Vec<bool> {
    let first = lines.iter().position(|line| line.flags & flag::HEADING != 0);
    let mut stays = vec![false; lines.len()];
    let mut is_next_kept = false;
    for (at, (line, stays)) in lines.iter().zip(&mut stays).enumerate().rev() {
        let is_heading = line.flags & flag::HEADING != 0;
        *stays = is_kept(line)
            || line.flags & (flag::HEAD | flag::MAIN_HEADING) != 0
            || first == Some(at)
            || is_heading && is_next_kept;
        // A heading whose own text is repeated passes on what stands below it.
        if !is_heading {
            is_next_kept = *stays;
        }
    }
    stays
}

/// The lines of `text` without those whose hashes are in `removed`, sorted.
///
/// Cost: one normalisation a line.
pub fn kept_text(text: &str, removed: &[i64], scratch: &mut Text) -> String {
    let mut kept = String::with_capacity(text.len());
    for line in text.lines() {
        let trimmed = line.trim();
        let goes = !trimmed.is_empty()
            && removed.binary_search(&line_hash(scratch, trimmed).cast_signed()).is_ok();
        if !goes {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    if !text.ends_with('\n') {
        kept.pop();
    }
    kept
}

/// The text of the lines that [`kept_text`] leaves out, one a line.
pub fn removed_text(text: &str, removed: &[i64], scratch: &mut Text) -> Vec<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .filter(|line| removed.binary_search(&line_hash(scratch, line).cast_signed()).is_ok())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds =
        Bounds { long_tokens: 120, vanish_share_milli: 800, vanish_tokens: 50, tokens_min: 10 };

    fn line(hash: i64, flags: i64, tokens: i64) -> Line {
        Line { hash, flags, tokens }
    }

    #[test]
    fn repeated_lines_go_and_content_stays() {
        let lines = [line(1, 0, 40), line(2, 0, 12), line(3, 0, 50), line(2, 0, 12)];
        let found = removal(&lines, &[2], BOUNDS);
        assert_eq!(found.removed, [2]);
        assert_eq!((found.lines, found.verdict), (2, Verdict::Removed));
    }

    #[test]
    fn heads_headings_and_long_lines_stay() {
        let kept = |line: Line| removal(&[super::tests::line(9, 0, 200), line], &[5], BOUNDS);
        assert_eq!(kept(line(5, flag::HEAD, 4)).verdict, Verdict::KeptFrame);
        assert_eq!(
            kept(line(5, flag::HEADING | flag::MAIN_HEADING, 4)).verdict,
            Verdict::KeptFrame
        );
        assert_eq!(kept(line(5, 0, 121)).verdict, Verdict::KeptLong);
        assert_eq!(kept(line(5, 0, 120)).verdict, Verdict::Removed);
    }

    #[test]
    fn a_heading_follows_what_stands_below_it() {
        let first = line(1, flag::HEADING, 2);
        let heading = line(2, flag::HEADING, 2);
        let below = line(3, 0, 20);
        let other = line(4, 0, 90);
        let goes = removal(&[first, other, heading, below], &[2, 3], BOUNDS);
        assert_eq!(goes.removed, [2, 3]);
        let stays = removal(&[first, heading, other, below], &[2, 3], BOUNDS);
        assert_eq!(stays.removed, [3]);
        // The first heading stays, whatever follows.
        let first_stays = removal(&[first, below, other], &[1, 3], BOUNDS);
        assert_eq!(first_stays.removed, [3]);
    }

    #[test]
    fn a_page_that_would_vanish_keeps_its_text() {
        let lines = [line(1, 0, 20), line(2, 0, 80)];
        assert_eq!(removal(&lines, &[2], BOUNDS).verdict, Verdict::KeptWhole);
        let lines = [line(1, 0, 21), line(2, 0, 80)];
        assert_eq!(removal(&lines, &[2], BOUNDS).verdict, Verdict::Removed);
        let lines = [line(1, 0, 49), line(2, 0, 100), line(3, 0, 100), line(4, 0, 100)];
        assert_eq!(removal(&lines, &[2, 3, 4], BOUNDS).verdict, Verdict::KeptWhole);
        let lines = [line(1, 0, 50), line(2, 0, 100), line(3, 0, 100), line(4, 0, 100)];
        assert_eq!(removal(&lines, &[2, 3, 4], BOUNDS).verdict, Verdict::Removed);
        let short = [line(1, 0, 9), line(2, 0, 20)];
        assert_eq!(removal(&short, &[2], BOUNDS).verdict, Verdict::KeptWhole);
    }

    #[test]
    fn one_hash_stays_or_goes_everywhere() {
        // The same words as first heading and as a line.
        let lines = [line(2, flag::HEADING, 4), line(1, 0, 60), line(2, 0, 4)];
        assert_eq!(removal(&lines, &[2], BOUNDS).verdict, Verdict::KeptFrame);
    }

    #[test]
    fn texts_lose_the_lines_that_were_named() {
        let mut scratch = Text::new();
        let removed = [line_hash(&mut scratch, "SHARE this").cast_signed()];
        let text = "One tale\n\n  Share  this \nAnd its end";
        assert_eq!(kept_text(text, &removed, &mut scratch), "One tale\n\nAnd its end");
        assert_eq!(removed_text(text, &removed, &mut scratch), ["Share  this"]);
        assert_eq!(removed_text(text, &[], &mut scratch), Vec::<String>::new());
    }
}
