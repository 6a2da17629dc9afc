//! Table: what the rules for a text say about each code point, looked up in two loads.
//!
//! An entry tells whether the code point is part of a token, a token of its own, white space,
//! dropped, or in need of its neighbours to be normalised; which script it is a letter of; and
//! how far its folded form is. Not for properties the rules do not use.
//!
//! Source: Unicode character properties as ICU4X has them.
//!
//! Cost: two loads. A block of 64 code points is made when a text has the first of them, at some
//! 40 microseconds, once a process and rules. Code points of the third plane and above are
//! classified whenever met, at half a microsecond.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

use icu_casemap::{CaseMapper, CaseMapperBorrowed};
use icu_normalizer::properties::{
    CanonicalCombiningClassMap, CanonicalCombiningClassMapBorrowed, CanonicalDecomposition,
    Decomposed,
};
use icu_normalizer::{ComposingNormalizer, ComposingNormalizerBorrowed};
use icu_properties::props::{
    Alphabetic, GeneralCategory, GeneralCategoryGroup, Script, WhiteSpace,
};
use icu_properties::{
    CodePointMapData, CodePointMapDataBorrowed, CodePointSetData, CodePointSetDataBorrowed,
};

use super::spelling::Spelling;
use super::{Rules, index};

/// The bit of a script mask for letters of scripts without a bit of their own.
pub const SCRIPT_OTHER: u32 = 62;

/// Name and script of every bit of a script mask, lowest bit first. Katakana is counted as Kana.
const SCRIPTS: [(&str, Script); 41] = [
    ("Latin", Script::Latin),
    ("Greek", Script::Greek),
    ("Cyrillic", Script::Cyrillic),
    ("Armenian", Script::Armenian),
    ("Hebrew", Script::Hebrew),
    ("Arabic", Script::Arabic),
    ("Devanagari", Script::Devanagari),
    ("Bengali", Script::Bengali),
    ("Gurmukhi", Script::Gurmukhi),
    ("Gujarati", Script::Gujarati),
    ("Oriya", Script::Oriya),
    ("Tamil", Script::Tamil),
    ("Telugu", Script::Telugu),
    ("Kannada", Script::Kannada),
    ("Malayalam", Script::Malayalam),
    ("Sinhala", Script::Sinhala),
    ("Thai", Script::Thai),
    ("Lao", Script::Lao),
    ("Tibetan", Script::Tibetan),
    ("Myanmar", Script::Myanmar),
    ("Georgian", Script::Georgian),
    ("Hangul", Script::Hangul),
    ("Ethiopic", Script::Ethiopic),
    ("Khmer", Script::Khmer),
    ("Mongolian", Script::Mongolian),
    ("Kana", Script::Hiragana),
    ("Han", Script::Han),
    ("Syriac", Script::Syriac),
    ("Thaana", Script::Thaana),
    ("Cherokee", Script::Cherokee),
    ("CanadianAboriginal", Script::CanadianAboriginal),
    ("Yi", Script::Yi),
    ("Bopomofo", Script::Bopomofo),
    ("Tifinagh", Script::Tifinagh),
    ("Nko", Script::Nko),
    ("Javanese", Script::Javanese),
    ("Balinese", Script::Balinese),
    ("TaiTham", Script::TaiTham),
    ("NewTaiLue", Script::NewTaiLue),
    ("TaiLe", Script::TaiLe),
    ("TaiViet", Script::TaiViet),
];

/// The bit of Hiragana and Katakana in a script mask.
const KANA: u32 = 25;

/// Bits of the scripts written without spaces, `V1`: Han, Kana, Thai, Lao, Khmer, Myanmar.
const SOLO_V1: [u32; 6] = [26, 25, 16, 17, 23, 19];

/// Bits of the scripts written without spaces that `V2` adds: Tibetan, Javanese, Balinese, Tai
/// Tham, New Tai Lue, Tai Le, Tai Viet, Yi, Bopomofo.
const SOLO_V2: [u32; 9] = [18, 35, 36, 37, 38, 39, 40, 31, 32];

