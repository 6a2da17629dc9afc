//! One line of JSON Lines: an object becomes a row.
//!
//! Only the fields that play a role become values. Headers and links are read to a depth and a
//! number of values; what is beyond is passed over without being held.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::body::Body;
use super::columns::{
    BYTES, CHARSET, CONTENT_TYPE, HEADERS, HTML, ID, IP, LINKS, Names, REDIRECT, ROLES, STATUS,
    TEXT, TIME, URL,
};
use super::headers::Headers;
use super::reasons::{
    COLUMN_UNSEEN, HTML_NOT_BASE64, HTML_TOO_LONG, JSON_DUPLICATE_FIELD, JSON_NOT_OBJECT,
    JSON_SYNTAX, JSON_TYPE, LINE_NOT_UTF8, Notice, Wrong,
};
use super::row::{Flow, Output, Row};
use super::time;

/// Levels of arrays and objects that are read of headers and links.
const DEPTH: usize = 3;

/// Values that are read of the headers and links of a line.
const NESTED: usize = 50_000;

/// Keys that are remembered, and their bytes at most.
const KEYS: usize = 256;
const KEY_BYTES: usize = 128;

/// Base64 with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Turns lines into rows.
pub(super) struct Parser<'a> {
    keys: Keys<'a>,
    seen: [bool; ROLES],
    lines: i64,
    headers: Headers,
}

/// How good a name is for each role.
type Ranks = [Option<usize>; ROLES];

/// The keys of lines, which are the same in most of them.
struct Keys<'a> {
    names: Names<'a>,
    known: BTreeMap<String, Ranks>,
}

impl Keys<'_> {
    fn ranks(&mut self, name: &str) -> Ranks {
        if let Some(ranks) = self.known.get(name) {
            return *ranks;
        }
        let mut ranks = [None; ROLES];
        for (role, slot) in ranks.iter_mut().enumerate() {
            *slot = self.names.rank(role, name);
        }
        if self.known.len() < KEYS && name.len() <= KEY_BYTES {
            self.known.insert(name.to_owned(), ranks);
        }
        ranks
    }
}

impl<'a> Parser<'a> {
    pub(super) fn new(names: Names<'a>) -> Self {
        let keys = Keys { names, known: BTreeMap::new() };
        Self { keys, seen: [false; ROLES], lines: 0, headers: Headers::default() }
    }

    /// Sends the row of a line on, or sets it aside.
    pub(super) fn line(&mut self, row: i64, line: &[u8], out: &mut Output) -> Flow {
        self.lines += 1;
        let limit = out.limits().html_bytes;
        match self.fields(line).and_then(|fields| fields.values(limit)) {
            Ok(values) => values.send(row, &mut self.headers, out),
            Err((reason, detail)) => {
                out.set_aside(reason, row, 1, &detail);
                out.flush_entries()
            }
        }
    }

    fn fields<'l>(&mut self, line: &'l [u8]) -> Result<Fields<'l>, Wrong> {
        let text = std::str::from_utf8(line).map_err(|error| {
            (LINE_NOT_UTF8, format!("found no UTF-8 at byte {}", error.valid_up_to()))
        })?;
        if !text.trim_start().starts_with('{') {
            return match serde_json::from_str::<IgnoredAny>(text) {
                Ok(_) => Err((JSON_NOT_OBJECT, "found another value, wanted an object".to_owned())),
                Err(error) => Err((JSON_SYNTAX, syntax(&error))),
            };
        }
        let mut json = serde_json::Deserializer::from_str(text);
        let fields = json
            .deserialize_map(FieldsVisitor { keys: &mut self.keys, seen: &mut self.seen })
            .and_then(|fields| json.end().map(|()| fields));
        fields.map_err(|error| (JSON_SYNTAX, syntax(&error)))
    }

    /// Gives notice of mapped fields that no line has.
    pub(super) fn finish(&self, out: &mut Output) {
        for (role, seen) in self.seen.iter().enumerate() {
            if let Some(mapped) = self.keys.names.mapped(role).filter(|_| self.lines > 0 && !seen) {
                out.file(COLUMN_UNSEEN, 0, &format!("no line has the mapped field {mapped}"));
            }
        }
    }
}

/// The message of the parser with the column only: the line is that of the row.
fn syntax(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = message.strip_suffix(&place).unwrap_or(&message);
    format!("{message} at byte {}", error.column())
}

