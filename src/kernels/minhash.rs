//! MinHash: a set of shingles becomes a signature of fixed length.
//!
//! Slot `i` holds the least value of `a[i] * x + b[i]` modulo 2^32 over the set, where `x` is
//! the low half of a shingle, so two sets agree in a slot with probability equal to their
//! resemblance; over `n` slots the standard error of that estimate is at most `0.5 / sqrt(n)`.
//! Consecutive slots form bands; two sets meet when all slots of a band agree.
//!
//! Not for sets of more than some ten million shingles: 32 bits of `x` then collide.
//!
//! Source: A. Broder, "On the resemblance and containment of documents", 1997; bands after
//! P. Indyk and R. Motwani, "Approximate nearest neighbors", 1998; the low bits of slots after
//! P. Li and A. König, "b-bit minwise hashing", 2010.
//!
//! Cost: one multiply-add and one minimum a slot and shingle, in lanes of the instruction set.
//! Bench: `kernels`, line `minhash`.

use xxhash_rust::xxh3::xxh3_64;

use super::mix::splitmix64;
use super::simd::{self, Isa, Kernel};

/// The greatest number of slots in a signature.
pub const SLOTS_MAX: usize = 512;

/// Seed of the constants: slot `i`, from 0, has position `i + 1` of the splitmix64 generator.
/// The low half, made odd, is `a[i]`; the high half is `b[i]`.
pub const SEED: u64 = 0x5E1F_5A3E_0000_0002;

/// The factor of every slot.
static FACTORS: [u32; SLOTS_MAX] = constants(0, 1);

/// The addend of every slot.
static ADDENDS: [u32; SLOTS_MAX] = constants(4, 0);

const fn constants(byte: usize, bits: u32) -> [u32; SLOTS_MAX] {
    let mut constants = [0; SLOTS_MAX];
    let mut position = 1;
    let mut slot = 0;
    while slot < SLOTS_MAX {
        let bytes = splitmix64(SEED, position).to_le_bytes();
        let half = [bytes[byte], bytes[byte + 1], bytes[byte + 2], bytes[byte + 3]];
        constants[slot] = u32::from_le_bytes(half) | bits;
        position += 1;
        slot += 1;
    }
    constants
}

/// Shingles that pass the slots at once; they stay in the first cache.
const BLOCK: usize = 1024;

/// Writes the signature of `shingles` into `slots`, at most [`SLOTS_MAX`] of them.
///
/// An empty set leaves every slot at `u32::MAX`: it would resemble every other empty set, so
/// the caller stores nothing instead. Order and repeats of `shingles` do not matter. The first
/// slots of a longer signature are the shorter signature.
///
/// Cost: `shingles.len() * slots.len()` multiply-adds, no allocation.
///
/// # Panics
///
/// When `slots` is longer than [`SLOTS_MAX`].
pub fn sign(shingles: &[u64], slots: &mut [u32]) {
    assert!(slots.len() <= SLOTS_MAX, "at most 512 slots");
    simd::dispatch(Sign { shingles, slots });
}

struct Sign<'s> {
    shingles: &'s [u64],
    slots: &'s mut [u32],
}

impl Kernel for Sign<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let Sign { shingles, slots } = self;
        slots.fill(u32::MAX);
        let (octets, rest) = slots.as_chunks_mut();
        let (factors, _) = FACTORS.as_chunks();
        let (addends, _) = ADDENDS.as_chunks();
        let (factors, rest_factors) = factors.split_at(octets.len());
        let (addends, rest_addends) = addends.split_at(octets.len());
        for block in shingles.chunks(BLOCK) {
            isa.lower_slots(block, factors, addends, octets);
        }
        if !rest.is_empty() {
            let mut octet = [[u32::MAX; 8]];
            isa.lower_slots(shingles, &rest_factors[..1], &rest_addends[..1], &mut octet);
            rest.copy_from_slice(&octet[0][..rest.len()]);
        }
    }
}

/// Writes the low eight bits of every slot; the high bits of a minimum are nearly constant.
///
/// Cost: one byte a slot. Extra slots on either side are left alone.
pub fn low_bytes(slots: &[u32], bytes: &mut [u8]) {
    for (byte, slot) in bytes.iter_mut().zip(slots) {
        *byte = slot.to_le_bytes()[0];
    }
}