/// Kana marks whose script is Common or Inherited: voicing marks and prolonged sound marks.
const SOLO_EXTRA: [u32; 6] = [0x3099, 0x309A, 0x30FC, 0xFF70, 0xFF9E, 0xFF9F];

/// Name of a bit of a script mask: a script's Unicode name, `Kana` or `Other`.
pub fn script_name(bit: u32) -> Option<&'static str> {
    match bit {
        SCRIPT_OTHER => Some("Other"),
        _ => SCRIPTS.get(index(bit)).map(|(name, _)| *name),
    }
}

/// Zero-width and other format characters that the normalised text of `V1` and `V2` does not
/// have.
const DROPPED: [(u32, u32); 8] = [
    (0x00AD, 0x00AD),
    (0x061C, 0x061C),
    (0x180E, 0x180E),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x2064),
    (0x2066, 0x206F),
    (0xFE00, 0xFE0F),
];

/// The byte order mark, dropped like `DROPPED`.
const BYTE_ORDER_MARK: u32 = 0xFEFF;

/// True for what `V1` and `V2` drop.
fn is_dropped(code: u32) -> bool {
    code == BYTE_ORDER_MARK || DROPPED.iter().any(|&(from, to)| (from..=to).contains(&code))
}

/// Flags of a table entry. Bits 6 to 11 hold the script bit plus one (0 for no letter), bits 12
/// to 31 the signed distance from the code point to its folded form.
pub(super) const WORD: u32 = 1;
pub(super) const SOLO: u32 = 2;
pub(super) const SPACE: u32 = 4;
pub(super) const DROP: u32 = 8;
pub(super) const SLOW: u32 = 16;
pub(super) const MARK: u32 = 32;
/// The bits of the distance.
pub(super) const DISTANCE: u32 = !0 << 12;

/// The entry of code points that the table does not have: no other has two of these flags.
pub(super) const RARE: u32 = SPACE | DROP;

/// The bits that say what a character is; the others say what normalising does with it.
const CLASS: u32 = WORD | SOLO | 63 << 6;

/// Code points below this have a table entry; those above are classified when met.
const TABLE_END: u32 = 0x20000;

/// The Unicode properties that an entry is made from.
pub(super) struct Facts {
    rules: Rules,
    pub(super) fold: CaseMapperBorrowed<'static>,
    pub(super) nfc: ComposingNormalizerBorrowed<'static>,
    pub(super) combining: CanonicalCombiningClassMapBorrowed<'static>,
    category: CodePointMapDataBorrowed<'static, GeneralCategory>,
    script: CodePointMapDataBorrowed<'static, Script>,
    alphabetic: CodePointSetDataBorrowed<'static>,
    pub(super) space: CodePointSetDataBorrowed<'static>,
    /// Characters that are the second of a canonical pair, sorted.
    seconds: Vec<char>,
    /// Of `V3` only.
    spelling: Option<Spelling>,
}

impl Facts {
    pub(super) fn new(rules: Rules) -> Self {
        let decomposition = CanonicalDecomposition::new();
        let mut seconds: Vec<char> = (0..TABLE_END)
            .filter_map(char::from_u32)
            .filter(|c| !('\u{AC00}'..='\u{D7A3}').contains(c))
            .filter_map(|c| match decomposition.decompose(c) {
                Decomposed::Expansion(_, second) => Some(second),
                _ => None,
            })
            .collect();
        // Hangul vowels and final consonants compose by rule, not by table.
        seconds.extend(('\u{1161}'..='\u{1175}').chain('\u{11A8}'..='\u{11C2}'));
        seconds.sort_unstable();
        seconds.dedup();
        Facts {
            rules,
            fold: CaseMapper::new(),
            nfc: ComposingNormalizer::new_nfc(),
            combining: CanonicalCombiningClassMap::new(),
            category: CodePointMapData::<GeneralCategory>::new(),
            script: CodePointMapData::<Script>::new(),
            alphabetic: CodePointSetData::new::<Alphabetic>(),
            space: CodePointSetData::new::<WhiteSpace>(),
            seconds,
            spelling: (rules == Rules::V3).then(Spelling::new),
        }
    }

