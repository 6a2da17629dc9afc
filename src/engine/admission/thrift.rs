//! As much of Thrift's compact protocol as it takes to look at Parquet structures before the
//! reader does.
//!
//! The reader reserves memory for lists and pages by the sizes that the file states. These walks
//! check that such a size is possible: a list has no more elements than bytes follow, a schema is
//! not deep enough to exhaust the stack. They do not check anything else.
//!
//! Source: <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>
//! and `parquet.thrift` of apache/parquet-format.

use std::io::Read;

/// Schema elements at most: the reader reserves room for as many column chunks a row group.
const ELEMENTS: u64 = 100_000;

/// Row groups at most; their ordinal has 16 bits.
const ROW_GROUPS: u64 = 32_767;

/// Nesting of a schema at most.
const SCHEMA_DEPTH: usize = 100;

/// Nesting of structures at most.
const DEPTH: usize = 32;

/// What a page header states.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PageHeader {
    /// Bytes of the header.
    pub(super) length: u64,
    /// Bytes of the page in the file.
    pub(super) packed: u64,
    /// Bytes of the page in memory.
    pub(super) unpacked: u64,
    /// Values of the page, NULL included.
    pub(super) values: u64,
    /// Whether it is a dictionary page.
    pub(super) dictionary: bool,
}

/// Walks the page header at the start of `reader`, in at most `limit` bytes.
pub(super) fn page(reader: impl Read, limit: u64) -> Result<PageHeader, String> {
    let mut walk = Walk { reader, used: 0, limit };
    let mut header = PageHeader::default();
    let mut field = 0;
    while let Some(kind) = walk.field(&mut field)? {
        match (field, kind) {
            (1, I32) => header.dictionary = walk.integer()? == 2,
            (2, I32) => header.unpacked = size(walk.integer()?)?,
            (3, I32) => header.packed = size(walk.integer()?)?,
            (5 | 7 | 8, STRUCT) => {
                let mut inner = 0;
                while let Some(kind) = walk.field(&mut inner)? {
                    match (inner, kind) {
                        (1, I32) => header.values = header.values.max(size(walk.integer()?)?),
                        _ => walk.skip(kind, DEPTH)?,
                    }
                }
            }
            _ => walk.skip(kind, DEPTH)?,
        }
    }
    header.length = walk.used;
    Ok(header)
}

/// Walks a whole footer.
pub(super) fn footer(bytes: &[u8]) -> Result<(), String> {
    let mut walk = Walk { reader: bytes, used: 0, limit: super::source::wide(bytes.len()) };
    let mut field = 0;
    while let Some(kind) = walk.field(&mut field)? {
        match (field, kind) {
            (2, LIST) => walk.schema()?,
            (4, LIST) => {
                let (kind, groups) = walk.list()?;
                if groups > ROW_GROUPS {
                    return Err(format!("{groups} row groups, wanted at most {ROW_GROUPS}"));
                }
                for _ in 0..groups {
                    walk.skip(kind, DEPTH)?;
                }
            }
            _ => walk.skip(kind, DEPTH)?,
        }
    }
    Ok(())
}

const BOOLEANS: [u8; 2] = [1, 2];
const BYTE: u8 = 3;
const I32: u8 = 5;
const INTEGERS: [u8; 3] = [4, 5, 6];
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;
const UUID: u8 = 13;

fn size(value: i64) -> Result<u64, String> {
    u64::try_from(value).map_err(|_| format!("a size of {value}"))
}

struct Walk<R> {
    reader: R,
    used: u64,
    limit: u64,
}

impl<R: Read> Walk<R> {
    fn byte(&mut self) -> Result<u8, String> {
        let mut byte = [0];
        if self.used >= self.limit || self.reader.read_exact(&mut byte).is_err() {
            return Err("a structure reaches beyond its end".to_owned());
        }
        self.used += 1;
        Ok(byte[0])
    }

    fn varint(&mut self) -> Result<u64, String> {
        let mut value = 0_u64;
        for shift in (0..70).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err("a number of more than ten bytes".to_owned())
    }

    /// A number in zigzag form.
    fn integer(&mut self) -> Result<i64, String> {
        let value = self.varint()?;
        let half = (value >> 1).cast_signed();
        Ok(if value & 1 == 0 { half } else { !half })
    }

