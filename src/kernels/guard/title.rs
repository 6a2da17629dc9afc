//! Titles: whether two pages name the same thing.
//!
//! Titles are compared as the texts are, word by word, so that "6204-2RS" and "6205-2RS" differ
//! however long the rest is; then by the characters that an edit would change. Words that both
//! titles end or begin with behind a separator, most often the name of the site, are left out of
//! that measure.
//!
//! A missing title says nothing. Not for headings of a page among one another.
//!
//! Source: V. Levenshtein, "Binary codes capable of correcting deletions, insertions and
//! reversals", 1966, within a band (E. Ukkonen, 1985). Cost: at most [`CHARS_MOST`] times a fifth
//! of that in each direction.

use std::ops::Range;

use super::super::difference::{Differ, Difference, Hunk, Words};
use super::super::text::{Rules, Text};
use super::{Digits, Finding, judge, side};

/// Characters of a title that are compared.
const CHARS_MOST: usize = 300;

/// Tokens of both titles that may be left over; more are another title.
const LEFT_OVER_MOST: usize = 64;

/// One character in this many may differ.
const EDIT_SHARE: usize = 5;

/// What sets a site's name apart in a title.
const SEPARATORS: [&str; 9] = [" - ", " | ", " – ", " — ", " :: ", " · ", " » ", " « ", " • "];

/// How two titles relate, the closest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Title {
    /// Equal once normalised, both present.
    Equal,
    /// Nearly equal, equal but for dates and counters, or one is missing.
    Near,
    /// Equal but for versions and architectures.
    Version,
    /// Titles of two things.
    Differ,
}

impl Title {
    /// The stable name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Title::Equal => "equal",
            Title::Near => "near",
            Title::Version => "version",
            Title::Differ => "differ",
        }
    }
}

/// Compares titles; reused, it stops allocating.
#[derive(Debug, Default)]
pub struct Titles {
    text: Text,
    left: Words,
    right: Words,
    differ: Differ,
    /// Characters of both titles, and the rows of the edit distance.
    chars: [Vec<char>; 2],
    rows: [Vec<usize>; 2],
}

impl Titles {
    /// A comparer without buffers.
    pub fn new() -> Self {
        Titles::default()
    }

    /// How two titles relate. Exchanging them changes nothing.
    pub fn compare(&mut self, left: &str, right: &str) -> Title {
        self.text.normalise(Rules::V1, left);
        let folded_left = self.text.as_str().to_owned();
        self.left.read(&self.text);
        self.text.normalise(Rules::V1, right);
        self.right.read(&self.text);
        let folded_right = self.text.as_str();
        if self.left.is_empty() || self.right.is_empty() {
            return Title::Near;
        }
        if folded_left == folded_right {
            return Title::Equal;
        }
        let found = self.differ.difference(&self.left, &self.right, LEFT_OVER_MOST);
        let Some(difference) = found else { return Title::Differ };
        let finding = judge(&self.left, &self.right, difference);
        let is_renamed = renames(&self.left, &self.right, difference);
        match by_words(&finding, difference) {
            Some(title) => title,
            None if is_renamed || !self.is_similar(&folded_left) => Title::Differ,
            None if finding.numbers == Digits::Version => Title::Version,
            None => Title::Near,
        }
    }

    /// Whether at most a fifth of the characters would have to be edited.
    fn is_similar(&mut self, left: &str) -> bool {
        let (left, right) = without_site(left, self.text.as_str());
        for (chars, title) in self.chars.iter_mut().zip([left, right]) {
            chars.clear();
            chars.extend(title.chars().take(CHARS_MOST));
        }
        let [left, right] = &self.chars;
        let most = left.len().max(right.len()) / EDIT_SHARE;
        is_within(left, right, most, &mut self.rows)
    }
}

/// What the words that differ say by themselves.
fn by_words(finding: &Finding, difference: &Difference) -> Option<Title> {
    if finding.operators > 0 || finding.polarity || finding.numbers >= Digits::Unknown {
        return Some(Title::Differ);
    }
    match finding.numbers {
        // Nothing but signs without meaning.
        Digits::None if difference.hunks.is_empty() => Some(Title::Near),
        Digits::Volatile if finding.only_numbers => Some(Title::Near),
        Digits::Version if finding.only_numbers => Some(Title::Version),
        _ => None,
    }
}