/// A value of a needed field.
#[derive(Debug, Clone)]
enum Value<'l> {
    Null,
    Text(Cow<'l, str>),
    Integer(i128),
    Float(f64),
    List(Vec<Value<'l>>),
    Object(Vec<(String, Value<'l>)>),
    Other(&'static str),
}

impl<'l> Value<'l> {
    fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Text(_) => "a string",
            Value::Integer(_) => "a number",
            Value::Float(_) => "a number that is no 64-bit integer",
            Value::List(_) => "an array",
            Value::Object(_) => "an object",
            Value::Other(kind) => kind,
        }
    }

    fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            Value::Text(text) => Some(Cow::Borrowed(text.as_ref())),
            Value::Integer(number) => Some(Cow::Owned(number.to_string())),
            _ => None,
        }
    }
}

/// Reads `text` as headers: an object or array of JSON, else a block as it goes over the wire.
pub(super) fn headers_of_text(text: &str, headers: &mut Headers) -> bool {
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    if !text.starts_with(['{', '[']) {
        headers.push_block(text);
        return text.is_empty() || headers.lines().is_some();
    }
    let left = Cell::new(NESTED);
    let mut json = serde_json::Deserializer::from_str(text);
    match (ValueSeed { depth: DEPTH, left: &left }).deserialize(&mut json) {
        Ok(value) => headers_of(&value, headers),
        Err(_) => false,
    }
}

/// Reads headers in any form that JSON has for them; whether it is one.
fn headers_of(value: &Value, headers: &mut Headers) -> bool {
    match value {
        Value::Null => true,
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| header(name, value, headers));
            true
        }
        Value::List(items) => {
            // Each of them is read, whatever came before it.
            items.iter().filter(|item| !pair(item, headers)).count() == 0
        }
        _ => false,
    }
}

/// Reads an item of a list of headers; whether it is a header.
fn pair(item: &Value, headers: &mut Headers) -> bool {
    match item {
        Value::Text(line) => headers.push_block(line),
        Value::List(two) => match two.as_slice() {
            [name, value] => match name.text() {
                Some(name) => header(&name, value, headers),
                None => return false,
            },
            _ => return false,
        },
        Value::Object(fields) => {
            let find = |names: &[&str]| {
                let known = |name: &str| names.iter().any(|known| known.eq_ignore_ascii_case(name));
                fields.iter().find(|(name, _)| known(name)).map(|(_, value)| value)
            };
            match (find(&["name", "key"]).and_then(Value::text), find(&["value"])) {
                (Some(name), Some(value)) => header(&name, value, headers),
                _ => return false,
            }
        }
        _ => return false,
    }
    true
}

/// Adds a header whose value may be a list of values.
fn header(name: &str, value: &Value, headers: &mut Headers) {
    match value {
        Value::List(values) => {
            values.iter().filter_map(Value::text).for_each(|value| headers.push(name, &value));
        }
        value => {
            if let Some(value) = value.text() {
                headers.push(name, &value);
            }
        }
    }
}

/// The best field of a role.
#[derive(Debug)]
struct Field<'l> {
    rank: usize,
    name: String,
    value: Value<'l>,
    twice: Option<String>,
}

/// The best field of each role.
#[derive(Debug, Default)]
struct Fields<'l> {
    roles: [Option<Field<'l>>; ROLES],
}

/// An optional value, or what is there instead.
type Optional<T> = Result<Option<T>, String>;

/// What a row is made of.
struct Values<'l> {
    url: Option<Cow<'l, str>>,
    id: Option<Cow<'l, str>>,
    text: Option<Cow<'l, str>>,
    html: Option<Html<'l>>,
    time: Optional<i64>,
    status: Optional<i32>,
    short: [Optional<Cow<'l, str>>; 4],
    headers: Option<Value<'l>>,
    links: Option<Value<'l>>,
}

/// A page as it was written.
enum Html<'l> {
    Text(Cow<'l, str>),
    Bytes(Vec<u8>),
}

impl<'l> Fields<'l> {
    fn add(&mut self, role: usize, rank: usize, name: &str, value: Value<'l>) {
        let Some(slot) = self.roles.get_mut(role) else { return };
        match slot {
            Some(best) if best.rank < rank => {}
            Some(best) if best.rank == rank => best.twice = Some(name.to_owned()),
            _ => *slot = Some(Field { rank, name: name.to_owned(), value, twice: None }),
        }
    }

