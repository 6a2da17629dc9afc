//! Identifiers of a product in visible text, after a label.
//!
//! Only short texts are read: an article that speaks of numbers is no label. The number may stand
//! in the next element. A page with more than a few different ones is a list and has none.
//!
//! Source: labels of shops in their languages, the project's own list.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::Facts;
use super::ids::{Pairs, numbers};
use super::number;

/// A text with more bytes than this is no label.
const TEXT_BYTES: usize = 400;

/// Characters between a label and its number.
const GAP: usize = 3;

/// Different numbers of one page; more are a list.
const NUMBERS_MAX: usize = 3;

/// Labels, lower-case.
const LABELS: &[&str] = &[
    "sku",
    "art. no",
    "art.no",
    "art no",
    "article no",
    "article number",
    "art.-nr",
    "art.nr",
    "art. nr",
    "art nr",
    "artikelnummer",
    "artikelnr",
    "artikel-nr",
    "artikel nr",
    "bestellnummer",
    "best.-nr",
    "артикул",
    "арт",
    "код товара",
    "mã sp",
    "mã sản phẩm",
    "mã hàng",
    "mã",
    "item no",
    "item number",
    "item #",
    "item#",
    "item code",
    "model no",
    "model number",
    "model #",
    "part no",
    "part number",
    "product code",
    "product no",
    "mpn",
    "ean",
    "gtin",
    "upc",
    "isbn-13",
    "isbn-10",
    "isbn",
    "ref",
    "référence",
    "réf",
    "referencia",
    "codice articolo",
    "cod. articolo",
    "kod produktu",
    "artikkelnummer",
    "varenummer",
    "ürün kodu",
    "品番",
    "型番",
    "型号",
    "货号",
    "貨號",
    "商品番号",
    "商品编号",
    "商品編號",
    "상품번호",
    "품번",
];

/// Labels that are words of other things too: a colon, a dot or a number sign must follow.
const WEAK: &[&str] = &["ref", "арт", "mã", "ean", "art no"];

/// The first two bytes of all labels.
static PAIRS: LazyLock<Pairs> = LazyLock::new(|| starts(LABELS.iter().copied()));

/// The pairs of bytes that words start with, in both cases.
pub(super) fn starts<'w>(words: impl Iterator<Item = &'w str>) -> Pairs {
    let pairs = words.enumerate().flat_map(|(number, word)| {
        let upper = word.to_uppercase();
        let mut pairs = Vec::new();
        for spelling in [word, &upper] {
            if let [first, second, ..] = spelling.as_bytes() {
                pairs.push((number, *first, *second));
            }
        }
        pairs
    });
    Pairs::of(pairs)
}

/// Reads the texts of a page in order.
#[derive(Default)]
pub(super) struct Labels {
    found: BTreeSet<String>,
    /// Characters that may still stand before the number of a label that ended the last text.
    due: Option<Due>,
}

#[derive(Clone, Copy)]
struct Due {
    gap: usize,
    is_weak: bool,
}

impl Labels {
    /// Reads one text.
    pub(super) fn text(&mut self, text: &str) {
        if text.len() > TEXT_BYTES || self.found.len() > NUMBERS_MAX {
            self.due = None;
            return;
        }
        if let Some(due) = self.due.take() {
            self.number(text, due);
        }
        let pairs: &Pairs = &PAIRS;
        let mut last = b' ';
        let mut before = b' ';
        for (at, byte) in text.bytes().enumerate() {
            let words = pairs.words(last, byte);
            if words != 0 && is_start(before, last) {
                self.candidate(text, at.saturating_sub(1), words);
            }
            before = last;
            last = byte;
        }
    }

    fn candidate(&mut self, text: &str, start: usize, words: u64) {
        let Some(rest) = text.get(start..) else { return };
        let labels = numbers(words).filter_map(|number| LABELS.get(number));
        let found = labels.filter_map(|label| Some((*label, without_label(rest, label)?)));
        let Some((label, after)) = found.max_by_key(|(label, _)| label.len()) else { return };
        let is_wide = rest.starts_with(is_wide);
        if !is_wide && after.starts_with(|sign: char| sign.is_alphanumeric()) {
            return;
        }
        self.number(after, Due { gap: GAP, is_weak: WEAK.contains(&label) });
    }