    /// Appends what `c` counts as before it is normalised: nothing for what is dropped.
    pub(super) fn spell(&self, c: char, out: &mut String) {
        match &self.spelling {
            Some(spelling) => spelling.write(c, out),
            None if self.rules != Rules::Word && is_dropped(u32::from(c)) => {}
            None => out.push(c),
        }
    }

    /// The entry of one code point; 0 for a surrogate.
    pub(super) fn entry(&self, code: u32) -> u32 {
        let Some(c) = char::from_u32(code) else { return 0 };
        let mut entry = self.word(c) | self.letter(c);
        if self.space.contains(c) {
            return entry | SPACE;
        }
        if self.rules == Rules::Word {
            // Capital sigma depends on its neighbours; dotted capital I gives two characters.
            let target = self.fold.simple_lowercase(c);
            return match c {
                'Σ' | 'İ' => entry | SLOW,
                _ => entry | Self::distance(c, target),
            };
        }
        let mut spelled = String::new();
        self.spell(c, &mut spelled);
        let Some(first) = spelled.chars().next() else {
            // Dropped letters of `V3` are not counted for their script.
            return if self.rules == Rules::V3 { DROP } else { entry | DROP };
        };
        let folded = self.fold.fold_string(&spelled);
        let mut folded = folded.chars();
        let (Some(target), None) = (folded.next(), folded.next()) else { return entry | SLOW };
        let is_mark = self.combining.get_u8(first) != 0;
        let has_moved = is_mark != (self.combining.get_u8(target) != 0);
        if has_moved || self.may_compose(first) || self.may_compose(target) {
            return entry | SLOW;
        }
        if is_mark {
            entry |= MARK;
        }
        entry | Self::distance(c, target)
    }

    /// The entry of a code point with the class of its folded form, which is what the normalised
    /// text has.
    pub(super) fn source_entry(&self, code: u32) -> u32 {
        let entry = self.entry(code);
        if entry & DISTANCE == 0 {
            return entry;
        }
        let target = code.wrapping_add_signed(entry.cast_signed() >> 12);
        entry & !CLASS | self.entry(target) & CLASS
    }

    /// True when NFC may change `c`, alone or because of what stands before it.
    pub(super) fn may_compose(&self, c: char) -> bool {
        !self.nfc.is_normalized(c.encode_utf8(&mut [0; 4]))
            || self.seconds.binary_search(&c).is_ok()
    }

    /// The distance field, or `SLOW` where it does not fit.
    fn distance(c: char, target: char) -> u32 {
        let distance = i64::from(u32::from(target)) - i64::from(u32::from(c));
        match i32::try_from(distance) {
            Ok(distance) if distance.unsigned_abs() < 1 << 19 => (distance << 12).cast_unsigned(),
            _ => SLOW,
        }
    }

    pub(super) fn word(&self, c: char) -> u32 {
        let category = self.category.get(c);
        let is_number = GeneralCategoryGroup::Number.contains(category);
        let is_word = c == '_'
            || is_number
            || match self.rules {
                Rules::Word => GeneralCategoryGroup::Letter.contains(category),
                _ => self.alphabetic.contains(c) || GeneralCategoryGroup::Mark.contains(category),
            };
        let bit = self.script_bit(c).unwrap_or(SCRIPT_OTHER);
        let is_solo_v1 = SOLO_V1.contains(&bit) || SOLO_EXTRA.contains(&u32::from(c));
        let is_solo = match self.rules {
            Rules::Word => false,
            Rules::V1 => is_solo_v1,
            Rules::V2 | Rules::V3 => is_solo_v1 || SOLO_V2.contains(&bit),
        };
        match (is_word, is_solo) {
            (true, true) => WORD | SOLO,
            (true, false) => WORD,
            _ => 0,
        }
    }

    /// The script field: set for letters only.
    fn letter(&self, c: char) -> u32 {
        if !GeneralCategoryGroup::Letter.contains(self.category.get(c)) {
            return 0;
        }
        self.script_bit(c).map_or(0, |bit| (bit + 1) << 6)
    }