/// Whether ideographs stand where others do, a step of a path where another does, or a word where
/// an unrelated one does: one of them can be the whole name.
fn renames(left: &Words, right: &Words, difference: &Difference) -> bool {
    let has_ideograph = |text: &str| text.chars().any(|c| matches!(c, '㐀'..='鿿' | '𠀀'..='𳎯'));
    difference.hunks.iter().any(|hunk| {
        let (text, other) = (left.run(hunk.left.clone()), right.run(hunk.right.clone()));
        let is_exchanged = !text.is_empty() && !other.is_empty();
        has_ideograph(text) && has_ideograph(other)
            || is_exchanged && (text.contains('_') || other.contains('_'))
            || is_step(left, &hunk.left) && is_step(right, &hunk.right)
            || is_exchanged && !is_akin(text, other) && is_named(left, right, hunk)
    })
}

/// Whether two words begin alike, as inflections and slips of one word do.
fn is_akin(word: &str, other: &str) -> bool {
    let shared = word.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    shared * 2 >= word.chars().count().max(other.chars().count())
}

/// Whether exchanged words are a name: they hold more than numbers, and lead no path, as the
/// module does through which a function is shown.
fn is_named(left: &Words, right: &Words, hunk: &Hunk) -> bool {
    let leads = |words: &Words, end: usize| {
        end < words.len() && matches!(words.gap(end), "." | "::" | "/" | "->")
    };
    let is_number = |words: &Words, run: &Range<usize>| side(words, run.clone()).1 == 0;
    let is_path = leads(left, hunk.left.end) && leads(right, hunk.right.end);
    let are_numbers = is_number(left, &hunk.left) && is_number(right, &hunk.right);
    !is_path && !are_numbers
}

/// "a.b.c", "a::b", "a/b": whether some tokens stand behind a step of a path.
fn is_step(words: &Words, run: &Range<usize>) -> bool {
    !run.is_empty()
        && run.start > 0
        && matches!(words.gap(run.start), "." | "::" | "/" | "#" | "->")
}

/// Both titles without the words that both end, or both begin, with.
fn without_site<'t>(left: &'t str, right: &'t str) -> (&'t str, &'t str) {
    let (mut left, mut right) = (left, right);
    for separator in SEPARATORS {
        if let (Some((a, end)), Some((b, other))) =
            (left.rsplit_once(separator), right.rsplit_once(separator))
            && end == other
        {
            (left, right) = (a, b);
        }
        if let (Some((start, a)), Some((other, b))) =
            (left.split_once(separator), right.split_once(separator))
            && start == other
        {
            (left, right) = (a, b);
        }
    }
    (left, right)
}

