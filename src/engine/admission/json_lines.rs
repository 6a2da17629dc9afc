//! JSON Lines: one object a line, plain, gzip or zstd.
//!
//! A line is held whole, up to a limit; a longer one is passed over without being held. Only the
//! fields that are needed become values. A line is judged by itself: what is wrong with it does
//! not touch its neighbours. Broken compression ends the file, the rows before it are admitted.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::{Arc, Mutex};

use tokio::runtime::Handle;

use super::list::{InputFile, Packing};
use super::object::Parser;
use super::reasons::{COMPRESSION_DAMAGED, LINE_TOO_LONG, MISLABELLED, RATIO_LIMIT};
use super::row::{Flow, Output, Stop};
use super::source::{Watched, held, open, wide};
use super::{Columns, Limits};

/// Bytes of a line besides its page or text, of which a byte may be written as `\u0041`, six bytes.
const LINE_EXTRA: usize = 4 << 20;

/// Bytes looked at to tell a format.
const HEAD: u64 = 512;

/// What `head`, the first bytes of a file, looks like if it is of a known other format.
pub(super) fn looks_like(head: &[u8]) -> Option<&'static str> {
    const MAGIC: [(&[u8], &str); 16] = [
        (b"PAR1", "Parquet"),
        (b"PARE", "encrypted Parquet"),
        (&[0x1f, 0x8b], "gzip"),
        (&[0x28, 0xb5, 0x2f, 0xfd], "zstd"),
        (b"BZh", "bzip2"),
        (&[0xfd, b'7', b'z', b'X', b'Z', 0], "xz"),
        (&[0x04, 0x22, 0x4d, 0x18], "lz4"),
        (b"PK\x03\x04", "a zip archive"),
        (b"ORC", "ORC"),
        (b"Obj\x01", "Avro"),
        (b"ARROW1", "Arrow IPC"),
        (b"WARC/", "WARC"),
        (b"%PDF", "PDF"),
        (b"SQLite format 3\0", "SQLite"),
        (&[0xff, 0xfe], "UTF-16 text"),
        (&[0xfe, 0xff], "UTF-16 text"),
    ];
    if let Some((_, name)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(name);
    }
    let head = head.strip_prefix(BOM).unwrap_or(head).trim_ascii_start();
    let starts =
        |with: &[u8]| head.len() >= with.len() && head[..with.len()].eq_ignore_ascii_case(with);
    if starts(b"<!doctype") || starts(b"<html") {
        return Some("HTML");
    }
    head.starts_with(b"<").then_some("XML or HTML")
}

const BOM: &[u8] = &[0xef, 0xbb, 0xbf];

/// Reads a file to its end.
pub(super) fn read(
    file: &InputFile,
    packing: Packing,
    columns: &Columns,
    runtime: &Handle,
    out: &mut Output,
) -> Flow {
    let failure = Arc::new(Mutex::new(None));
    let inner = open(&file.location, runtime).map_err(Stop::Failed)?;
    let mut reader = Watched { inner, failure: Arc::clone(&failure) };
    let stopped = |error: io::Error| Stop::Failed(held(&failure).take().unwrap_or(error));
    let (head, broken) = head(&mut reader);
    if let Some(error) = broken {
        return Err(stopped(error));
    }
    let looks = looks_like(&head);
    let wanted = match packing {
        Packing::None => None,
        Packing::Gzip => Some("gzip"),
        Packing::Zstd => Some("zstd"),
    };
    if looks != wanted && (looks.is_some() || head.starts_with(b"{")) {
        let found = looks.unwrap_or("JSON Lines");
        let wanted = wanted.unwrap_or("JSON Lines");
        out.file(MISLABELLED, 0, &format!("looks like {found}, wanted {wanted} by its name"));
        return Ok(());
    }
    let whole = Cursor::new(head).chain(reader);
    let whole = BufReader::with_capacity(64 << 10, whole);
    let lines = Lines { columns, failure: &failure, packed: packing != Packing::None };
    match packing {
        Packing::None => lines.read(whole, out),
        Packing::Gzip => lines.read(flate2::bufread::MultiGzDecoder::new(whole), out),
        Packing::Zstd => match zstd::stream::read::Decoder::with_buffer(whole) {
            Ok(decoder) => lines.read(decoder, out),
            Err(error) => Err(Stop::Failed(error)),
        },
    }
}

