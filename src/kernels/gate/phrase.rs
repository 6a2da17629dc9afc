//! The words of refused pages, in about forty languages, and their matcher.
//!
//! For [`super::judge()`]: how much of a heading or a sentence is made of the words in which a
//! server says that there is nothing, that one must sign in, and so on. Not for long texts: whoever
//! writes about such pages uses the same words.
//!
//! The lexicon holds short pieces, not whole messages: `Core` pieces of one class, and `Side`
//! pieces that stand beside them in any class ("the", "sorry", "page"). A text says the class when
//! nearly all of its letters belong to pieces and a core is among them. A `Text` piece is so
//! particular that it says the class by itself in a short page.
//!
//! `|` separates pieces, `*` at an end lets a word go on there. Pieces are folded as the text is:
//! compatibility forms, case, accents and points, alef and yeh forms, digits of any script,
//! apostrophes and all other marks do not count, nor do spaces beside letters of scripts that are
//! written without them (and Hangul, where writers differ).
//!
//! Source: written for this project. Cost: linear in the text.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use icu_normalizer::DecomposingNormalizerBorrowed;

use super::Gate;

mod closed;
mod login;
mod missing;
mod side;

/// All rows of the lexicon.
const TABLES: [&[(Kind, &str)]; 4] = [side::TABLE, missing::TABLE, login::TABLE, closed::TABLE];

/// What a piece of the lexicon says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Fits beside any core.
    Side,
    /// Somebody explains or asks; refusals do not.
    About,
    /// A heading that is nothing else says the class.
    Core(Gate),
    /// As `Core`, but only of a page with hardly any text.
    Weak(Gate),
    /// Says the class wherever it stands in a short page.
    Text(Gate),
}

/// Digit zero of the scripts whose digits are read.
const ZEROS: [u32; 8] = [0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0x17e0, 0xff10];

/// A text made comparable: words between single spaces, with one before and one behind.
#[derive(Debug, Default)]
pub(super) struct Folded {
    text: String,
    /// See [`words`].
    words: i64,
}

/// How many letters of an unspaced script make a word; 0 for scripts with spaces.
///
/// Source: usual lengths of words in running text, rounded.
const fn word_letters(letter: char) -> i64 {
    match letter {
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' => 5,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => 2,
        '\u{20000}'..='\u{323af}' => 2,
        _ => 0,
    }
}

/// Whether spaces beside the decomposed letter do not count.
const fn is_unspaced(letter: char) -> bool {
    word_letters(letter) > 0 || matches!(letter, '\u{1100}'..='\u{11ff}')
}

/// The words of a text, but no more than `most`.
///
/// Cost: linear in the part that holds them.
pub(super) fn words(text: &str, most: i64) -> i64 {
    let (mut spaced, mut short, mut long, mut is_inside) = (0, 0, 0, false);
    for letter in text.chars() {
        let length = word_letters(letter);
        let is_plain = length == 0 && is_word(letter);
        match length {
            0 if is_plain && !is_inside => spaced += 1,
            2 => short += 1,
            5 => long += 1,
            _ => {}
        }
        is_inside = is_plain || is_inside && is_dropped(letter);
        if spaced + short / 2 + long / 5 >= most {
            return most;
        }
    }
    spaced + short / 2 + long / 5
}

/// Whether the mark of a decomposed letter does not count.
const fn is_dropped(letter: char) -> bool {
    matches!(letter,
        '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{640}'
        | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6ed}' | '\u{93c}' | '\u{9bc}'
        | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{feff}' | '\'' | '\u{2019}' | '\u{2018}'
        | '`' | '\u{2bc}' | '\u{2b9}' | '\u{5f3}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}')
}

/// Whether the character is part of a word. Names such as `runtime_error` are no phrases.
fn is_word(letter: char) -> bool {
    match letter {
        '_' => true,
        '\u{964}' | '\u{965}' | '\u{e2f}' | '\u{e5a}' | '\u{e5b}' => false,
        '\u{17d4}'..='\u{17da}' => false,
        '\u{900}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' => true,
        '\u{3099}' | '\u{309a}' => true,
        _ => letter.is_alphanumeric(),
    }
}

