//! SimHash: a text's shingles become 64 bits that differ little when the texts differ little.
//!
//! Bit `i` is set when more than half of the shingle hashes have bit `i` set. Every occurrence
//! counts, so a repeated shingle weighs more; a tie gives 0. Fingerprints of near-duplicates
//! differ in few bits, and [`block_keys`] finds every pair within [`DISTANCE`] bits.
//!
//! Not a decision: a small distance only proposes a pair. Short texts and texts that share a
//! template are close without being alike, so what is proposed must be verified.
//!
//! Source: M. Charikar, "Similarity estimation techniques from rounding algorithms", 2002;
//! G. Manku, A. Jain, A. Das Sarma, "Detecting near-duplicates for web crawling", 2007.
//!
//! Cost: about five word operations a shingle (bit-sliced counters).
//! Bench: `kernels`, line `simhash`.

use super::mix::fmix64;
use super::simd::{self, Isa, Kernel};
use super::text::index;

/// The greatest Hamming distance that `block_keys` is guaranteed to find.
pub const DISTANCE: u32 = 3;

/// Number of keys a fingerprint has: two blocks out of five.
pub const KEYS: usize = 10;

/// First bit and number of bits of the five blocks.
const BLOCKS: [(u32, u32); 5] = [(0, 13), (13, 13), (26, 13), (39, 13), (52, 12)];

/// The blocks that each key is made of.
const PAIRS: [(usize, usize); KEYS] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

/// Counts up to 2^36 occurrences, more than a text of addressable size has.
const PLANES: usize = 36;

/// Words that are counted side by side, each lane with counters of its own.
const LANES: usize = 4;
/// A row of words, which the compiler puts into registers of any width.
type Row = [u64; LANES];

/// Rows that are added at once.
const ROWS: usize = 16;
/// A lane counts up to 2^12 - 1 occurrences before lanes are added up.
const LANE_PLANES: usize = 12;
/// Words that no lane can miscount: 2^12 - 16 rows.
const PART: usize = LANES * ROWS * 255;

/// Adds three words bit by bit: the sum and the carry of every bit.
#[inline(always)]
fn add(first: u64, second: u64, third: u64) -> (u64, u64) {
    let half = first ^ second;
    (half ^ third, (first & second) | (half & third))
}

/// Adds two rows to `sum` bit by bit and gives the carries.
#[inline(always)]
fn add_rows(sum: &mut Row, second: &Row, third: &Row) -> Row {
    let mut carries = [0; LANES];
    for lane in 0..LANES {
        (sum[lane], carries[lane]) = add(sum[lane], second[lane], third[lane]);
    }
    carries
}

/// The SimHash of a text's shingle hashes, or none when there are no shingles.
///
/// Order does not matter, repeats do. Cost: one pass, no allocation.
pub fn simhash(shingles: &[u64]) -> Option<u64> {
    (!shingles.is_empty()).then(|| simd::dispatch(Simhash(shingles)))
}

struct Simhash<'s>(&'s [u64]);

impl Kernel for Simhash<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> u64 {
        let Simhash(shingles) = self;
        // Plane `p` holds bit `p` of 64 counts.
        let mut planes = [0; PLANES];
        for part in shingles.chunks(PART) {
            let mut lanes = [[0; LANES]; LANE_PLANES];
            let bits = index(part.len().div_ceil(LANES).ilog2()) + 1;
            count_part(part, &mut lanes, bits);
            for lane in 0..LANES {
                add_lane(&mut planes, &lanes, lane, bits);
            }
        }
        majority(&planes[..index(shingles.len().ilog2()) + 1], shingles.len() / 2)
    }
}

/// Adds `words` to the counters of the lanes, of which `bits` planes can change.
#[inline(always)]
fn count_part(words: &[u64], lanes: &mut [Row; LANE_PLANES], bits: usize) {
    let mut low = [[0; LANES]; 4];
    let high = &mut lanes[4..bits.max(4)];
    let (rows, rest) = words.as_chunks();
    let (blocks, rest_rows) = rows.as_chunks();
    for block in blocks {
        count(block, &mut low, high);
    }
    if !rest.is_empty() || !rest_rows.is_empty() {
        let mut last = [[0; LANES]; ROWS];
        let words = &words[LANES * ROWS * blocks.len()..];
        last.as_flattened_mut()[..words.len()].copy_from_slice(words);
        count(&last, &mut low, high);
    }
    lanes[..4].copy_from_slice(&low);
}

/// Adds a block of rows to the counters of the lanes.
#[inline(always)]
fn count(rows: &[Row; ROWS], low: &mut [Row; 4], high: &mut [Row]) {
    let [ones, twos, fours, eights] = low;
    let mut eight = [[0; LANES]; 2];
    for (eight, half) in eight.iter_mut().zip(rows.as_chunks::<8>().0) {
        let mut four = [[0; LANES]; 2];
        for (four, quarter) in four.iter_mut().zip(half.as_chunks::<4>().0) {
            let left = add_rows(ones, &quarter[0], &quarter[1]);
            let right = add_rows(ones, &quarter[2], &quarter[3]);
            *four = add_rows(twos, &left, &right);
        }
        *eight = add_rows(fours, &four[0], &four[1]);
    }
    let mut carries = add_rows(eights, &eight[0], &eight[1]);
    for plane in high {
        for lane in 0..LANES {
            (plane[lane], carries[lane]) =
                (plane[lane] ^ carries[lane], plane[lane] & carries[lane]);
        }
    }
}

