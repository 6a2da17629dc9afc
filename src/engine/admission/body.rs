//! Bodies: what is a page and what cannot be one.
//!
//! A body is taken as a page unless its media type or its first bytes say that it is not. Text of
//! any kind, XML and types that say nothing are pages; a later stage finds what they hold. A body
//! that is still gzip, as it went over the wire, is unpacked.

use std::io::Read;

use super::reasons::{CONTENT_TYPE_OTHER, HTML_PACKED, HTML_TOO_LONG, Wrong};
use super::source::wide;

/// A body as it comes from a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Body<'a> {
    pub(super) bytes: &'a [u8],
    /// Whether it came as text and is UTF-8.
    pub(super) is_decoded: bool,
}

/// Media types `application/...` that no page has, besides those of vendors and those that end in
/// `+json` or `+zip`.
const APPLICATIONS: [&str; 25] = [
    "ecmascript",
    "gzip",
    "java-archive",
    "javascript",
    "json",
    "msword",
    "pdf",
    "postscript",
    "rtf",
    "wasm",
    "x-7z-compressed",
    "x-bzip2",
    "x-compressed",
    "x-font-ttf",
    "x-font-woff",
    "x-gzip",
    "x-java-archive",
    "x-javascript",
    "x-json",
    "x-msdownload",
    "x-rar-compressed",
    "x-shockwave-flash",
    "x-tar",
    "x-zip-compressed",
    "zip",
];

/// Media types `text/...` that no page has.
const TEXTS: [&str; 7] =
    ["css", "csv", "ecmascript", "javascript", "x-javascript", "x-json", "calendar"];

/// First bytes of formats that no page has.
const MAGIC: [(&[u8], &str); 18] = [
    (b"%PDF-", "PDF"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"\0\0\x01\0", "an icon"),
    (b"\x7fELF", "ELF"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "RAR"),
    (b"\xfd7zXZ\0", "xz"),
    (b"OggS\0", "Ogg"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"\0asm", "WebAssembly"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office file"),
    (b"SQLite format 3\0", "SQLite"),
    (b"\x1a\x45\xdf\xa3", "Matroska"),
];

/// A media type without its parameters, if no page has it.
pub(super) fn other_type(content_type: &str) -> Option<String> {
    let essence = content_type.split([';', ',']).next().unwrap_or_default().trim();
    let essence = essence.to_ascii_lowercase();
    let (kind, name) = essence.split_once('/')?;
    let is_other = match kind {
        "image" | "audio" | "video" | "font" | "model" | "multipart" => true,
        "text" => TEXTS.contains(&name),
        "application" => {
            !name.ends_with("+xml")
                && (name.starts_with("vnd.")
                    || name.ends_with("+json")
                    || name.ends_with("+zip")
                    || APPLICATIONS.contains(&name))
        }
        _ => false,
    };
    is_other.then_some(essence)
}

/// The format of bytes that are no page.
fn other_format(bytes: &[u8]) -> Option<&'static str> {
    if let Some((_, name)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(name);
    }
    match (bytes.get(..4)?, bytes.get(4..8)?, bytes.get(8..12)?) {
        (b"RIFF", _, kind @ (b"WEBP" | b"WAVE" | b"AVI ")) => {
            Some(if kind == b"WEBP" { "WebP" } else { "sound or film" })
        }
        ([0, 0, 0, _], b"ftyp", _) => Some("MP4"),
        _ => None,
    }
}

/// Whether a text begins like a page.
pub(super) fn looks_html(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start();
    [b"<!doctype html".as_slice(), b"<html"]
        .iter()
        .any(|start| text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start)))
}

/// The body as a page of at most `limit` bytes; `unpacked` holds it where it was compressed.
pub(super) fn page<'a>(
    body: Body<'a>,
    content_type: Option<&str>,
    limit: usize,
    unpacked: &'a mut Vec<u8>,
) -> Result<Body<'a>, Wrong> {
    if let Some(found) = content_type.and_then(other_type) {
        return Err((CONTENT_TYPE_OTHER, format!("found {found}, wanted a page")));
    }
    if body.bytes.len() > limit {
        let found = format!("found {} bytes, wanted at most {limit}", body.bytes.len());
        return Err((HTML_TOO_LONG, found));
    }
    let body = if body.bytes.starts_with(&[0x1f, 0x8b, 8]) {
        unpack(body.bytes, limit, unpacked)?;
        Body { bytes: unpacked, is_decoded: false }
    } else {
        body
    };
    if body.bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return Err((HTML_PACKED, "found zstd, wanted a page or gzip".to_owned()));
    }
    match other_format(body.bytes) {
        Some(found) => Err((CONTENT_TYPE_OTHER, format!("looks like {found}, wanted a page"))),
        None => Ok(body),
    }
}

/// Unpacks gzip, but no more than `limit` bytes.
fn unpack(packed: &[u8], limit: usize, unpacked: &mut Vec<u8>) -> Result<(), Wrong> {
    let decoder = flate2::read::MultiGzDecoder::new(packed);
    let read = decoder.take(wide(limit).saturating_add(1)).read_to_end(unpacked);
    if unpacked.len() > limit {
        let found = format!("unpacks to more than {limit} bytes, wanted at most as many");
        return Err((HTML_TOO_LONG, found));
    }
    read.map(|_| ()).map_err(|error| (HTML_PACKED, format!("found broken gzip: {error}")))
}