    /// The bit of a character's script; none where it belongs to no script.
    fn script_bit(&self, c: char) -> Option<u32> {
        match self.script.get(c) {
            Script::Common | Script::Inherited | Script::Unknown => None,
            Script::Katakana => Some(KANA),
            script => SCRIPTS
                .iter()
                .zip(0..)
                .find_map(|(&(_, listed), bit)| (listed == script).then_some(bit))
                .or(Some(SCRIPT_OTHER)),
        }
    }
}

/// Blocks of 64 code points that four bytes of UTF-8 can name.
const BLOCKS: usize = 0x20_0000 / 64;

/// Entries of all code points: blocks of 64, each made when it is met first, equal ones kept once.
pub(super) struct Table {
    pub(super) facts: Facts,
    /// Where in `entries` the block of a code point starts; 0, the block of `RARE`, until it is
    /// made.
    starts: Box<[AtomicU32; BLOCKS]>,
    entries: Box<[AtomicU32]>,
    /// The blocks that were made, and where they start.
    made: Mutex<BTreeMap<Vec<u32>, u32>>,
}

/// The table without the facts behind it.
#[derive(Clone, Copy)]
pub(super) struct Quick<'t> {
    starts: &'t [AtomicU32; BLOCKS],
    entries: &'t [AtomicU32],
}

impl Quick<'_> {
    /// The entry of a code point; `RARE` where the table does not have it yet.
    #[inline(always)]
    pub(super) fn entry(self, code: u32) -> u32 {
        let start = self.starts[index(code / 64) % BLOCKS].load(Ordering::Acquire);
        self.entries[index(start + code % 64)].load(Ordering::Relaxed)
    }
}

impl Table {
    fn new(rules: Rules) -> Self {
        let facts = Facts::new(rules);
        let blocks = TABLE_END / 64 + 1;
        let entries = (0..blocks * 64).map(|_| AtomicU32::new(RARE)).collect();
        let starts = Box::new([const { AtomicU32::new(0) }; BLOCKS]);
        Table { facts, starts, entries, made: Mutex::default() }
    }

    pub(super) fn of(rules: Rules) -> &'static Self {
        static V1: LazyLock<Table> = LazyLock::new(|| Table::new(Rules::V1));
        static V2: LazyLock<Table> = LazyLock::new(|| Table::new(Rules::V2));
        static V3: LazyLock<Table> = LazyLock::new(|| Table::new(Rules::V3));
        static WORDS: LazyLock<Table> = LazyLock::new(|| Table::new(Rules::Word));
        match rules {
            Rules::V1 => &V1,
            Rules::V2 => &V2,
            Rules::V3 => &V3,
            Rules::Word => &WORDS,
        }
    }

    #[inline(always)]
    pub(super) fn quick(&self) -> Quick<'_> {
        Quick { starts: &self.starts, entries: &self.entries }
    }

    /// The entry of a code point.
    #[inline(always)]
    pub(super) fn entry(&self, code: u32) -> u32 {
        match self.quick().entry(code) {
            RARE => self.rare(code),
            entry => entry,
        }
    }

    /// The entry of a code point that the table does not have: from `TABLE_END` on it never has.
    #[cold]
    fn rare(&self, code: u32) -> u32 {
        if code < TABLE_END {
            self.make(code / 64);
        }
        self.facts.source_entry(code)
    }

    /// Makes a block and publishes it, unless another thread was first.
    fn make(&self, block: u32) {
        let codes = block * 64..(block + 1) * 64;
        let found: Vec<u32> = codes.map(|code| self.facts.source_entry(code)).collect();
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let next = u32::try_from(made.len() + 1).unwrap_or(0) * 64;
        let start = *made.entry(found).or_insert_with_key(|found| {
            let room = self.entries.get(index(next)..).unwrap_or_default();
            room.iter().zip(found).for_each(|(slot, &entry)| slot.store(entry, Ordering::Relaxed));
            next
        });
        self.starts[index(block)].store(start, Ordering::Release);
    }
}