/// Adds the counters of one lane, `bits` planes of them, to `planes`.
#[inline(always)]
fn add_lane(planes: &mut [u64; PLANES], lanes: &[Row; LANE_PLANES], lane: usize, bits: usize) {
    let mut carry = 0;
    for (plane, row) in planes.iter_mut().zip(&lanes[..bits]) {
        (*plane, carry) = add(*plane, row[lane], carry);
    }
    for plane in &mut planes[bits..] {
        if carry == 0 {
            break;
        }
        (*plane, carry) = (*plane ^ carry, *plane & carry);
    }
}

/// The bits whose count exceeds `half`.
#[inline(always)]
fn majority(planes: &[u64], half: usize) -> u64 {
    let (mut greater, mut equal) = (0, u64::MAX);
    for (&plane, bit) in planes.iter().zip(0..PLANES).rev() {
        let wanted = if half >> bit & 1 == 1 { u64::MAX } else { 0 };
        greater |= equal & plane & !wanted;
        equal &= !(plane ^ wanted);
    }
    greater
}

/// The number of bits in which two fingerprints differ, 0 to 64.
pub fn hamming(left: u64, right: u64) -> u32 {
    (left ^ right).count_ones()
}

/// Ten keys, so that fingerprints within [`DISTANCE`] bits have a key in common.
///
/// Three changed bits touch at most three of five blocks; the two others make an equal key.
/// The number of the key is mixed in, so keys of different numbers meet only by accident. Many
/// pairs with a common key are farther apart: filter by [`hamming`].
pub fn block_keys(simhash: u64) -> [u64; KEYS] {
    let mut keys = [0; KEYS];
    for ((key, (left, right)), number) in keys.iter_mut().zip(PAIRS).zip(1..) {
        let [left, right] = [BLOCKS[left], BLOCKS[right]].map(|(from, bits)| {
            let block: u64 = (1 << bits) - 1;
            simhash & block << from
        });
        *key = fmix64((left | right).wrapping_add(fmix64(number)));
    }
    keys
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::simd::Level;
    use super::*;

    fn naive(shingles: &[u64]) -> Option<u64> {
        let mut sums = [0_i64; 64];
        for shingle in shingles {
            for (bit, sum) in sums.iter_mut().enumerate() {
                *sum += if shingle >> bit & 1 == 1 { 1 } else { -1 };
            }
        }
        let bits = sums.iter().enumerate().filter(|(_, sum)| **sum > 0);
        (!shingles.is_empty()).then(|| bits.fold(0, |all, (bit, _)| all | 1 << bit))
    }

    #[test]
    fn edges() {
        assert_eq!(simhash(&[]), None);
        assert_eq!(simhash(&[0]), Some(0));
        assert_eq!(simhash(&[u64::MAX]), Some(u64::MAX));
        assert_eq!(simhash(&[u64::MAX, 0]), Some(0), "a tie gives 0");
        assert_eq!(simhash(&[7; 1000]), Some(7));
    }

    #[test]
    fn keys_are_spread() {
        let keys: Vec<u64> = (0..4096).flat_map(|n| block_keys(fmix64(n))).collect();
        let mut low = [0_u32; 256];
        let mut high = [0_u32; 256];
        for key in &keys {
            low[usize::from(key.to_le_bytes()[0])] += 1;
            high[usize::from(key.to_le_bytes()[7])] += 1;
        }
        // 160 expected in each; a Poisson spread stays inside eight standard deviations.
        assert!(low.iter().chain(&high).all(|count| (60..260).contains(count)));
    }

    #[test]
    fn parts_and_lanes_add_up() {
        for length in [63, 64, 65, PART - 1, PART, PART + 1, 3 * PART + 77] {
            let shingles: Vec<u64> = (0..length)
                .map(|n| u64::try_from(n).unwrap())
                .map(|n| fmix64(n) & fmix64(!n) | if n % 3 == 0 { 0xFF } else { 0xF000 })
                .collect();
            for level in Level::ALL.into_iter().filter(|level| level.is_here()) {
                let found = simd::dispatch_at(level, Simhash(&shingles));
                assert_eq!(found, naive(&shingles), "{length} at {level:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn agrees_with_counters(shingles in prop::collection::vec(any::<u64>(), 0..200)) {
            prop_assert_eq!(simhash(&shingles), naive(&shingles));
        }

        #[test]
        fn agrees_where_bits_are_rare(
            shingles in prop::collection::vec(any::<(u64, u64)>(), 0..3000),
        ) {
            let shingles: Vec<u64> = shingles.iter().map(|pair| pair.0 & pair.1).collect();
            prop_assert_eq!(simhash(&shingles), naive(&shingles));
        }

        #[test]
        fn near_fingerprints_meet(
            left in any::<u64>(),
            flips in prop::collection::vec(0..64, 0..=3),
        ) {
            let right = flips.iter().fold(left, |bits, flip| bits ^ 1_u64 << flip);
            prop_assert!(hamming(left, right) <= DISTANCE);
            let met = block_keys(left).iter().zip(block_keys(right)).any(|(l, r)| *l == r);
            prop_assert!(met);
        }
    }
}
