//! Mixing: cheap functions of 64 bits whose results look random.
//!
//! Not for an adversary: all are published and can be turned round.
//!
//! Source: named at each. Cost: two or three multiplications.

/// Output number `position`, from 1, of the splitmix64 generator that starts at `seed`
/// (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014).
pub const fn splitmix64(seed: u64, position: u64) -> u64 {
    let z = seed.wrapping_add(position.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// The factors of [`fmix64`].
pub(super) const FMIX: [u64; 2] = [0xFF51_AFD7_ED55_8CCD, 0xC4CE_B9FE_1A85_EC53];

/// The final mix of MurmurHash3, a permutation of 64 bits.
#[inline(always)]
pub const fn fmix64(value: u64) -> u64 {
    let value = (value ^ value >> 33).wrapping_mul(FMIX[0]);
    let value = (value ^ value >> 33).wrapping_mul(FMIX[1]);
    value ^ value >> 33
}

/// The low 32 bits.
#[inline(always)]
pub(super) fn low_half(value: u64) -> u32 {
    let [first, second, third, fourth, ..] = value.to_le_bytes();
    u32::from_le_bytes([first, second, third, fourth])
}
