//! Fingerprint: all that is computed from a text for comparison, in one pass.
//!
//! A [`Plan`] says how wide shingles are and how many slots and bands a signature has; a
//! [`Reader`] made from [`Rules`] and a plan turns texts into [`Fingerprint`]s one after the
//! other, in buffers it keeps. A fingerprint borrows from its reader until the next text:
//!
//! ```text
//! let plan = Plan::new(5, 120, 20)?;
//! let mut reader = Reader::new(Rules::V1, plan);
//! for text in texts {
//!     let fingerprint = reader.read(text);      // no allocation once the buffers have grown
//!     digests.push(fingerprint.text_digest);
//!     buckets.extend_from_slice(fingerprint.buckets);
//! }
//! let mut scratch = Scratch::new();
//! let set = shingle_set(Rules::V1, plan.width(), text, &mut scratch);
//! ```
//!
//! Fingerprints compare only within the same rules and the same plan. Exact resemblance comes
//! from [`shingle_set`] and `shingle::Overlap`, never from a fingerprint.
//!
//! Source: see `text`, `shingle`, `minhash` and `simhash`; digests are XXH3 and BLAKE3.
//!
//! Cost: the sum of those kernels. A reader keeps the normalised form of the longest text it met
//! and 16 bytes for each of its tokens. Bench: `kernels`, lines `full pass`.

use std::fmt;

use xxhash_rust::xxh3::xxh3_128;

use super::minhash::{self, SLOTS_MAX};
use super::shingle::{self, Places, Spare, WIDTH_MAX, WIDTH_MIN, Width};
use super::simhash;
use super::text::{Rules, Text};

/// How texts are compared: tokens in a shingle, slots in a signature, bands of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Plan {
    width: Width,
    slots: usize,
    bands: usize,
}

/// Why a plan was refused, with what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// The width is outside 3 to 10.
    Width {
        /// Tokens in a shingle.
        found: usize,
    },
    /// The number of slots is outside 1 to 512.
    Slots {
        /// Slots in a signature.
        found: usize,
    },
    /// The bands do not divide the slots evenly.
    Bands {
        /// Bands of a signature.
        found: usize,
        /// Slots in a signature.
        slots: usize,
    },
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Width { found } => {
                write!(f, "width is {found}, wanted {WIDTH_MIN} to {WIDTH_MAX}")
            }
            PlanError::Slots { found } => write!(f, "slots is {found}, wanted 1 to {SLOTS_MAX}"),
            PlanError::Bands { found, slots } => {
                write!(f, "bands is {found}, wanted a divisor of {slots} slots")
            }
        }
    }
}

impl std::error::Error for PlanError {}

impl Plan {
    /// A checked plan. `slots` must be a multiple of `bands`.
    ///
    /// # Errors
    ///
    /// When a number is out of its range or the bands do not divide the slots.
    pub fn new(width: usize, slots: usize, bands: usize) -> Result<Self, PlanError> {
        let checked = Width::new(width).ok_or(PlanError::Width { found: width })?;
        if !(1..=SLOTS_MAX).contains(&slots) {
            return Err(PlanError::Slots { found: slots });
        }
        if !matches!(slots.checked_rem(bands), Some(0)) {
            return Err(PlanError::Bands { found: bands, slots });
        }
        Ok(Plan { width: checked, slots, bands })
    }

    /// Tokens in a shingle, 3 to 10.
    pub fn width(self) -> Width {
        self.width
    }

    /// Slots in a signature, 1 to 512.
    pub fn slots(self) -> usize {
        self.slots
    }

    /// Bands of a signature, a divisor of the slots.
    pub fn bands(self) -> usize {
        self.bands
    }
}

/// What is computed from one text. The slices are those of the reader that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint<'b> {
    /// Number of tokens, repeats included.
    pub tokens: u32,
    /// xxh3-128 of the normalised text, most significant byte first. Every text has one; that
    /// of an empty text is the digest of no bytes.
    pub text_digest: [u8; 16],
    /// True when the normalised text is empty: no character but white space and zero-width.
    pub is_empty: bool,
    /// Mask of scripts that have at least a tenth of the letters, bits named by
    /// `text::script_name`; 0 for a text without letters.
    pub scripts: u64,
    /// None when there are fewer tokens than the width.
    pub simhash: Option<u64>,
    /// One bucket a band; empty when there are fewer tokens than the width.
    pub buckets: &'b [u64],
    /// The low eight bits of every slot; empty when there are fewer tokens than the width.
    pub slots_low: &'b [u8],
    /// The full signature; empty when there are fewer tokens than the width.
    pub slots: &'b [u32],
    /// The shingles whose highest [`SAMPLE_BITS`] bits are 0, sorted, without repeats. A text that
    /// another holds has its samples there too, whatever their resemblance.
    pub samples: &'b [u64],
}

