//! Speed of the kernels of texts and sets on one core, at each instruction set of this processor.
//!
//! ```text
//! cargo bench --bench kernels                              # generated texts, 64 and 16 MB
//! cargo bench --bench kernels -- inputs/english.txt ...    # texts of benches/inputs.py
//! cargo bench --bench kernels -- --last FILE ...           # beside an earlier output
//! ```
//!
//! A file holds texts that each end with a zero byte; at most its first 360 MB are read. Texts are
//! taken 8 MB at a time, and each step sees each text once, 8 MB of other texts later than the step
//! before; `warm` repeats the first megabyte. `all` is time of the processor over the whole file,
//! `best` and `middle` are those chunks by the clock, so that a busy machine shows as a difference
//! between the two. Levels take turns in processes of their own, chosen by `SELFSAME_SIMD`.
//!
//! Budget for English, text seen once, on the machines of docs/performance.md: the full pass
//! without digests 800 MB/s with AVX-512 and 500 with AVX2; Russian, Vietnamese and Chinese 350 and
//! 280.

#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]
#![expect(clippy::print_stdout, reason = "a bench prints its result")]
#![expect(clippy::as_conversions, reason = "counts become rates")]

mod generated;
mod steps;
mod table;

use std::process::Command;
use std::{env, fs};

use selfsame::kernels::simd::{Level, VARIABLE};

/// Bytes of a file that are read.
const FILE_BYTES: usize = 360_000_000;

/// Set in the processes that measure one level.
const CHILD: &str = "SELFSAME_BENCH_LEVEL";

fn main() {
    let mut arguments = env::args().skip(1).filter(|argument| argument != "--bench");
    let (mut files, mut last) = (Vec::new(), None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--last" => last = arguments.next(),
            _ => files.push(argument),
        }
    }
    if env::var_os(CHILD).is_some() {
        for row in inputs(&files).iter().flat_map(|(name, texts)| steps::measure(name, texts)) {
            println!("{row}");
        }
        steps::sets().iter().for_each(|row| println!("{row}"));
        return;
    }
    let mut measured = table::Table::default();
    if let Some(last) = last {
        match fs::read_to_string(&last) {
            Ok(rows) => measured.last(&rows),
            Err(error) => println!("{last}: {error}"),
        }
    }
    for level in Level::ALL.into_iter().filter(|level| level.is_here()) {
        match child(level, &files) {
            Ok(rows) => measured.level(level.word(), &rows),
            Err(error) => println!("{}: {error}", level.word()),
        }
    }
    print!("{measured}");
}

/// The rows that a process of its own measures at one level.
fn child(level: Level, files: &[String]) -> Result<String, String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(program)
        .args(files)
        .env(CHILD, "1")
        .env(VARIABLE, level.word())
        .output()
        .map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// The texts of each file, or generated ones where there is no file.
fn inputs(files: &[String]) -> Vec<(String, Vec<String>)> {
    if files.is_empty() {
        return generated::inputs();
    }
    let mut inputs = Vec::new();
    for file in files {
        let name = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".txt");
        match fs::read(file) {
            Ok(bytes) => inputs.push((name.to_owned(), texts(&bytes))),
            Err(error) => println!("# {file}: {error}"),
        }
    }
    inputs
}

fn texts(bytes: &[u8]) -> Vec<String> {
    let mut left = FILE_BYTES;
    let records = bytes.split(|&byte| byte == 0).filter(|record| !record.is_empty());
    let first = records.take_while(|record| {
        let is_in = left >= record.len();
        left = left.saturating_sub(record.len());
        is_in
    });
    first.map(|record| String::from_utf8_lossy(record).into_owned()).collect()
}
