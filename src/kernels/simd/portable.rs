//! The portable twin: the meaning of every step, in plain Rust.

use super::super::mix::{fmix64, low_half};
use super::{Ascii, Block, EDGES, Isa, place};

/// The instruction set that every processor has.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernels) struct Portable;

/// One bit a byte: bit `i` is the lowest bit of `flags[i]`. Every byte is 0 or 1.
#[inline(always)]
fn mask(flags: &[u8; 64]) -> u64 {
    let (words, _) = flags.as_chunks::<8>();
    let mut mask = 0;
    for (word, shift) in words.iter().zip((0..64).step_by(8)) {
        mask |= (u64::from_le_bytes(*word).wrapping_mul(0x0102_0408_1020_4080) >> 56) << shift;
    }
    mask
}

/// Calls `run` with the first bit and the length of every run of set bits, and the number of set
/// bits before it.
#[inline(always)]
fn runs(mut bits: u64, mut run: impl FnMut(usize, usize, usize)) {
    let mut before = 0;
    while bits != 0 {
        let from = place(bits.trailing_zeros());
        let length = place((!(bits >> from)).trailing_zeros());
        run(from, length, before);
        before += length;
        if from + length == 64 {
            break;
        }
        bits &= u64::MAX << (from + length);
    }
}

/// Sixteen bytes as two little-endian words.
#[inline(always)]
pub(super) fn words(bytes: &[u8; 16]) -> [u64; 2] {
    let (words, _) = bytes.as_chunks::<8>();
    [words[0], words[1]].map(u64::from_le_bytes)
}

/// The bits of a code point in the bytes that hold it, first byte highest, by the high half of the
/// first byte.
pub(super) const CODE_BITS: [u32; 16] = {
    let mut bits = [0x7F << 24; 16];
    bits[12] = 0x1F3F << 16;
    bits[13] = 0x1F3F << 16;
    bits[14] = 0x000F_3F3F << 8;
    bits[15] = 0x073F_3F3F;
    bits
};

/// Lowers eight slots, which stay in registers while the shingles pass.
#[inline(always)]
fn lower_eight(shingles: &[u64], factors: &[u32; 8], addends: &[u32; 8], slots: &mut [u32; 8]) {
    // With the top bit flipped, the order of signed values is that of unsigned ones, and signed
    // minima are cheap on every instruction set.
    let addends = addends.map(|addend| addend ^ TOP);
    let mut minima = slots.map(|slot| (slot ^ TOP).cast_signed());
    for &shingle in shingles {
        let half = low_half(shingle);
        for lane in 0..8 {
            let value = factors[lane].wrapping_mul(half).wrapping_add(addends[lane]);
            minima[lane] = minima[lane].min(value.cast_signed());
        }
    }
    *slots = minima.map(|minimum| minimum.cast_unsigned() ^ TOP);
}

/// The bit in which signed and unsigned order differ.
const TOP: u32 = 1 << 31;

impl Isa for Portable {
    #[inline(always)]
    fn classify(self, block: &[u8; 64], lower: &mut [u8; 64]) -> Block {
        let (mut letter, mut other) = ([0; 64], [0; 64]);
        let (mut space, mut wide, mut lead) = ([0; 64], [0; 64], [0; 64]);
        for i in 0..64 {
            let byte = block[i];
            let is_upper = u8::from(byte.wrapping_sub(b'A') < 26);
            let small = byte | is_upper << 5;
            space[i] = u8::from(byte == b' ') | u8::from(byte.wrapping_sub(b'\t') < 5);
            lower[i] = if space[i] == 1 { b' ' } else { small };
            letter[i] = u8::from(small.wrapping_sub(b'a') < 26);
            other[i] = u8::from(byte.wrapping_sub(b'0') < 10) | u8::from(byte == b'_');
            wide[i] = byte >> 7;
            lead[i] = u8::from(byte >= 0xC0);
        }
        let letter = mask(&letter);
        Block {
            space: mask(&space),
            word: letter | mask(&other),
            letter,
            wide: mask(&wide),
            lead: mask(&lead),
        }
    }

