//! Bytes to text: which encoding a page has, and its text in it.
//!
//! The first of these that names an encoding decides: byte order mark, the fact that the body
//! came as text, the `Content-Type` header, the declaration in the first bytes, the crawler's
//! note, detection. Three departures from the standard keep texts readable:
//!
//! * A name that says UTF-8 is doubted when the bytes have more broken sequences than whole ones
//!   beyond ASCII: the next that names another encoding decides, and detection in the end.
//! * A header that names a single-byte Latin encoding yields to a declaration of UTF-8 when the
//!   bytes are valid UTF-8 beyond ASCII.
//! * Declarations are looked for in the first 32 KiB, not 1,024 bytes: browsers read a page again
//!   when a later one differs.
//!
//! Source: WHATWG HTML, "prescan a byte stream to determine its encoding"; WHATWG Encoding.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use super::{Source, header};

/// Bytes in which a declaration is looked for.
const PRESCAN_BYTES: usize = 32 << 10;

/// Bytes that show UTF-16 without a mark.
const PAIR_BYTES: usize = 512;

/// Who named the encoding of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CharsetSource {
    /// The byte order mark.
    Bom,
    /// The body came as text.
    Decoded,
    /// The `Content-Type` header.
    Header,
    /// The page's own declaration.
    Meta,
    /// The crawler's note.
    Noted,
    /// The bytes.
    Detected,
    /// Nobody: the bytes are ASCII.
    #[default]
    Default,
}

impl CharsetSource {
    /// The stable name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            CharsetSource::Bom => "bom",
            CharsetSource::Decoded => "decoded",
            CharsetSource::Header => "header",
            CharsetSource::Meta => "meta",
            CharsetSource::Noted => "noted",
            CharsetSource::Detected => "detected",
            CharsetSource::Default => "default",
        }
    }
}

/// Whole sequences of UTF-8, and none broken, that outweigh any label.
const SURE_SEQUENCES: usize = 8;

/// The text of a page and the encoding it was in.
pub(super) struct Decoded<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) encoding: &'static Encoding,
    pub(super) source: CharsetSource,
}

/// Decodes a page; what has no meaning in the encoding becomes U+FFFD.
pub(super) fn decode<'a>(source: &Source<'a>) -> Decoded<'a> {
    let (encoding, named_by) = named(source);
    let (text, _) = encoding.decode_with_bom_removal(source.body);
    Decoded { text, encoding, source: named_by }
}

fn named(source: &Source<'_>) -> (&'static Encoding, CharsetSource) {
    let body = source.body;
    if source.is_decoded {
        return (UTF_8, CharsetSource::Decoded);
    }
    if let Some((encoding, _)) = Encoding::for_bom(body) {
        return (encoding, CharsetSource::Bom);
    }
    let by_header = source
        .content_type
        .map(str::as_bytes)
        .or_else(|| header::values(source.headers, "content-type").next().map(str::as_bytes))
        .and_then(charset_in);
    let by_meta = declared(body);
    let by_note = source.charset.and_then(|label| known(label.as_bytes()));
    let sequences = Sequences::of(body);
    if by_meta == Some(UTF_8)
        && by_header.is_some_and(|encoding| encoding == WINDOWS_1252)
        && sequences.is_utf8_beyond_ascii()
    {
        return (UTF_8, CharsetSource::Meta);
    }
    let first = by_header.or(by_meta).or(by_note);
    if first.is_some_and(|encoding| encoding != UTF_8) && sequences.are_surely_utf8() {
        return (UTF_8, CharsetSource::Detected);
    }
    let candidates = [
        (by_header, CharsetSource::Header),
        (by_meta, CharsetSource::Meta),
        (by_note, CharsetSource::Noted),
    ];
    for (encoding, named_by) in candidates {
        match encoding {
            Some(encoding) if encoding != UTF_8 || !sequences.refute_utf8() => {
                return (encoding, named_by);
            }
            _ => {}
        }
    }
    detected(source, &sequences)
}

