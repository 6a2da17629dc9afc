//! Text: a string becomes its normalised form and the places of its tokens.
//!
//! Normalised text is what the text digest is taken of: NFC, full case fold, NFC again,
//! zero-width characters removed, runs of white space as one space, ends trimmed. Every other
//! character stays: punctuation, diacritics, digits, currency signs. Spellings that Unicode
//! calls canonically equivalent give one form, and a normalised text is its own normal form.
//! A token is a maximal run of word characters in the normalised text; scripts that are
//! written without spaces give one token a code point.
//!
//! Not for display, for stemming, or for finding words a reader would count: there are no
//! dictionaries, stop words or grapheme clusters here.
//!
//! Source: Unicode Standard Annex 15 (normal forms) and section 3.13 (case folding); the
//! properties come from the ICU4X data this build is linked with, which a test pins. Bit masks
//! of 64 bytes after G. Langdale and D. Lemire, "Parsing gigabytes of JSON per second", 2019.
//!
//! Cost: one pass, 64 bytes at a time. A non-ASCII character costs one look-up in a two-stage
//! table; characters that may compose, reorder or fold to several are normalised in a small
//! segment around them. Bench: `kernels`, lines `normalise` and `tokens`.

mod normalise;
mod spelling;
mod table;

use super::simd::{self, EDGES, Isa, Kernel};
use normalise::Normalise;
use table::Table;
pub use table::{SCRIPT_OTHER, script_name};

/// How a text is normalised and cut into tokens. A published variant never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rules {
    /// Normalised text. Word characters are those with the property Alphabetic, marks (Mn, Mc,
    /// Me), numbers (Nd, Nl, No) and the underscore; apostrophes, full stops, commas and
    /// hyphens separate. One token a code point in Han, Hiragana, Katakana (with U+30FC and
    /// the half-width forms), Thai, Lao, Khmer and Myanmar.
    V1,
    /// As `V1`, and one token a code point in Tibetan, Javanese, Balinese, Tai Tham, New Tai
    /// Lue, Tai Le, Tai Viet, Yi and Bopomofo.
    V2,
    /// As `V2`, over text in ordinary spelling: before all else, full-width, half-width, Arabic
    /// and Hebrew presentation forms become ordinary letters and decimal digits ASCII digits;
    /// default-ignorable characters, tatweel, Arabic short vowels (U+064B to U+0652, U+0670) and
    /// Hebrew points and accents are removed. Other diacritics and compatibility forms stay.
    V3,
    /// The comparison tokeniser: Python's `re.findall(r'\w+', text.lower())`. No folding, no
    /// normal form, zero-width characters kept. The text digest is taken of the lower-cased
    /// text with white space folded and ends trimmed.
    Word,
}

/// A script's bit is set when it has at least one letter in this many of the text's letters.
pub const SCRIPT_SHARE: u64 = 10;

/// Zero bytes behind a normalised text, so that a block of 64 and a token's 16 bytes can be read.
const PADDING: usize = 96;

/// Bytes that two blocks take: what one step may write.
const STEP: usize = 128;

/// Widens a bit or table position, which is small, to an index.
#[expect(clippy::as_conversions, reason = "usize has at least 32 bits wherever this is built")]
#[inline(always)]
pub(super) const fn index(position: u32) -> usize {
    position as usize
}

/// What 64 bytes of a normalised text are, one bit a byte, the first byte lowest.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    /// Bytes of word characters.
    word: u64,
    /// Bytes before which a token ends, word character or not.
    cut: u64,
}

impl Marks {
    /// The bytes where tokens start and those before which tokens end, and whether the last byte
    /// leaves a token open; `is_open` is that of the 64 bytes before.
    #[inline(always)]
    fn edges(self, is_open: u64) -> (u64, u64, u64) {
        let before = self.word << 1 | is_open;
        let starts = self.word & (!before | self.cut);
        let ends = before & (!self.word | self.cut);
        (starts, ends, self.word >> 63)
    }
}

/// A normalised text and the buffers to make the next one; reused, it stops allocating.
#[derive(Debug, Default)]
pub struct Text {
    /// The text, then at least `PADDING` zero bytes, then leftovers.
    bytes: Vec<u8>,
    len: usize,
    /// Those of the text and, without a bit, those of 64 bytes behind it; then leftovers.
    marks: Vec<Marks>,
    /// 1 when the last byte is of a character that is a token of its own.
    is_solo: u64,
    letters: Letters,
    segment: String,
}