/// Writes the bucket of every band; `slots` are divided evenly among `buckets`.
///
/// The bucket is xxh3-64 of the band's number, from 0, as four little-endian bytes, followed by
/// the band's slots, four little-endian bytes each. So equal slots in different bands do not
/// meet. Slots behind the last full band are not used; no buckets, nothing is written.
///
/// Cost: one hash of `4 + 4 * slots_per_band` bytes a band, no allocation.
pub fn buckets(slots: &[u32], buckets: &mut [u64]) {
    let Some(slots_per_band) = slots.len().checked_div(buckets.len()) else { return };
    let mut bytes = [0; 4 + 4 * SLOTS_MAX];
    for ((bucket, band), number) in
        buckets.iter_mut().zip(slots.chunks(slots_per_band.max(1))).zip(0_u32..)
    {
        let (words, _) = bytes.as_chunks_mut::<4>();
        words[0] = number.to_le_bytes();
        for (word, slot) in words.iter_mut().skip(1).zip(band) {
            *word = slot.to_le_bytes();
        }
        *bucket = xxh3_64(&bytes[..4 + 4 * band.len()]);
    }
}

/// The number of equal entries of two signatures, or of the stored bytes of two signatures.
///
/// Extra entries of the longer one are left out. Cost: one comparison an entry.
pub fn equal_slots<T: PartialEq + Copy>(left: &[T], right: &[T]) -> u32 {
    left.iter().zip(right).map(|(left, right)| u32::from(left == right)).sum()
}

/// Resemblance estimated from two full signatures, 0 to 1: the share of equal slots.
///
/// Unbiased. 0 for signatures without slots.
pub fn resemblance_estimated(left: &[u32], right: &[u32]) -> f64 {
    share(equal_slots(left, right), left.len().min(right.len()))
}

/// Resemblance estimated from the stored bytes of two signatures, 0 to 1.
///
/// Bytes of unequal slots agree by accident once in 256, so a share of equal bytes `s` is
/// corrected to `(s - 1/256) / (1 - 1/256)` and not below 0. That adds at most 0.4 % to the
/// standard error of a full signature at 0.5 and above. 0 for no bytes.
pub fn resemblance_estimated_low(left: &[u8], right: &[u8]) -> f64 {
    let share = share(equal_slots(left, right), left.len().min(right.len()));
    ((share - 1.0 / 256.0) / (1.0 - 1.0 / 256.0)).max(0.0)
}