    /// The values, if each field is of a usable type and there once.
    fn values(mut self, limit: usize) -> Result<Values<'l>, Wrong> {
        for field in self.roles.iter().flatten() {
            if let Some(twice) = &field.twice {
                let found = format!("found {} and {twice}, wanted one of them", field.name);
                return Err((JSON_DUPLICATE_FIELD, found));
            }
        }
        let html = self.html(limit)?;
        Ok(Values {
            time: match self.take(TIME) {
                None | Some(Value::Null) => Ok(None),
                Some(Value::Text(text)) => time(&text).map(Some).ok_or(text.into_owned()),
                Some(other) => Err(other.kind().to_owned()),
            },
            status: match self.take(STATUS) {
                None | Some(Value::Null) => Ok(None),
                Some(Value::Integer(status)) => {
                    i32::try_from(status).map(Some).map_err(|_| status.to_string())
                }
                // 200.0 is written as 200.
                Some(Value::Float(status)) => {
                    let status = status.to_string();
                    status.parse().map(Some).map_err(|_| status)
                }
                Some(other) => Err(other.kind().to_owned()),
            },
            short: [REDIRECT, CONTENT_TYPE, CHARSET, IP].map(|role| match self.take(role) {
                None | Some(Value::Null) => Ok(None),
                Some(Value::Text(text)) => Ok(Some(text)),
                Some(other) => Err(other.kind().to_owned()),
            }),
            headers: self.take(HEADERS),
            links: self.take(LINKS),
            url: self.text(URL)?,
            id: self.text(ID)?,
            // With a page the text is not looked at.
            text: if html.is_some() { None } else { self.text(TEXT)? },
            html,
        })
    }

    fn take(&mut self, role: usize) -> Option<Value<'l>> {
        self.roles.get_mut(role)?.take().map(|field| field.value)
    }

    fn text(&mut self, role: usize) -> Result<Option<Cow<'l, str>>, Wrong> {
        let Some(field) = self.roles.get_mut(role).and_then(Option::take) else { return Ok(None) };
        let wanted = if role == ID { "a string or an integer" } else { "a string" };
        match field.value {
            Value::Null => Ok(None),
            Value::Text(text) => Ok(Some(text)),
            Value::Integer(id) if role == ID => Ok(Some(Cow::Owned(id.to_string()))),
            other => {
                let found = format!("{} is {}, wanted {wanted}", field.name, other.kind());
                Err((JSON_TYPE, found))
            }
        }
    }

    /// The page: base64 beats text.
    fn html(&mut self, limit: usize) -> Result<Option<Html<'l>>, Wrong> {
        let Some(packed) = self.text(BYTES)? else { return Ok(self.text(HTML)?.map(Html::Text)) };
        let packed = match packed {
            packed if packed.contains(|letter: char| letter.is_ascii_whitespace()) => {
                Cow::Owned(packed.split_ascii_whitespace().collect::<String>())
            }
            packed => packed,
        };
        let least = (packed.len() / 4).saturating_mul(3).saturating_sub(2);
        if least > limit {
            let found = format!("found at least {least} bytes, wanted at most {limit}");
            return Err((HTML_TOO_LONG, found));
        }
        let bytes = BASE64.decode(packed.as_bytes());
        bytes.map(|bytes| Some(Html::Bytes(bytes))).map_err(|error| {
            (HTML_NOT_BASE64, format!("found another text, wanted base64: {error}"))
        })
    }
}

/// The bytes of an optional value.
fn bytes<'v>(value: &'v Optional<Cow<str>>) -> Option<&'v [u8]> {
    value.as_ref().ok()?.as_deref().map(str::as_bytes)
}

/// An item of a list of links; what is no text counts as a link that is none.
fn link<'v>(item: &'v Value) -> Option<&'v [u8]> {
    match item {
        Value::Null => None,
        Value::Text(link) => Some(link.as_bytes()),
        _ => Some(b"\0"),
    }
}

impl Values<'_> {
    fn send(self, number: i64, headers: &mut Headers, out: &mut Output) -> Flow {
        let time = self.time.unwrap_or_else(|found| {
            out.notice(Notice::Time, number, || found);
            None
        });
        let status = self.status.unwrap_or_else(|found| {
            out.notice(Notice::Status, number, || found);
            None
        });
        let notices = [Notice::Redirect, Notice::ContentType, Notice::Charset, Notice::Ip];
        let [redirect, content_type, charset, ip] = &self.short;
        for (value, notice) in self.short.iter().zip(notices) {
            if let Err(found) = value {
                out.notice(notice, number, || found.clone());
            }
        }
        headers.clear();
        let is_usable = match &self.headers {
            None => true,
            Some(Value::Text(text)) => headers_of_text(text, headers),
            Some(value) => headers_of(value, headers),
        };
        if !is_usable {
            out.notice(Notice::Headers, number, || "another value".to_owned());
        }
        let mut links = Vec::new();
        let has_links = match &self.links {
            Some(Value::List(items)) if self.html.is_none() => {
                out.links(number, items.iter().filter_map(link), &mut links);
                true
            }
            None | Some(Value::Null | Value::List(_)) => false,
            Some(other) => {
                let kind = other.kind();
                out.notice(Notice::Links, number, || kind.to_owned());
                false
            }
        };
        out.row(Row {
            number,
            url: self.url.as_deref().map(str::as_bytes),
            id: self.id.as_deref().map(str::as_bytes),
            time,
            status,
            redirect: bytes(redirect),
            content_type: bytes(content_type),
            charset: bytes(charset),
            headers: Some(headers),
            ip: bytes(ip),
            links: has_links.then_some(&links),
            html: self.html.as_ref().map(|html| match html {
                Html::Text(text) => Body { bytes: text.as_bytes(), is_decoded: true },
                Html::Bytes(bytes) => Body { bytes, is_decoded: false },
            }),
            text: self.text.as_deref().map(str::as_bytes),
        })
    }
}

