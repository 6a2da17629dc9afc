//! Sizes, words, names of files, and the built-in job.

use std::path::PathBuf;

use selfsame::job::{BUILT_IN, SETTINGS};

use crate::source::{code_of, functions};
use crate::{files, read, report};

/// Most lines of a function, columns of a line, and lines of a file before its tests.
const FUNCTION_LINES: usize = 60;
const LINE_COLUMNS: usize = 100;
const FILE_LINES: usize = 600;

/// Words that mean something else here, or nothing.
const WORDS: &[&str] = &[
    "similarity",
    "jaccard",
    "n-gram",
    "n-grams",
    "ngram",
    "ngrams",
    "sketch",
    "sketches",
    "todo",
    "fixme",
    "xxx",
    "hack",
    "for now",
    "simply",
    "just",
    "obviously",
];

/// Modules that would hold what has no name.
const NAMELESS: &[&str] = &["utils", "util", "common", "helpers", "helper", "types", "misc"];

fn rust_files() -> Vec<PathBuf> {
    ["src", "tests", "benches", "examples"].iter().flat_map(|folder| files(folder, "rs")).collect()
}

/// Everything that is written by us for people to read.
fn prose_files() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        ["src", "benches", "examples"].iter().flat_map(|folder| files(folder, "rs")).collect();
    found.extend(files("sql", "sql"));
    found.extend(files("docs", "md"));
    found.extend(files("jobs", "toml"));
    found.extend(["README.md", "CHANGELOG.md", "testdata/README.md"].map(PathBuf::from));
    found
}

#[test]
fn functions_lines_and_files_have_a_size() {
    let mut faults = Vec::new();
    for path in rust_files() {
        let text = read(&path);
        let file = path.display();
        for (name, line, length) in functions(&code_of(&text)) {
            if length > FUNCTION_LINES {
                faults.push(format!("{file}:{line}: fn {name} has {length} lines"));
            }
        }
        for (at, line) in text.lines().enumerate() {
            let columns = line.chars().count();
            if columns > LINE_COLUMNS {
                faults.push(format!("{file}:{}: {columns} columns", at + 1));
            }
        }
        let lines = text.lines().take_while(|line| line.trim() != "#[cfg(test)]").count();
        if lines > FILE_LINES && !file.to_string().ends_with("tests.rs") {
            faults.push(format!("{file}: {lines} lines before its tests, wanted {FILE_LINES}"));
        }
    }
    report(&faults);
}

/// The first banned word of `line`; a call of that name is no word.
fn banned(line: &str) -> Option<&'static str> {
    let lower = line.to_lowercase();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    WORDS.iter().copied().find(|word| {
        lower.match_indices(word).any(|(at, _)| {
            let before = lower[..at].chars().next_back();
            let after = lower[at + word.len()..].chars().next();
            !before.is_some_and(is_word) && !after.is_some_and(|c| is_word(c) || c == '(')
        })
    })
}

/// Files that hold what pages say: their words are data.
const LEXICONS: &[&str] = &["src/kernels/gate/", "src/kernels/html/fact/number.rs"];

#[test]
fn words_that_say_nothing_are_not_said() {
    let mut faults = Vec::new();
    let is_prose = |path: &PathBuf| {
        !LEXICONS.iter().any(|lexicon| path.to_string_lossy().starts_with(lexicon))
    };
    for path in prose_files().into_iter().filter(is_prose) {
        let mut is_source = false;
        for (at, line) in read(&path).lines().enumerate() {
            let said = line.trim_start_matches(['/', '!', '-', ' ']);
            is_source = said.starts_with("Source:") || (is_source && !said.is_empty());
            if !is_source && let Some(word) = banned(line) {
                faults.push(format!("{}:{}: says `{word}`", path.display(), at + 1));
            }
        }
    }
    report(&faults);
}

#[test]
fn no_module_is_nameless_and_no_path_is_of_one_machine() {
    let mut faults = Vec::new();
    for path in rust_files() {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let folder = path.parent().and_then(|folder| folder.file_name()).unwrap().to_string_lossy();
        if NAMELESS.contains(&stem.as_str()) || NAMELESS.contains(&&*folder) {
            faults.push(format!("{}: a module named after nothing", path.display()));
        }
    }
    let folders = ["work", "home", "root", "tmp"].map(|folder| format!("/{folder}/"));
    for path in rust_files().into_iter().chain(prose_files()) {
        for (at, line) in read(&path).lines().enumerate() {
            let named = folders.iter().find(|folder| {
                line.match_indices(folder.as_str()).any(|(at, _)| {
                    !line[..at].ends_with(|c: char| c.is_alphanumeric() || "./}-_*".contains(c))
                })
            });
            if let Some(folder) = named {
                faults.push(format!("{}:{}: names {folder}", path.display(), at + 1));
            }
        }
    }
    report(&faults);
}

#[test]
fn the_built_in_job_names_every_setting() {
    let mut section = String::new();
    let mut named = Vec::new();
    for line in BUILT_IN.lines() {
        let line = line.trim_start_matches(['#', ' ']);
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.split(']').next()) {
            section = format!("{name}.");
        } else if let Some((key, _)) = line.split_once(" = ") {
            named.push(format!("{section}{}", key.trim()));
        }
    }
    let missing = SETTINGS.iter().filter(|setting| !named.contains(&setting.key.to_owned()));
    let faults: Vec<_> = missing
        .map(|setting| {
            format!("jobs/corpus.toml does not name {}; an optional one as a comment", setting.key)
        })
        .collect();
    report(&faults);
}
