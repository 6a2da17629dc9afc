//! Any lines: twice the same patterns, whose counts are those of the addresses they are found for.

#![no_main]

use libfuzzer_sys::fuzz_target;
use selfsame::kernels::url::pattern::{Learned, Learner, Options};
use selfsame::kernels::url::text_of_bytes;

fn learned(text: &str, options: &Options) -> Learned {
    let mut learner = Learner::new(*options);
    for url in text.lines() {
        learner.push(url);
        assert!(learner.nodes() <= options.nodes_max * 2);
    }
    learner.finish()
}

fuzz_target!(|bytes: &[u8]| {
    let text = text_of_bytes(bytes);
    let found = learned(&text, &Options::USUAL);
    let again = learned(&text, &Options::USUAL);
    assert_eq!((&found.patterns, &found.moves), (&again.patterns, &again.moves));
    let mut urls = vec![0; found.patterns.len()];
    for url in text.lines() {
        if let Some(at) = found.pattern_of(url) {
            urls[at] += 1;
        }
        let template = found.template_of(url);
        assert!(template.starts_with('/'));
    }
    // Nothing meets a bound below the number of file extensions that one node tells apart.
    if text.lines().count() < 256 {
        assert!(found.patterns.iter().map(|pattern| pattern.urls).eq(urls));
    }
    let folded: u64 = found.folded().iter().map(|folded| folded.urls).sum();
    let counted: u64 = found.patterns.iter().map(|pattern| pattern.urls).sum();
    assert_eq!(folded, counted);
    let small = Options { children_max: 2, nodes_max: 16, sample_max: 16, ..Options::USUAL };
    let found = learned(&text, &small);
    let counted: u64 = found.patterns.iter().map(|pattern| pattern.urls).sum();
    assert_eq!(counted + found.unplaced, folded);
});
