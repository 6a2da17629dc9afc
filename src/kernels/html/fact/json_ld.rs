//! JSON-LD scripts, read as things.
//!
//! Contexts are not fetched: properties are taken by their names in schema.org. Comments and CDATA
//! marks around the data are tolerated, and control characters inside strings; all else that is no
//! JSON is counted as an error.
//!
//! Source: JSON-LD 1.1, as far as schema.org's examples go.

use serde_json::Value;

use super::thing::{Class, Key, Things};

/// The longest script that is read, and bytes of all scripts of a page.
const SCRIPT_BYTES_MAX: usize = 1 << 20;

/// Values inside one another, and values of a page, that are read.
const DEPTH_MAX: usize = 32;
const NODES_MAX: usize = 20_000;

/// Reads the JSON-LD scripts of one page.
#[derive(Default)]
pub(super) struct Reader {
    bytes: usize,
    nodes: usize,
    /// Scripts that are no JSON.
    pub(super) errors: usize,
}

impl Reader {
    /// Adds the things that `script` describes.
    pub(super) fn read(&mut self, script: &str, things: &mut Things) {
        let script = unwrapped(script);
        self.bytes = self.bytes.saturating_add(script.len());
        if script.is_empty() {
            return;
        }
        match parsed(script) {
            Some(value) if self.bytes <= SCRIPT_BYTES_MAX => self.walk(&value, things),
            _ => self.errors += 1,
        }
    }

    fn walk(&mut self, value: &Value, things: &mut Things) {
        let mut open: Vec<(&Value, Option<usize>, Key, usize)> = vec![(value, None, Key::Root, 0)];
        while let Some((value, parent, via, depth)) = open.pop() {
            self.nodes += 1;
            if self.nodes > NODES_MAX || depth > DEPTH_MAX {
                continue;
            }
            match value {
                Value::Array(members) => {
                    let members = members.iter().rev().filter(|member| is_read(member, via));
                    open.extend(members.map(|member| (member, parent, via, depth + 1)));
                }
                Value::Object(members) => match (members.get("@value"), parent) {
                    (Some(Value::String(text)), Some(parent)) => things.value(parent, via, text),
                    (Some(_), _) => {}
                    (None, _) => {
                        let class = members.get("@type").map_or(Class::Other, class);
                        let is_frame = class == Class::Other && members.contains_key("@graph");
                        let id = if is_frame { None } else { things.add(class, parent, via) };
                        if !is_frame && id.is_none() {
                            continue;
                        }
                        for (name, value) in members.iter().rev() {
                            let key = Key::of(name);
                            if name != "@type" && name != "@context" && is_read(value, key) {
                                open.push((value, id, key, depth + 1));
                            }
                        }
                    }
                },
                Value::String(text) => {
                    if let Some(parent) = parent {
                        things.value(parent, via, text);
                    }
                }
                Value::Number(number) => {
                    if let Some(parent) = parent {
                        things.value(parent, via, &number.to_string());
                    }
                }
                Value::Null | Value::Bool(_) => {}
            }
        }
    }
}

/// Whether a value can hold something that matters.
fn is_read(value: &Value, key: Key) -> bool {
    value.is_object() || value.is_array() || key.is_kept()
}

/// The first class that matters among the types of a thing.
fn class(types: &Value) -> Class {
    let of = |value: &Value| value.as_str().map_or(Class::Other, Class::of);
    match types {
        Value::Array(types) => {
            let mut classes = types.iter().take(16).map(of);
            classes.find(|class| *class != Class::Other).unwrap_or_default()
        }
        other => of(other),
    }
}

fn parsed(script: &str) -> Option<Value> {
    if script.len() > SCRIPT_BYTES_MAX {
        return None;
    }
    if let Ok(value) = serde_json::from_str(script) {
        return Some(value);
    }
    if !script.bytes().any(|byte| byte < 0x20) {
        return None;
    }
    let clean: String = script.chars().map(|sign| if sign < ' ' { ' ' } else { sign }).collect();
    serde_json::from_str(&clean).ok()
}

/// The script without marks of comments and CDATA at its ends.
fn unwrapped(script: &str) -> &str {
    const STARTS: &[&str] =
        &["\u{feff}", "<!--", "//<![CDATA[", "/*<![CDATA[*/", "<![CDATA[", "//"];
    const ENDS: &[&str] = &["-->", "//]]>", "/*]]>*/", "]]>", "//", ";"];
    let mut script = script.trim();
    while let Some(rest) = STARTS.iter().find_map(|start| script.strip_prefix(start)) {
        script = rest.trim_start();
    }
    while let Some(rest) = ENDS.iter().find_map(|end| script.strip_suffix(end)) {
        script = rest.trim_end();
    }
    script
}
