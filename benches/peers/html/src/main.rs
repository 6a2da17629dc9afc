//! The page kernel on real pages: quality of the main text, speed beside the extractor alone, and
//! what a crawl's pages give.
//!
//! ```text
//! cargo run --release -- extraction FILE.parquet...   # html, main_content, page_type; --pages
//! cargo run --release -- speed FILE.parquet...        # pages per second of processor time
//! cargo run --release -- rate FILE.parquet            # the same by rules and by step
//! cargo run --release -- layout FILE.parquet          # templates of hosts, layouts of pairs
//! cargo run --release -- crawl FILE.parquet...        # faults, odd pages, digest of all results
//! cargo run --release -- canonical FILE.parquet       # what is followed and what is not
//! cargo run --release -- hostile                      # pages that are made to cost much
//! cargo run --release -- mutate SEED SECONDS          # pages put together at random
//! ```

#![expect(clippy::print_stdout, reason = "a bench prints its result")]
#![expect(clippy::unwrap_used, reason = "a bench stops at what it does not expect")]

#[expect(dead_code, unused_imports, reason = "the bench calls a part of them")]
#[path = "../../../../src/kernels"]
mod kernels {
    pub mod caught;
    pub mod gate;
    pub mod html;
    pub mod minhash;
    pub mod mix;
    pub mod simd;
    pub mod text;
    pub mod url;
}

mod canonical;
mod crawl;
mod extraction;
mod hostile;
mod layout;
mod mutate;
mod rate;
mod row;
mod speed;

use std::env;

use kernels::html::{Limits, Rules, Source};

/// The limits of the built-in job.
pub const LIMITS: Limits = Limits { body_bytes: 16 << 20, nodes: 500_000, depth: 512 };

/// The newest rules.
pub const RULES: Rules = Rules::V2;

fn main() {
    kernels::caught::install_hook();
    let mut args = env::args().skip(1);
    let mode = args.next().unwrap_or_default();
    let files: Vec<String> = args.collect();
    match mode.as_str() {
        "extraction" => extraction::main(&files),
        "speed" => speed::main(&files),
        "rate" => rate::main(&files),
        "layout" => layout::main(&files),
        "crawl" => crawl::main(&files),
        "canonical" => canonical::main(&files),
        "hostile" => hostile::main(&files),
        "mutate" => mutate::main(&files),
        _ => println!(
            "wanted one of: extraction, speed, rate, layout, crawl, canonical, hostile, mutate"
        ),
    }
}

/// A page as the kernel takes it.
pub fn source(row: &row::Page) -> Source<'_> {
    Source {
        body: &row.html,
        is_decoded: row.is_text,
        url: &row.url,
        content_type: row.content_type.as_deref(),
        charset: None,
        headers: None,
    }
}