impl Text {
    /// An empty text. Allocates nothing until the first `normalise`.
    pub fn new() -> Self {
        Text::default()
    }

    /// The normalised text as bytes: valid UTF-8, empty for a text of white space.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// The normalised text as a string. Cost: one validation of the bytes.
    pub fn as_str(&self) -> &str {
        str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// Letters of the normalised text by script.
    pub fn letters(&self) -> &Letters {
        &self.letters
    }

    /// Replaces the content by the normalised form of `text` under `rules`, with its tokens.
    ///
    /// Cost: linear in the bytes of `text`; a run of combining marks is sorted.
    pub fn normalise(&mut self, rules: Rules, text: &str) {
        self.clear();
        simd::dispatch(Normalise { table: Table::of(rules), rules, text, out: self });
        self.close();
    }

    fn clear(&mut self) {
        self.len = 0;
        self.is_solo = 0;
        self.letters = Letters::default();
        self.reserve(STEP);
        self.marks[0] = Marks::default();
    }

    /// Trims the end and writes the padding.
    fn close(&mut self) {
        if self.as_bytes().last() == Some(&b' ') {
            self.len -= 1;
        }
        self.reserve(0);
        let end = self.len + PADDING;
        self.bytes[self.len..end].fill(0);
    }

    /// Makes room for `more` bytes, the padding and their marks.
    #[inline(always)]
    fn reserve(&mut self, more: usize) {
        if self.bytes.len() < self.len + more + PADDING {
            self.grow(self.len + more + PADDING);
        }
    }

    #[cold]
    fn grow(&mut self, wanted: usize) {
        let wanted = wanted + wanted / 2;
        self.bytes.resize(wanted, 0);
        self.marks.resize(wanted / 64 + 2, Marks::default());
    }

    /// Sets the marks of the next `count` bytes, 1 to 64, and moves the end behind them. `solo`
    /// has the bytes of characters that are tokens of their own, `lead` the first ones of those.
    #[inline(always)]
    fn mark(&mut self, count: usize, word: u64, solo: u64, lead: u64) {
        let behind = (solo << 1 | self.is_solo) & !solo;
        let cut = (behind | solo & lead) & u64::MAX >> (64 - count);
        self.is_solo = solo >> (count - 1) & 1;
        let (at, shift) = (self.len / 64, self.len % 64);
        let [first, second, ..] = &mut self.marks[at..] else { return };
        first.word |= word << shift;
        first.cut |= cut << shift;
        *second = Marks { word: (word >> 1) >> (63 - shift), cut: (cut >> 1) >> (63 - shift) };
        self.len += count;
    }

    /// True when white space would add nothing: at the start and behind a space.
    #[inline(always)]
    fn is_closed(&self) -> bool {
        self.len == 0 || self.bytes[self.len - 1] == b' '
    }

    /// Calls `token` with the start and end byte of every token, in order.
    ///
    /// Cost: one step a token, no allocation.
    pub fn tokens(&self, mut token: impl FnMut(usize, usize)) {
        let (mut open, mut is_open) = (0, 0);
        for (marks, base) in self.marks.iter().zip((0..=self.len).step_by(64)) {
            let (mut starts, mut ends, carry) = marks.edges(is_open);
            let place = |bits: u64| base + index(bits.trailing_zeros());
            while starts | ends != 0 {
                if ends != 0 && (starts == 0 || ends.trailing_zeros() <= starts.trailing_zeros()) {
                    token(open, place(ends));
                    ends &= ends - 1;
                } else {
                    open = place(starts);
                    starts &= starts - 1;
                }
            }
            is_open = carry;
        }
    }

    /// Calls `group` with some bytes of the text and, for the next tokens, where each starts and
    /// ends in them. A token that reaches over the end of a group comes in the next one; there are
    /// 16 readable bytes from every start.
    ///
    /// Cost: `Isa::edges` for every 64 bytes.
    pub(super) fn token_groups(
        &self,
        edges: &mut Vec<u32>,
        mut group: impl FnMut(&[u8], &[[u32; 2]]),
    ) {
        edges.resize(GROUP * 128 + EDGES, 0);
        // Where the token starts that the group before left open.
        let mut open = None;
        let marks = &self.marks[..self.len / 64 + 1];
        for (marks, base) in marks.chunks(GROUP).zip((0..).step_by(GROUP * 64)) {
            let window = open.unwrap_or(base);
            let count = simd::dispatch(Edges { marks, shift: base - window, edges });
            let (tokens, rest) = edges[..count].as_chunks::<2>();
            group(&self.bytes[window..], tokens);
            open = rest.first().map(|&start| window + index(start));
        }
    }
}

/// Blocks of 64 bytes in a group of tokens: their edges stay in the first cache.
const GROUP: usize = 64;

/// Writes the edges of the tokens that `marks` have, their first byte being number `shift`; a
/// shift above 0 says that a token is open from byte 0 on.
struct Edges<'t> {
    marks: &'t [Marks],
    shift: usize,
    edges: &'t mut [u32],
}

