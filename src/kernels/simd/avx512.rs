//! AVX-512 as Ice Lake and Zen 4 have it.

use std::arch::x86_64::*;

use super::super::mix::{FMIX, low_half};
use super::avx2::interleaved;
use super::portable::{CODE_BITS, Portable, words};
use super::{Ascii, Block, EDGES, Isa, Kernel, place};

/// Proof that this processor has AVX-512 F, BW, CD, DQ, VL, VBMI and VBMI2, and what AVX2 brings.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernels) struct Avx512(());

impl Avx512 {
    /// The proof, where the processor has all. Cost: some loads; the standard library remembers.
    #[inline]
    pub(super) fn detect() -> Option<Self> {
        let is_here = super::avx2::Avx2::detect().is_some()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2");
        is_here.then_some(Avx512(()))
    }
}

/// Runs `kernel` compiled for AVX-512.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq")]
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2")]
pub(super) fn enter<K: Kernel>(isa: Avx512, kernel: K) -> K::Output {
    kernel.run(isa)
}

/// The 64 bytes of `bytes`.
#[inline]
#[target_feature(enable = "avx512f")]
fn load(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: 64 bytes are readable and the load wants no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// Overwrites `bytes`.
#[inline]
#[target_feature(enable = "avx512f")]
fn store(bytes: &mut [u8; 64], value: __m512i) {
    // SAFETY: 64 bytes are writable and the store wants no alignment.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), value) }
}

/// Bytes from `first` to `last`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn between(bytes: __m512i, first: u8, last: u8) -> u64 {
    let from_first = _mm512_sub_epi8(bytes, _mm512_set1_epi8(first.cast_signed()));
    _mm512_cmple_epu8_mask(from_first, _mm512_set1_epi8((last - first).cast_signed()))
}

/// See `Isa::classify`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn classify(block: &[u8; 64], lower: &mut [u8; 64]) -> Block {
    let bytes = load(block);
    let blank = _mm512_set1_epi8(b' '.cast_signed());
    let upper = between(bytes, b'A', b'Z');
    let small = _mm512_mask_add_epi8(bytes, upper, bytes, blank);
    let letter = between(small, b'a', b'z');
    let score = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(b'_'.cast_signed()));
    let space = _mm512_cmpeq_epi8_mask(bytes, blank) | between(bytes, b'\t', b'\r');
    store(lower, _mm512_mask_mov_epi8(small, space, blank));
    Block {
        space,
        word: letter | score | between(bytes, b'0', b'9'),
        letter,
        wide: _mm512_movepi8_mask(bytes),
        lead: between(bytes, 0xC0, 0xFF),
    }
}

/// See `Isa::compact`.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi2")]
fn compact(bytes: &[u8; 128], kept: u64, out: &mut [u8; 128]) {
    let (halves, _) = bytes.as_chunks::<64>();
    let (slots, _) = out.as_chunks_mut::<64>();
    store(&mut slots[0], _mm512_maskz_compress_epi8(kept, load(&halves[0])));
}

/// The numbers 0 to 63, each divided by `1 << SHIFT`.
struct Places<const SHIFT: u32>;

impl<const SHIFT: u32> Places<SHIFT> {
    const TABLE: [u8; 64] = {
        let mut places = [0; 64];
        let (mut bit, mut at) = (0_u8, 0);
        while bit < 64 {
            places[at] = bit >> SHIFT;
            bit += 1;
            at += 1;
        }
        places
    };
}

/// Writes `base` plus the places of the set bits, divided by `1 << SHIFT`; see `Isa::edges`. They
/// are packed as bytes, then widened sixteen at a time.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
fn places<const SHIFT: u32>(bits: u64, base: u32, out: &mut [u32]) -> usize {
    let packed = _mm512_maskz_compress_epi8(bits, load(&Places::<SHIFT>::TABLE));
    let base = _mm512_set1_epi32(base.cast_signed());
    let count = place(bits.count_ones());
    let mut write = |at: usize, bytes: __m128i| {
        let wide = _mm512_add_epi32(base, _mm512_cvtepu8_epi32(bytes));
        let room = &mut out[at..at + 16];
        // SAFETY: sixteen numbers are writable and the store wants no alignment.
        unsafe { _mm512_storeu_si512(room.as_mut_ptr().cast(), wide) };
    };
    write(0, _mm512_castsi512_si128(packed));
    if count > 16 {
        write(16, _mm512_extracti32x4_epi32::<1>(packed));
    }
    if count > 32 {
        write(32, _mm512_extracti32x4_epi32::<2>(packed));
        write(48, _mm512_extracti32x4_epi32::<3>(packed));
    }
    count
}