/// Reads the needed fields of an object and passes over the others.
struct FieldsVisitor<'p, 'a> {
    keys: &'p mut Keys<'a>,
    seen: &'p mut [bool; ROLES],
}

impl<'l> Visitor<'l> for FieldsVisitor<'_, '_> {
    type Value = Fields<'l>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<Fields<'l>, A::Error> {
        let mut fields = Fields::default();
        let left = Cell::new(NESTED);
        while let Some(key) = map.next_key_seed(KeySeed { keys: self.keys })? {
            let Some((name, ranks)) = key else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let is_nested = ranks[HEADERS].is_some() || ranks[LINKS].is_some();
            let depth = if is_nested { DEPTH } else { 0 };
            let value = map.next_value_seed(ValueSeed { depth, left: &left })?;
            let mut roles = ranks.iter().enumerate().filter_map(|(at, rank)| Some((at, (*rank)?)));
            let first = roles.next();
            for (role, rank) in roles {
                self.seen[role] = true;
                fields.add(role, rank, &name, value.clone());
            }
            if let Some((role, rank)) = first {
                self.seen[role] = true;
                fields.add(role, rank, &name, value);
            }
        }
        Ok(fields)
    }
}

/// Finds the roles of a key; `None` for a key of no role.
struct KeySeed<'p, 'a> {
    keys: &'p mut Keys<'a>,
}

impl<'l> DeserializeSeed<'l> for KeySeed<'_, '_> {
    type Value = Option<(String, Ranks)>;

    fn deserialize<D: Deserializer<'l>>(self, key: D) -> Result<Self::Value, D::Error> {
        key.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_, '_> {
    type Value = Option<(String, Ranks)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        let ranks = self.keys.ranks(name);
        Ok(ranks.iter().any(Option::is_some).then(|| (name.to_owned(), ranks)))
    }
}

/// Reads a value: `depth` levels of arrays and objects, and `left` values inside of them.
#[derive(Clone, Copy)]
struct ValueSeed<'c> {
    depth: usize,
    left: &'c Cell<usize>,
}

impl ValueSeed<'_> {
    /// The seed of the values inside, if they are read.
    fn inside(self) -> Option<Self> {
        Some(Self { depth: self.depth.checked_sub(1)?, left: self.left })
    }

    /// Counts a value inside.
    fn take(self) {
        self.left.set(self.left.get().saturating_sub(1));
    }
}

impl<'l> DeserializeSeed<'l> for ValueSeed<'_> {
    type Value = Value<'l>;

    fn deserialize<D: Deserializer<'l>>(self, value: D) -> Result<Self::Value, D::Error> {
        value.deserialize_any(self)
    }
}

impl<'l> Visitor<'l> for ValueSeed<'_> {
    type Value = Value<'l>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_borrowed_str<E>(self, text: &'l str) -> Result<Self::Value, E> {
        Ok(Value::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Value::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Value::Integer(i128::from(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Value::Integer(i128::from(value)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Value::Other("a boolean"))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'l>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut values = Vec::new();
        if let Some(inside) = self.inside() {
            while inside.left.get() > 0 {
                let Some(value) = list.next_element_seed(inside)? else {
                    return Ok(Value::List(values));
                };
                inside.take();
                values.push(value);
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(if self.depth > 0 { Value::List(values) } else { Value::Other("an array") })
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        if let Some(inside) = self.inside() {
            while inside.left.get() > 0 {
                let Some(name) = map.next_key::<String>()? else {
                    return Ok(Value::Object(fields));
                };
                inside.take();
                fields.push((name, map.next_value_seed(inside)?));
            }
        }
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(if self.depth > 0 { Value::Object(fields) } else { Value::Other("an object") })
    }
}
