//! Generated pages of `docs/`, and the frozen vectors of each method.

use std::fmt::Write as _;
use std::path::Path;

use selfsame::job::{SETTINGS, Setting, Use, wanted};
use selfsame::method::METHODS;
use selfsame::schema::{Layout, TABLES, Table};

use crate::{read, report, root, settle};

const END: &str = "<!-- end generated -->";

fn methods() -> String {
    let mut page = String::new();
    for method in METHODS {
        let _ = writeln!(page, "## {}\n", method.versioned());
        let _ = writeln!(page, "{}.\n", sentence(method.meaning));
        if !method.change.is_empty() {
            let _ = writeln!(page, "Change: {}.\n", method.change);
        }
        let _ = writeln!(page, "| role | since | vectors | functions |");
        let _ = writeln!(page, "| --- | --- | --- | --- |");
        let functions: Vec<_> = method
            .functions
            .iter()
            .map(|(plain, versioned)| format!("`{plain}` is `{versioned}`"))
            .collect();
        let functions =
            if functions.is_empty() { "operators only".to_owned() } else { functions.join(", ") };
        let vectors = if method.vectors.is_empty() { "none" } else { method.vectors };
        let _ =
            writeln!(page, "| `{}` | {} | {vectors} | {functions} |\n", method.role, method.since);
    }
    page
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn tables(is_published: bool) -> String {
    let mut page = String::new();
    for table in TABLES.iter().filter(|table| table.is_published() == is_published) {
        let _ = writeln!(page, "### {}\n", table.name);
        let _ = writeln!(page, "{}.", sentence(table.grain));
        let _ = writeln!(page, "Key: `{}`.", table.key.join("`, `"));
        if let Layout::Numbered(column) = table.layout {
            let _ = writeln!(page, "The sink fills `{column}`.");
        }
        page.push('\n');
        columns(&mut page, table);
    }
    page
}

fn columns(page: &mut String, table: &Table) {
    let _ = writeln!(page, "| column | type | NULL | meaning | example | since |");
    let _ = writeln!(page, "| --- | --- | --- | --- | --- | --- |");
    for column in table.columns {
        let null = if column.nullable { "yes" } else { "" };
        let example = match column.example {
            "" => String::new(),
            text => format!("`{text}`"),
        };
        let _ = writeln!(
            page,
            "| `{}` | {} | {null} | {} | {example} | {} |",
            column.name,
            column.kind.sql(),
            column.meaning,
            column.since
        );
    }
    page.push('\n');
}

fn settings() -> String {
    let mut page = String::new();
    let mut section = None;
    for setting in SETTINGS {
        let own = setting.key.rsplit_once('.').map_or("", |(section, _)| section);
        if section != Some(own) {
            let title =
                if own.is_empty() { "Top of the file".to_owned() } else { format!("[{own}]") };
            let gap = if page.is_empty() { "" } else { "\n" };
            let _ = writeln!(page, "{gap}## {title}\n");
            let _ = writeln!(page, "| key | value | | meaning |");
            let _ = writeln!(page, "| --- | --- | --- | --- |");
            section = Some(own);
        }
        setting_row(&mut page, setting);
    }
    page.push_str("\n## [methods]\n\nOne method for each role, pinned to a version.\n\n");
    page.push_str("| key | versions | role |\n| --- | --- | --- |\n");
    let mut names: Vec<_> = METHODS.iter().map(|method| (method.name, method.role)).collect();
    names.dedup();
    for (name, role) in names {
        let versions: Vec<_> = METHODS
            .iter()
            .filter(|method| method.name == name)
            .map(|method| method.version.to_string())
            .collect();
        let _ = writeln!(page, "| `{name}` | {} | `{role}` |", versions.join(", "));
    }
    page.push('\n');
    page
}

fn setting_row(page: &mut String, setting: &Setting) {
    let name = setting.key.rsplit('.').next().unwrap_or(setting.key);
    let usage = match setting.usage {
        Use::Param => format!("needed; SQL sees `${name}`"),
        Use::Needed => "needed".to_owned(),
        Use::Optional => "optional".to_owned(),
    };
    let value = wanted(setting.kind);
    let _ = writeln!(page, "| `{name}` | {value} | {usage} | {} |", setting.meaning);
}

/// `text` with the region called `name` replaced by `body`.
fn spliced(text: &str, name: &str, body: &str) -> Result<String, String> {
    let start = format!("<!-- generated: {name} -->\n");
    let (before, rest) = text.split_once(&start).ok_or_else(|| format!("no marker {start}"))?;
    let (_, after) = rest.split_once(END).ok_or_else(|| format!("{name} is not closed"))?;
    Ok(format!("{before}{start}\n{}\n\n{END}{after}", body.trim_end()))
}

#[test]
fn generated_pages_are_up_to_date() {
    let pages = [
        ("docs/methods.md", vec![("methods", methods())]),
        ("docs/tables.md", vec![("published", tables(true)), ("work", tables(false))]),
        ("docs/jobs.md", vec![("settings", settings())]),
    ];
    let mut faults = Vec::new();
    for (file, regions) in pages {
        let mut text = read(file);
        let known = regions.len();
        if text.matches("<!-- generated:").count() != known || text.matches(END).count() != known {
            faults.push(format!("{file}: has a marker that is unknown or not closed"));
        }
        for (name, body) in regions {
            match spliced(&text, name, &body) {
                Ok(page) => text = page,
                Err(fault) => faults.push(format!("{file}: {fault}")),
            }
        }
        faults.extend(settle(Path::new(file), &text));
    }
    report(&faults);
}

/// First 16 hex digits of BLAKE3.
fn digest(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().chars().take(16).collect()
}

#[test]
fn vectors_are_frozen() {
    let mut faults = Vec::new();
    for method in METHODS {
        let file = format!("testdata/method/{}.tsv", method.versioned());
        let Ok(bytes) = std::fs::read(root().join(&file)) else {
            faults.push(format!("{file} is missing: every method has vectors"));
            continue;
        };
        let found = digest(&bytes);
        if method.vectors != found {
            faults.push(format!(
                "{file} has hash {found}, src/method.rs says `{}`: vectors of a published version \
                 never change; make {}_v{} with a file of its own, and no new golden file",
                method.vectors,
                method.name,
                method.version + 1
            ));
        }
    }
    report(&faults);
}