/// See `Isa::edges`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi2,popcnt")]
fn edges(starts: u64, ends: u64, base: u32, out: &mut [u32; EDGES]) -> usize {
    if starts & ends == 0 {
        return places::<0>(starts | ends, base, out);
    }
    let [low, high] = interleaved(starts, ends);
    let count = places::<1>(low, base, out);
    count + places::<1>(high, base.wrapping_add(32), &mut out[count..])
}

/// Up to 64 bytes of text.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernels) struct Text {
    bytes: __m512i,
    /// By the high half of each byte, the bit of a set's row that tells about it; zero behind the
    /// end of the text.
    bits: __m512i,
}

/// See `Isa::text`.
#[inline]
#[target_feature(enable = "bmi2,avx512f,avx512bw")]
fn text(bytes: &[u8]) -> Text {
    let count = u32::try_from(bytes.len().min(64)).unwrap_or(64);
    let here = _bzhi_u64(u64::MAX, count);
    // SAFETY: the bytes whose bit is set are readable; the load touches no others.
    let bytes = unsafe { _mm512_maskz_loadu_epi8(here, bytes.as_ptr().cast()) };
    let bit =
        _mm512_broadcast_i32x4(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
    let high = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), _mm512_set1_epi8(15));
    Text { bytes, bits: _mm512_maskz_shuffle_epi8(here, bit, high) }
}

/// The bytes that are in `set`. The low half of a byte finds its row in the set; the shuffle finds
/// nothing for a byte outside ASCII.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn members(text: Text, set: &Ascii) -> u64 {
    // SAFETY: 16 bytes are readable and the load wants no alignment.
    let rows = unsafe { _mm_loadu_si128(set.0.as_ptr().cast()) };
    let found = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(rows), text.bytes);
    _mm512_test_epi8_mask(found, text.bits)
}

/// The first sixteen of `words`; zeros where there are fewer.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_u32(words: &[u32]) -> __m512i {
    // SAFETY: the mask keeps the load inside the slice.
    unsafe { _mm512_maskz_loadu_epi32(first_sixteen(words.len()), words.as_ptr().cast()) }
}

/// Overwrites the first sixteen of `words`, or all where there are fewer.
#[inline]
#[target_feature(enable = "avx512f")]
fn store_u32(words: &mut [u32], value: __m512i) {
    let kept = first_sixteen(words.len());
    // SAFETY: the mask keeps the store inside the slice.
    unsafe { _mm512_mask_storeu_epi32(words.as_mut_ptr().cast(), kept, value) };
}

/// The lowest `count` of sixteen bits; all for 16 and more.
#[inline]
fn first_sixteen(count: usize) -> u16 {
    match count {
        16.. => u16::MAX,
        _ => (1 << count) - 1,
    }
}

/// See `Isa::lower_slots`: eight times sixteen slots with their factors and addends are held in
/// registers, so a shingle costs one load.
#[inline]
#[target_feature(enable = "avx512f")]
fn lower_slots(
    shingles: &[u64],
    factors: &[[u32; 8]],
    addends: &[[u32; 8]],
    slots: &mut [[u32; 8]],
) {
    let (mut factors, mut addends) = (factors.as_flattened(), addends.as_flattened());
    let mut slots = slots.as_flattened_mut();
    while !slots.is_empty() {
        match slots.len().div_ceil(16) {
            1 => lower_group::<1>(shingles, factors, addends, slots),
            2 => lower_group::<2>(shingles, factors, addends, slots),
            3 => lower_group::<3>(shingles, factors, addends, slots),
            4 => lower_group::<4>(shingles, factors, addends, slots),
            5 => lower_group::<5>(shingles, factors, addends, slots),
            6 => lower_group::<6>(shingles, factors, addends, slots),
            7 => lower_group::<7>(shingles, factors, addends, slots),
            _ => lower_group::<8>(shingles, factors, addends, slots),
        }
        let lowered = slots.len().min(8 * 16);
        (factors, addends) = (&factors[lowered..], &addends[lowered..]);
        slots = &mut slots[lowered..];
    }
}