    #[inline(always)]
    fn compact(self, bytes: &[u8; 128], kept: u64, out: &mut [u8; 128]) {
        runs(kept, |from, _, before| {
            // A copy of fixed length is a few moves; what it writes too much is overwritten.
            out[before..before + 64].copy_from_slice(&bytes[from..from + 64]);
        });
    }

    #[inline(always)]
    fn extract(self, bits: u64, kept: u64) -> u64 {
        let mut found = 0;
        runs(kept, |from, length, before| {
            found |= (bits >> from & u64::MAX >> (64 - length)) << before;
        });
        found
    }

    #[inline(always)]
    fn edges(self, starts: u64, ends: u64, base: u32, out: &mut [u32; EDGES]) -> usize {
        let (mut left, mut count) = (starts | ends, 0);
        while left != 0 {
            let bit = left.trailing_zeros();
            // Always written twice, so that there is no branch to mispredict.
            out[count..count + 2].fill(base.wrapping_add(bit));
            count += if (starts & ends) >> bit & 1 == 1 { 2 } else { 1 };
            left &= left - 1;
        }
        count
    }

    #[inline(always)]
    fn first_bytes(self, bytes: &[u8; 16], length: u32) -> [u64; 2] {
        /// `KEPT[n]` keeps the first `n` bytes of a little-endian word.
        const KEPT: [u64; 9] = [
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
        let [first, second] = words(bytes);
        let kept = |length: u32| KEPT[place(length.min(8))];
        [first & kept(length), second & kept(length.saturating_sub(8))]
    }

    #[inline(always)]
    fn code_point(self, bytes: [u8; 4]) -> u32 {
        /// What the bits are too high by, by the high half of the first byte.
        const SHIFT: [u8; 16] = [18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 12, 12, 6, 0];
        // Without branches: characters of two and of three bytes follow each other at random.
        let kind = usize::from(bytes[0] >> 4);
        let bits = u32::from_be_bytes(bytes) & CODE_BITS[kind];
        let code = (bits >> 6 & 0x7F << 18)
            | (bits >> 4 & 0x3F << 12)
            | (bits >> 2 & 0x3F << 6)
            | (bits & 0x3F);
        code >> SHIFT[kind]
    }

    type Text = [u8; 64];

    const IS_WIDE: bool = false;

    #[inline(always)]
    fn text(self, bytes: &[u8]) -> [u8; 64] {
        // Bytes outside ASCII are in no set.
        let mut text = [u8::MAX; 64];
        let count = bytes.len().min(64);
        text[..count].copy_from_slice(&bytes[..count]);
        text
    }

    #[inline(always)]
    fn members(self, text: [u8; 64], set: &Ascii) -> u64 {
        mask(&text.map(|byte| u8::from(set.contains(byte))))
    }

    #[inline(always)]
    fn lower_slots(
        self,
        shingles: &[u64],
        factors: &[[u32; 8]],
        addends: &[[u32; 8]],
        slots: &mut [[u32; 8]],
    ) {
        for ((slots, factors), addends) in slots.iter_mut().zip(factors).zip(addends) {
            lower_eight(shingles, factors, addends, slots);
        }
    }

    #[inline(always)]
    fn combine<const WIDTH: usize>(
        self,
        tokens: &[u64],
        factors: &[u64; WIDTH],
        shingles: &mut [u64],
    ) {
        for (shingle, run) in shingles.iter_mut().zip(tokens.array_windows::<WIDTH>()) {
            let terms = run.iter().zip(factors).map(|(token, factor)| token.wrapping_mul(*factor));
            *shingle = fmix64(terms.fold(0, u64::wrapping_add));
        }
    }

    const LANES: usize = 1;

    #[inline(always)]
    fn common(self, left: &[u64], right: &[u64]) -> usize {
        usize::from(left[0] == right[0])
    }
}
