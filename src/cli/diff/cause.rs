//! Which tables differ between two manifests, and which changes lie at the root of that.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::engine::run::differences;
use crate::engine::store::{Done, Manifest};
use crate::schema;
use crate::stages;

/// A table of two generations.
#[derive(Serialize)]
pub(super) struct TableChange {
    pub(super) table: String,
    /// same: the same stage key; same_bytes: made again with equal files; changed; added; removed.
    pub(super) status: &'static str,
    /// All that differs in the recipes.
    pub(super) differences: Vec<String>,
    pub(super) old_rows: Option<u64>,
    pub(super) new_rows: Option<u64>,
    /// What differs by itself, and not because a table that it reads does.
    #[serde(skip)]
    own: Vec<String>,
}

/// A change that lies at the root, and the tables whose recipes it is in.
#[derive(Serialize)]
pub(super) struct Cause {
    pub(super) cause: String,
    pub(super) tables: Vec<String>,
}

impl TableChange {
    /// Whether both generations have the same files by the same key.
    pub(super) fn is_same(&self) -> bool {
        self.status == "same"
    }
}

/// Every table of the two generations, in the order in which a run makes them.
pub(super) fn tables(old: &Manifest, new: &Manifest) -> Vec<TableChange> {
    let gone = old.tables.iter().filter(|done| new.table(&done.table).is_none());
    let come = new.tables.iter().map(|done| change(old.table(&done.table), Some(done)));
    let mut tables: Vec<_> = come.chain(gone.map(|done| change(Some(done), None))).collect();
    // The list of methods is a column of `identity`; which of them changed is said elsewhere.
    let has_method = |change: &TableChange| change.own.iter().any(|own| own.starts_with("method "));
    if tables.iter().any(has_method) {
        for change in &mut tables {
            change.own.retain(|own| !own.starts_with("parameter methods "));
        }
    }
    tables
}

fn change(old: Option<&Done>, new: Option<&Done>) -> TableChange {
    let table = new.or(old).map(|done| done.table.clone()).unwrap_or_default();
    let (status, differences, own) = match (old, new) {
        (Some(old), Some(new)) if old.key == new.key => ("same", Vec::new(), Vec::new()),
        (Some(old), Some(new)) => {
            let status = if has_equal_files(old, new) { "same_bytes" } else { "changed" };
            let differences = differences(&old.recipe, &new.recipe);
            let own = own(&differences, &table);
            (status, differences, own)
        }
        (None, _) => ("added", Vec::new(), vec![format!("table {table} was added")]),
        (_, None) => ("removed", Vec::new(), vec![format!("table {table} was removed")]),
    };
    TableChange {
        table,
        status,
        differences,
        old_rows: old.map(|done| done.rows),
        new_rows: new.map(|done| done.rows),
        own,
    }
}

fn has_equal_files(old: &Done, new: &Done) -> bool {
    let hashes = |done: &Done| {
        let mut hashes: Vec<_> = done.files.iter().map(|file| file.blake3.clone()).collect();
        hashes.sort_unstable();
        hashes
    };
    hashes(old) == hashes(new)
}

/// What differs by itself: an input table that changed is no root.
fn own(differences: &[String], table: &str) -> Vec<String> {
    let own = differences.iter().filter(|difference| !difference.starts_with("reads "));
    let own = own.map(|difference| match difference.strip_prefix("its ") {
        Some(rest) => format!("table {table}: its {rest}"),
        None => difference.clone(),
    });
    own.collect()
}

/// The root changes, each with the tables whose recipes it is in.
pub(super) fn causes(tables: &[TableChange]) -> Vec<Cause> {
    let mut causes: Vec<Cause> = Vec::new();
    for change in tables {
        for sentence in &change.own {
            match causes.iter_mut().find(|cause| cause.cause == *sentence) {
                Some(cause) => cause.tables.push(change.table.clone()),
                None => causes
                    .push(Cause { cause: sentence.clone(), tables: vec![change.table.clone()] }),
            }
        }
    }
    causes
}

/// The root changes that `table` follows from, through all that it reads.
pub(super) fn because(tables: &[TableChange], new: &Manifest, table: &str) -> Vec<String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![table.to_owned()];
    while let Some(name) = open.pop() {
        if !reached.insert(name.clone()) {
            continue;
        }
        let inputs = new.table(&name).map(|done| done.recipe.inputs.keys());
        let bound = |input: &String| match stages::stage(&name) {
            Some(stage) => stage.bound_table(input).to_owned(),
            None => input.clone(),
        };
        let inputs = inputs.into_iter().flatten().map(bound);
        open.extend(inputs.filter(|input| schema::table(input).is_some()));
    }
    let mut sentences: Vec<String> = Vec::new();
    for change in tables.iter().filter(|change| reached.contains(&change.table)) {
        for sentence in &change.own {
            if !sentences.contains(sentence) {
                sentences.push(sentence.clone());
            }
        }
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::store::Recipe;

    fn done(table: &str, method: &str, inputs: &[(&str, &str)]) -> Done {
        let recipe = Recipe {
            methods: vec![method.to_owned()],
            inputs: inputs.iter().map(|(name, key)| ((*name).into(), (*key).into())).collect(),
            ..Recipe::default()
        };
        Done { table: table.to_owned(), key: recipe.key(), recipe, rows: 3, files: Vec::new() }
    }

    fn manifest(generation: u64, tables: Vec<Done>) -> Manifest {
        Manifest {
            format: 1,
            generation,
            parent: None,
            attempt: String::new(),
            job: String::new(),
            methods: Vec::new(),
            rows: 0,
            quarantined: 0,
            tables,
        }
    }

    #[test]
    fn a_change_is_followed_to_its_root() {
        let old_page = done("page", "fingerprint_v1", &[]);
        let new_page = done("page", "fingerprint_v2", &[]);
        let keys = (old_page.key.clone(), new_page.key.clone());
        let old = manifest(1, vec![old_page, done("fingerprint", "x_v1", &[("page", &keys.0)])]);
        let new = manifest(2, vec![new_page, done("fingerprint", "x_v1", &[("page", &keys.1)])]);
        let tables = tables(&old, &new);
        let found = because(&tables, &new, "fingerprint");
        assert_eq!(found, ["method fingerprint_v1 became fingerprint_v2"]);
        assert_eq!(tables[1].differences, ["reads page, which changed"]);
        let causes = causes(&tables);
        assert_eq!((causes.len(), causes[0].tables.as_slice()), (1, &["page".to_owned()][..]));
        assert!(super::tables(&old, &old).iter().all(TableChange::is_same));
    }

    #[test]
    fn a_root_names_its_table() {
        let found =
            own(&["its code changed".to_owned(), "reads page, which changed".to_owned()], "x");
        assert_eq!(found, ["table x: its code changed"]);
    }
}
