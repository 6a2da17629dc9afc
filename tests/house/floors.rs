//! Who may name whom: the floors of `src/lib.rs`.

use std::path::Path;

use crate::source::{code_of, paths};
use crate::{files, read, report};

/// Modules by floor, the lowest first.
const FLOORS: &[&[&str]] = &[
    &["method", "schema", "error"],
    &["kernels"],
    &["udf"],
    &["job", "stages"],
    &["engine"],
    &["cli"],
];

/// Libraries that the modules of a floor may name; `engine` and `cli` may name all.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("method", &[]),
    ("error", &[]),
    ("schema", &["datafusion"]),
    (
        "kernels",
        &[
            "aho_corasick",
            "blake3",
            "chardetng",
            "dom_query",
            "dom_smoothie",
            "encoding_rs",
            "icu_casemap",
            "icu_normalizer",
            "icu_properties",
            "psl",
            "serde_json",
            "trafilatura",
            "url",
            "whatlang",
            "xxhash_rust",
        ],
    ),
    ("udf", &["datafusion"]),
    ("job", &["serde", "toml"]),
    ("stages", &["async_trait", "datafusion", "futures", "serde"]),
];

/// Files of `stages` that may name kernels: the operators.
const OPERATORS: &[&str] =
    &["src/stages/components.rs", "src/stages/difference.rs", "src/stages/verify.rs"];

/// Files of `cli` that may name Arrow's types: those that write rows out.
const ROW_WRITERS: &[&str] = &["src/cli/generation.rs", "src/cli/print.rs", "src/cli/print/"];

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|modules| modules.contains(&module))
}

/// The dependencies of the package, as Rust names them.
fn dependencies() -> Vec<String> {
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let names = manifest["dependencies"].as_table().unwrap().keys();
    names.map(|name| name.replace('-', "_")).collect()
}

/// Module parts of a file: `src/engine/run/admit.rs` is `engine`, `run`, `admit`.
fn module_of(path: &Path) -> Vec<String> {
    let mut parts: Vec<String> = path
        .with_extension("")
        .components()
        .skip(1)
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    if parts.last().is_some_and(|part| part == "mod") {
        parts.pop();
    }
    parts
}

/// `crate`, `self` and `super` at the start of `path` resolved; None for a path to a library.
fn resolved(module: &[String], path: &[String]) -> Option<Vec<String>> {
    let rest = |count: usize| path[count..].iter().cloned();
    match path.first()?.as_str() {
        "crate" => Some(rest(1).collect()),
        "self" => Some(module.iter().cloned().chain(rest(1)).collect()),
        "super" => {
            let ups = path.iter().take_while(|part| *part == "super").count();
            let kept = module.get(..module.len().checked_sub(ups)?)?;
            Some(kept.iter().cloned().chain(rest(ups)).collect())
        }
        _ => None,
    }
}

/// What is wrong with `module` naming `used`, a path inside the package.
fn inside_fault(file: &str, module: &[String], used: &[String]) -> Option<String> {
    let [own, other] = [module.first()?, used.first()?];
    let (own_floor, other_floor) = (floor(own)?, floor(other)?);
    if own_floor < other_floor {
        return Some(format!("{own} stands below {other}"));
    }
    let names_kernels = other == "kernels" && own != other;
    match own.as_str() {
        "kernels" if own != other => Some(format!("kernels name only kernels, not {other}")),
        "job" if names_kernels && used.get(1).map(String::as_str) != Some("url") => {
            Some("a job knows no kernel but the names of URL policies".to_owned())
        }
        "stages" if names_kernels && !OPERATORS.contains(&file) => {
            Some("among the stages only the operators name kernels".to_owned())
        }
        "engine" if names_kernels => Some("the engine does not know what a shingle is".to_owned()),
        "engine" => engine_fault(module, used),
        _ => None,
    }
}

/// The two engines do not name each other; the cluster starts from the state of the embedded one.
fn engine_fault(module: &[String], used: &[String]) -> Option<String> {
    let part = |path: &[String]| path.get(1).cloned().unwrap_or_default();
    let is_allowed = used.get(2).is_none_or(|item| item == "state");
    match (part(module).as_str(), part(used).as_str()) {
        ("embedded", "cluster") => Some("embedded may not name cluster".to_owned()),
        ("cluster", "embedded") if !is_allowed => {
            Some("cluster may name embedded::state alone".to_owned())
        }
        _ => None,
    }
}

/// What is wrong with `module` naming the library at the start of `path`.
fn library_fault(file: &str, module: &[String], path: &[String]) -> Option<String> {
    let (own, library) = (module.first()?, path.first()?);
    let names_arrow = library == "datafusion" && path.get(1).is_some_and(|part| part == "arrow");
    if own == "cli" && names_arrow && !ROW_WRITERS.iter().any(|start| file.starts_with(start)) {
        return Some("commands name Arrow only where rows are written out".to_owned());
    }
    let (_, allowed) = LIBRARIES.iter().find(|(name, _)| name == own)?;
    (!allowed.contains(&library.as_str())).then(|| format!("{own} may not use {library}"))
}

#[test]
fn a_lower_floor_never_names_a_higher_one() {
    let libraries = dependencies();
    let mut faults = Vec::new();
    for path in files("src", "rs") {
        let file = path.to_string_lossy().into_owned();
        let module = module_of(&path);
        if matches!(module.first().map(String::as_str), None | Some("lib" | "main")) {
            continue;
        }
        if floor(&module[0]).is_none() {
            faults.push(format!("{file}: {} stands on no floor of src/lib.rs", module[0]));
        }
        let text = read(&path);
        let own = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (line, used) in paths(&code_of(own)) {
            let is_library =
                libraries.contains(&used[0]) && (used[0] != "url" || is_use(own, line));
            let fault = match resolved(&module, &used) {
                Some(used) => inside_fault(&file, &module, &used),
                None if is_library => library_fault(&file, &module, &used),
                None => None,
            };
            faults.extend(fault.map(|fault| format!("{file}:{line}: {fault}")));
        }
    }
    report(&faults);
}

/// Whether `line` starts a `use`: `url` is a module of ours and a library.
fn is_use(text: &str, line: usize) -> bool {
    text.lines().nth(line - 1).is_some_and(|text| text.trim_start().starts_with("use "))
}

#[test]
fn floors_are_told_apart() {
    let path = |text: &str| text.split("::").map(str::to_owned).collect::<Vec<_>>();
    let fault = |file: &str, used: &str| {
        inside_fault(file, &module_of(Path::new(file)), &path(used)).is_some()
    };
    assert!(fault("src/udf/id.rs", "stages::sql"));
    assert!(fault("src/kernels/id.rs", "schema"));
    assert!(fault("src/stages/sql.rs", "kernels::shingle"));
    assert!(!fault("src/stages/verify.rs", "kernels::shingle"));
    assert!(fault("src/engine/cluster.rs", "engine::embedded::context"));
    assert!(!fault("src/engine/cluster.rs", "engine::embedded::state"));
    assert_eq!(
        resolved(&path("engine::run::admit"), &path("super::super::file")),
        Some(path("engine::file"))
    );
}