/// One shingle in two to this power is a sample. The highest bits choose: in a multilinear hash the
/// lowest depend on the lowest bits of the words alone.
pub const SAMPLE_BITS: u32 = 6;

/// Writes the samples among `shingles` into `samples`.
fn sample(shingles: &[u64], samples: &mut Vec<u64>) {
    samples.clear();
    samples.extend(shingles.iter().filter(|shingle| **shingle >> (u64::BITS - SAMPLE_BITS) == 0));
    samples.sort_unstable();
    samples.dedup();
}

/// Buffers for reading texts; reused, they stop allocating.
#[derive(Debug, Default)]
pub struct Scratch {
    text: Text,
    places: Places,
    tokens: Vec<u64>,
    shingles: Vec<u64>,
    spare: Spare,
}

impl Scratch {
    /// Empty buffers. Allocates nothing.
    pub fn new() -> Self {
        Scratch::default()
    }
}

/// Makes fingerprints of texts under one set of rules and one plan.
#[derive(Debug)]
pub struct Reader {
    rules: Rules,
    plan: Plan,
    scratch: Scratch,
    slots: Vec<u32>,
    slots_low: Vec<u8>,
    buckets: Vec<u64>,
    samples: Vec<u64>,
}

impl Reader {
    /// A reader with empty buffers.
    pub fn new(rules: Rules, plan: Plan) -> Self {
        Reader {
            rules,
            plan,
            scratch: Scratch::new(),
            slots: vec![0; plan.slots],
            slots_low: vec![0; plan.slots],
            buckets: vec![0; plan.bands],
            samples: Vec::new(),
        }
    }

    /// The fingerprint of `text`, valid until the next call.
    ///
    /// Cost: one pass over the text; see the head of this file.
    pub fn read(&mut self, text: &str) -> Fingerprint<'_> {
        let Scratch { text: normal, places, tokens, shingles, .. } = &mut self.scratch;
        normal.normalise(self.rules, text);
        shingle::hash_tokens(normal, places, tokens);
        shingle::shingle(self.plan.width, tokens, shingles);
        let bytes = normal.as_bytes();
        let mut fingerprint = Fingerprint {
            tokens: u32::try_from(tokens.len()).unwrap_or(u32::MAX),
            text_digest: xxh3_128(bytes).to_be_bytes(),
            is_empty: bytes.is_empty(),
            scripts: normal.letters().scripts(),
            simhash: simhash::simhash(shingles),
            buckets: &[],
            slots_low: &[],
            slots: &[],
            samples: &[],
        };
        if !shingles.is_empty() {
            minhash::sign(shingles, &mut self.slots);
            minhash::low_bytes(&self.slots, &mut self.slots_low);
            minhash::buckets(&self.slots, &mut self.buckets);
            fingerprint.buckets = &self.buckets;
            fingerprint.slots_low = &self.slots_low;
            fingerprint.slots = &self.slots;
            sample(shingles, &mut self.samples);
            fingerprint.samples = &self.samples;
        }
        fingerprint
    }
}

/// The shingles of `text` as a sorted set without repeats; empty when there are fewer tokens
/// than the width.
///
/// Cost: tokens and shingles of the text, then a linear sort of the set.
pub fn shingle_set<'s>(
    rules: Rules,
    width: Width,
    text: &str,
    scratch: &'s mut Scratch,
) -> &'s [u64] {
    scratch.text.normalise(rules, text);
    shingle::hash_tokens(&scratch.text, &mut scratch.places, &mut scratch.tokens);
    shingle::shingle(width, &scratch.tokens, &mut scratch.shingles);
    shingle::sort_set(&mut scratch.shingles, &mut scratch.spare);
    &scratch.shingles
}

