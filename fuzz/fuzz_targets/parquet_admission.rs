//! Any bytes as Parquet, between the marks of a Parquet file: admission never fails, and rows of
//! a row group go one way only.
#![no_main]

use std::collections::BTreeSet;
use std::sync::LazyLock;

use futures::StreamExt;
use libfuzzer_sys::fuzz_target;
use selfsame::engine::admission::{Columns, InputFile, Limits, admit};
use tokio::runtime::Runtime;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    // libFuzzer's hook aborts on each panic; those of the reader are caught and become entries.
    // A panic of this target still reaches libFuzzer, which aborts then.
    std::panic::set_hook(Box::new(|_| {}));
    Runtime::new().unwrap()
});

const LIMITS: Limits = Limits { text_bytes: 1 << 16, html_bytes: 1 << 16, url_bytes: 1 << 10 };

fuzz_target!(|bytes: &[u8]| {
    let mut whole = bytes.to_vec();
    if !bytes.starts_with(b"PAR1") {
        // Footer length as the input has it in its last four bytes, marks around.
        whole = [b"PAR1", bytes, b"PAR1"].concat();
    }
    let file = InputFile::of_bytes("f.parquet", whole).unwrap();
    RUNTIME.block_on(async {
        let (mut rows, mut ends) = (BTreeSet::new(), BTreeSet::new());
        let mut steps = admit(&file, &Columns::BY_NAME, &LIMITS);
        while let Some(step) = steps.next().await {
            let step = step.unwrap();
            let numbers = step.rows.column(0).to_data();
            rows.extend(numbers.buffer::<i64>(0)[..step.rows.num_rows()].iter().copied());
            for entry in &step.set_aside {
                let Some(row) = entry.row.filter(|_| entry.rows > 0) else { continue };
                assert!(ends.insert((row, row + entry.rows)));
            }
        }
        for (start, end) in ends {
            assert_eq!(rows.range(start..end).next(), None, "a row went both ways");
        }
    });
});
