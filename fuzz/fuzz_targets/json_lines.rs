//! Any bytes as JSON Lines, plain, gzip and zstd: admission never fails and never panics, and no
//! row has a page and a text.
#![no_main]

use std::sync::LazyLock;

use futures::StreamExt;
use libfuzzer_sys::fuzz_target;
use selfsame::engine::admission::{Columns, InputFile, Limits, admit};
use tokio::runtime::Runtime;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

const LIMITS: Limits = Limits { text_bytes: 1 << 16, html_bytes: 1 << 16, url_bytes: 1 << 10 };

fuzz_target!(|bytes: &[u8]| {
    for name in ["f.jsonl", "f.jsonl.gz", "f.jsonl.zst"] {
        let file = InputFile::of_bytes(name, bytes.to_vec()).unwrap();
        RUNTIME.block_on(async {
            let mut steps = admit(&file, &Columns::BY_NAME, &LIMITS);
            while let Some(step) = steps.next().await {
                let step = step.unwrap();
                assert!(step.set_aside.iter().all(|entry| entry.reason != "reader_panic"));
                let column = |name| step.rows.column_by_name(name).unwrap();
                let (html, text) = (column("html"), column("text"));
                let mut rows = 0..step.rows.num_rows();
                assert!(rows.all(|row| html.is_null(row) || text.is_null(row)));
            }
        });
    }
});
