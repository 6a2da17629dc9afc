//! The printed table: a row a step, a column a level, beside an earlier run and the limits.

use std::collections::BTreeMap;
use std::fmt;

/// What was measured elsewhere as the limit of a machine with AVX-512 at 4.05 GHz, for English, by
/// prototypes without the rest of the program: docs/performance.md.
const LIMITS: [(&str, &str, &str); 6] = [
    ("english", "+ tokens", "2300 to 2600"),
    ("english", "+ minhash 120 (full pass)", "1000 to 1070, AVX2 640"),
    ("sets", "sort set of 490", "7.5"),
    ("sets", "intersection 490, J 0.8", "0.37"),
    ("sets", "intersection 490, J 0.3", "0.39"),
    ("sets", "intersection 5000, J 0.8", "0.85"),
];

type Key = (usize, String, String, String);

/// Rows by place, input, step and unit.
#[derive(Default)]
pub(super) struct Table {
    columns: Vec<String>,
    rows: BTreeMap<Key, BTreeMap<String, String>>,
    places: BTreeMap<(String, String, String), usize>,
}

impl Table {
    /// Adds an earlier output of this bench: its best column is the last one before the limit.
    pub(super) fn last(&mut self, printed: &str) {
        self.columns.push("last".to_owned());
        for line in printed.lines() {
            let fields: Vec<&str> = line.split('|').map(str::trim).collect();
            if let [_, input, step, unit, .., value, _, _] = fields[..]
                && value.contains(|c: char| c.is_ascii_digit())
            {
                self.add("last", [input, step, unit], value);
            }
        }
    }

    /// Adds the rows of a level, fields between tabs.
    pub(super) fn level(&mut self, level: &str, rows: &str) {
        self.columns.push(level.to_owned());
        for line in rows.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let [input, step, unit, value, each] = fields[..] else {
                println!("{line}");
                continue;
            };
            self.add(level, [input, step, unit], value);
            if !each.is_empty() {
                self.add(level, [input, step, "ns/token"], each);
            }
        }
    }

    fn add(&mut self, column: &str, name: [&str; 3], value: &str) {
        let name = name.map(str::to_owned);
        let [input, step, unit] = name.clone();
        let next = self.places.len();
        let place = *self.places.entry(name.into()).or_insert(next);
        let row = self.rows.entry((place, input, step, unit)).or_default();
        row.insert(column.to_owned(), value.to_owned());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| input | step | unit | {} | limit |", self.columns.join(" | "))?;
        writeln!(f, "| --- | --- | --- |{} --- |", " ---: |".repeat(self.columns.len()))?;
        for ((_, input, step, unit), values) in &self.rows {
            let cell = |column: &String| values.get(column).map_or("", String::as_str);
            let cells: Vec<&str> = self.columns.iter().map(cell).collect();
            let is_limited = unit == "best MB/s" || unit == "ns/element";
            let limit = LIMITS.iter().find(|limit| limit.0 == input && limit.1 == step);
            let limit = limit.filter(|_| is_limited).map_or("", |limit| limit.2);
            writeln!(f, "| {input} | {step} | {unit} | {} | {limit} |", cells.join(" | "))?;
        }
        Ok(())
    }
}