/// Lowers the first `COUNT` times sixteen slots, or all where there are fewer.
#[inline]
#[target_feature(enable = "avx512f")]
fn lower_group<const COUNT: usize>(
    shingles: &[u64],
    factors: &[u32],
    addends: &[u32],
    slots: &mut [u32],
) {
    let mut group = [[_mm512_setzero_si512(); 3]; COUNT];
    for (at, [factor, addend, minimum]) in group.iter_mut().enumerate() {
        *factor = load_u32(&factors[16 * at..]);
        *addend = load_u32(&addends[16 * at..]);
        *minimum = load_u32(&slots[16 * at..]);
    }
    for &shingle in shingles {
        let half = _mm512_set1_epi32(low_half(shingle).cast_signed());
        for [factor, addend, minimum] in &mut group {
            let value = _mm512_add_epi32(_mm512_mullo_epi32(*factor, half), *addend);
            *minimum = _mm512_min_epu32(*minimum, value);
        }
    }
    for (slots, [.., minimum]) in slots.chunks_mut(16).zip(group) {
        store_u32(slots, minimum);
    }
}

/// The words of `words`.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_u64(words: &[u64; 8]) -> __m512i {
    // SAFETY: 64 bytes are readable and the load wants no alignment.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

/// The products of eight words with one factor, modulo 2^64.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn product(words: __m512i, factor: u64) -> __m512i {
    _mm512_mullo_epi64(words, _mm512_set1_epi64(factor.cast_signed()))
}

/// The words, each with its high bits folded into its low ones as in `fmix64`.
#[inline]
#[target_feature(enable = "avx512f")]
fn fold_high(words: __m512i) -> __m512i {
    _mm512_xor_si512(words, _mm512_srli_epi64::<33>(words))
}

/// The shingles of the first eight places of `tokens`.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn combine_eight<const WIDTH: usize>(
    tokens: &[u64],
    factors: &[u64; WIDTH],
    shingles: &mut [u64; 8],
) {
    let mut sum = _mm512_setzero_si512();
    for (run, factor) in tokens.array_windows().zip(factors) {
        sum = _mm512_add_epi64(sum, product(load_u64(run), *factor));
    }
    let mut words = fold_high(sum);
    for factor in FMIX {
        words = fold_high(product(words, factor));
    }
    // SAFETY: 64 bytes are writable and the store wants no alignment.
    unsafe { _mm512_storeu_si512(shingles.as_mut_ptr().cast(), words) };
}

/// See `Isa::combine`.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn combine<const WIDTH: usize>(tokens: &[u64], factors: &[u64; WIDTH], shingles: &mut [u64]) {
    let runs = tokens.windows(WIDTH + 7);
    let (eights, rest) = shingles.as_chunks_mut();
    for (eight, run) in eights.iter_mut().zip(runs.clone().step_by(8)) {
        combine_eight(run, factors, eight);
    }
    if !rest.is_empty() {
        // The last eight overlap those before; fewer than eight in all are done one by one.
        match (shingles.last_chunk_mut(), runs.last()) {
            (Some(eight), Some(run)) => combine_eight(run, factors, eight),
            _ => Portable.combine(tokens, factors, shingles),
        }
    }
}

/// See `Isa::common`: each comparison keeps the values of `left` that equal none so far.
#[inline]
#[target_feature(enable = "avx512f,popcnt")]
fn common(left: &[u64], right: &[u64]) -> usize {
    let (Some(left), Some(right)) = (left.first_chunk(), right.first_chunk::<8>()) else {
        return 0;
    };
    let left = load_u64(left);
    // Two chains, so that half of the latency is hidden.
    let mut own = [u8::MAX; 2];
    let (pairs, _) = right.as_chunks::<2>();
    for pair in pairs {
        for (own, value) in own.iter_mut().zip(pair) {
            let value = _mm512_set1_epi64(value.cast_signed());
            *own = _mm512_mask_cmpneq_epi64_mask(*own, left, value);
        }
    }
    super::place((own[0] & own[1]).count_zeros())
}

// SAFETY of every call below: a value of `Avx512` is proof of the features.
impl Isa for Avx512 {
    #[inline(always)]
    fn classify(self, block: &[u8; 64], lower: &mut [u8; 64]) -> Block {
        unsafe { classify(block, lower) }
    }

    #[inline(always)]
    fn compact(self, bytes: &[u8; 128], kept: u64, out: &mut [u8; 128]) {
        unsafe { compact(bytes, kept, out) }
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

    const LANES: usize = 8;

    #[inline(always)]
    fn common(self, left: &[u64], right: &[u64]) -> usize {
        unsafe { common(left, right) }
    }
}
