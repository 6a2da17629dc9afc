//! Any text: a fingerprint, the same in a used reader and in a new one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use selfsame::kernels::fingerprint::{Plan, Reader, Scratch, shingle_set, text_proof};
use selfsame::kernels::text::Rules;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let Ok(plan) = Plan::new(5, 120, 20) else { return };
    for rules in [Rules::V1, Rules::V2, Rules::V3, Rules::Word] {
        let mut used_reader = Reader::new(rules, plan);
        used_reader.read("A first text, so that the buffers of the reader are not new, 3.14.");
        let used = used_reader.read(&text);
        let mut fresh_reader = Reader::new(rules, plan);
        let fresh = fresh_reader.read(&text);
        assert_eq!(used, fresh);
        assert_eq!(fresh.slots.is_empty(), fresh.simhash.is_none());
        let mut scratch = Scratch::new();
        let shingles = shingle_set(rules, plan.width(), &text, &mut scratch);
        assert!(shingles.is_sorted_by(|left, right| left < right));
        assert_eq!(shingles.is_empty(), fresh.slots.is_empty());
        let proof = text_proof(rules, &text, &mut scratch);
        assert_eq!(proof, text_proof(rules, &text, &mut Scratch::new()));
    }
});