impl Kernel for Edges<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> usize {
        let Edges { marks, shift, edges } = self;
        edges[0] = 0;
        let (mut count, mut is_open) = if shift > 0 { (1, 1) } else { (0, 0) };
        let mut base = u32::try_from(shift).unwrap_or(u32::MAX);
        for marks in marks {
            let (starts, ends, carry) = marks.edges(is_open);
            let Some(room) = edges[count..].first_chunk_mut() else { return count };
            count += isa.edges(starts, ends, base, room);
            base = base.wrapping_add(64);
            is_open = carry;
        }
        count
    }
}

/// Letters of a text by script.
#[derive(Clone, Debug)]
pub struct Letters {
    /// Index 0 collects what is no letter of a script; index `i + 1` is bit `i` of the mask.
    counts: [u32; 64],
}

impl Default for Letters {
    fn default() -> Self {
        Letters { counts: [0; 64] }
    }
}

impl Letters {
    /// The mask of scripts: a bit is set when its script has at least a tenth of the letters,
    /// so that a stray Greek letter does not make a text Greek. 0 for a text without letters.
    pub fn scripts(&self) -> u64 {
        let letters = self.counts.get(1..).unwrap_or_default();
        let total: u64 = letters.iter().map(|&count| u64::from(count)).sum();
        let mut scripts = 0;
        for (&count, bit) in letters.iter().zip(0..) {
            if count > 0 && u64::from(count) * SCRIPT_SHARE >= total {
                scripts |= 1_u64 << bit;
            }
        }
        scripts
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use xxhash_rust::xxh3::xxh3_64;

    use icu_casemap::CaseMapper;
    use icu_normalizer::ComposingNormalizer;

    use super::table::{DROP, Facts, MARK, SLOW, SOLO, SPACE, WORD};
    use super::*;

    fn normal(rules: Rules, text: &str) -> String {
        let mut out = Text::new();
        // Leftovers of a longer text must not show.
        out.normalise(rules, "leftover LEFTOVER \u{4E00} leftover");
        out.normalise(rules, text);
        out.as_str().to_owned()
    }

    fn tokens(rules: Rules, text: &str) -> Vec<String> {
        let mut out = Text::new();
        out.normalise(rules, text);
        let mut tokens = Vec::new();
        out.tokens(|start, end| {
            tokens.push(out.as_str()[start..end].to_owned());
        });
        tokens
    }

    fn scripts(text: &str) -> Vec<&'static str> {
        let mut out = Text::new();
        out.normalise(Rules::V1, text);
        let scripts = out.letters().scripts();
        (0..64).filter(|bit| scripts >> bit & 1 == 1).map(|bit| script_name(bit).unwrap()).collect()
    }

