//! AVX2 with the bit instructions of its time.

use std::arch::asm;
use std::arch::x86_64::*;

use super::super::mix::{FMIX, low_half};
use super::portable::{CODE_BITS, Portable, words};
use super::{Ascii, Block, EDGES, Isa, Kernel, place};

/// Proof that this processor has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernels) struct Avx2(());

impl Avx2 {
    /// The proof, where the processor has all. Cost: some loads; the standard library remembers.
    #[inline]
    pub(super) fn detect() -> Option<Self> {
        let is_here = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        is_here.then_some(Avx2(()))
    }
}

/// Runs `kernel` compiled for AVX2.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn enter<K: Kernel>(isa: Avx2, kernel: K) -> K::Output {
    kernel.run(isa)
}

/// The highest bit of each byte.
///
/// The instruction itself: LLVM 22 joins two of the intrinsic into one mask of 64 bits, which
/// AVX2 does not have, and then takes the bytes apart one by one.
#[inline]
#[target_feature(enable = "avx2")]
fn mask_half(bytes: __m256i) -> u32 {
    let mask;
    // SAFETY: the instruction reads one register and writes another.
    unsafe {
        asm!("vpmovmskb {:e}, {}", out(reg) mask, in(ymm_reg) bytes,
            options(pure, nomem, nostack, preserves_flags));
    }
    mask
}

/// One bit a byte, the highest of each, of two halves.
#[inline]
#[target_feature(enable = "avx2")]
fn mask(low: __m256i, high: __m256i) -> u64 {
    u64::from(mask_half(high)) << 32 | u64::from(mask_half(low))
}

/// Bytes from `first` to `last`, both ASCII, as full bytes of ones.
#[inline]
#[target_feature(enable = "avx2")]
fn between(bytes: __m256i, first: u8, last: u8) -> __m256i {
    let below = _mm256_set1_epi8((first - 1).cast_signed());
    let above = _mm256_set1_epi8((last + 1).cast_signed());
    _mm256_and_si256(_mm256_cmpgt_epi8(bytes, below), _mm256_cmpgt_epi8(above, bytes))
}

/// The 32 bytes at the start of `bytes`.
#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: 32 bytes are readable and the load wants no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// Overwrites `bytes`.
#[inline]
#[target_feature(enable = "avx2")]
fn store(bytes: &mut [u8; 32], value: __m256i) {
    // SAFETY: 32 bytes are writable and the store wants no alignment.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), value) }
}

/// Classes of 32 bytes: space, word, letter and lead as full bytes of ones, and the lowered bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn classify_half(bytes: &[u8; 32], lower: &mut [u8; 32]) -> [__m256i; 5] {
    let bytes = load(bytes);
    let blank = _mm256_set1_epi8(b' '.cast_signed());
    let upper = between(bytes, b'A', b'Z');
    let small = _mm256_or_si256(bytes, _mm256_and_si256(upper, blank));
    let letter = between(small, b'a', b'z');
    let score = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'_'.cast_signed()));
    let other = _mm256_or_si256(between(bytes, b'0', b'9'), score);
    let space = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, blank), between(bytes, b'\t', b'\r'));
    // Signed bytes from 0xC0 on are -64 to -1.
    let lead = _mm256_and_si256(bytes, _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(-65)));
    store(lower, _mm256_blendv_epi8(small, blank, space));
    [space, _mm256_or_si256(letter, other), letter, bytes, lead]
}

/// See `Isa::classify`.
#[inline]
#[target_feature(enable = "avx2")]
fn classify(block: &[u8; 64], lower: &mut [u8; 64]) -> Block {
    let (halves, _) = block.as_chunks::<32>();
    let (lowered, _) = lower.as_chunks_mut::<32>();
    let first = classify_half(&halves[0], &mut lowered[0]);
    let second = classify_half(&halves[1], &mut lowered[1]);
    let [space, word, letter, wide, lead] = [0, 1, 2, 3, 4].map(|at| mask(first[at], second[at]));
    Block { space, word, letter, wide, lead }
}

/// The places of the set bits of every byte, in order, each divided by `1 << SHIFT`.
struct Places<const SHIFT: u32>;

impl<const SHIFT: u32> Places<SHIFT> {
    const TABLE: [[u8; 8]; 256] = {
        let mut places = [[0; 8]; 256];
        let mut bits = 0;
        while bits < 256 {
            let (mut bit, mut count) = (0_u8, 0);
            while bit < 8 {
                if bits >> bit & 1 == 1 {
                    places[bits][count] = bit >> SHIFT;
                    count += 1;
                }
                bit += 1;
            }
            bits += 1;
        }
        places
    };
}

