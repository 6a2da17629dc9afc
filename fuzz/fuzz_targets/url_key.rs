//! Any bytes: a key or a reason, and a key of a key is itself.

#![no_main]

use libfuzzer_sys::fuzz_target;
use selfsame::kernels::url::{Key, canonical_key, id_key, is_canonical, resolved, text_of_bytes};

fuzz_target!(|bytes: &[u8]| {
    let url = text_of_bytes(bytes);
    let mut key = Key::new();
    let found = canonical_key(&url, &mut key);
    if is_canonical(&url) {
        assert!(found.is_ok() && key.rules().is_empty());
    }
    if found.is_ok() {
        assert_eq!(key.as_str() == url, key.rules().is_empty());
        assert!(!key.as_str().starts_with("id:"));
        let mut again = Key::new();
        assert_eq!(canonical_key(key.as_str(), &mut again), Ok(()));
        assert_eq!(again.as_str(), key.as_str());
        assert!(again.rules().is_empty());
    }
    assert!(canonical_key(&id_key(&url), &mut key).is_err());
    let _ = resolved("http://example.com/a/b?c", &url);
});
