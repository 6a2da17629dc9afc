//! The commands as people type them, on the demo.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use selfsame::kernels::simd::{Level, VARIABLE};
use serde_json::Value;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_selfsame"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

fn selfsame(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

fn json(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let line = if text.trim_start().starts_with('{') && text.trim_end().lines().count() > 1 {
        text.to_string()
    } else {
        text.trim_end().lines().last().unwrap_or_default().to_owned()
    };
    let faults = String::from_utf8_lossy(&output.stderr);
    serde_json::from_str(&line).unwrap_or_else(|_| panic!("no JSON:\n{text}\n{faults}"))
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

/// The bytes of the files of each published table, by its name.
fn published(summary: &Value) -> BTreeMap<String, Vec<Vec<u8>>> {
    let mut found = BTreeMap::new();
    for (table, files) in summary["tables"].as_object().unwrap() {
        let folder = Path::new(files.as_str().unwrap()).parent().unwrap();
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut contents: Vec<_> = files
            .filter(|path| path.extension().is_some_and(|extension| extension == "parquet"))
            .map(|path| std::fs::read(path).unwrap())
            .collect();
        contents.sort();
        found.insert(table.clone(), contents);
    }
    found
}

#[test]
fn every_instruction_set_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let mut outputs = Vec::new();
    for level in Level::ALL.into_iter().filter(|level| level.is_here()) {
        let root = folder.path().join(level.word());
        let run = command(&["run", "jobs/demo.toml", "-o", root.to_str().unwrap()])
            .env(VARIABLE, level.word())
            .output()
            .unwrap();
        assert_eq!(code(&run), 0, "{level:?}: {}", String::from_utf8_lossy(&run.stderr));
        outputs.push(published(&json(&run)));
    }
    assert!(outputs[0].len() > 10 && outputs[0].values().all(|files| !files.is_empty()));
    assert!(outputs.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn an_unknown_instruction_set_is_refused() {
    let run = command(&["methods"]).env(VARIABLE, "sse9").output().unwrap();
    assert_eq!(code(&run), 2);
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(said.contains("SELFSAME_SIMD is \"sse9\", wanted one of portable"), "{said}");
}

#[test]
fn each_command_answers_on_the_demo() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("out");
    let root = root.to_str().unwrap();
    let run = selfsame(&["run", "jobs/demo.toml", "-o", root]);
    let summary = json(&run);
    assert_eq!(code(&run), 0);
    for field in [
        "generation",
        "root",
        "tables",
        "rows",
        "quarantined",
        "seconds",
        "cpu_seconds",
        "peak_memory_bytes",
        "simd",
    ] {
        assert!(summary.get(field).is_some(), "{field} is missing: {summary}");
    }
    explains(root);
    judges(root);
    queries(root);
    explains_an_older_generation(root);
    bumps(root);
}

fn explains(root: &str) {
    for page in ["edit-small", "guard-script-refused-left", "template-03", "empty"] {
        let text = selfsame(&["explain", root, page]);
        assert_eq!(code(&text), 0, "{}", String::from_utf8_lossy(&text.stderr));
        let report = json(&selfsame(&["explain", root, page, "--json"]));
        assert_eq!(report["is_found"], true, "{report}");
    }
    let versus = |left: &str, right: &str| {
        let output = selfsame(&["explain", root, left, "--versus", right, "--json"]);
        json(&output)["versus"]["verdict"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(versus("tide-table", "exact-copy-of-tide-table"), "equal_text");
    assert_eq!(versus("edit-small", "edit-large"), "dropped");
    assert_eq!(versus("guard-script-refused-left", "guard-script-refused-right"), "refused");
    assert_eq!(versus("chain-1", "chain-5"), "never_met");
    assert_eq!(versus("tide-table", "case-and-punctuation"), "near");
    assert_eq!(code(&selfsame(&["explain", root, "no-such-page"])), 2);
}

/// Gate, removed blocks, statements, excerpts, class, tier, guards, and the words that differ.
fn judges(root: &str) {
    let explain = |page: &str| json(&selfsame(&["explain", root, page, "--json"]));
    let gated = explain("gate-soft404-mass-1");
    assert_eq!([&gated["page"]["gate"], &gated["page"]["gate_reason"]], ["soft404", "mass"]);
    let removal = &explain("boilerplate-links")["removal"];
    assert_eq!(removal["verdict"], "removed");
    assert_eq!(removal["removed_blocks"], removal["removed"]["total"]);
    let lost = |place: &str| removal[place].as_i64().unwrap();
    assert!(lost("tokens_before") > lost("tokens_after"), "{removal}");
    let line = &removal["removed"]["shown"][0];
    assert_eq!(line["rule"], "links");
    assert_eq!([&line["pages"], &line["of_pages"]], [3, 10]);
    let product = explain("guard-product-b");
    let stated = product["statements"]["shown"].to_string();
    assert!(
        stated.contains(r#""kind":"product.sku","value":"JUG-18","place":"json_ld""#),
        "{stated}"
    );
    let edge = &product["edges_refused"]["shown"][0];
    assert_eq!([&edge["class"], &edge["tier"], &edge["guard"]], ["medium", "none", "product"]);
    let held = &explain("excerpt-other-host")["excerpts"]["shown"][0];
    assert_eq!(held["relation"], "held_by", "{held}");
    let turned =
        selfsame(&["explain", root, "guard-polarity-a", "--versus", "guard-polarity-b", "--json"]);
    let turned = &json(&turned)["versus"];
    assert_eq!([&turned["class"], &turned["tier"]], ["same_host", "suggest"]);
    assert_eq!(turned["guards"].to_string(), r#"["polarity"]"#);
    assert_eq!(turned["kind"], "partial_content_same_layout");
    assert_eq!([&turned["words"][0]["left"], &turned["words"][0]["right"]], ["", "not"]);
    let text = selfsame(&["explain", root, "guard-polarity-a", "--versus", "guard-polarity-b"]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("WORDS     dogs are nothing -> [not] welcome in"), "{text}");
}

/// A generation from before a table and its columns existed: they are taken out of its manifest.
fn explains_an_older_generation(root: &str) {
    let path = Path::new(root).join("_manifest/000001.json");
    let whole = std::fs::read_to_string(&path).unwrap();
    let mut manifest: Value = serde_json::from_str(&whole).unwrap();
    let later = ["page_trait", "repeated_block", "removal", "reduced", "page_statement"];
    let later = [&later[..], &["difference", "excerpt", "alternate_pair", "gated_text"]].concat();
    let tables = manifest["tables"].as_array_mut().unwrap();
    tables.retain(|table| !later.contains(&table["table"].as_str().unwrap()));
    std::fs::write(&path, manifest.to_string()).unwrap();
    for page in ["edit-small", "boilerplate-links", "guard-product-b"] {
        let report = json(&selfsame(&["explain", root, page, "--versus", "tide-table", "--json"]));
        assert_eq!(report["removal"], Value::Null, "{report}");
        assert_eq!(report["statements"]["total"], 0);
    }
    let count = ["sql", root, "--format", "csv", "-c", "select count(*) as rows from excerpt"];
    assert_eq!(String::from_utf8_lossy(&selfsame(&count).stdout), "rows\n0\n");
    std::fs::write(&path, whole).unwrap();
}

/// One of several pages of a site, each with words of its own.
fn page(number: usize) -> String {
    const SYLLABLES: [&str; 8] = ["ka", "le", "mi", "no", "pu", "ra", "se", "ti"];
    let syllable = |at: usize| SYLLABLES[at % SYLLABLES.len()];
    let word = |at: usize| [syllable(at / 8), syllable(at), syllable(number)].concat();
    let text: Vec<_> = (0..40).map(word).collect();
    format!(
        "<html><head><title>Tale {number}</title></head><body><main><h1>Tale {number}</h1><div>\
         <p>{}.</p><p>Read all our tales in the order in which they were told.</p></div></main>\
         </body></html>",
        text.join(" ")
    )
}

#[test]
fn files_are_read_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<String> = (0..8)
        .map(|number| {
            let path = folder.path().join(format!("{number}.html"));
            std::fs::write(&path, page(number)).unwrap();
            path.to_str().unwrap().to_owned()
        })
        .collect();
    let alone = json(&selfsame(&["page", &files[0], "--url", "http://a.example/0"]));
    for field in ["heading", "gate_reason", "facts", "ids", "layout", "agreement", "marks"] {
        assert!(alone.get(field).is_some(), "{field} is missing: {alone}");
    }
    assert_eq!(alone["removed_blocks"].to_string(), "[]");
    let mut arguments = vec!["page", &files[0], "--url", "http://a.example/0"];
    arguments.extend(files[1..].iter().flat_map(|file| ["--beside", file]));
    let beside = json(&selfsame(&arguments));
    assert_eq!(beside["removal"], "removed", "{beside}");
    assert!(beside["removed_blocks"].to_string().contains("Read all our tales"), "{beside}");
    let same = json(&selfsame(&["compare", &files[0], &files[0]]));
    let judged = [&same["verdict"], &same["class"], &same["tier"], &same["kind"]];
    assert_eq!(judged, ["equal_text", "equal", "merge", "same_content_same_layout"]);
    let urls = ["--left-url", "http://a.example/0", "--right-url", "http://a.example/1"];
    let near = json(&selfsame(&[&["compare", &files[0], &files[1]], &urls[..]].concat()));
    assert!(near["words"].is_array() && near["numbers"].is_string(), "{near}");
}

fn queries(root: &str) {
    let count = selfsame(&["sql", root, "-c", "select count(*) as rows from identity"]);
    assert!(String::from_utf8_lossy(&count.stdout).contains("rows"));
    let reserved = selfsame(&["sql", root, "-c", "select url, cluster from cluster limit 1"]);
    assert_eq!(code(&reserved), 0, "{}", String::from_utf8_lossy(&reserved.stderr));
    for refused in ["drop table identity", "copy identity to 'x.csv'", "set a.b = 1"] {
        assert_eq!(code(&selfsame(&["sql", root, "-c", refused])), 2, "{refused}");
    }
    let inside = Path::new(root).join("_manifest/000001.json");
    let inside = inside.to_str().unwrap();
    let output = selfsame(&["sql", root, "-c", "select 1 as one", "--format", "csv", "-o", inside]);
    assert_eq!(code(&output), 2, "a query may not write into the store");
}

fn bumps(root: &str) {
    let bump = ["--set", "methods.fingerprint=2"];
    let dry = selfsame(&["run", "jobs/demo.toml", "-o", root, bump[0], bump[1], "--dry-run"]);
    let dry = json(&dry);
    let runs: Vec<_> = dry["runs"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(runs.contains(&"fetch_fingerprint") && runs.contains(&"cluster"), "{runs:?}");
    assert!(!runs.contains(&"fetch") && !runs.contains(&"url_key"), "{runs:?}");
    let second = selfsame(&["run", "jobs/demo.toml", "-o", root, bump[0], bump[1]]);
    assert_eq!(json(&second)["generation"], 2);
    let diff = json(&selfsame(&["diff", root, "--json"]));
    let causes = diff["causes"].to_string();
    assert!(causes.contains("fingerprint_v3 became fingerprint_v2"), "{diff}");
    let moved = std::fs::read_dir(Path::new(root).join("_stage")).unwrap();
    let identity = moved
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with("identity-"));
    for path in identity {
        std::fs::remove_dir_all(path).unwrap();
    }
    let lost = selfsame(&["sql", root, "-c", "select count(*) from identity"]);
    assert_eq!(code(&lost), 7, "a lost file is not an empty table");
}