fn share(equal: u32, slots: usize) -> f64 {
    match u32::try_from(slots) {
        Ok(0) | Err(_) => 0.0,
        Ok(slots) => f64::from(equal) / f64::from(slots),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::mix::{fmix64, low_half};
    use super::*;

    fn signature(shingles: &[u64], slots: usize) -> Vec<u32> {
        let mut signature = vec![0; slots];
        sign(shingles, &mut signature);
        signature
    }

    /// The definition, slot by slot.
    fn by_definition(shingles: &[u64], slots: usize) -> Vec<u32> {
        (0..slots)
            .map(|slot| {
                let constant = splitmix64(SEED, u64::try_from(slot).unwrap() + 1);
                let (factor, addend) = (low_half(constant) | 1, low_half(constant >> 32));
                let values = shingles
                    .iter()
                    .map(|shingle| factor.wrapping_mul(low_half(*shingle)).wrapping_add(addend));
                values.min().unwrap_or(u32::MAX)
            })
            .collect()
    }

    /// Two sets of `count` random shingles in all, of which `shared` are in both.
    fn pair(seed: u64, count: u64, shared: u64) -> [Vec<u64>; 2] {
        let all: Vec<u64> = (0..count).map(|n| splitmix64(seed, n + 1)).collect();
        let (both, rest) = all.split_at(usize::try_from(shared).unwrap());
        let (left, right) = rest.split_at(rest.len() / 2);
        [left, right].map(|own| [both, own].concat())
    }

    #[test]
    fn constants_do_not_repeat() {
        let mut factors = FACTORS;
        factors.sort_unstable();
        assert!(factors.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(FACTORS.iter().all(|factor| factor % 2 == 1));
    }

    #[test]
    fn an_empty_set_has_no_minima() {
        assert_eq!(signature(&[], 120), [u32::MAX; 120]);
        assert_eq!(resemblance_estimated(&[], &[]), 0.0);
        buckets(&[1, 2], &mut []);
    }

    #[test]
    fn bands_are_numbered_into_their_buckets() {
        let mut found = [0; 2];
        buckets(&[5, 6, 5, 6], &mut found);
        assert_ne!(found[0], found[1]);
        let bytes = [1, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0];
        assert_eq!(found[1], xxh3_64(&bytes));
    }

    #[test]
    fn estimates_are_as_good_as_theory() {
        for (count, shared) in [(20, 16), (100, 50), (400, 320), (400, 40)] {
            let resemblance = f64::from(u32::try_from(shared).unwrap())
                / f64::from(u32::try_from(count).unwrap());
            let (mut bias, mut squares, mut low_bias) = (0.0, 0.0, 0.0);
            let trials = 800;
            for trial in 0..trials {
                let [left, right] = pair(fmix64(trial + 1), count, shared);
                let [left, right] = [left, right].map(|set| signature(&set, 128));
                let error = resemblance_estimated(&left, &right) - resemblance;
                bias += error;
                squares += error * error;
                let [left, right] = [left, right].map(|slots| {
                    let mut bytes = [0; 128];
                    low_bytes(&slots, &mut bytes);
                    bytes
                });
                low_bias += resemblance_estimated_low(&left, &right) - resemblance;
            }
            let trials = f64::from(u32::try_from(trials).unwrap());
            let variance = resemblance * (1.0 - resemblance) / 128.0;
            let ratio = (squares / trials / variance).sqrt();
            assert!((0.85..1.15).contains(&ratio), "{count}, {shared}: error {ratio} of theory");
            // The mean of the trials stays within four and a half of its standard errors.
            let bound = 4.5 * (variance / trials).sqrt();
            assert!((bias / trials).abs() < bound, "{count}, {shared}: bias {}", bias / trials);
            assert!((low_bias / trials).abs() < bound * 1.1, "{count}, {shared}: low bytes");
        }
    }

    #[test]
    fn bands_meet_as_often_as_theory() {
        for (shared, theory) in [(60_u64, 0.615), (80, 0.998), (40, 0.079)] {
            let trials = 1000;
            let met = (0..trials)
                .filter(|trial| {
                    let [left, right] = pair(fmix64(trial + 7), 100, shared).map(|set| {
                        let mut found = [0; 20];
                        buckets(&signature(&set, 120), &mut found);
                        found
                    });
                    left.iter().zip(&right).any(|(left, right)| left == right)
                })
                .count();
            let rate = f64::from(u32::try_from(met).unwrap()) / 1000.0;
            let error = (theory * (1.0_f64 - theory) / 1000.0).sqrt();
            assert!((rate - theory).abs() < 4.0 * error + 0.003, "{shared}: {rate}, {theory}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_definition(
            shingles in prop::collection::vec(any::<u64>(), 0..60),
            slots in 0_usize..=SLOTS_MAX,
        ) {
            prop_assert_eq!(signature(&shingles, slots), by_definition(&shingles, slots));
        }

        #[test]
        fn order_and_repeats_do_not_matter(
            shingles in prop::collection::vec(any::<u64>(), 1..3000),
            turn in any::<prop::sample::Index>(),
        ) {
            let mut other = shingles.clone();
            other.rotate_left(turn.index(shingles.len()));
            other.reverse();
            other.extend_from_within(..shingles.len() / 2);
            prop_assert_eq!(signature(&shingles, 120), signature(&other, 120));
        }

        #[test]
        fn a_union_has_the_lesser_slots(
            left in prop::collection::vec(any::<u64>(), 0..50),
            right in prop::collection::vec(any::<u64>(), 0..50),
        ) {
            let both = signature(&[left.clone(), right.clone()].concat(), 64);
            let lesser: Vec<u32> = signature(&left, 64)
                .iter()
                .zip(signature(&right, 64))
                .map(|(left, right)| *left.min(&right))
                .collect();
            prop_assert_eq!(both, lesser);
        }
    }
}
