//! The prompt of `sql`: history, completion, several lines until a semicolon.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Editor, Helper};

use super::super::generation::Generation;
use super::super::print;
use super::super::print::format::Format;
use super::statement;
use crate::error::{Error, Result};
use crate::schema;

/// Words of SQL that are completed.
const KEYWORDS: &str = "all and as asc between by case cast count cross desc describe distinct \
                        else end except exists explain false from full group having in inner \
                        intersect interval is join left like limit not null offset on or order \
                        outer over partition right select show tables then true union unnest using \
                        when where with";

const HELP: &str = "a query ends with ;    \\d lists tables    \\d TABLE its columns    \\q ends";

/// Reads queries and answers them, until the user ends.
pub(super) async fn serve(open: &Generation, format: Format) -> Result<()> {
    let fault = |cause: ReadlineError| Error::store(format!("the prompt fails: {cause}"));
    let mut editor = Editor::<Words, FileHistory>::new().map_err(fault)?;
    editor.set_helper(Some(Words::of(open)));
    let history = history_file();
    if let Some(path) = &history {
        let _ = editor.load_history(path);
    }
    let number = open.manifest.generation;
    print::note(&format!("generation {number} of {}; {HELP}", open.store.root()));
    loop {
        let line = tokio::task::block_in_place(|| editor.readline("selfsame> "));
        let text = match line {
            Ok(text) => text,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => return Ok(()),
            Err(cause) => return Err(fault(cause)),
        };
        if text.trim().is_empty() {
            continue;
        }
        let _ = editor.add_history_entry(text.as_str());
        if let Some(path) = &history {
            let _ = editor.save_history(path);
        }
        if is_end(&text) {
            return Ok(());
        }
        if let Err(error) = answer(open, &text, format).await {
            print::note(&format!("error: {error}"));
        }
    }
}

fn is_end(text: &str) -> bool {
    let word = text.trim().trim_end_matches(';').trim_end();
    matches!(word, "\\q" | "exit" | "quit")
}

async fn answer(open: &Generation, text: &str, format: Format) -> Result<()> {
    match text.trim().strip_prefix('\\') {
        Some(rest) => command(open, rest.trim_end_matches(';').trim()),
        None => {
            for query in statement::split(text) {
                let rows = super::run(open, query, format, None).await?;
                print::note(&format!("{rows} rows"));
            }
            Ok(())
        }
    }
}

fn command(open: &Generation, text: &str) -> Result<()> {
    match text.split_once(char::is_whitespace).unwrap_or((text, "")) {
        ("d", table) => super::describe(open, table.trim()),
        ("?" | "h", _) => {
            print::note(HELP);
            Ok(())
        }
        (word, _) => Err(Error::job(format!("no command \\{word}: {HELP}"))),
    }
}

/// The file of the history, in a folder of the user that can be written.
fn history_file() -> Option<PathBuf> {
    let folder = |name| std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let cache = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")))?;
    let own = cache.join("selfsame");
    std::fs::create_dir_all(&own).ok()?;
    Some(own.join("history"))
}

/// The words that can be completed.
struct Words {
    words: BTreeSet<String>,
    tables: BTreeSet<String>,
}

impl Words {
    fn of(open: &Generation) -> Self {
        let tables: BTreeSet<String> =
            open.manifest.tables.iter().map(|done| done.table.clone()).collect();
        let mut words = tables.clone();
        for table in tables.iter().filter_map(|name| schema::table(name)) {
            words.extend(table.columns.iter().map(|column| column.name.to_owned()));
        }
        let state = open.context().state();
        words.extend(state.scalar_functions().keys().cloned());
        words.extend(state.aggregate_functions().keys().cloned());
        words.extend(state.window_functions().keys().cloned());
        words.extend(KEYWORDS.split_whitespace().map(str::to_owned));
        Self { words, tables }
    }
}

/// The start of the word that ends `line`, and the words that begin like it.
fn fitting(words: &BTreeSet<String>, line: &str) -> (usize, Vec<String>) {
    let is_sign = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    let start = line.trim_end_matches(is_sign).len();
    let typed = line.get(start..).unwrap_or_default().to_ascii_lowercase();
    if typed.is_empty() {
        return (start, Vec::new());
    }
    let found = words.range(typed.clone()..).take_while(|word| word.starts_with(&typed));
    (start, found.cloned().collect())
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        end: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let line = line.get(..end).unwrap_or_default();
        let is_describe = line.trim_start().starts_with("\\d ");
        Ok(fitting(if is_describe { &self.tables } else { &self.words }, line))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}

impl Validator for Words {
    fn validate(&self, typed: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = typed.input();
        let is_whole =
            text.trim_start().starts_with('\\') || is_end(text) || statement::is_complete(text);
        Ok(if is_whole { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_is_completed() {
        let words = ["page", "page_id", "proof"].map(str::to_owned).into();
        assert_eq!(fitting(&words, "select PAG"), (7, vec!["page".into(), "page_id".into()]));
        assert_eq!(fitting(&words, "select page.pr"), (12, vec!["proof".into()]));
        assert_eq!(fitting(&words, "select "), (7, Vec::new()));
    }

    #[test]
    fn words_that_end_the_prompt() {
        assert!(is_end(" \\q") && is_end("exit;") && is_end("quit"));
        assert!(!is_end("select 1"));
    }
}