/// The first 16 bytes of BLAKE3 of the normalised text: proof that two texts with an equal text
/// digest are one. An empty text has the proof of no bytes.
///
/// Cost: one pass over the text and one BLAKE3.
pub fn text_proof(rules: Rules, text: &str, scratch: &mut Scratch) -> [u8; 16] {
    scratch.text.normalise(rules, text);
    let hash = blake3::hash(scratch.text.as_bytes());
    let (halves, _) = hash.as_bytes().as_chunks::<16>();
    halves[0]
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;
    use std::process::Command;

    use proptest::prelude::*;
    use xxhash_rust::xxh3::xxh3_64;

    use super::super::shingle::Overlap;
    use super::super::simd::{self, Level};
    use super::*;

    fn plan() -> Plan {
        Plan::new(5, 120, 20).unwrap()
    }

    fn overlap(rules: Rules, width: usize, left: &str, right: &str) -> Overlap {
        let width = Width::new(width).unwrap();
        let mut scratch = Scratch::new();
        let left = shingle_set(rules, width, left, &mut scratch).to_vec();
        Overlap::of(&left, shingle_set(rules, width, right, &mut scratch))
    }

    #[test]
    fn plans_are_checked() {
        assert_eq!(Plan::new(2, 120, 20), Err(PlanError::Width { found: 2 }));
        assert_eq!(Plan::new(11, 120, 20), Err(PlanError::Width { found: 11 }));
        assert_eq!(Plan::new(5, 0, 20), Err(PlanError::Slots { found: 0 }));
        assert_eq!(Plan::new(5, 513, 27), Err(PlanError::Slots { found: 513 }));
        let error = Plan::new(5, 120, 7).unwrap_err();
        assert_eq!(error.to_string(), "bands is 7, wanted a divisor of 120 slots");
        assert_eq!(Plan::new(5, 120, 0), Err(PlanError::Bands { found: 0, slots: 120 }));
        assert_eq!(plan().width().tokens() * plan().slots() * plan().bands(), 5 * 120 * 20);
    }

    #[test]
    fn short_and_empty_texts_have_a_digest_only() {
        let mut reader = Reader::new(Rules::V1, plan());
        reader.read("one two three four five six");
        for text in ["", " \u{200B}\n"] {
            let empty = reader.read(text);
            assert!(empty.is_empty);
            assert_eq!(empty.text_digest, xxh3_128(b"").to_be_bytes());
            assert_eq!((empty.tokens, empty.scripts, empty.simhash), (0, 0, None));
        }
        let short = reader.read("One two, three four!");
        assert!(!short.is_empty);
        assert_eq!((short.tokens, short.simhash), (4, None));
        assert!(short.buckets.is_empty() && short.slots.is_empty() && short.slots_low.is_empty());
        assert_eq!(short.scripts, 1);
        let full = reader.read("one two three four five");
        assert_eq!((full.buckets.len(), full.slots_low.len(), full.slots.len()), (20, 120, 120));
    }

    #[test]
    fn proofs_follow_the_normalised_text() {
        let mut scratch = Scratch::new();
        let left = text_proof(Rules::V1, "STRASSE  1", &mut scratch);
        assert_eq!(left, text_proof(Rules::V1, "straße 1", &mut scratch));
        assert_ne!(left, text_proof(Rules::Word, "straße 1", &mut scratch));
        assert_eq!(left, blake3::hash(b"strasse 1").as_bytes()[..16]);
    }

    #[test]
    fn texts_in_many_languages_resemble_their_copies() {
        for (left, right, shared, union) in [
            // A changed token changes the shingles that hold it.
            (
                "Мы шли по старой дороге через лес домой",
                "Мы ШЛИ по старой дороге через сад домой",
                4,
                8,
            ),
            ("天気がいいから散歩", "天気がいいから散步", 6, 8),
            ("今天天气很好我们去公园", "今天天气很好我们去公園", 8, 10),
            ("Straße und Haus und Hof", "STRASSE UND HAUS, UND HOF!", 3, 3),
            (
                "Tôi yêu tiếng Việt lắm",
                "TO\u{302}I YE\u{302}U TIE\u{302}\u{301}NG VIE\u{323}\u{302}T LA\u{306}\u{301}M",
                3,
                3,
            ),
        ] {
            let overlap = overlap(Rules::V1, 3, left, right);
            assert_eq!((u64::from(overlap.shared), overlap.union()), (shared, union), "{left}");
        }
    }

    /// Undoes the escapes of a vector file.
    fn unescape(field: &str) -> String {
        let mut text = String::new();
        let mut rest = field.chars();
        while let Some(c) = rest.next() {
            if c != '\\' {
                text.push(c);
                continue;
            }
            match rest.next().unwrap() {
                't' => text.push('\t'),
                'n' => text.push('\n'),
                '\\' => text.push('\\'),
                'u' => {
                    let digits: String = rest.by_ref().skip(1).take_while(|c| *c != '}').collect();
                    text.push(char::from_u32(u32::from_str_radix(&digits, 16).unwrap()).unwrap());
                }
                other => panic!("escape {other}"),
            }
        }
        text
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().fold(String::new(), |mut hex, byte| {
            write!(hex, "{byte:02x}").unwrap();
            hex
        })
    }

    /// The columns of a vector file behind the text and the plan.
    fn columns(rules: Rules, plan: Plan, text: &str) -> String {
        let mut reader = Reader::new(rules, plan);
        let found = reader.read(text);
        let slots: Vec<u8> = found.slots.iter().flat_map(|slot| slot.to_le_bytes()).collect();
        let word = |word: Option<u64>| word.map_or("-".to_owned(), |word| format!("{word:016x}"));
        let slots = (!slots.is_empty()).then(|| xxh3_64(&slots));
        format!(
            "{}\t{}\t{:x}\t{}\t{}\t{}\t{}",
            found.tokens,
            hex(&found.text_digest),
            found.scripts,
            word(found.simhash),
            word(found.buckets.first().copied()),
            word(found.buckets.last().copied()),
            word(slots),
        )
    }

    #[test]
    fn vectors_of_published_versions_hold() {
        for (rules, vectors) in [
            (
                Rules::V1,
                include_str!(concat!(
                    env!("CARGO_MANIFEST_DIR"),
                    "/testdata/method/fingerprint_v1.tsv"
                )),
            ),
            (
                Rules::V2,
                include_str!(concat!(
                    env!("CARGO_MANIFEST_DIR"),
                    "/testdata/method/fingerprint_v2.tsv"
                )),
            ),
            (
                Rules::V3,
                include_str!(concat!(
                    env!("CARGO_MANIFEST_DIR"),
                    "/testdata/method/fingerprint_v3.tsv"
                )),
            ),
            (
                Rules::Word,
                include_str!(concat!(
                    env!("CARGO_MANIFEST_DIR"),
                    "/testdata/method/fingerprint_word_v1.tsv"
                )),
            ),
        ] {
            let mut rows = 0;
            for row in vectors.lines().skip(1) {
                let fields: Vec<&str> = row.splitn(5, '\t').collect();
                let [text, width, slots, bands, wanted] = fields[..] else { panic!("{row}") };
                let number = |field: &str| field.parse().unwrap();
                let plan = Plan::new(number(width), number(slots), number(bands)).unwrap();
                let text = unescape(text);
                assert_eq!(
                    columns(rules, plan, &text),
                    wanted,
                    "{rules:?} {text:?}: make a new version of the method, not a new vector file"
                );
                rows += 1;
            }
            assert!(rows > 40, "{rules:?} has {rows} rows");
        }
    }

    #[test]
    fn vectors_hold_at_every_level() {
        // The level is chosen once a process, so each has its own.
        for level in Level::ALL.into_iter().filter(|level| level.is_here()) {
            let test = "vectors_of_published_versions_hold";
            let output = Command::new(std::env::current_exe().unwrap())
                .args([test, "--test-threads=1"])
                .env(simd::VARIABLE, level.word())
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && said.contains("1 passed"), "{level:?}: {said}");
        }
    }

    proptest! {
        #[test]
        fn any_text_has_a_fingerprint(left in any::<String>(), right in "[a-d ]{0,200}") {
            for rules in [Rules::V1, Rules::V2, Rules::V3, Rules::Word] {
                // Buffers that held another text give what fresh ones give.
                let mut reader = Reader::new(rules, plan());
                reader.read(&right);
                let used = reader.read(&left).slots.to_vec();
                let mut fresh = Reader::new(rules, plan());
                prop_assert_eq!(&used, fresh.read(&left).slots);
                let again = fresh.read(&right);
                prop_assert_eq!(again.buckets.is_empty(), again.tokens < 5);
                prop_assert_eq!(again.simhash.is_none(), again.tokens < 5);
            }
        }

        #[test]
        fn resemblance_is_that_of_token_runs(left in "[a-c ]{0,60}", right in "[a-c ]{0,60}") {
            let [runs_left, runs_right] = [&left, &right].map(|text| {
                let tokens: Vec<&str> = text.split_whitespace().collect();
                let runs: std::collections::BTreeSet<Vec<&str>> =
                    tokens.windows(3).map(<[&str]>::to_vec).collect();
                runs
            });
            let shared = runs_left.intersection(&runs_right).count();
            let overlap = overlap(Rules::V1, 3, &left, &right);
            prop_assert_eq!(usize::try_from(overlap.shared).unwrap(), shared);
            prop_assert_eq!(usize::try_from(overlap.left).unwrap(), runs_left.len());
        }
    }
}