/// The encoding that the bytes themselves show.
fn detected(source: &Source<'_>, sequences: &Sequences) -> (&'static Encoding, CharsetSource) {
    if let Some(encoding) = paired(source.body) {
        return (encoding, CharsetSource::Detected);
    }
    if sequences.is_ascii() && !source.body.contains(&0x1B) {
        return (UTF_8, CharsetSource::Default);
    }
    if !sequences.refute_utf8() {
        return (UTF_8, CharsetSource::Detected);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(source.body, true);
    let domain = top_level_domain(source.url);
    let encoding = detector.guess(domain.as_deref(), Utf8Detection::Allow);
    (encoding, CharsetSource::Detected)
}

/// UTF-16 without a mark: every other byte of the start is zero.
fn paired(body: &[u8]) -> Option<&'static Encoding> {
    let start = body.get(..body.len().min(PAIR_BYTES))?;
    let (pairs, _) = start.as_chunks::<2>();
    let zeros = |side: usize| pairs.iter().filter(|pair| pair.get(side) == Some(&0)).count();
    let (first, second) = (zeros(0), zeros(1));
    let is_most = |count: usize| count > 3 && count * 10 > pairs.len() * 9;
    if is_most(second) && first == 0 {
        return Some(UTF_16LE);
    }
    (is_most(first) && second == 0).then_some(UTF_16BE)
}

/// The last label of the host, as the detector wants it: lower-case ASCII letters and digits.
fn top_level_domain(url: &str) -> Option<Vec<u8>> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?.split(':').next()?;
    let label = host.rsplit('.').next()?.to_ascii_lowercase().into_bytes();
    let is_label = label.first().is_some_and(u8::is_ascii_lowercase)
        && label.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    is_label.then_some(label)
}

/// How well bytes go as UTF-8.
struct Sequences {
    whole: usize,
    broken: usize,
}

impl Sequences {
    fn of(body: &[u8]) -> Self {
        let mut sequences = Sequences { whole: 0, broken: 0 };
        let mut rest = body;
        for chunk in body.utf8_chunks() {
            let valid = chunk.valid().as_bytes();
            sequences.whole += valid.iter().filter(|byte| **byte >= 0xC0).count();
            rest = rest.get(valid.len() + chunk.invalid().len()..).unwrap_or_default();
            let is_cut_short = rest.is_empty() && chunk.invalid().first() >= Some(&0xC2);
            if !chunk.invalid().is_empty() && !is_cut_short {
                sequences.broken += 1;
            }
        }
        sequences
    }

    fn is_ascii(&self) -> bool {
        self.whole == 0 && self.broken == 0
    }

    /// Whether the bytes are UTF-8 whatever is said of them: in another encoding a few letters may
    /// look like it, and these many never.
    fn are_surely_utf8(&self) -> bool {
        self.broken == 0 && self.whole >= SURE_SEQUENCES
    }

    fn is_utf8_beyond_ascii(&self) -> bool {
        self.whole > 0 && self.broken == 0
    }

    fn refute_utf8(&self) -> bool {
        self.broken > self.whole
    }
}

/// The encoding called `label`; none for what only would replace the page.
fn known(label: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_label(label).filter(|encoding| *encoding != REPLACEMENT)
}

/// The encoding that bytes can declare in ASCII: no UTF-16, as they would not be readable.
fn declarable(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        return UTF_8;
    }
    if encoding == X_USER_DEFINED { WINDOWS_1252 } else { encoding }
}

/// The encoding named in `charset=` of a content type.
fn charset_in(value: &[u8]) -> Option<&'static Encoding> {
    let mut rest = value;
    loop {
        rest = after_name(rest, b"charset")?;
        let after = rest.trim_ascii_start();
        let Some((b'=', after)) = after.split_first() else { continue };
        return known(quoted(after.trim_ascii_start()));
    }
}

/// What stands behind the next `name`, in any case.
fn after_name<'v>(value: &'v [u8], name: &[u8]) -> Option<&'v [u8]> {
    let at = value.windows(name.len()).position(|window| window.eq_ignore_ascii_case(name))?;
    value.get(at + name.len()..)
}

/// A value in quotes, or up to white space or a semicolon; nothing where a quote is not closed.
fn quoted(value: &[u8]) -> &[u8] {
    let until =
        |value: &'_ [u8], is_end: &dyn Fn(u8) -> bool| value.iter().position(|byte| is_end(*byte));
    match value.split_first() {
        Some((quote @ (b'"' | b'\''), rest)) => {
            until(rest, &|byte| byte == *quote).and_then(|end| rest.get(..end)).unwrap_or_default()
        }
        _ => {
            let end = until(value, &|byte| byte == b';' || byte.is_ascii_whitespace());
            value.get(..end.unwrap_or(value.len())).unwrap_or_default()
        }
    }
}

/// The encoding that a page declares of itself, by its first bytes.
fn declared(body: &[u8]) -> Option<&'static Encoding> {
    let start = body.get(..body.len().min(PRESCAN_BYTES)).unwrap_or_default();
    let mut prescan = Prescan { bytes: start, at: 0 };
    prescan.find().or_else(|| in_xml(start)).map(declarable)
}