    /// Next field of a structure: its type, and its number in `last`; `None` at the end.
    fn field(&mut self, last: &mut i64) -> Result<Option<u8>, String> {
        let byte = self.byte()?;
        let (delta, kind) = (byte >> 4, byte & 0x0f);
        if kind == 0 {
            return Ok(None);
        }
        *last = match delta {
            0 => self.integer()?,
            delta => last.saturating_add(i64::from(delta)),
        };
        Ok(Some(kind))
    }

    /// Type and number of the elements of a list; no more than bytes follow.
    fn list(&mut self) -> Result<(u8, u64), String> {
        let byte = self.byte()?;
        let length = match byte >> 4 {
            15 => self.varint()?,
            short => u64::from(short),
        };
        let left = self.limit.saturating_sub(self.used);
        if length > left {
            return Err(format!("a list of {length} elements in {left} bytes"));
        }
        Ok((byte & 0x0f, length))
    }

    fn bytes(&mut self, length: u64) -> Result<(), String> {
        let left = self.limit.saturating_sub(self.used);
        if length > left {
            return Err(format!("a value of {length} bytes in {left} bytes"));
        }
        let taken = std::io::copy(&mut self.reader.by_ref().take(length), &mut std::io::sink());
        if taken.ok() != Some(length) {
            return Err("a value reaches beyond the end".to_owned());
        }
        self.used += length;
        Ok(())
    }

    /// Walks over a field's value.
    fn skip(&mut self, kind: u8, depth: usize) -> Result<(), String> {
        if BOOLEANS.contains(&kind) { Ok(()) } else { self.element(kind, depth) }
    }

    /// Walks over a list element; other than in a field, a boolean has a byte.
    fn element(&mut self, kind: u8, depth: usize) -> Result<(), String> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err("structures nested too deep".to_owned());
        };
        match kind {
            BYTE => self.bytes(1),
            kind if BOOLEANS.contains(&kind) => self.bytes(1),
            kind if INTEGERS.contains(&kind) => self.varint().map(|_| ()),
            DOUBLE => self.bytes(8),
            UUID => self.bytes(16),
            BINARY => {
                let length = self.varint()?;
                self.bytes(length)
            }
            LIST | SET => {
                let (kind, length) = self.list()?;
                (0..length).try_for_each(|_| self.element(kind, depth))
            }
            MAP => self.map(depth),
            STRUCT => {
                let mut field = 0;
                while let Some(kind) = self.field(&mut field)? {
                    self.skip(kind, depth)?;
                }
                Ok(())
            }
            kind => Err(format!("a value of unknown type {kind}")),
        }
    }

    fn map(&mut self, depth: usize) -> Result<(), String> {
        let length = self.varint()?;
        if length == 0 {
            return Ok(());
        }
        if length > self.limit.saturating_sub(self.used) {
            return Err(format!("a map of {length} entries"));
        }
        let kinds = self.byte()?;
        for _ in 0..length {
            self.element(kinds >> 4, depth)?;
            self.element(kinds & 0x0f, depth)?;
        }
        Ok(())
    }

    /// Walks the list of schema elements, a tree in preorder.
    fn schema(&mut self) -> Result<(), String> {
        let (kind, length) = self.list()?;
        if length > ELEMENTS || (length > 0 && kind != STRUCT) {
            return Err(format!("{length} schema elements, wanted at most {ELEMENTS}"));
        }
        // Children that are still to come, from the root down.
        let mut open: Vec<i64> = Vec::new();
        for _ in 0..length {
            let (mut field, mut children) = (0, 0);
            while let Some(kind) = self.field(&mut field)? {
                match (field, kind) {
                    (5, I32) => children = self.integer()?,
                    _ => self.skip(kind, DEPTH)?,
                }
            }
            if let Some(last) = open.last_mut() {
                *last -= 1;
            }
            if children > 0 {
                open.push(children);
            }
            if open.len() > SCHEMA_DEPTH {
                return Err(format!("a schema of more than {SCHEMA_DEPTH} levels"));
            }
            while open.last().is_some_and(|left| *left <= 0) {
                open.pop();
            }
        }
        Ok(())
    }
}
