//! The words in which two texts differ, with what stands around them.

use std::fmt;

use serde::Serialize;

use super::super::print::word;
use crate::kernels::difference::{Words, difference};
use crate::kernels::text::{Rules, Text};

/// Places that are shown.
const SHOWN: usize = 20;

/// Most words of both texts that stand in one of them alone; texts that differ in more, or in half
/// of their words, are too far apart for their words to say anything.
const WORDS_MAX: usize = 1000;

/// Words before and after a place.
const CONTEXT: usize = 2;

/// Characters of each side that people are shown.
const CHARACTERS: usize = 60;

/// Where two texts differ.
#[derive(Debug, Default, Serialize)]
pub(in crate::cli) struct Differing {
    /// Places that differ; NULL when more than half of the words, or more than 1,000, stand in one
    /// text alone.
    pub(in crate::cli) places: Option<usize>,
    /// The first of them.
    pub(in crate::cli) words: Vec<Hunk>,
}

/// A place where two texts differ: words, or signs between words.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(in crate::cli) struct Hunk {
    before: String,
    left: String,
    right: String,
    after: String,
}

impl fmt::Display for Hunk {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [before, after] = [&self.before, &self.after].map(|text| cut(text));
        let [left, right] = [&self.left, &self.right].map(|text| match cut(text) {
            text if text.is_empty() => "nothing".to_owned(),
            text => format!("[{text}]"),
        });
        write!(out, "{}", format!("{before} {left} -> {right} {after}").trim())
    }
}

/// A text on one line, and not much of it.
fn cut(text: &str) -> String {
    let mut shown: String = text.chars().take(CHARACTERS).collect();
    if shown.len() < text.len() {
        shown.push_str("...");
    }
    word(&shown)
}

/// Where two texts differ, cut into words by `rules`.
pub(in crate::cli) fn differing(rules: Rules, left: &str, right: &str) -> Differing {
    let [left, right] = [left, right].map(|text| words(rules, text));
    let Some(found) = difference(&left, &right, WORDS_MAX) else { return Differing::default() };
    let alone = found.hunks.iter().map(|hunk| hunk.left.len() + hunk.right.len()).sum::<usize>();
    if alone * 2 > left.len() + right.len() {
        return Differing::default();
    }
    let mut places: Vec<(usize, Hunk)> = Vec::new();
    for hunk in &found.hunks {
        places.push((
            hunk.left.start,
            Hunk {
                before: before(&left, hunk.left.start),
                left: left.run(hunk.left.clone()).to_owned(),
                right: right.run(hunk.right.clone()).to_owned(),
                after: after(&left, hunk.left.end),
            },
        ));
    }
    for &(at, other) in &found.gaps {
        places.push((
            at,
            Hunk {
                before: before(&left, at),
                left: left.gap(at).trim().to_owned(),
                right: right.gap(other).trim().to_owned(),
                after: after(&left, at),
            },
        ));
    }
    places.sort_by_key(|(at, _)| *at);
    let count = places.len();
    let shown = places.into_iter().take(SHOWN).map(|(_, hunk)| hunk).collect();
    Differing { places: Some(count), words: shown }
}

fn words(rules: Rules, text: &str) -> Words {
    let mut normalised = Text::new();
    normalised.normalise(rules, text);
    let mut words = Words::new();
    words.read(&normalised);
    words
}

/// The words before token `at`.
fn before(words: &Words, at: usize) -> String {
    words.run(at.saturating_sub(CONTEXT)..at).to_owned()
}

/// Token `at` and what follows.
fn after(words: &Words, at: usize) -> String {
    words.run(at..words.len().min(at + CONTEXT)).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(left: &str, right: &str) -> Vec<String> {
        differing(Rules::V3, left, right).words.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn words_stand_between_what_is_shared() {
        assert_eq!(
            shown("The road 1506 to the sea is open", "The road 1507 to the sea is not open"),
            ["the road [1506] -> [1507] to the", "sea is nothing -> [not] open"]
        );
        assert_eq!(shown("if a == b then", "if a != b then"), ["if a [==] -> [!=] b then"]);
        assert_eq!(shown("One tale", "one  TALE"), Vec::<String>::new());
    }

    #[test]
    fn far_texts_have_no_words() {
        let far: String = (0..2000).map(|number| format!("x{number} ")).collect();
        let found = differing(Rules::V3, "only this", &far);
        assert_eq!((found.places, found.words.len()), (None, 0));
        let odd: String = (0..60).map(|number| format!("x{number} same ")).collect();
        let even: String = (0..60).map(|number| format!("y{number} same ")).collect();
        let found = differing(Rules::V3, &odd, &even);
        assert_eq!((found.places, found.words.len()), (Some(60), 20));
    }

    #[test]
    fn what_is_shown_is_short_and_safe() {
        let hunk = Hunk {
            before: "a\u{202e}".to_owned(),
            left: "b".repeat(70),
            right: String::new(),
            after: String::new(),
        };
        assert_eq!(hunk.to_string(), format!("a\\u{{202e}} [{}...] -> nothing", "b".repeat(60)));
    }
}
