//! Shingles: tokens become 64-bit hashes, and runs of `width` tokens one 64-bit shingle each.
//!
//! The hash of a token is a folded multiply of its bytes; a shingle is a linear combination of
//! its tokens' hashes, mixed once. So a shingle costs `width` multiplications and never a look
//! at the text again. Sets of shingles are sorted slices; resemblance and containment of two
//! sets are exact up to collisions of 64 bits.
//!
//! Not for an adversary who may choose colliding tokens on purpose: the constants are
//! published. Who needs proof that two texts are equal takes `fingerprint::text_proof`.
//!
//! Source: A. Broder, "On the resemblance and containment of documents", 1997; the folded
//! multiply is that of wyhash by Wang Yi; the last mix is MurmurHash3's by A. Appleby.
//!
//! Cost: one or two products a token, `width` products a shingle; a set is sorted in linear time.
//! Bench: `fingerprint`, lines `tokens`, `shingle`, `shingle_set` and `intersection`.

use super::text::{Letters, Rules, Text, index};

/// Seed of the constants below: position 1 and 2 of [`splitmix64`] for tokens, 11 to 20 for the
/// places in a shingle.
pub const SEED: u64 = 0x5E1F_5A3E_0000_0001;

/// The third byte is 0xFF, which UTF-8 never has: a token's bytes never equal this word, so no
/// factor of the product is 0.
const TOKEN_LOW: u64 = splitmix64(SEED, 1) | 0xFF << 16;
/// The same for the second eight bytes.
const TOKEN_HIGH: u64 = splitmix64(SEED, 2) | 0xFF << 16;

/// The odd factor of each place in a shingle.
const FACTORS: [u64; WIDTH_MAX] = {
    let mut factors = [0; WIDTH_MAX];
    let mut position = 11;
    let mut place = 0;
    while place < WIDTH_MAX {
        factors[place] = splitmix64(SEED, position) | 1;
        position += 1;
        place += 1;
    }
    factors
};

/// `MASKS[n]` keeps the first `n` bytes of a little-endian word.
const MASKS: [u64; 9] = [
    0,
    0xFF,
    0xFFFF,
    0xFF_FFFF,
    0xFFFF_FFFF,
    0xFF_FFFF_FFFF,
    0xFFFF_FFFF_FFFF,
    0xFF_FFFF_FFFF_FFFF,
    u64::MAX,
];

/// The least and the greatest number of tokens in a shingle.
pub const WIDTH_MIN: usize = 3;
/// See [`WIDTH_MIN`].
pub const WIDTH_MAX: usize = 10;

