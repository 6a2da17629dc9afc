//! What reaches the terminal: results on standard output, notes on standard error.
//!
//! Crawled strings are hostile: control and bidi characters are shown as escapes.

pub(super) mod format;

use std::fmt;
use std::io::{IsTerminal, Write};

use datafusion::arrow::json::writer::{JsonArray, WriterBuilder};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};

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
        if is_unsafe(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// A crawled text on one line, [`safe`] and without line breaks.
pub(super) fn word(text: &str) -> String {
    safe(text).replace('\n', "\\n")
}

/// A count and what it counts: `1 page`, `2 pages`.
pub(super) fn plural(count: i64, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

fn is_unsafe(character: char) -> bool {
    let is_bidi = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' | '\u{061c}');
    (character.is_control() && character != '\n') || is_bidi
}

/// Writes `value` to standard output as one JSON document.
pub(super) fn json(value: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(value);
    let text = text.map_err(|cause| Error::schema(format!("cannot be printed: {cause}")))?;
    line(&safe_json(&text))
}

/// Adds `value` to `out` as one line of JSON.
pub(super) fn push_json_line(value: &impl Serialize, out: &mut Vec<u8>) -> Result<()> {
    let fault = |cause: &dyn fmt::Display| Error::schema(format!("cannot be printed: {cause}"));
    let start = out.len();
    serde_json::to_writer(&mut *out, value).map_err(|cause| fault(&cause))?;
    let is_plain = out.iter().skip(start).all(|byte| (0x20..0x7F).contains(byte));
    if !is_plain {
        let line = String::from_utf8(out.split_off(start)).map_err(|cause| fault(&cause))?;
        out.extend_from_slice(safe_json(&line).as_bytes());
    }
    out.push(b'\n');
    Ok(())
}

/// The same JSON with control and bidi characters as JSON's own escapes.
fn safe_json(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_unsafe(character) {
            shown.push_str(&format!("\\u{:04x}", u32::from(character)));
        } else {
            shown.push(character);
        }
    }
    shown
}

/// `url` with its userinfo, if it has any, as `***`.
///
/// It reads a URL as a browser does: any number of slashes of either kind may stand before the
/// host. What looks like a name and a password without being a valid host is hidden too.
pub(super) fn redact(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once(':') else { return url.to_owned() };
    let is_blank = |sign: char| sign.is_control() || sign == ' ';
    let name: String = scheme.chars().filter(|&sign| !is_blank(sign)).collect();
    let is_scheme_sign = |sign: char| sign.is_ascii_alphanumeric() || "+-.".contains(sign);
    let hierarchy = rest.trim_start_matches(|sign| "/\\".contains(sign) || is_blank(sign));
    let is_web =
        ["http", "https", "ws", "wss", "ftp"].iter().any(|web| name.eq_ignore_ascii_case(web));
    let has_slashes = rest.starts_with(['/', '\\']);
    if name.is_empty() || !name.chars().all(is_scheme_sign) || !(is_web || has_slashes) {
        return url.to_owned();
    }
    let authority = hierarchy.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    let is_port = |port: &str| port.chars().all(|sign| sign.is_ascii_digit() || is_blank(sign));
    let is_odd = !authority.contains('@')
        && !authority.starts_with('[')
        && authority.split_once(':').is_some_and(|(_, port)| !is_port(port));
    let searched = if is_odd { hierarchy } else { authority };
    let Some(at) = searched.rfind('@') else { return url.to_owned() };
    let (before, after) = (url.len() - hierarchy.len(), hierarchy.get(at..).unwrap_or_default());
    format!("{}***{after}", url.get(..before).unwrap_or_default())
}

/// A crawled URL or id. It is shown without userinfo; only a query sees it as it is.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub(super) struct Address(String);

impl Address {
    /// An address as it came in.
    pub(super) fn new(raw: impl Into<String>) -> Self {
        Self(raw.into())
    }

    /// As it came in, to be bound to a query.
    pub(super) fn raw(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&word(&redact(&self.0)))
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Serialize for Address {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(&redact(&self.0))
    }
}

/// Rows of `batches`, each as a `T`; binary values are lower-case hex.
pub(super) fn rows<T: DeserializeOwned>(batches: &[RecordBatch]) -> Result<Vec<T>> {
    let fault = |cause: &dyn std::fmt::Display| Error::schema(format!("cannot be read: {cause}"));
    let mut writer =
        WriterBuilder::new().with_explicit_nulls(true).build::<_, JsonArray>(Vec::new());
    for batch in batches {
        writer.write(batch).map_err(|cause| fault(&cause))?;
    }
    writer.finish().map_err(|cause| fault(&cause))?;
    let text = writer.into_inner();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    serde_json::from_slice(&text).map_err(|cause| fault(&cause))
}

/// Batches as a table for people.
pub(super) fn table(batches: &[RecordBatch]) -> Result<String> {
    let shown = pretty_format_batches(batches);
    let shown = shown.map_err(|cause| Error::schema(format!("cannot be printed: {cause}")))?;
    Ok(safe(&shown.to_string()))
}

#[cfg(test)]
mod tests {
    use super::{redact, safe, safe_json, word};

    #[test]
    fn controls_and_bidi_are_escaped() {
        assert_eq!(safe("a\u{1b}[31mb\u{202e}c\nd"), "a\\u{1b}[31mb\\u{202e}c\nd");
    }

    #[test]
    fn a_word_is_one_line_and_json_stays_json() {
        assert_eq!(word("a\nb\u{7f}"), "a\\nb\\u{7f}");
        assert_eq!(safe_json("\"a\u{202e}b\u{9b}\"\n"), "\"a\\u202eb\\u009b\"\n");
    }

    #[test]
    fn userinfo_is_hidden() {
        for (url, shown) in [
            ("http://user:pass@a.example/x@y", "http://***@a.example/x@y"),
            ("HTTP:\\\\user@a.example", "HTTP:\\\\***@a.example"),
            (" http:user:p@ss@a.example?q=a@b", " http:***@a.example?q=a@b"),
            ("http://a.example:80/x@y", "http://a.example:80/x@y"),
            ("http://[::1]:80/x@y", "http://[::1]:80/x@y"),
            ("http://user:pa/ss@a.example/", "http://***@a.example/"),
            ("ht\ttp://u:p@a.example/", "ht\ttp://***@a.example/"),
            ("custom://u:p@a.example/", "custom://***@a.example/"),
            ("mailto:someone@a.example", "mailto:someone@a.example"),
            ("a:b@c", "a:b@c"),
            ("4711", "4711"),
        ] {
            assert_eq!(redact(url), shown);
        }
    }
}