/// The character that stands for all its forms.
fn plain(letter: char) -> char {
    let code = u32::from(letter);
    for zero in ZEROS {
        if let Some(digit) = code.checked_sub(zero).filter(|digit| *digit < 10) {
            return char::from_digit(digit, 10).unwrap_or(letter);
        }
    }
    match letter {
        'ς' => 'σ',
        'ı' => 'i',
        'đ' => 'd',
        'ł' => 'l',
        'ø' => 'o',
        'ħ' => 'h',
        '\u{671}' => '\u{627}',
        '\u{649}' | '\u{6cc}' => '\u{64a}',
        '\u{6a9}' => '\u{643}',
        '\u{629}' | '\u{6c1}' | '\u{6c0}' => '\u{647}',
        other => other,
    }
}

impl Folded {
    /// The text made comparable.
    pub(super) fn new(text: &str) -> Folded {
        let mut folded =
            Folded { text: String::with_capacity(text.len() + 2), words: words(text, i64::MAX) };
        folded.text.push(' ');
        let decompose = DecomposingNormalizerBorrowed::new_nfkd();
        let mut state = State::default();
        for letter in decompose.normalize_iter(text.chars()).flat_map(char::to_lowercase) {
            let (first, second) = match letter {
                'æ' => ('a', Some('e')),
                'œ' => ('o', Some('e')),
                'ß' => ('s', Some('s')),
                other => (other, None),
            };
            state.push(&mut folded.text, first);
            second.into_iter().for_each(|second| state.push(&mut folded.text, second));
        }
        if !folded.text.ends_with(' ') {
            folded.text.push(' ');
        }
        folded
    }

    /// The words.
    pub(super) fn words(&self) -> i64 {
        self.words
    }

    /// The folded text, with a space at both ends.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether there is no word.
    pub(super) fn is_empty(&self) -> bool {
        self.text.len() < 2
    }
}

/// Where the folding of a text stands.
#[derive(Default)]
struct State {
    is_space: bool,
    is_unspaced: bool,
}

impl State {
    /// Takes the next decomposed character.
    fn push(&mut self, text: &mut String, letter: char) {
        if is_dropped(letter) {
            return;
        }
        if !is_word(letter) {
            self.is_space = true;
            return;
        }
        let letter = plain(letter);
        let is_unspaced = is_unspaced(letter);
        let is_first = text.len() < 2;
        if !is_first && (self.is_unspaced != is_unspaced || self.is_space && !is_unspaced) {
            text.push(' ');
        }
        self.is_unspaced = is_unspaced;
        self.is_space = false;
        text.push(letter);
    }
}

/// What a text is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// The class of the first particular piece.
    pub(super) text: Option<Gate>,
    /// The class of the longest core.
    pub(super) core: Option<Gate>,
    /// The class of the longest weak core.
    pub(super) weak: Option<Gate>,
    /// Whether somebody explains or asks.
    pub(super) is_about: bool,
    /// Letters of words, and how many of them belong to pieces.
    pub(super) letters: usize,
    /// See `letters`.
    pub(super) covered: usize,
}

impl Found {
    /// Whether at least half of the letters belong to pieces, and nobody explains.
    pub(super) const fn is_half(&self) -> bool {
        !self.is_about && self.covered * 2 >= self.letters
    }

    /// Whether at least three quarters of the letters belong to pieces, and nobody explains.
    pub(super) const fn is_whole(&self) -> bool {
        !self.is_about && self.covered * 4 >= self.letters * 3
    }
}

/// A piece as it is searched.
struct Piece {
    kind: Kind,
    is_open: bool,
}

/// The lexicon, ready to search; no search where it cannot be built.
struct Lexicon {
    search: Option<AhoCorasick>,
    pieces: Vec<Piece>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::new);