/// Output number `position`, from 1, of the splitmix64 generator that starts at `seed`
/// (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014).
pub const fn splitmix64(seed: u64, position: u64) -> u64 {
    let z = seed.wrapping_add(position.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// The final mix of MurmurHash3, a permutation of 64 bits.
#[inline(always)]
pub const fn fmix64(value: u64) -> u64 {
    let value = (value ^ value >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    let value = (value ^ value >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    value ^ value >> 33
}

/// Number of tokens in a shingle, 3 to 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Width(usize);

impl Width {
    /// A checked width; none outside [`WIDTH_MIN`] to [`WIDTH_MAX`].
    pub fn new(tokens: usize) -> Option<Self> {
        (WIDTH_MIN..=WIDTH_MAX).contains(&tokens).then_some(Width(tokens))
    }

    /// The number of tokens.
    pub fn tokens(self) -> usize {
        self.0
    }
}

/// The high and the low half of a product, folded together.
#[inline(always)]
fn fold(left: u64, right: u64) -> u64 {
    let product = (u128::from(left) * u128::from(right)).to_le_bytes();
    let (halves, _) = product.as_chunks::<8>();
    u64::from_le_bytes(halves[0]) ^ u64::from_le_bytes(halves[1])
}

/// The hash of the `len` bytes at `start` of a text with zero bytes behind it.
///
/// Two masked loads and one product up to 16 bytes, another product for every 16 bytes more.
#[inline(always)]
fn hash_at(padded: &[u8], start: usize, len: usize) -> u64 {
    let word = |at: usize| match padded.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => 0,
    };
    let (mut state, mut at, mut left) = (0, start, len);
    while left > 16 {
        state = fold(word(at) ^ TOKEN_LOW ^ state, word(at + 8) ^ TOKEN_HIGH);
        at += 16;
        left -= 16;
    }
    let first = word(at) & MASKS[left.min(8)];
    let second = word(at + 8) & MASKS[left.saturating_sub(8)];
    fold(first ^ TOKEN_LOW ^ state, second ^ TOKEN_HIGH ^ wide(len))
}

/// Widens a length.
fn wide(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}

/// Replaces `hashes` by the hash of every token of a normalised text, in order.
///
/// A text without tokens leaves `hashes` empty. Cost: one pass; allocates until `hashes` has
/// grown to the largest text.
pub fn hash_tokens(rules: Rules, text: &Text, hashes: &mut Vec<u64>) -> Letters {
    hashes.clear();
    let padded = text.padded();
    text.tokens(rules, |start, end| hashes.push(hash_at(padded, start, end - start)))
}

/// Replaces `shingles` by the shingle at every position, in order, repeats included.
///
/// Fewer tokens than `width` leave `shingles` empty. Cost: `width` multiplications a token.
pub fn shingle(width: Width, tokens: &[u64], shingles: &mut Vec<u64>) {
    shingles.clear();
    match width.0 {
        3 => combine::<3>(tokens, shingles),
        4 => combine::<4>(tokens, shingles),
        5 => combine::<5>(tokens, shingles),
        6 => combine::<6>(tokens, shingles),
        7 => combine::<7>(tokens, shingles),
        8 => combine::<8>(tokens, shingles),
        9 => combine::<9>(tokens, shingles),
        _ => combine::<10>(tokens, shingles),
    }
}

#[inline(always)]
fn combine<const WIDTH: usize>(tokens: &[u64], shingles: &mut Vec<u64>) {
    shingles.extend(tokens.array_windows::<WIDTH>().map(|run| {
        let terms = run.iter().zip(FACTORS).map(|(token, factor)| token.wrapping_mul(factor));
        fmix64(terms.fold(0, u64::wrapping_add))
    }));
}

/// Buffers of [`sort_set`]; reused, it stops allocating.
#[derive(Debug, Default)]
pub struct Spare {
    values: Vec<u64>,
    ends: Vec<u32>,
}

/// At most this many values are sorted by insertion; a fuller bucket by comparison sort.
const INSERTION_MAX: usize = 24;
/// At most this many top bits choose a bucket.
const BUCKET_BITS_MAX: u32 = 16;

/// Sorts `set` and removes repeats.
///
/// Values are dealt into about as many buckets as there are values by their top bits, then each
/// bucket is sorted. Shingles are evenly spread, so buckets are small; values that are not cost
/// a comparison sort of their bucket and never more.
///
/// Cost: linear for shingles; allocates until `spare` has grown to the largest set.
pub fn sort_set(set: &mut Vec<u64>, spare: &mut Spare) {
    if set.len() <= INSERTION_MAX || u32::try_from(set.len()).is_err() {
        set.sort_unstable();
        return set.dedup();
    }
    let bits = set.len().ilog2().min(BUCKET_BITS_MAX);
    let bucket = |value: u64| low_index(value >> (64 - bits));
    let Spare { values, ends } = spare;
    ends.clear();
    ends.resize(1 << bits, 0);
    for &value in &*set {
        ends[bucket(value)] += 1;
    }
    let mut sum = 0;
    for end in &mut *ends {
        (*end, sum) = (sum, sum + *end);
    }
    // `ends` holds starts here; dealing moves each to the end of its bucket.
    values.resize(set.len(), 0);
    for &value in &*set {
        let end = &mut ends[bucket(value)];
        values[index(*end)] = value;
        *end += 1;
    }
    set.clear();
    let mut start = 0;
    for &end in &*ends {
        let end = index(end);
        sort_bucket(&mut values[start..end]);
        for &value in &values[start..end] {
            if set.last() != Some(&value) {
                set.push(value);
            }
        }
        start = end;
    }
}

#[inline(always)]
fn sort_bucket(bucket: &mut [u64]) {
    if bucket.len() > INSERTION_MAX {
        return bucket.sort_unstable();
    }
    for sorted in 1..bucket.len() {
        let value = bucket[sorted];
        let mut at = sorted;
        while at > 0 && bucket[at - 1] > value {
            bucket[at] = bucket[at - 1];
            at -= 1;
        }
        bucket[at] = value;
    }
}

/// The low 32 bits as an index.
#[inline(always)]
fn low_index(value: u64) -> usize {
    index(low_half(value))
}

/// The low 32 bits.
#[inline(always)]
pub(super) fn low_half(value: u64) -> u32 {
    let [first, second, third, fourth, ..] = value.to_le_bytes();
    u32::from_le_bytes([first, second, third, fourth])
}

/// The number of values that two sets share. Both must be sorted and free of repeats.
///
/// Cost: one step an element of the shorter way through both, without mispredicted branches.
pub fn intersection(left: &[u64], right: &[u64]) -> usize {
    let (mut left_at, mut right_at, mut shared) = (0, 0, 0);
    while left_at < left.len() && right_at < right.len() {
        let (left_value, right_value) = (left[left_at], right[right_at]);
        shared += usize::from(left_value == right_value);
        left_at += usize::from(left_value <= right_value);
        right_at += usize::from(right_value <= left_value);
    }
    shared
}

/// How far two sets overlap, in elements. An empty set reaches nothing and resembles nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Elements that both sets have.
    pub shared: u32,
    /// Elements of the left set.
    pub left: u32,
    /// Elements of the right set.
    pub right: u32,
}

impl Overlap {
    /// The overlap of two sorted sets of fewer than 2^32 elements. Cost: one `intersection`.
    pub fn of(left: &[u64], right: &[u64]) -> Self {
        let [shared, left, right] = [intersection(left, right), left.len(), right.len()]
            .map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        Overlap { shared, left, right }
    }

    /// Elements of the union.
    pub fn union(self) -> u64 {
        (u64::from(self.left) + u64::from(self.right)).saturating_sub(u64::from(self.shared))
    }

    /// True when the resemblance is at least `threshold_milli` thousandths, in exact integers.
    /// False for two empty sets, whatever the threshold.
    pub fn reaches(self, threshold_milli: u32) -> bool {
        let union = self.union();
        union > 0 && u64::from(self.shared) * 1000 >= u64::from(threshold_milli) * union
    }

    /// Resemblance in thousandths, rounded down; 0 for two empty sets.
    pub fn resemblance_milli(self) -> u32 {
        let milli = (u64::from(self.shared) * 1000).checked_div(self.union()).unwrap_or(0);
        u32::try_from(milli).unwrap_or(1000)
    }

    /// Shared elements by elements of the union, 0 to 1; 0 for two empty sets.
    pub fn resemblance(self) -> f64 {
        // Both counts are below 2^33, which f64 holds exactly.
        let union = f64::from(self.left) + f64::from(self.right) - f64::from(self.shared);
        ratio(f64::from(self.shared), union)
    }

    /// The part of the left set that the right one has, 0 to 1; 0 when the left is empty.
    pub fn containment_left(self) -> f64 {
        ratio(f64::from(self.shared), f64::from(self.left))
    }

    /// The part of the right set that the left one has, 0 to 1; 0 when the right is empty.
    pub fn containment_right(self) -> f64 {
        ratio(f64::from(self.shared), f64::from(self.right))
    }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn tokens(text: &str) -> Vec<u64> {
        let (mut normal, mut hashes) = (Text::new(), Vec::new());
        normal.normalise(Rules::V1, text);
        hash_tokens(Rules::V1, &normal, &mut hashes);
        hashes
    }

    /// The token hash as its definition reads: bytes padded by zeros, blocks of 16.
    fn hash_by_definition(token: &[u8]) -> u64 {
        let blocks = token.len().div_ceil(16);
        let mut state = 0;
        for block in 0..blocks {
            let mut bytes = [0; 16];
            let part = &token[block * 16..token.len().min(block * 16 + 16)];
            bytes[..part.len()].copy_from_slice(part);
            let (words, _) = bytes.as_chunks::<8>();
            let [low, high] = [0, 1].map(|word| u64::from_le_bytes(words[word]));
            let len = if block + 1 == blocks { wide(token.len()) } else { 0 };
            state = fold(low ^ TOKEN_LOW ^ state, high ^ TOKEN_HIGH ^ len);
        }
        state
    }

    #[test]
    fn tokens_hash_as_defined() {
        for len in 1..100 {
            let token: String = ('a'..='z').cycle().take(len).collect();
            let text = format!("xx {token}  yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy");
            assert_eq!(tokens(&text)[1], hash_by_definition(token.as_bytes()), "{len} bytes");
        }
    }

    #[test]
    fn fewer_tokens_than_width_give_none() {
        let mut shingles = vec![1];
        for width in WIDTH_MIN..=WIDTH_MAX {
            let width = Width::new(width).unwrap();
            shingle(width, &vec![7; width.tokens() - 1], &mut shingles);
            assert!(shingles.is_empty());
            shingle(width, &vec![7; width.tokens() + 1], &mut shingles);
            assert_eq!(shingles.len(), 2);
        }
        assert_eq!(Width::new(2), None);
        assert_eq!(Width::new(11), None);
    }

    #[test]
    fn places_matter() {
        let [mut left, mut right] = [vec![], vec![]];
        shingle(Width(3), &tokens("man bites dog"), &mut left);
        shingle(Width(3), &tokens("dog bites man"), &mut right);
        assert_ne!(left, right);
    }

    #[test]
    fn distinct_runs_have_distinct_hashes() {
        // Runs over a small alphabet are many and alike: the hard case for a linear form.
        let mut text = String::new();
        let mut state = 1;
        for position in 1..200_000 {
            state = splitmix64(state, position);
            text.push_str(["a", "b", "c", "aa", "ab", "1", "12", "21", "ba"][low_index(state) % 9]);
            text.push(' ');
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut shingles = Vec::new();
        shingle(Width(5), &tokens(&text), &mut shingles);
        let by_text: BTreeSet<&[&str]> = words.windows(5).collect();
        let by_hash: BTreeSet<u64> = shingles.iter().copied().collect();
        assert_eq!(by_text.len(), by_hash.len());
        // Each of 256 values of a byte is met evenly: chi-square over 255 degrees.
        for byte in 0..8 {
            let mut counts = [0.0; 256];
            by_hash.iter().for_each(|hash| counts[usize::from(hash.to_le_bytes()[byte])] += 1.0);
            let expected = f64::from(u32::try_from(by_hash.len()).unwrap()) / 256.0;
            let chi: f64 = counts.iter().map(|n| (n - expected) * (n - expected) / expected).sum();
            assert!((150.0..380.0).contains(&chi), "byte {byte}: {chi}");
        }
    }

    #[test]
    fn thresholds_are_exact() {
        let overlap = Overlap { shared: 4, left: 5, right: 4 };
        assert!(overlap.reaches(800));
        assert!(!overlap.reaches(801));
        assert_eq!(overlap.resemblance_milli(), 800);
        assert_eq!(overlap.containment_left(), 0.8);
        assert_eq!(overlap.containment_right(), 1.0);
        let empty = Overlap::of(&[], &[]);
        assert!(!empty.reaches(0));
        assert_eq!(empty.resemblance(), 0.0);
        assert_eq!(empty.resemblance_milli(), 0);
        assert_eq!(empty.containment_left(), 0.0);
    }

    proptest! {
        #[test]
        fn sets_are_sorted_and_free_of_repeats(
            values in prop::collection::vec(any::<u64>(), 0..2000),
            narrow in prop::collection::vec(0_u64..500, 0..2000),
        ) {
            let mut spare = Spare::default();
            for values in [values, narrow] {
                let wanted: Vec<u64> = BTreeSet::from_iter(values.clone()).into_iter().collect();
                let mut set = values;
                sort_set(&mut set, &mut spare);
                prop_assert_eq!(set, wanted);
            }
        }

        #[test]
        fn overlap_is_that_of_sets(
            left in prop::collection::btree_set(0_u64..300, 0..200),
            right in prop::collection::btree_set(0_u64..300, 0..200),
        ) {
            let shared = left.intersection(&right).count();
            let union = left.union(&right).count();
            let [left, right]: [Vec<u64>; 2] = [left, right].map(|set| set.into_iter().collect());
            prop_assert_eq!(intersection(&left, &right), shared);
            let overlap = Overlap::of(&left, &right);
            prop_assert_eq!(overlap.union(), wide(union));
            prop_assert_eq!(overlap, {
                let Overlap { shared, left, right } = Overlap::of(&right, &left);
                Overlap { shared, left: right, right: left }
            });
        }
    }
}
