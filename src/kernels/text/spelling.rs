//! Spelling: the ordinary form of a character that text may have in another one.
//!
//! `Rules::V3` compares texts by what is read, not by how it was typed or shown: full-width and
//! half-width forms become ordinary ones, Arabic and Hebrew presentation forms their letters,
//! decimal digits of any script ASCII digits, and what is not read or may be left out is taken
//! out: default-ignorable characters, tatweel, Arabic short vowels, Hebrew points.
//!
//! Not for compatibility mappings at large: superscripts, fractions, circled numbers, squared
//! words, Roman numerals and currency signs stay what they are.
//!
//! Source: Unicode Character Database, decompositions of type wide, narrow, isolated, initial,
//! medial and final; General_Category Nd; Default_Ignorable_Code_Point.
//!
//! Cost: one load for the forms, which are spelled out once, half a millisecond; two property
//! look-ups for other characters. Asked for once a code point to make the table, and again for
//! the changed characters of a segment.

use std::iter;

use icu_normalizer::{DecomposingNormalizer, DecomposingNormalizerBorrowed};
use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory};
use icu_properties::{
    CodePointMapData, CodePointMapDataBorrowed, CodePointSetData, CodePointSetDataBorrowed,
};

use super::index;

/// Marks and joiners that running text may have or leave out: Hebrew accents, points and varika,
/// tatweel, Arabic short vowels and the small alef above; and the tail that old fonts drew behind
/// an Arabic letter as a character of its own.
const OPTIONAL: [(u32, u32); 10] = [
    (0x0591, 0x05BD),
    (0x05BF, 0x05BF),
    (0x05C1, 0x05C2),
    (0x05C4, 0x05C5),
    (0x05C7, 0x05C7),
    (0x0640, 0x0640),
    (0x064B, 0x0652),
    (0x0670, 0x0670),
    (0xFB1E, 0xFB1E),
    (0xFE73, 0xFE73),
];

/// Default-ignorable characters that stay: they hold the place of a letter among Hangul jamo, so
/// that without them the letters around would become one syllable.
const HANGUL_FILLERS: [u32; 2] = [0x115F, 0x1160];

/// The first and the last code point of the blocks of presentation and width forms.
const FORMS: (u32, u32) = (0xFB1D, 0xFFEE);

/// Ordinary spelling of every character.
pub(super) struct Spelling {
    facts: Facts,
    /// That of the code points of `FORMS`, in order.
    forms: Vec<Box<str>>,
}

impl Spelling {
    pub(super) fn new() -> Self {
        let facts = Facts {
            category: CodePointMapData::<GeneralCategory>::new(),
            ignorable: CodePointSetData::new::<DefaultIgnorableCodePoint>(),
            compatible: DecomposingNormalizer::new_nfkd(),
        };
        let mut form = String::new();
        let forms = (FORMS.0..=FORMS.1).filter_map(char::from_u32).map(|c| {
            form.clear();
            facts.write(c, &mut form);
            form.as_str().into()
        });
        let forms = forms.collect();
        Spelling { facts, forms }
    }

    /// Appends the ordinary spelling of `c`: `c` itself, another character, several or none.
    pub(super) fn write(&self, c: char, out: &mut String) {
        let place = u32::from(c).checked_sub(FORMS.0);
        match place.and_then(|place| self.forms.get(index(place))) {
            Some(form) => out.push_str(form),
            None => self.facts.write(c, out),
        }
    }
}

/// The Unicode properties that ordinary spelling is made from.
struct Facts {
    category: CodePointMapDataBorrowed<'static, GeneralCategory>,
    ignorable: CodePointSetDataBorrowed<'static>,
    compatible: DecomposingNormalizerBorrowed<'static>,
}