impl Lexicon {
    fn new() -> Lexicon {
        let (mut patterns, mut pieces) = (Vec::new(), Vec::new());
        for (kind, line) in TABLES.into_iter().flatten() {
            for piece in line.split('|') {
                let (pattern, is_open) = pattern(piece, matches!(kind, Kind::Text(_)));
                if !pattern.trim().is_empty() {
                    patterns.push(pattern);
                    pieces.push(Piece { kind: *kind, is_open });
                }
            }
        }
        Lexicon { search: AhoCorasick::new(&patterns).ok(), pieces }
    }
}

/// A piece of the table as it is searched: a space at an end that must be the end of a word.
fn pattern(piece: &str, is_text: bool) -> (String, bool) {
    let piece = piece.trim();
    let folded = Folded::new(piece.trim_matches('*'));
    let core = folded.text().trim();
    let is_unspaced = |letter: Option<char>| letter.is_some_and(is_unspaced);
    let is_front = !piece.starts_with('*') && !is_unspaced(core.chars().next());
    let is_open = (is_text || piece.ends_with('*')) && !is_unspaced(core.chars().last());
    let is_back = !is_open && !is_unspaced(core.chars().last());
    let space = |is: bool| if is { " " } else { "" };
    (format!("{}{core}{}", space(is_front), space(is_back)), is_open)
}

/// What the text is made of.
///
/// Cost: linear in the text; a place belongs to few pieces.
pub(super) fn find(folded: &Folded) -> Found {
    let text = folded.text();
    let mut found = Found { letters: letters(text.as_bytes()), ..Found::default() };
    let lexicon = &*LEXICON;
    let Some(search) = &lexicon.search else {
        return found;
    };
    let mut spans: Vec<(usize, usize)> = Vec::new();
    let (mut core, mut weak) = (0, 0);
    for hit in search.find_overlapping_iter(text) {
        let Some(piece) = lexicon.pieces.get(hit.pattern().as_usize()) else {
            continue;
        };
        let end = if piece.is_open { word_end(text, hit.end()) } else { hit.end() };
        spans.push((hit.start(), end));
        let length = hit.end() - hit.start();
        match piece.kind {
            Kind::Side => {}
            Kind::About => found.is_about = true,
            Kind::Text(gate) => {
                found.text = found.text.or(Some(gate));
                if length > core {
                    (core, found.core) = (length, Some(gate));
                }
            }
            Kind::Core(gate) if length > core => (core, found.core) = (length, Some(gate)),
            Kind::Weak(gate) if length > weak => (weak, found.weak) = (length, Some(gate)),
            Kind::Core(_) | Kind::Weak(_) => {}
        }
    }
    found.covered = covered(text, &mut spans);
    found
}

/// Where the word that goes on at `from` ends.
fn word_end(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let mut letters = rest.char_indices();
    let end = letters.find(|(_, letter)| *letter == ' ' || is_unspaced(*letter));
    end.map_or(text.len(), |(at, _)| from + at)
}

/// Letters in UTF-8, without spaces.
fn letters(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte != b' ' && **byte & 0xC0 != 0x80).count()
}

/// Letters of words inside the spans.
fn covered(text: &str, spans: &mut [(usize, usize)]) -> usize {
    spans.sort_unstable();
    let (mut count, mut done) = (0, 0);
    for &(start, end) in &*spans {
        let start = start.max(done);
        if let Some(part) = text.as_bytes().get(start..end) {
            count += letters(part);
            done = end;
        }
    }
    count
}

/// The pieces of [`super::MARKS`], ready to search.
static MARKS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let pieces = super::MARKS.iter().map(|(_, piece, _)| piece);
    AhoCorasick::builder().ascii_case_insensitive(true).build(pieces).ok()
});

/// The bytes of the shortest mark: most names on a page have fewer.
static MARK_BYTES_MIN: LazyLock<usize> =
    LazyLock::new(|| super::MARKS.iter().map(|(_, piece, _)| piece.len()).min().unwrap_or(0));

/// The index of the first mark in the value.
pub(super) fn find_mark(value: &str) -> Option<usize> {
    if value.len() < *MARK_BYTES_MIN {
        return None;
    }
    let hit = MARKS.as_ref()?.find(value)?;
    Some(hit.pattern().as_usize())
}
