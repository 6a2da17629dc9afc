//! Guards: why two texts that are nearly equal are not one document all the same.
//!
//! [`judge`] says what the words are that differ: numbers, and which kind of numbers, names of
//! architectures among them; words of polarity; operators. [`Titles`] compares titles. Which of
//! these refuse a merge is the caller's rule (`edge.sql`), as is the resemblance that a pair needs
//! before any of this.
//!
//! Not for pairs that differ in much: what is judged is a [`Difference`], which has a limit. Not a
//! reading of the texts: a guard sees words and their neighbours.
//!
//! Source: written for this project. Cost: some look-ups a token left over.

mod architecture;
mod lexicon;
mod number;
mod operator;
mod part;
mod place;
mod polarity;
mod title;

use std::ops::Range;

use super::difference::{Difference, Words};
pub use title::{Title, Titles};

/// What the numbers that differ are about; a later class is graver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Digits {
    /// No number differs.
    #[default]
    None,
    /// Dates, times, counters, weather, sessions, footnotes: the same document at another time.
    Volatile,
    /// Versions, editions and releases, the sections and lines that an edition numbers, and
    /// architectures.
    Version,
    /// Nothing around says what the number is about.
    Unknown,
    /// Models, sizes, doses, amounts, sections, pages, roads, phones: another subject.
    Identifying,
}

impl Digits {
    /// The stable name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Digits::None => "none",
            Digits::Volatile => "volatile",
            Digits::Version => "version",
            Digits::Unknown => "unknown",
            Digits::Identifying => "identifying",
        }
    }
}

/// What the words that differ between two texts are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// The gravest class of the numbers that differ.
    pub numbers: Digits,
    /// Whether something differs and every token that does bears a number or belongs to one, as
    /// the name of a month or a unit beside it, or names an architecture.
    pub only_numbers: bool,
    /// Whether a word of polarity is added, removed or swapped.
    pub polarity: bool,
    /// Tokens left over that bear no number: the longer side of each hunk, summed.
    pub words: usize,
    /// Places where only signs differ and mean something: operators, currency signs.
    pub operators: usize,
}

/// Judges the difference of two texts. Exchanging the texts changes nothing.
pub fn judge(left: &Words, right: &Words, difference: &Difference) -> Finding {
    let (mut finding, mut names_architecture) = (Finding::default(), false);
    for hunk in &difference.hunks {
        let (left_class, left_words) = side(left, hunk.left.clone());
        let (right_class, right_words) = side(right, hunk.right.clone());
        names_architecture |= hunk.left.clone().any(|at| architecture::names(left, at))
            || hunk.right.clone().any(|at| architecture::names(right, at));
        finding.numbers = finding.numbers.max(left_class).max(right_class);
        finding.words += left_words.max(right_words);
        finding.polarity |= polarity::is_turned(left, right, hunk);
    }
    for &(x, y) in &difference.gaps {
        finding.operators += usize::from(operator::differ(left, x, right, y));
    }
    // How many packages there are depends on the architecture that they are for.
    if names_architecture && finding.numbers == Digits::Unknown {
        finding.numbers = Digits::Version;
    }
    finding.only_numbers = finding.numbers > Digits::None && finding.words == 0;
    finding
}

/// The gravest class of one side of a hunk, and its tokens that bear no number.
fn side(words: &Words, run: Range<usize>) -> (Digits, usize) {
    let (mut gravest, mut others) = (Digits::None, 0);
    let mut at = run.start;
    while at < run.end {
        let (class, end) = token(words, at);
        if class == Digits::None {
            others += 1;
        }
        gravest = gravest.max(class);
        at = end;
    }
    (gravest, others)
}

/// The class of a token, of the number that it bears or belongs to, and the token behind what it
/// is judged with.
fn token(words: &Words, at: usize) -> (Digits, usize) {
    if architecture::names(words, at) {
        return (Digits::Version, at + 1);
    }
    if number::is_number(words.token(at)) {
        return number::class_and_end(words, at);
    }
    let class = ideographic(words, at).unwrap_or_else(|| companion(words, at));
    (class, at + 1)
}

/// The class of a word that belongs to a number: a month, a day of the week, a unit.
fn companion(words: &Words, at: usize) -> Digits {
    let (_, kinds) = lexicon::entry(words, at);
    let class = |at: usize| {
        let is_number = number::is_number(words.token(at));
        if is_number { number::class(words, at) } else { Digits::None }
    };
    if kinds.any(&[lexicon::MONTH, lexicon::WEEKDAY]) {
        let is_dated = (at.saturating_sub(2)..=at + 2).any(|at| class(at) == Digits::Volatile);
        return if is_dated { Digits::Volatile } else { Digits::None };
    }
    let is_unit = kinds.any(&[
        lexicon::UNIT,
        lexicon::TIME,
        lexicon::COUNTER,
        lexicon::CURRENCY,
        lexicon::CLOCK,
        lexicon::DATE,
    ]);
    at.checked_sub(1).filter(|_| is_unit).map_or(Digits::None, class)
}

/// Numerals that are ideographs: numbers in dates and behind 第, words elsewhere.
fn ideographic(words: &Words, at: usize) -> Option<Digits> {
    let is_numeral = |at: usize| {
        matches!(
            words.token(at),
            "〇" | "零"
                | "一"
                | "二"
                | "三"
                | "四"
                | "五"
                | "六"
                | "七"
                | "八"
                | "九"
                | "十"
                | "百"
                | "千"
        )
    };
    if !is_numeral(at) {
        return None;
    }
    let first = (at.saturating_sub(8)..at).rev().take_while(|&at| is_numeral(at)).last();
    let first = first.unwrap_or(at);
    let end = (at..at + 8).find(|&at| !is_numeral(at)).unwrap_or(at + 8);
    let ahead = first.checked_sub(1).map_or("", |at| words.token(at));
    match words.token(end) {
        _ if ahead == "第" => Some(Digits::Identifying),
        "年" if end - first >= 4 || matches!(ahead, "和" | "成" | "国" | "國") => {
            Some(Digits::Volatile)
        }
        "月" => Some(Digits::Volatile),
        "日" | "号" | "號" if ahead == "月" => Some(Digits::Volatile),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