/// Writes `base` plus the places of the set bits, divided by `1 << SHIFT`; see `Isa::edges`. Eight
/// are written at a time, and the next eight overwrite what is too much.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn places<const SHIFT: u32>(bits: u64, base: u32, out: &mut [u32]) -> usize {
    let mut count = 0;
    let shifts = (0..).step_by(8 >> SHIFT);
    for (byte, shift) in bits.to_le_bytes().into_iter().zip(shifts) {
        let places = u64::from_le_bytes(Places::<SHIFT>::TABLE[usize::from(byte)]);
        let places = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(places.cast_signed()));
        let places =
            _mm256_add_epi32(places, _mm256_set1_epi32(base.wrapping_add(shift).cast_signed()));
        let room = &mut out[count..count + 8];
        // SAFETY: eight numbers are writable and the store wants no alignment.
        unsafe { _mm256_storeu_si256(room.as_mut_ptr().cast(), places) };
        count += place(byte.count_ones());
    }
    count
}

/// See `Isa::edges`.
#[inline]
#[target_feature(enable = "avx2,bmi2,popcnt")]
fn edges(starts: u64, ends: u64, base: u32, out: &mut [u32; EDGES]) -> usize {
    if starts & ends == 0 {
        return places::<0>(starts | ends, base, out);
    }
    let [low, high] = interleaved(starts, ends);
    let count = places::<1>(low, base, out);
    count + places::<1>(high, base.wrapping_add(32), &mut out[count..])
}

/// The bits of both, `ends` in the even places and `starts` in the odd ones: two bits a byte.
#[inline]
#[target_feature(enable = "bmi2")]
pub(super) fn interleaved(starts: u64, ends: u64) -> [u64; 2] {
    [0, 32].map(|shift| {
        let even = _pdep_u64(ends >> shift, 0x5555_5555_5555_5555);
        even | _pdep_u64(starts >> shift, 0xAAAA_AAAA_AAAA_AAAA)
    })
}

/// Up to 64 bytes of text: the first 32, and the 32 that the text ends with.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernels) struct Text {
    first: Half,
    second: Half,
    /// Where the second half starts in the text.
    offset: usize,
}

/// 32 bytes, and by their high halves the bit of a set's row that tells about them.
#[derive(Clone, Copy, Debug)]
struct Half {
    bytes: __m256i,
    bits: __m256i,
}

#[inline]
#[target_feature(enable = "avx2")]
fn half(bytes: &[u8; 32]) -> Half {
    let bytes = load(bytes);
    let bit = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0,
    ));
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(15));
    Half { bytes, bits: _mm256_shuffle_epi8(bit, high) }
}

/// See `Isa::text`.
#[inline]
#[target_feature(enable = "avx2")]
fn text(bytes: &[u8]) -> Text {
    let bytes = &bytes[..bytes.len().min(64)];
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            Text { first: half(first), second: half(last), offset: bytes.len() - 32 }
        }
        _ => {
            // Bytes outside ASCII are in no set.
            let mut padded = [u8::MAX; 32];
            padded[..bytes.len()].copy_from_slice(bytes);
            let half = half(&padded);
            Text { first: half, second: half, offset: 0 }
        }
    }
}

/// The bytes that are in `set`. The low half of a byte finds its row in the set; the shuffle finds
/// nothing for a byte outside ASCII.
#[inline]
#[target_feature(enable = "avx2")]
fn members(text: Text, set: &Ascii) -> u64 {
    // SAFETY: 16 bytes are readable and the load wants no alignment.
    let rows = unsafe { _mm_loadu_si128(set.0.as_ptr().cast()) };
    let rows = _mm256_broadcastsi128_si256(rows);
    let outside = |half: Half| {
        let found = _mm256_and_si256(_mm256_shuffle_epi8(rows, half.bytes), half.bits);
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(found, _mm256_setzero_si256())).cast_unsigned()
    };
    // Where the halves overlap, both tell the same.
    u64::from(!outside(text.first)) | u64::from(!outside(text.second)) << text.offset
}