impl Facts {
    fn write(&self, c: char, out: &mut String) {
        let code = u32::from(c);
        match code {
            0..0x80 => out.push(c),
            _ if self.is_left_out(c) => {}
            0xFB1D..=0xFDFF | 0xFE70..=0xFEFF => self.write_letters(c, out),
            0xFFA1..=0xFFDC => out.push(jamo(code).unwrap_or(c)),
            // The macron, whose own compatibility form is a space and a mark.
            0xFFE3 => out.push('\u{AF}'),
            0xFF01..=0xFFEE => out.extend(self.compatible.normalize_iter(iter::once(c))),
            _ => out.push(self.digit(c).unwrap_or(c)),
        }
    }

    fn is_left_out(&self, c: char) -> bool {
        let code = u32::from(c);
        OPTIONAL.iter().any(|&(from, to)| (from..=to).contains(&code))
            || (self.ignorable.contains(c) && !HANGUL_FILLERS.contains(&code))
    }

    /// The letters of an Arabic or Hebrew presentation form without their points.
    fn write_letters(&self, c: char, out: &mut String) {
        if self.category.get(c) == GeneralCategory::CurrencySymbol {
            return out.push(c);
        }
        if c == '\u{FBDD}' {
            // A letter that has a compatibility form itself.
            return out.push('\u{677}');
        }
        let start = out.len();
        let letters = self.compatible.normalize_iter(iter::once(c));
        out.extend(letters.filter(|&c| !self.is_left_out(c)));
        if out.get(start..) == Some(" ") {
            // A mark shown alone, on the space that carried it.
            out.truncate(start);
        }
    }

    /// The ASCII digit of the same value; none for what is no decimal digit.
    ///
    /// Digits of a script stand in order from zero to nine, and sets that touch do so, too.
    fn digit(&self, c: char) -> Option<char> {
        let is_digit = |code| self.category.get32(code) == GeneralCategory::DecimalNumber;
        let code = u32::from(c);
        if !is_digit(code) {
            return None;
        }
        let before = (0..code).rev().take_while(|&code| is_digit(code)).count();
        char::from_digit(u32::try_from(before % 10).ok()?, 10)
    }
}

