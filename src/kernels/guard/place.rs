//! Numbers that a document gives to its own parts: footnotes, and the number before a heading.
//!
//! Another edition, or one more footnote ahead, numbers the same parts otherwise, so such a number
//! says nothing of what the document is about.
//!
//! Not for articles of laws or for chapters that are named by their number alone: those identify.
//!
//! Source: written for this project. Cost: constant.

use super::super::difference::Words;
use super::lexicon::{self, NAMING, NUMBERED};
use super::number;

/// Letters of the shortest word that is no variable of a program: `a[1]` is an index.
const LETTERS_MIN: usize = 3;

/// "as was said[12].", "[12] See there": a number alone in square brackets, where no program
/// would have it.
pub(super) fn is_footnote(words: &Words, at: usize) -> bool {
    let (ahead, behind) = (words.gap(at), words.gap(at + 1));
    let is_end = |c: char| {
        matches!(c, ']' | '[' | '.' | ',' | ';' | ':' | ')' | '!' | '?' | '"' | '”' | '»' | '’')
            || matches!(c, '。' | '、' | '，' | '；' | '：' | '）' | '」')
    };
    // "a[12].next" goes on without a space.
    let goes_on = at + 1 < words.len() && words.token(at + 1).is_ascii() && behind.is_ascii();
    let is_apart = !goes_on || behind.contains(char::is_whitespace);
    let is_closed =
        behind.starts_with(']') && behind.chars().take_while(|c| !c.is_whitespace()).all(is_end);
    is_closed
        && is_apart
        && ahead.ends_with('[')
        && (ahead != "[" || at == 0 || is_word(words.token(at - 1)))
}

/// Whether brackets may follow a token without a space: a word of a sentence, not of a program.
fn is_word(token: &str) -> bool {
    let letters = token.chars().filter(|c| c.is_alphabetic()).count();
    let is_long = letters >= LETTERS_MIN || letters > 0 && !token.is_ascii();
    is_long && !token.contains('_')
}

/// "5.4. Building it", "Chapter 25. Boost": a number that opens a text or a title and has its
/// name behind. A single number needs the word for what it numbers, else it is an ordinal.
pub(super) fn opens(words: &Words, start: usize, end: usize, is_dotted: bool) -> bool {
    let is_named = words.gap(end).starts_with(". ")
        && end < words.len()
        && !number::is_number(words.token(end));
    let kinds = lexicon::entry(words, 0).1;
    let is_told = start == 1 && kinds.has(NUMBERED) && words.gap(1) == " ";
    let is_alone = start == 0 && is_dotted && !kinds.has(NAMING);
    is_named && (is_told || is_alone)
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
    fn footnotes_stand_in_brackets_behind_words() {
        for (text, wanted) in [
            ("as was said[12].", true),
            ("as was said [12]. For", true),
            ("the package exim4[12] for", true),
            ("[12] see there", true),
            ("说过[12]。", true),
            ("said[11][12], and", true),
            ("a[12] = b", false),
            ("a[12] there", false),
            ("f_x[12] there", false),
            ("list[12].next", false),
            ("list[12]->next", false),
            ("(12) there", false),
            ("m[3:12] there", false),
        ] {
            let words = words(text);
            let at = (0..words.len()).find(|&at| words.token(at) == "12").unwrap();
            assert_eq!(is_footnote(&words, at), wanted, "{text}");
        }
    }
}
