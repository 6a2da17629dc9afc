//! Any bytes: a page or a fault, twice the same, with addresses that are addresses.

#![no_main]

use libfuzzer_sys::fuzz_target;
use selfsame::kernels::html::{Code, Extractor, Limits, Rules, Source, parse};
use selfsame::kernels::url::{Key, Policy, canonical_key};

const LIMITS: Limits = Limits { body_bytes: 1 << 20, nodes: 20_000, depth: 512 };

fuzz_target!(|bytes: &[u8]| {
    let source = Source { body: bytes, url: "http://a.example/dir/page", ..Source::default() };
    let found = parse(&source, &LIMITS, Rules::V2);
    assert_eq!(found, parse(&source, &LIMITS, Rules::V2));
    let page = match found {
        Ok(page) => page,
        Err(fault) => {
            assert_ne!(fault.code, Code::Panic, "{fault}");
            return;
        }
    };
    let mut key = Key::new();
    if let Some(canonical) = &page.canonical {
        assert_eq!(canonical_key(canonical, Policy::SAFE, &mut key), Ok(()));
    }
    assert!(page.links.iter().all(|link| link.starts_with("http")));
    assert!(page.extractor != Extractor::Failed || page.main_text.is_empty());
    let decoded = Source { is_decoded: true, ..source };
    assert!(
        !matches!(parse(&decoded, &LIMITS, Rules::V2), Err(fault) if fault.code == Code::Panic)
    );
});