/// Whether at most `most` edits of a character turn one text into the other.
fn is_within(left: &[char], right: &[char], most: usize, rows: &mut [Vec<usize>; 2]) -> bool {
    if left.len().abs_diff(right.len()) > most {
        return false;
    }
    let [above, row] = rows;
    above.clear();
    above.extend(0..=right.len());
    for (x, a) in left.iter().enumerate() {
        // Outside the band nothing is near enough.
        let first = (x + 1).saturating_sub(most);
        row.clear();
        row.resize(first.min(right.len() + 1), most + 1);
        if first == 0 {
            row.push(x + 1);
        }
        let last = (x + 1 + most).min(right.len());
        for y in row.len()..=last {
            let at = |row: &Vec<usize>, y: usize| row.get(y).copied().unwrap_or(most + 1);
            let corner = at(above, y - 1) + usize::from(right.get(y - 1) != Some(a));
            let edge = at(above, y).min(row.last().copied().unwrap_or(most + 1)) + 1;
            row.push(corner.min(edge).min(most + 1));
        }
        std::mem::swap(above, row);
    }
    above.get(right.len()).is_some_and(|&edits| edits <= most)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn titles_of_two_things_differ() {
        for (left, right, wanted) in [
            ("Squeaking brake", "squeaking  BRAKE", "equal"),
            ("Squeaking brake", "Squeaking brakes", "near"),
            ("", "Squeaking brake", "near"),
            ("?!", "Squeaking brake", "near"),
            ("Squeaking brake!", "Squeaking brake", "near"),
            ("Squeaking brake", "Flat tyre", "differ"),
            (
                "Ball bearing 6204-2RS, sealed, from stock",
                "Ball bearing 6205-2RS, sealed, from stock",
                "differ",
            ),
            ("Provincial Road 1506", "Provincial Road 1507", "differ"),
            ("C", "C++", "differ"),
            ("The operator+ of iterators", "The operator- of iterators", "differ"),
            (
                "Smoking is allowed in all of our rooms",
                "Smoking is not allowed in all of our rooms",
                "differ",
            ),
            ("LLVM 13 documentation", "LLVM 14 documentation", "version"),
            ("The Boost Library 1.74.0", "The Boost Library 1.81.0", "version"),
            ("News of 5 May 2024", "News of 6 May 2024", "near"),
            ("Noticias del 5 de mayo de 2024", "Noticias del 6 de mayo de 2024", "near"),
            ("上海浦东四季酒店", "上海浦东全季酒店", "differ"),
            ("上海浦东四季酒店", "浦东四季酒店", "differ"),
            (
                "push_back - the long name of a reference site",
                "pop_back - the long name of a reference site",
                "differ",
            ),
            ("A long site's name | red shoes", "A long site's name | blue hats", "differ"),
            (
                "the long name of_a module.BYearEnd.month",
                "the long name of_a module.BYearEnd.n",
                "differ",
            ),
            (
                "The long function is_month_end here",
                "The long function is_month_and here",
                "differ",
            ),
            ("pandas.UInt16Dtype - documentation", "pandas.UInt32Dtype - documentation", "differ"),
            ("Гостиница Москва, цены и отзывы", "Гостиница Москва: цены, отзывы", "near"),
        ] {
            let mut titles = Titles::new();
            assert_eq!(titles.compare(left, right).name(), wanted, "{left} {right}");
            assert_eq!(titles.compare(right, left).name(), wanted, "{right} {left}");
        }
    }

    #[test]
    fn names_versions_and_architectures_are_told_apart() {
        for (left, right, wanted) in [
            ("git-diff-files(1) Manual Page", "git-diff-index(1) Manual Page", "differ"),
            ("The class template avltree here", "The class template rbtree here", "differ"),
            ("Function core::str::from_utf8", "Function std::str::from_utf8", "near"),
            ("All of our opening hours", "All of our opening hour", "near"),
            ("LLVM 9 documentation", "LLVM 10 documentation", "version"),
            ("Function core::arch::x86::_mm_or", "Function core::arch::x86_64::_mm_or", "version"),
            ("Function arch::x86::_mm_or", "Function arch::x86_64::_mm_and", "differ"),
            ("Building it on arm64", "Building it on riscv64", "version"),
            ("Chapter 25. Boost.Move", "Chapter 23. Boost.Move", "version"),
            ("Chapter 25", "Chapter 23", "differ"),
            ("5.4. Partitioning", "5.3. Partitioning", "version"),
            ("Model 12. Bolt", "Model 13. Bolt", "differ"),
        ] {
            let mut titles = Titles::new();
            assert_eq!(titles.compare(left, right).name(), wanted, "{left} {right}");
            assert_eq!(titles.compare(right, left).name(), wanted, "{right} {left}");
        }
    }

    fn distance(left: &[char], right: &[char]) -> usize {
        let mut row: Vec<usize> = (0..=right.len()).collect();
        for (x, a) in left.iter().enumerate() {
            let mut corner = row[0];
            row[0] = x + 1;
            for (y, b) in right.iter().enumerate() {
                let edge = row[y + 1].min(row[y]) + 1;
                (corner, row[y + 1]) = (row[y + 1], edge.min(corner + usize::from(a != b)));
            }
        }
        row[right.len()]
    }

    proptest! {
        #[test]
        fn the_band_agrees_with_the_whole_table(
            left in "[abc]{0,20}", right in "[abc]{0,20}", most in 0..20_usize,
        ) {
            let left: Vec<char> = left.chars().collect();
            let right: Vec<char> = right.chars().collect();
            let wanted = distance(&left, &right) <= most;
            prop_assert_eq!(is_within(&left, &right, most, &mut Default::default()), wanted);
        }

        #[test]
        fn any_titles_compare_both_ways(left in any::<String>(), right in any::<String>()) {
            let mut titles = Titles::new();
            prop_assert_eq!(titles.compare(&left, &right), titles.compare(&right, &left));
        }
    }
}
