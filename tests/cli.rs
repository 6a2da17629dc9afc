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
    queries(root);
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
    assert_eq!(code(&selfsame(&["explain", root, "no-such-page"])), 2);
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
    assert!(causes.contains("fingerprint_v1 became fingerprint_v2"), "{diff}");
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
