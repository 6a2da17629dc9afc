//! Public ids: 128 bits of BLAKE3 over what an entity is.
//!
//! A page is its key and its text digest; a group is named after its medoid. No history and no
//! position enters an id, so it stays the same from run to run and from machine to machine. The
//! parts are length-prefixed under a context of their own, so no two kinds of id can meet.

use xxhash_rust::xxh3::xxh3_64;

/// The id of the page with this key and text digest.
pub fn page(key: &str, text_digest: &[u8]) -> [u8; 16] {
    let length = u64::try_from(key.len()).unwrap_or(u64::MAX).to_le_bytes();
    first_half("selfsame page v1", &[&length, key.as_bytes(), text_digest])
}

/// The id of the cluster whose medoid has this page id.
pub fn cluster(medoid_page_id: &[u8]) -> [u8; 16] {
    first_half("selfsame cluster v1", &[medoid_page_id])
}

/// The bucket of an id: its top bits. `buckets` is a power of two; the order of ids is kept.
pub fn bucket(id: &[u8], buckets: usize) -> i32 {
    let mut top = [0; 4];
    for (place, &byte) in top.iter_mut().zip(id) {
        *place = byte;
    }
    top_bits(u32::from_be_bytes(top), buckets)
}

/// The bucket of a text: the top bits of its xxh3-64. `buckets` is a power of two.
pub fn text_bucket(text: &str, buckets: usize) -> i32 {
    let [b0, b1, b2, b3, ..] = xxh3_64(text.as_bytes()).to_be_bytes();
    top_bits(u32::from_be_bytes([b0, b1, b2, b3]), buckets)
}

fn top_bits(value: u32, buckets: usize) -> i32 {
    let bits = buckets.max(1).ilog2();
    i32::try_from(value.checked_shr(32 - bits).unwrap_or_default()).unwrap_or_default()
}

fn first_half(context: &str, parts: &[&[u8]]) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for part in parts {
        hasher.update(part);
    }
    let mut id = [0; 16];
    hasher.finalize_xof().fill(&mut id);
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_the_top_bits() {
        assert_eq!(bucket(&[0x80, 0, 0, 0, 9], 8), 4);
        assert_eq!(bucket(&[0xff; 16], 1), 0);
        assert_eq!(bucket(&[0xff; 16], 4096), 4095);
        assert!((0..8).contains(&text_bucket("a", 8)));
    }

    #[test]
    fn key_and_digest_cannot_flow_into_each_other() {
        assert_ne!(page("ab", b"c"), page("a", b"bc"));
        assert_ne!(cluster(b"x"), page("", b"x"));
        assert_eq!(page("a", b"b"), page("a", b"b"));
    }
}
