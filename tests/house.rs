//! The rules of the house, as tests: floors, heads of SQL files, generated pages, sizes, words.
//!
//! `UPDATE=1 cargo test --features cluster --test house` rewrites what is generated; frozen vectors
//! it never rewrites.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test stops at the unexpected")]

#[path = "house/floors.rs"]
mod floors;
#[path = "house/heads.rs"]
mod heads;
#[path = "house/pages.rs"]
mod pages;
#[path = "house/prose.rs"]
mod prose;
#[path = "house/source.rs"]
mod source;

use std::fs;
use std::path::{Path, PathBuf};

/// What mends a generated part that is not up to date.
const MEND: &str = "UPDATE=1 cargo test --features cluster --test house";

/// The folder of the package.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files below `folder` whose names end in `.extension`, sorted, relative to the package.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                // What a build leaves is not ours.
                let is_built = path.file_name().is_some_and(|name| name == "target");
                folders.extend((!is_built).then_some(path));
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path.strip_prefix(root()).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// The text of a file of the package.
fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    fs::read_to_string(root().join(path)).unwrap_or_else(|cause| panic!("{path:?}: {cause}"))
}

/// Fails with every fault, one a line.
fn report(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults\n  {}\n", faults.len(), faults.join("\n  "));
}

/// Compares `text` with the file, or writes it with `UPDATE=1`; tells whether it differed.
fn settle(path: &Path, text: &str) -> Option<String> {
    if read(path) == text {
        return None;
    }
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        fs::write(root().join(path), text).unwrap();
        return None;
    }
    Some(format!("{}: its generated part is not up to date, run `{MEND}`", path.display()))
}
