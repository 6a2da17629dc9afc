//! Any text as a `Link` header and as all headers of a page: links come from the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use selfsame::kernels::html::{Limits, Source, links, parse};

const LIMITS: Limits = Limits { body_bytes: 1 << 20, nodes: 20_000, depth: 512 };

fuzz_target!(|text: &str| {
    for link in links(text) {
        assert!(text.contains(&link.target));
        assert!(!link.target.contains('>'));
    }
    let source = Source { body: b"x", headers: Some(text), ..Source::default() };
    assert!(parse(&source, &LIMITS).is_ok());
});
