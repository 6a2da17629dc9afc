//! Any bytes: a key or a reason, and a key of a key is itself, under every policy.

#![no_main]

use libfuzzer_sys::fuzz_target;
use selfsame::kernels::url::{
    Key, Policy, Rules, canonical_key, canonical_key_with_surt, id_key, is_canonical,
    registered_domain, resolved, text_of_bytes,
};

fn check(url: &str, policy: Policy) {
    let mut key = Key::new();
    if canonical_key(url, policy, &mut key).is_err() {
        assert!(key.as_str().is_empty());
        return;
    }
    assert_eq!(key.as_str() == url, key.rules().is_empty());
    assert!(!key.as_str().starts_with("id:"));
    let mut again = Key::new();
    assert_eq!(canonical_key(key.as_str(), policy, &mut again), Ok(()));
    assert_eq!(again.as_str(), key.as_str());
    assert!(again.rules().is_empty());
    assert_eq!(canonical_key(key.as_str(), Policy::SAFE, &mut again), Ok(()));
    assert_eq!(again.as_str(), key.as_str());
}

fuzz_target!(|bytes: &[u8]| {
    let url = text_of_bytes(bytes);
    let (mut key, mut surt) = (Key::new(), String::new());
    let found = canonical_key_with_surt(&url, Policy::SAFE, &mut key, &mut surt);
    assert_eq!(found.is_ok(), !surt.is_empty());
    if is_canonical(&url) {
        assert!(found.is_ok() && key.rules().is_empty());
    }
    if let Some(domain) = registered_domain(key.host()) {
        assert_eq!(registered_domain(&domain).as_deref(), Some(&*domain));
    }
    for policy in [Policy::SAFE, Policy::WEB, Policy::ALL] {
        check(&url, policy);
    }
    for rule in Rules::HEURISTIC.iter() {
        check(&url, Policy::SAFE.with(rule));
    }
    assert!(canonical_key(&id_key(&url), Policy::ALL, &mut key).is_err());
    let _ = resolved("http://example.com/a/b?c", &url);
});