/// The first bytes of `reader`, fewer where it ends or fails.
fn head(reader: &mut impl Read) -> (Vec<u8>, Option<io::Error>) {
    let mut head = Vec::new();
    let broken = reader.take(HEAD).read_to_end(&mut head).err();
    (head, broken)
}

/// Fails once, with the error it holds.
struct Broken(Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

struct Lines<'a> {
    columns: &'a Columns,
    failure: &'a Mutex<Option<io::Error>>,
    packed: bool,
}

impl Lines<'_> {
    /// Reads unpacked bytes to their end.
    fn read(&self, mut reader: impl Read, out: &mut Output) -> Flow {
        let (head, broken) = head(&mut reader);
        // A plain file was looked at before.
        if let Some(looks) = looks_like(&head).filter(|_| self.packed) {
            out.file(MISLABELLED, 0, &format!("unpacked it looks like {looks}, wanted JSON Lines"));
            return Ok(());
        }
        let skip = if head.starts_with(BOM) { wide(BOM.len()) } else { 0 };
        let mut head = Cursor::new(head);
        head.set_position(skip);
        let whole = head.chain(Broken(broken)).chain(reader);
        self.lines(BufReader::with_capacity(64 << 10, whole), out)
    }

    fn lines(&self, mut reader: impl BufRead, out: &mut Output) -> Flow {
        let Limits { text_bytes, html_bytes, .. } = out.limits();
        let body = text_bytes.max(html_bytes);
        let limit = body.saturating_mul(6).saturating_add(LINE_EXTRA);
        let mut line = Vec::new();
        let mut parser = Parser::new(self.columns.of_lines());
        for row in 0.. {
            line.clear();
            let read =
                (&mut reader).take(wide(limit).saturating_add(1)).read_until(b'\n', &mut line);
            match read {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => return self.broken(error, row, out),
            }
            let ended = line.pop_if(|byte| *byte == b'\n').is_some();
            if !ended && line.len() > limit {
                match pass(&mut reader, out) {
                    Ok(Some(more)) => {
                        let found = wide(line.len()).saturating_add(more);
                        let found = format!("found {found} bytes, wanted at most {limit}");
                        out.set_aside(LINE_TOO_LONG, row, 1, &found);
                        out.flush_entries()?;
                    }
                    Ok(None) => return over_ratio(row, out),
                    Err(error) => return self.broken(error, row, out),
                }
                continue;
            }
            if let Err(Stop::Ratio) = out.yielded(line.len()) {
                return over_ratio(row, out);
            }
            if !line.trim_ascii().is_empty() {
                parser.line(row, &line, out)?;
            }
        }
        parser.finish(out);
        Ok(())
    }

    /// The rest of the file cannot be unpacked, or the store failed.
    fn broken(&self, error: io::Error, row: i64, out: &mut Output) -> Flow {
        if let Some(failure) = held(self.failure).take() {
            return Err(Stop::Failed(failure));
        }
        out.set_aside(COMPRESSION_DAMAGED, row, 0, &error.to_string());
        Ok(())
    }
}

/// Passes over the rest of a line: its bytes, or `None` where the file yields too much.
fn pass(reader: &mut impl BufRead, out: &mut Output) -> io::Result<Option<u64>> {
    let mut passed = 0;
    loop {
        let held = match reader.fill_buf() {
            Ok(held) => held,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = held.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(held.len(), |end| end + 1);
        reader.consume(used);
        passed += wide(used);
        if end.is_some() || used == 0 {
            return Ok(Some(passed));
        }
        if out.yielded(used).is_err() {
            return Ok(None);
        }
    }
}

fn over_ratio(row: i64, out: &mut Output) -> Flow {
    out.set_aside(RATIO_LIMIT, row, 0, "found more bytes than a file of its size may yield");
    Ok(())
}