    /// Reads the number at the start of `text`, or waits for it where there is nothing else.
    fn number(&mut self, text: &str, mut due: Due) {
        let mut rest = text;
        while let Some(sign) = rest.chars().next() {
            if sign.is_alphanumeric() || due.gap == 0 {
                break;
            }
            // Line breaks between elements are the layout of the source.
            if !sign.is_whitespace() || sign == ' ' && rest.len() == text.len() {
                due.gap -= 1;
            }
            due.is_weak &= !matches!(sign, ':' | '.' | '#' | '№' | '：');
            rest = rest.strip_prefix(sign).unwrap_or_default();
        }
        if rest.is_empty() {
            self.due = Some(due);
            return;
        }
        let is_part = |sign: char| sign.is_alphanumeric() || matches!(sign, '-' | '_' | '/' | '.');
        let end = rest.find(|sign| !is_part(sign)).unwrap_or(rest.len());
        let token = rest.get(..end).unwrap_or_default();
        let token = token.trim_end_matches(|sign: char| !sign.is_alphanumeric());
        let has_digit = token.chars().any(|sign| sign.is_ascii_digit());
        let is_number = has_digit && token.starts_with(|sign: char| sign.is_ascii_alphanumeric());
        if is_number && !due.is_weak && (3..=40).contains(&token.len()) {
            let value = number::gtin(token).unwrap_or_else(|| token.to_uppercase());
            if !number::is_placeholder(&value) {
                self.found.insert(value);
            }
        }
    }

    /// Writes what was found, where it is not a list.
    pub(super) fn finish(self, facts: &mut Facts) {
        if self.found.len() <= NUMBERS_MAX {
            for value in &self.found {
                facts.push("product.labelled_id", value, "text");
            }
        }
    }
}

/// Whether a word can start with the byte `first` after the byte `before`. Scripts that write no
/// spaces start words anywhere.
pub(super) fn is_start(before: u8, first: u8) -> bool {
    first >= 0xE3 || !(before.is_ascii_alphanumeric() || before == b'_' || before >= 0x80)
}

/// Whether a sign is of a script that writes no spaces.
pub(super) fn is_wide(sign: char) -> bool {
    sign > '\u{2e80}'
}

/// What follows `label` at the start of `text`, whatever the case.
pub(super) fn without_label<'t>(text: &'t str, label: &str) -> Option<&'t str> {
    let pairs = || text.bytes().zip(label.bytes());
    let is_ascii = |(sign, wanted): &(u8, u8)| sign.is_ascii() && wanted.is_ascii();
    let is_same =
        |(sign, wanted): &(u8, u8)| sign == wanted || sign.to_ascii_lowercase() == *wanted;
    // Most texts differ in a letter or two.
    let same = pairs().take_while(is_ascii).take_while(is_same).count();
    if pairs().nth(same).is_some_and(|pair| is_ascii(&pair)) {
        return None;
    }
    let mut rest = text.get(same..)?.chars();
    for wanted in label.get(same..)?.chars() {
        let sign = rest.next()?;
        let is_same = sign == wanted
            || (wanted == ' ' && sign == '\u{a0}')
            || sign.to_lowercase().eq(std::iter::once(wanted));
        if !is_same {
            return None;
        }
    }
    Some(rest.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[&str]) -> Vec<String> {
        let mut labels = Labels::default();
        for text in texts {
            labels.text(text);
        }
        let mut facts = Facts::default();
        labels.finish(&mut facts);
        facts.finish().into_iter().map(|fact| fact.value).collect()
    }

    #[test]
    fn labels_of_many_languages_are_read() {
        let cases: &[(&[&str], &str)] = &[
            (&["SKU: AB-1234"], "AB-1234"),
            (&["In stock | sku 99812x"], "99812X"),
            (&["Art.-Nr.: 4711.08"], "4711.08"),
            (&["Artikelnummer:", " \n ", "200-331"], "200-331"),
            (&["Артикул: 55-А12"], "55-А12"),
            (&["АРТ. 10293"], "10293"),
            (&["Mã SP: VN0823"], "VN0823"),
            (&["Mã: VN0823"], "VN0823"),
            (&["Item #", "88123"], "88123"),
            (&["Réf. : B0-77"], "B0-77"),
            (&["ISBN 978-3-16-148410-0"], "9783161484100"),
            (&["商品番号：ab-0091"], "AB-0091"),
            (&["新品货号：ZX9001，包邮"], "ZX9001"),
            (&["品番", "1290-33"], "1290-33"),
            (&["상품번호: 8812345"], "8812345"),
            (&["Codice articolo: 77A"], "77A"),
        ];
        for (texts, expected) in cases {
            assert_eq!(found(texts), [*expected], "{texts:?}");
        }
    }

    #[test]
    fn every_label_has_its_bit() {
        assert!(LABELS.len() <= 64);
    }

    #[test]
    fn text_that_is_no_label_gives_nothing() {
        let long = format!("{} SKU: AB-1234", "word ".repeat(100));
        let cases: &[&[&str]] = &[
            &["SKU:", "none"],
            &["skunk 12345"],
            &["SKU ----- 12345"],
            &["ref 2024 of the match"],
            &["Ean 12345"],
            &["pref. 12345"],
            &["SKU: 12345"],
            &["SKU: 1 234"],
            &[&long],
            &["SKU: A1X", "SKU: A2X", "SKU: A3X", "SKU: A4X", "SKU: A5X"],
            &["SKU:", "Colour", "991823"],
        ];
        for texts in cases {
            assert_eq!(found(texts), Vec::<&str>::new(), "{texts:?}");
        }
    }
}
