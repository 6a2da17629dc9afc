//! What reaches the terminal: results on standard output, notes on standard error.
//!
//! Crawled strings are hostile: control and bidi characters are shown as escapes.

use std::io::{IsTerminal, Write};

use datafusion::arrow::record_batch::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;

use crate::error::{Error, Result};

/// Writes a line to standard output.
pub(super) fn line(text: &str) -> Result<()> {
    bytes(format!("{text}\n").as_bytes())
}

/// Writes bytes to standard output. A reader that has gone away ends the command in peace.
pub(super) fn bytes(bytes: &[u8]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(cause) if cause.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(cause) => Err(Error::store(format!("standard output: {cause}"))),
        Ok(()) => Ok(()),
    }
}

/// Writes a line to standard error.
pub(super) fn note(text: &str) {
    let mut err = std::io::stderr().lock();
    let _ = writeln!(err, "{}", safe(text));
}

/// Whether standard error is a terminal.
pub(super) fn is_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// `text` with control and bidi characters, other than line breaks, shown as escapes.
pub(super) fn safe(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        let is_bidi = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' | '\u{061c}');
        if (character.is_control() && character != '\n') || is_bidi {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Batches as a table for people.
pub(super) fn table(batches: &[RecordBatch]) -> Result<String> {
    let shown = pretty_format_batches(batches);
    let shown = shown.map_err(|cause| Error::schema(format!("cannot be printed: {cause}")))?;
    Ok(safe(&shown.to_string()))
}

#[cfg(test)]
mod tests {
    use super::safe;

    #[test]
    fn controls_and_bidi_are_escaped() {
        assert_eq!(safe("a\u{1b}[31mb\u{202e}c\nd"), "a\\u{1b}[31mb\\u{202e}c\nd");
    }
}