    fn facts(rules: Rules) -> &'static Facts {
        &Table::of(rules).facts
    }

    /// The definition, over the whole text at once.
    fn by_definition(rules: Rules, text: &str) -> String {
        let folded = if rules == Rules::Word {
            // The standard library's Unicode version lags by a few capitals.
            let lower = CaseMapper::new();
            text.to_lowercase().chars().map(|c| lower.simple_lowercase(c)).collect()
        } else {
            let (facts, mut spelled) = (facts(rules), String::new());
            text.chars().for_each(|c| facts.spell(c, &mut spelled));
            let nfc = ComposingNormalizer::new_nfc();
            nfc.normalize(&CaseMapper::new().fold_string(&nfc.normalize(&spelled))).into_owned()
        };
        folded
            .split(char::is_whitespace)
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn tokens_by_definition(rules: Rules, text: &str) -> Vec<String> {
        let facts = facts(rules);
        let (mut tokens, mut open) = (Vec::new(), false);
        for c in by_definition(rules, text).chars() {
            let class = facts.word(c);
            match class & (WORD | SOLO) {
                0 => open = false,
                WORD if open => tokens.last_mut().map(|token: &mut String| token.push(c)).unwrap(),
                _ => {
                    tokens.push(c.to_string());
                    open = class & SOLO == 0;
                }
            }
        }
        tokens
    }

    #[test]
    fn unicode_data_is_that_of_the_published_versions() {
        // A change here is a new method version: results of old texts would differ.
        let digest = |rules| {
            let facts = Facts::new(rules);
            let bytes = (0..=0x10_FFFF).flat_map(|code| facts.entry(code).to_le_bytes());
            xxh3_64(&bytes.collect::<Vec<u8>>())
        };
        let found = [Rules::V1, Rules::V2, Rules::Word, Rules::V3].map(digest);
        // ICU4X 2.4.
        let wanted =
            [15677744027351630076, 6447086993546271706, 14969925315673017380, 15658628887051102044];
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_fold_never_begins_with_what_may_join() {
        // So a segment can end before any character without flags, whatever it folds to.
        for rules in [Rules::V1, Rules::V3] {
            let facts = facts(rules);
            for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
                if facts.entry(u32::from(c)) & (SLOW | MARK | DROP | SPACE) == 0 {
                    let mut spelled = String::new();
                    facts.spell(c, &mut spelled);
                    let folded = facts.fold.fold_string(&spelled).into_owned();
                    let first = folded.chars().next().unwrap();
                    assert!(!facts.may_compose(first), "{c}");
                    assert_eq!(facts.combining.get_u8(first), 0, "{c}");
                }
            }
        }
    }

    #[test]
    fn spellings_of_one_text_are_one() {
        for (left, right) in [
            ("STRASSE", "straße"),
            ("STRAẞE", "strasse"),
            ("Cafe\u{301}", "CAFÉ"),
            ("ΣΊΣΥΦΟΣ", "σίσυφος"),
            ("ΐ", "\u{3B9}\u{308}\u{301}"),
            ("Tiếng Việt", "TIE\u{302}\u{301}NG VIE\u{323}\u{302}T"),
            ("한국어", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}\u{110B}\u{1165}"),
            ("ガギグ", "カ\u{3099}キ\u{3099}ク\u{3099}"),
            ("\u{212B}ngstro\u{308}m", "ångström"),
            ("zero\u{200B}width\u{FEFF}", "zerowidth"),
            ("co\u{AD}operate", "cooperate"),
            ("e\u{200D}\u{301}", "é"),
            ("  many \t\r\n spaces\u{A0}\u{3000}here\u{2028}", "many spaces here"),
            ("a \u{200B} b", "a b"),
            ("q\u{307}\u{323}", "q\u{323}\u{307}"),
            ("\u{1E96}", "H\u{331}"),
            ("ŉ", "ʼn"),
            ("Привет, МИР", "привет, мир"),
            ("क़", "\u{915}\u{93C}"),
            ("אָ", "\u{5D0}\u{5B8}"),
            ("Ꭰ", "\u{AB70}"),
        ] {
            assert_eq!(normal(Rules::V1, left), normal(Rules::V1, right), "{left} {right}");
        }
    }

    #[test]
    fn spellings_of_two_texts_stay_two() {
        for (left, right) in [
            ("résumé", "resume"),
            ("3.14", "314"),
            ("$5", "€5"),
            ("ıspanak", "ispanak"),
            ("İ", "i"),
            ("①", "1"),
            ("ﬁ", "f"),
            ("Ａ", "a"),
            ("カ", "か"),
        ] {
            assert_ne!(normal(Rules::V1, left), normal(Rules::V1, right), "{left} {right}");
        }
    }

    #[test]
    fn texts_are_cut_into_tokens() {
        for (text, wanted) in [
            ("", ""),
            ("!?… —", ""),
            ("Don't stop", "don|t|stop"),
            ("3.14 and 1,000", "3|14|and|1|000"),
            ("state-of-the-art snake_case", "state|of|the|art|snake_case"),
            ("x² ½ Ⅷ ①", "x²|½|ⅷ|①"),
            ("Съешь ещё этих", "съешь|ещё|этих"),
            ("Tiếng Việt", "tiếng|việt"),
            ("我爱北京。", "我|爱|北|京"),
            ("東京タワーへ", "東|京|タ|ワ|ー|へ"),
            ("ｶﾞｷﾞ", "ｶ|ﾞ|ｷ|ﾞ"),
            ("あ\u{3099}い", "あ\u{3099}|い"),
            ("สวัสดี", "ส|ว|ั|ส|ด|ี"),
            ("ສະບາຍ", "ສ|ະ|ບ|າ|ຍ"),
            ("ខ្មែរ", "ខ|្|ម|ែ|រ"),
            ("မြန်", "မ|ြ|န|်"),
            ("السلام عليكم", "السلام|عليكم"),
            ("مُحَمَّد", "مُحَمَّد"),
            ("हिन्दी में", "हिन्दी|में"),
            ("İstanbul ISPARTA ılık", "i\u{307}stanbul|isparta|ılık"),
            ("Straße GROẞ", "strasse|gross"),
            ("한국어 문서", "한국어|문서"),
            ("ab中文cd", "ab|中|文|cd"),
            ("𠀀𠀁x", "𠀀|𠀁|x"),
            ("བོད་", "བོད"),
            ("e\u{301}_\u{301}", "é_\u{301}"),
        ] {
            // A voicing mark that does not compose is a token of its own.
            let wanted = wanted.replace("あ\u{3099}", "あ|\u{3099}");
            assert_eq!(tokens(Rules::V1, text).join("|"), wanted, "{text}");
        }
        assert_eq!(tokens(Rules::V2, "བོད་ ab ㄅㄆ ꀀꀁ").join("|"), "བ|ོ|ད|ab|ㄅ|ㄆ|ꀀ|ꀁ");
    }

    #[test]
    fn comparison_tokens_are_those_of_python() {
        for (text, wanted) in [
            ("Don't STOP", "don|t|stop"),
            ("ΟΔΟΣ ΣΑΣ Σ ΑΣ\u{301}. Σ'Α", "οδος|σας|σ|ας|σ|α"),
            ("İI", "i|i"),
            ("हिन्दी", "ह|न|द"),
            ("Straße", "straße"),
            ("zero\u{200B}width", "zero|width"),
            ("e\u{301}t", "e|t"),
            ("我爱 北京", "我爱|北京"),
            ("x² ½ Ⅷ ①", "x²|½|ⅷ|①"),
        ] {
            assert_eq!(tokens(Rules::Word, text).join("|"), wanted, "{text}");
        }
        assert_eq!(normal(Rules::Word, " A \u{200B} B\u{A0}"), "a \u{200B} b");
    }

    #[test]
    fn scripts_need_a_tenth_of_the_letters() {
        assert_eq!(scripts("the coefficient α of a long text"), ["Latin"]);
        assert_eq!(scripts("Москва and Moscow"), ["Latin", "Cyrillic"]);
        assert_eq!(scripts("東京タワーへ行く"), ["Kana", "Han"]);
        assert_eq!(scripts("123 !?"), [""; 0]);
        assert_eq!(scripts("हिन्दी"), ["Devanagari"]);
        let letters = Letters { counts: [0; 64] };
        assert_eq!(letters.scripts(), 0);
    }

    #[test]
    fn every_code_point_is_handled_alike_in_any_place() {
        for rules in [Rules::V1, Rules::Word, Rules::V3] {
            // Behind the second plane there are ideographs and tags: a sample is enough.
            let rare = (0x2_0000..=0x10_FFFF_u32).step_by(97);
            for c in (0..0x2_0000).chain(rare).filter_map(char::from_u32) {
                for text in [format!("a{c}\u{301}"), format!("{c}")] {
                    assert_eq!(normal(rules, &text), by_definition(rules, &text), "{text:?}");
                }
            }
        }
    }

    /// Texts of what is hard: marks, case pairs, white space, zero width, long ASCII runs.
    fn hard_text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "[a-zA-Z ]{0,80}",
            "[ -~\t\n]{0,20}",
            "[a\u{300}-\u{345}\u{3B1}\u{1F00}-\u{1FFF}]{0,6}",
            "[\u{200B}-\u{200F}\u{FE00}-\u{FE0F}\u{AD}\u{FEFF}\u{A0}\u{3000} ]{0,4}",
            "[\u{1100}-\u{1112}\u{1161}-\u{1175}\u{11A8}-\u{11C2}\u{AC00}-\u{AC40}]{0,6}",
            "[\u{900}-\u{9FF}\u{B00}-\u{BFF}\u{1000}-\u{10FF}\u{1B00}-\u{1B7F}]{0,6}",
            "[ßẞİıΣσςŉǰΐﬁﬃᾳᾼ'\u{345}\u{345}]{0,5}",
            "[а-яА-ЯёЁ\u{306}\u{308}]{0,70}",
            "[ぁ-ヿ一-三\u{3099}\u{309A}ก-๛]{0,30}",
            "[\u{621}-\u{655}\u{670}\u{6F0}-\u{6F9}\u{200C}]{0,30}",
            "[\u{FB1D}-\u{FB50}\u{FC5E}-\u{FC63}\u{FDF2}-\u{FDFD}\u{FE70}-\u{FE8F}]{0,5}",
            "[\u{591}-\u{5F4}\u{34F}\u{115F}\u{1160}\u{17B4}\u{180B}\u{E0100}]{0,20}",
            "[\u{FF00}-\u{FFEF}\u{309B}-\u{309F}]{0,12}",
            "[\u{1D7CE}-\u{1D7FF}๐-๙០-៩०-९ ]{0,6}",
            "[\u{11080}-\u{1137F}\u{1D160}-\u{1D1FF}\u{2F800}-\u{2FA1D}]{0,4}",
            ".{0,8}",
            any::<String>(),
        ];
        prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
    }

    /// The normalised text, its marks and its letters at one level.
    fn seen_at(level: simd::Level, rules: Rules, text: &str) -> Option<(String, String, u64)> {
        let mut out = Text::new();
        out.clear();
        simd::dispatch_at(
            level,
            Normalise { table: Table::of(rules), rules, text, out: &mut out },
        )?;
        out.close();
        let mut tokens = String::new();
        out.tokens(|start, end| tokens.push_str(&format!("{start}-{end} ")));
        Some((out.as_str().to_owned(), tokens, out.letters().scripts()))
    }

    #[test]
    fn groups_have_every_token() {
        // Tokens of 1 to 9,000 bytes, so that some reach over one and over several groups.
        let mut text = String::new();
        for length in (1..200).chain([4095, 4096, 4097, 9000]) {
            text.push_str(&"é1".repeat(length));
            text.push_str(" 天 ");
        }
        let mut out = Text::new();
        out.normalise(Rules::V1, &text);
        let mut wanted = Vec::new();
        out.tokens(|start, end| wanted.push(out.as_str()[start..end].to_owned()));
        let (mut edges, mut found) = (Vec::new(), Vec::new());
        out.token_groups(&mut edges, |bytes, tokens| {
            for &[start, end] in tokens {
                let token = &bytes[index(start)..index(end)];
                found.push(String::from_utf8(token.to_vec()).unwrap());
            }
        });
        assert_eq!(found, wanted);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn every_level_sees_the_same(text in hard_text()) {
            for rules in [Rules::V1, Rules::V2, Rules::Word, Rules::V3] {
                let wanted = seen_at(simd::Level::Portable, rules, &text);
                for level in simd::Level::ALL.into_iter().filter(|level| level.is_here()) {
                    prop_assert_eq!(&seen_at(level, rules, &text), &wanted, "{:?}", level);
                }
            }
        }

        #[test]
        fn agrees_with_definition(text in hard_text()) {
            for rules in [Rules::V1, Rules::V2, Rules::Word, Rules::V3] {
                prop_assert_eq!(normal(rules, &text), by_definition(rules, &text));
                prop_assert_eq!(tokens(rules, &text), tokens_by_definition(rules, &text));
            }
        }

        #[test]
        fn a_normal_form_is_its_own(text in hard_text()) {
            for rules in [Rules::V1, Rules::V3] {
                let once = normal(rules, &text);
                prop_assert_eq!(&normal(rules, &once), &once);
            }
        }

        #[test]
        fn equivalent_spellings_give_one_form(text in hard_text()) {
            let nfd = icu_normalizer::DecomposingNormalizer::new_nfd();
            let nfc = ComposingNormalizer::new_nfc();
            for rules in [Rules::V1, Rules::V3] {
                let form = normal(rules, &text);
                prop_assert_eq!(&normal(rules, &nfd.normalize(&text)), &form);
                prop_assert_eq!(&normal(rules, &nfc.normalize(&text)), &form);
            }
        }
    }
}