/// The ordinary jamo of a half-width one.
fn jamo(code: u32) -> Option<char> {
    if (0xFFA1..=0xFFBE).contains(&code) {
        return char::from_u32(code - 0xFFA1 + 0x3131);
    }
    // Vowels stand in columns of eight code points, six of them in use.
    let from = code.checked_sub(0xFFC2)?;
    let (row, place) = (from / 8, from % 8);
    let vowel = 0x314F + row * 6 + place;
    if place < 6 && vowel <= 0x3163 { char::from_u32(vowel) } else { None }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use icu_normalizer::{ComposingNormalizer, DecomposingNormalizer};
    use icu_properties::CodePointMapData;
    use icu_properties::props::{EastAsianWidth, GeneralCategory, GeneralCategoryGroup};

    use xxhash_rust::xxh3::xxh3_64;

    use super::super::{Rules, Text};
    use super::*;

    fn normal(text: &str) -> String {
        let mut out = Text::new();
        out.normalise(Rules::V3, text);
        out.as_str().to_owned()
    }

    fn tokens(text: &str) -> String {
        let mut out = Text::new();
        out.normalise(Rules::V3, text);
        let mut tokens = Vec::new();
        out.tokens(|start, end| tokens.push(&out.as_str()[start..end]));
        tokens.join("|")
    }

    fn spelled(text: &str) -> String {
        static SPELLING: LazyLock<Spelling> = LazyLock::new(Spelling::new);
        let mut out = String::new();
        text.chars().for_each(|c| SPELLING.write(c, &mut out));
        out
    }

    fn characters() -> impl Iterator<Item = char> {
        (0..=0x10_FFFF).filter_map(char::from_u32)
    }

    #[test]
    fn native_text_is_cut_into_tokens() {
        for (text, wanted) in [
            // Chinese
            ("我爱北京，２０２４年。", "我|爱|北|京|2024|年"),
            ("ＡＢＣ公司（上海）", "abc|公|司|上|海"),
            ("第〇章 一二三", "第|〇|章|一|二|三"),
            // Japanese
            ("東京タワーへ行く。", "東|京|タ|ワ|ー|へ|行|く"),
            ("ｶﾞﾗｽのｺｯﾌﾟ", "ガ|ラ|ス|の|コ|ッ|プ"),
            ("ｺｰﾋｰ １杯\u{3000}４８０円", "コ|ー|ヒ|ー|1|杯|480|円"),
            ("葛\u{E0100}城市", "葛|城|市"),
            // Korean
            ("대한민국의 수도는 서울이다.", "대한민국의|수도는|서울이다"),
            ("\u{1109}\u{1165}\u{110B}\u{116E}\u{11AF} 2호선", "서울|2호선"),
            ("\u{FFBB}\u{FFBB} ㅋㅋ", "ㅋㅋ|ㅋㅋ"),
            // Thai
            ("ราคา ๑๒๐ บาท", "ร|า|ค|า|120|บ|า|ท"),
            ("ภาษา\u{200B}ไทย", "ภ|า|ษ|า|ไ|ท|ย"),
            ("น้ำ", "น|้|ำ"),
            // Khmer
            ("ខ្មែរ\u{200B}១២៣", "ខ|្|ម|ែ|រ|123"),
            ("ភាសា។", "ភ|ា|ស|ា"),
            // Arabic and Persian
            ("السلام عليكم، أهلا", "السلام|عليكم|أهلا"),
            ("مُحَمَّدٌ رَسُولُ", "محمد|رسول"),
            ("كتـــاب ١٢٣ و٤", "كتاب|123|و4"),
            ("\u{FEB3}\u{FEFC}\u{FEE1}", "سلام"),
            ("\u{FDFA} \u{FDF2}", "صلى|الله|عليه|وسلم|الله"),
            ("می\u{200C}خواهم ۱۲۳", "میخواهم|123"),
            ("٣٫١٤ ١٬٠٠٠", "3|14|1|000"),
            // Hebrew
            ("שָׁלוֹם עֲלֵיכֶם", "שלום|עליכם"),
            ("בית־ספר צה״ל", "בית|ספר|צה|ל"),
            ("\u{FB21}\u{FB4F} \u{FB2A}\u{FB4B}", "אאל|שו"),
            // Hindi
            ("हिन्दी में १२३ रुपये।", "हिन्दी|में|123|रुपये"),
            ("क्\u{200D}ष", "क्ष"),
            // Bengali
            ("বাংলা ভাষা ২০২৪", "বাংলা|ভাষা|2024"),
            ("র\u{200D}্যাব", "র্যাব"),
            // Greek
            ("Ο ΣΙΣΥΦΟΣ, ο Σίσυφος", "ο|σισυφοσ|ο|σίσυφοσ"),
            // Turkish
            ("İSTANBUL IĞDIR ılık", "i\u{307}stanbul|iğdir|ılık"),
            ("Ankara'nın Ankara’nın", "ankara|nın|ankara|nın"),
            // Vietnamese
            ("TIE\u{302}\u{301}NG VIE\u{323}\u{302}T", "tiếng|việt"),
            // All
            ("co\u{AD}ope\u{2060}ra\u{34F}te", "cooperate"),
            ("ﬁne eﬃcient ﬂag", "fine|efficient|flag"),
            ("x² ½ Ⅷ ① ㎏ ㌔", "x²|½|ⅷ|①"),
            ("don't don’t", "don|t|don|t"),
            ("𝟏𝟚𝟯 ௧௨ ༡༢ ၁၂ ໑໒ ᠑᠒ ߁߂", "123|12|12|12|12|12|12"),
        ] {
            assert_eq!(tokens(text), wanted, "{text}");
        }
    }

    #[test]
    fn spellings_of_one_text_are_one() {
        for (left, right) in [
            ("Ｆｕｌｌ　ｗｉｄｔｈ！", "full width!"),
            ("￠￡￢￣￥￦", "¢£¬\u{AF}¥₩"),
            ("｢ｶﾞｷﾞﾊﾟ｣､｡", "「ガギパ」、。"),
            ("ｳﾞｧ", "ヴァ"),
            ("豈", "\u{F900}"),
            ("\u{FFA1}\u{FFC2}\u{FFDC}", "ㄱㅏㅣ"),
            ("각", "\u{1100}\u{1161}\u{11A8}"),
            ("๒๕๖๗", "2567"),
            ("ខ\u{17B5}្មែ\u{200C}រ", "ខ្មែរ"),
            ("\u{FEFB}", "لا"),
            ("\u{FEF5}", "لآ"),
            ("\u{FEF7}\u{FEF9}", "لألإ"),
            ("آ", "ا\u{653}"),
            ("ا\u{64E}\u{653}", "آ"),
            ("\u{FBDD}", "\u{677}"),
            ("\u{FE70}\u{FE71}\u{FC5E}\u{FCF2}", ""),
            ("قرآنٌ كَرِيمٌ", "قرآن كريم"),
            ("هٰذا", "هذا"),
            ("\u{FEB1}\u{FE73}", "س"),
            ("عـــربـــي", "عربي"),
            ("۴۵۶", "٤٥٦"),
            ("\u{FB2C}", "ש"),
            ("\u{FB1D}\u{FB1F}", "יײ"),
            ("בְּרֵאשִׁ֖ית", "בראשית"),
            ("\u{FB20}\u{FB28}\u{FB29}", "עת+"),
            ("\u{958}", "\u{915}\u{93C}"),
            ("\u{929}", "\u{928}\u{93C}"),
            ("\u{9CB}\u{9CC}", "\u{9C7}\u{9BE}\u{9C7}\u{9D7}"),
            ("\u{9DF}\u{9DC}", "\u{9AF}\u{9BC}\u{9A1}\u{9BC}"),
            ("ΟΔΥΣΣΕΥΣ", "οδυσσευς"),
            ("\u{1F71}\u{3B9}\u{308}\u{301}", "άΐ"),
            ("IĞDIR", "iğdir"),
            ("Đường", "ĐU\u{31B}O\u{31B}\u{300}NG"),
            ("e\u{34F}\u{301}", "é"),
            ("👩\u{200D}💻\u{FE0F}", "👩💻"),
            ("ᠮ\u{180B}ᠣ", "ᠮᠣ"),
            ("a\u{3164}\u{FFA0}b", "ab"),
        ] {
            assert_eq!(normal(left), normal(right), "{left} {right}");
        }
    }

    #[test]
    fn spellings_of_two_texts_stay_two() {
        for (left, right) in [
            ("国家", "國家"),
            ("四季", "全季"),
            ("㍻", "平成"),
            ("は", "ば"),
            ("び", "ぴ"),
            ("カ", "か"),
            ("ッ", "ツ"),
            ("ㅋㅋ", "\u{110F}\u{110F}"),
            ("\u{1100}\u{115F}\u{1161}", "\u{1100}\u{1161}"),
            ("ใกล้", "ไกล"),
            ("มา", "ม้า"),
            ("ป่า", "ป้า"),
            ("น้ำ", "น้\u{E4D}า"),
            ("ខ្មែរ", "ខមែរ"),
            ("ស\u{17D2}ត\u{17D2}រ\u{17B8}", "ស\u{17D2}រ\u{17D2}ត\u{17B8}"),
            ("أحمد", "احمد"),
            ("مدرسة", "مدرسه"),
            ("علي", "على"),
            ("ی", "ي"),
            ("می خواهم", "می\u{200C}خواهم"),
            ("كتاب", "كتب"),
            ("﷼ 5", "$ 5"),
            ("שלום", "שלם"),
            ("סבבה ן", "סבבה נ"),
            ("हिन्दी", "हिंदी"),
            ("कल", "काल"),
            ("क़", "क"),
            ("ত\u{9CD}\u{200D}", "ৎ"),
            ("কর", "কার"),
            ("Αθήνα", "ΑΘΗΝΑ"),
            ("πότε", "ποτέ"),
            ("İ", "i"),
            ("ısı", "isi"),
            ("IĞDIR", "ığdır"),
            ("ma", "má"),
            ("mả", "mã"),
            ("hòa", "hoà"),
            ("đ", "d"),
            ("x²", "x2"),
            ("①", "1"),
            ("½", "1⁄2"),
            ("résumé", "resume"),
            ("3.14", "314"),
            ("3٫14", "314"),
            ("5 €", "5 $"),
            ("⼀", "一"),
            ("ĳ", "ij"),
            ("بِسۡمِ", "بسم"),
            ("don’t", "don't"),
            ("ʼtis", "tis"),
        ] {
            assert_ne!(normal(left), normal(right), "{left} {right}");
        }
    }

    #[test]
    fn ordinary_spelling_is_that_of_the_published_version() {
        // A change here is a new method version. ICU4X 2.4.
        let spelling = Spelling::new();
        let mut all = String::new();
        for c in characters() {
            spelling.write(c, &mut all);
            all.push('\n');
        }
        assert_eq!(xxh3_64(all.as_bytes()), 16149428373824723292);
    }

    #[test]
    fn ordinary_spelling_is_ordinary_and_equivalent_for_equivalents() {
        let (nfd, nfc) = (DecomposingNormalizer::new_nfd(), ComposingNormalizer::new_nfc());
        for c in characters() {
            let ordinary = spelled(&c.to_string());
            assert_eq!(spelled(&ordinary), ordinary, "{c:?}");
            let parts = spelled(&nfd.normalize(&c.to_string()));
            assert_eq!(nfc.normalize(&parts), nfc.normalize(&ordinary), "{c:?}");
        }
    }

    #[test]
    fn no_wide_or_narrow_form_is_left() {
        let widths = CodePointMapData::<EastAsianWidth>::new();
        let mut forms = 0;
        for c in characters() {
            let is_form =
                [EastAsianWidth::Fullwidth, EastAsianWidth::Halfwidth].contains(&widths.get(c));
            // The won sign is narrow by itself; the ideographic space is white space.
            if is_form && !['₩', '\u{3000}'].contains(&c) {
                forms += 1;
                let ordinary = spelled(&c.to_string());
                assert!(ordinary.chars().count() <= 1 && ordinary != c.to_string(), "{c:?}");
            }
        }
        assert_eq!(forms, 225);
        assert_eq!(spelled("\u{FFA1}\u{FFBE}\u{FFC7}\u{FFCA}\u{FFD7}\u{FFDA}"), "ㄱㅎㅔㅕㅠㅡ");
    }

    #[test]
    fn only_presentation_forms_without_letters_are_left() {
        let categories = CodePointMapData::<GeneralCategory>::new();
        for c in ('\u{FB1D}'..='\u{FDFF}').chain('\u{FE70}'..='\u{FEFF}') {
            let is_letter = GeneralCategoryGroup::Letter.contains(categories.get(c));
            let ordinary = spelled(&c.to_string());
            assert!(!is_letter || ordinary != c.to_string(), "{c:?}");
            assert!(ordinary.trim() == ordinary, "{c:?}");
        }
    }

    #[test]
    fn digits_of_every_script_are_ascii() {
        let categories = CodePointMapData::<GeneralCategory>::new();
        let mut digits = String::new();
        for c in characters() {
            if categories.get(c) == GeneralCategory::DecimalNumber {
                digits.push_str(&spelled(&c.to_string()));
            }
        }
        assert_eq!(digits.len() % 10, 0);
        assert!(digits.len() > 700, "{}", digits.len());
        assert_eq!(digits, "0123456789".repeat(digits.len() / 10));
        for (set, wanted) in [
            ("٠٤٩۰۵۹", "049059"),
            ("०४९০৪৯", "049049"),
            ("๐๔๙០៤៩", "049049"),
            ("𝟎𝟗𝟘𝟡𝟢𝟶𝟿", "0909009"),
        ] {
            assert_eq!(spelled(set), wanted);
        }
    }
}