/// The encoding in an XML declaration.
fn in_xml(start: &[u8]) -> Option<&'static Encoding> {
    let rest = start.strip_prefix(b"<?xml")?;
    let end = rest.iter().position(|byte| *byte == b'>')?;
    let value = after_name(rest.get(..end)?, b"encoding")?.trim_ascii_start();
    let (b'=', value) = value.split_first()? else { return None };
    known(quoted(value.trim_ascii_start()))
}

/// The standard's prescan: it knows tags and comments, and no elements.
struct Prescan<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Prescan<'_> {
    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn find(&mut self) -> Option<&'static Encoding> {
        loop {
            self.at += self.rest().iter().position(|byte| *byte == b'<')?;
            let rest = self.rest();
            let is_letter = |index: usize| rest.get(index).is_some_and(u8::is_ascii_alphabetic);
            if rest.starts_with(b"<!--") {
                // The two dashes of the start may be those of the end.
                let end = rest.get(2..)?.windows(3).position(|window| window == b"-->")?;
                self.at += end + 5;
            } else if is_meta(rest) {
                self.at += 5;
                if let Some(encoding) = self.meta() {
                    return Some(encoding);
                }
            } else if is_letter(1) || (rest.get(1) == Some(&b'/') && is_letter(2)) {
                let end = rest.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'>');
                self.at += end?;
                while self.attribute().is_some() {}
            } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
                self.at += rest.iter().position(|byte| *byte == b'>')?;
            } else {
                self.at += 1;
            }
        }
    }

    /// The encoding that the attributes of a meta tag name.
    fn meta(&mut self) -> Option<&'static Encoding> {
        let (mut has_pragma, mut needs_pragma) = (false, None);
        let mut found: Option<Option<&'static Encoding>> = None;
        let mut seen: Vec<Vec<u8>> = Vec::new();
        while let Some((name, value)) = self.attribute() {
            if seen.contains(&name) {
                continue;
            }
            match name.as_slice() {
                b"http-equiv" => has_pragma |= value == b"content-type",
                b"content" if found.is_none() => {
                    if let Some(encoding) = charset_in(&value) {
                        found = Some(Some(encoding));
                        needs_pragma = Some(true);
                    }
                }
                b"charset" => {
                    found = Some(known(&value));
                    needs_pragma = Some(false);
                }
                _ => {}
            }
            seen.push(name);
        }
        if needs_pragma? && !has_pragma {
            return None;
        }
        found.flatten()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied();
        self.at += usize::from(byte.is_some());
        byte
    }

    fn skip(&mut self, is_skipped: impl Fn(u8) -> bool) {
        while self.bytes.get(self.at).is_some_and(|byte| is_skipped(*byte)) {
            self.at += 1;
        }
    }

    /// The next attribute of a tag, lower-case; none at the end of the tag.
    fn attribute(&mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        self.skip(|byte| byte.is_ascii_whitespace() || byte == b'/');
        let (mut name, mut value) = (Vec::new(), Vec::new());
        if *self.bytes.get(self.at)? == b'>' {
            return None;
        }
        loop {
            match self.bytes.get(self.at)? {
                b'=' if !name.is_empty() => break,
                b'/' | b'>' => return Some((name, value)),
                byte if byte.is_ascii_whitespace() => {
                    self.skip(|byte| byte.is_ascii_whitespace());
                    if self.bytes.get(self.at) != Some(&b'=') {
                        return Some((name, value));
                    }
                    break;
                }
                byte => name.push(byte.to_ascii_lowercase()),
            }
            self.at += 1;
        }
        self.at += 1;
        self.skip(|byte| byte.is_ascii_whitespace());
        let quote = self.bytes.get(self.at).copied().filter(|byte| matches!(byte, b'"' | b'\''));
        self.at += usize::from(quote.is_some());
        loop {
            match (self.bytes.get(self.at).copied(), quote) {
                (None, _) => return None,
                (Some(byte), Some(quote)) if byte == quote => {
                    self.next();
                    return Some((name, value));
                }
                (Some(byte), None) if byte.is_ascii_whitespace() || byte == b'>' => {
                    return Some((name, value));
                }
                (Some(byte), _) => value.push(byte.to_ascii_lowercase()),
            }
            self.at += 1;
        }
    }
}

fn is_meta(rest: &[u8]) -> bool {
    rest.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"<meta"))
        && rest.get(5).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'/')
}