/// The numbers at the start of `words`.
#[inline]
#[target_feature(enable = "avx2")]
fn load_u32(words: &[u32; 8]) -> __m256i {
    // SAFETY: 32 bytes are readable and the load wants no alignment.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

/// The numbers at the start of `words`.
#[inline]
#[target_feature(enable = "avx2")]
fn load_u64(words: &[u64; 4]) -> __m256i {
    // SAFETY: 32 bytes are readable and the load wants no alignment.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

/// See `Isa::lower_slots`: four times eight slots with their factors and addends fill the
/// registers, so a shingle costs one load.
#[inline]
#[target_feature(enable = "avx2")]
fn lower_slots(
    shingles: &[u64],
    mut factors: &[[u32; 8]],
    mut addends: &[[u32; 8]],
    mut slots: &mut [[u32; 8]],
) {
    while !slots.is_empty() {
        let lowered = match slots.len() {
            1 => lower_group::<1>(shingles, factors, addends, slots),
            2 => lower_group::<2>(shingles, factors, addends, slots),
            3 => lower_group::<3>(shingles, factors, addends, slots),
            _ => lower_group::<4>(shingles, factors, addends, slots),
        };
        (factors, addends) = (&factors[lowered..], &addends[lowered..]);
        slots = &mut slots[lowered..];
    }
}

/// Lowers the first `COUNT` times eight slots and gives `COUNT`.
#[inline]
#[target_feature(enable = "avx2")]
fn lower_group<const COUNT: usize>(
    shingles: &[u64],
    factors: &[[u32; 8]],
    addends: &[[u32; 8]],
    slots: &mut [[u32; 8]],
) -> usize {
    let mut group = [[_mm256_setzero_si256(); 3]; COUNT];
    for (at, [factor, addend, minimum]) in group.iter_mut().enumerate() {
        *factor = load_u32(&factors[at]);
        *addend = load_u32(&addends[at]);
        *minimum = load_u32(&slots[at]);
    }
    for &shingle in shingles {
        let half = _mm256_set1_epi32(low_half(shingle).cast_signed());
        for [factor, addend, minimum] in &mut group {
            let value = _mm256_add_epi32(_mm256_mullo_epi32(*factor, half), *addend);
            *minimum = _mm256_min_epu32(*minimum, value);
        }
    }
    for (slots, [.., minimum]) in slots.iter_mut().zip(group) {
        // SAFETY: 32 bytes are writable and the store wants no alignment.
        unsafe { _mm256_storeu_si256(slots.as_mut_ptr().cast(), minimum) };
    }
    COUNT
}

/// A factor of four words: as it is, and with its halves swapped.
#[derive(Clone, Copy)]
struct Factor {
    straight: __m256i,
    swapped: __m256i,
}

impl Factor {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(factor: u64) -> Self {
        Factor {
            straight: _mm256_set1_epi64x(factor.cast_signed()),
            swapped: _mm256_set1_epi64x(factor.rotate_left(32).cast_signed()),
        }
    }
}

/// Sums of four words times factors, modulo 2^64.
///
/// A 64-bit product is that of the low halves plus both cross products shifted by 32. The cross
/// products are two 32-bit products side by side and are summed before the shift.
struct Products {
    low: __m256i,
    cross: __m256i,
}

impl Products {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn of(words: __m256i, factor: Factor) -> Self {
        Products {
            low: _mm256_mul_epu32(words, factor.straight),
            cross: _mm256_mullo_epi32(words, factor.swapped),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn add(self, other: Self) -> Self {
        Products {
            low: _mm256_add_epi64(self.low, other.low),
            cross: _mm256_add_epi32(self.cross, other.cross),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn sum(self) -> __m256i {
        let cross = _mm256_add_epi32(self.cross, _mm256_srli_epi64::<32>(self.cross));
        _mm256_add_epi64(self.low, _mm256_slli_epi64::<32>(cross))
    }
}

/// The words, each with its high bits folded into its low ones as in `fmix64`.
#[inline]
#[target_feature(enable = "avx2")]
fn fold_high(words: __m256i) -> __m256i {
    _mm256_xor_si256(words, _mm256_srli_epi64::<33>(words))
}

/// The shingles of the first four places of `tokens`.
#[inline]
#[target_feature(enable = "avx2")]
fn combine_four<const WIDTH: usize>(
    tokens: &[u64],
    places: &[Factor; WIDTH],
    mix: [Factor; 2],
    shingles: &mut [u64; 4],
) {
    let mut sums = Products { low: _mm256_setzero_si256(), cross: _mm256_setzero_si256() };
    for (run, place) in tokens.array_windows().zip(places) {
        sums = sums.add(Products::of(load_u64(run), *place));
    }
    let mut words = fold_high(sums.sum());
    for factor in mix {
        words = fold_high(Products::of(words, factor).sum());
    }
    // SAFETY: 32 bytes are writable and the store wants no alignment.
    unsafe { _mm256_storeu_si256(shingles.as_mut_ptr().cast(), words) };
}

/// See `Isa::combine`.
#[inline]
#[target_feature(enable = "avx2")]
fn combine<const WIDTH: usize>(tokens: &[u64], factors: &[u64; WIDTH], shingles: &mut [u64]) {
    let mut places = [Factor::new(0); WIDTH];
    for (place, factor) in places.iter_mut().zip(factors) {
        *place = Factor::new(*factor);
    }
    let mix = [Factor::new(FMIX[0]), Factor::new(FMIX[1])];
    let runs = tokens.windows(WIDTH + 3);
    let (fours, rest) = shingles.as_chunks_mut();
    for (four, run) in fours.iter_mut().zip(runs.clone().step_by(4)) {
        combine_four(run, &places, mix, four);
    }
    if !rest.is_empty() {
        // The last four overlap those before; fewer than four in all are done one by one.
        match (shingles.last_chunk_mut(), runs.last()) {
            (Some(four), Some(run)) => combine_four(run, &places, mix, four),
            _ => Portable.combine(tokens, factors, shingles),
        }
    }
}

/// See `Isa::common`.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn common(left: &[u64], right: &[u64]) -> usize {
    let (Some(left), Some(right)) = (left.first_chunk(), right.first_chunk::<4>()) else {
        return 0;
    };
    let left = load_u64(left);
    let equal =
        right.map(|value| _mm256_cmpeq_epi64(left, _mm256_set1_epi64x(value.cast_signed())));
    let first = _mm256_or_si256(equal[0], equal[1]);
    let last = _mm256_or_si256(equal[2], equal[3]);
    let found = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_or_si256(first, last)));
    place(found.count_ones())
}

// SAFETY of every call below: a value of `Avx2` is proof of the features.
impl Isa for Avx2 {
    #[inline(always)]
    fn classify(self, block: &[u8; 64], lower: &mut [u8; 64]) -> Block {
        unsafe { classify(block, lower) }
    }

    #[inline(always)]
    fn compact(self, bytes: &[u8; 128], kept: u64, out: &mut [u8; 128]) {
        let mut left = kept;
        let mut before = 0;
        while left != 0 {
            let from = place(left.trailing_zeros());
            let length = place((!(left >> from)).trailing_zeros());
            out[before..before + 64].copy_from_slice(&bytes[from..from + 64]);
            before += length;
            if from + length == 64 {
                break;
            }
            left &= u64::MAX << (from + length);
        }
    }

    #[inline(always)]
    fn extract(self, bits: u64, kept: u64) -> u64 {
        unsafe { _pext_u64(bits, kept) }
    }

    #[inline(always)]
    fn edges(self, starts: u64, ends: u64, base: u32, out: &mut [u32; EDGES]) -> usize {
        unsafe { edges(starts, ends, base, out) }
    }

    #[inline(always)]
    fn first_bytes(self, bytes: &[u8; 16], length: u32) -> [u64; 2] {
        // The instruction keeps all bits from 64 on and looks at the lowest byte of the number.
        let bits = 8 * length;
        let [first, second] = words(bytes);
        unsafe { [_bzhi_u64(first, bits), _bzhi_u64(second, bits.saturating_sub(64))] }
    }

    #[inline(always)]
    fn code_point(self, bytes: [u8; 4]) -> u32 {
        unsafe { _pext_u32(u32::from_be_bytes(bytes), CODE_BITS[usize::from(bytes[0] >> 4)]) }
    }

    type Text = Text;

    const IS_WIDE: bool = true;

    #[inline(always)]
    fn text(self, bytes: &[u8]) -> Text {
        unsafe { text(bytes) }
    }

    #[inline(always)]
    fn members(self, text: Text, set: &Ascii) -> u64 {
        unsafe { members(text, set) }
    }

    #[inline(always)]
    fn lower_slots(
        self,
        shingles: &[u64],
        factors: &[[u32; 8]],
        addends: &[[u32; 8]],
        slots: &mut [[u32; 8]],
    ) {
        unsafe { lower_slots(shingles, factors, addends, slots) }
    }

    #[inline(always)]
    fn combine<const WIDTH: usize>(
        self,
        tokens: &[u64],
        factors: &[u64; WIDTH],
        shingles: &mut [u64],
    ) {
        unsafe { combine(tokens, factors, shingles) }
    }

    const LANES: usize = 4;

    #[inline(always)]
    fn common(self, left: &[u64], right: &[u64]) -> usize {
        unsafe { common(left, right) }
    }
}
