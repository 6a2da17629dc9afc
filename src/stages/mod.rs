//! The stages: each reads tables and writes one.
//!
//! A stage is a SQL file; some send the selected rows through an [`operator`]. One file may serve
//! two stages that read the same columns from different tables: the second binds its own. The
//! order follows from what each reads, and a test holds it.

pub mod components;
pub mod difference;
pub mod operator;
pub mod sql;
pub mod verify;

use std::sync::LazyLock;

use crate::schema::{self, Table};
use operator::Operator;
use sql::Head;

/// A stage: one SQL file, one table.
#[derive(Debug)]
pub struct Stage {
    /// Name, which is the name of its table.
    pub name: &'static str,
    /// Folder and stem of its SQL file.
    pub file: &'static str,
    /// The text of the file.
    pub sql: &'static str,
    /// Logical names that mean another table here: (name in the SQL, table).
    pub binds: &'static [(&'static str, &'static str)],
    /// The head of the file.
    pub head: Head,
    /// What it writes.
    pub table: &'static Table,
}

impl Stage {
    /// The table that `name` means in this stage's SQL.
    pub fn bound_table<'a>(&self, name: &'a str) -> &'a str {
        self.binds.iter().find(|(logical, _)| *logical == name).map_or(name, |(_, table)| table)
    }

    /// The tables it reads.
    pub fn reads(&self) -> impl Iterator<Item = &str> {
        self.head.reads.iter().map(|name| self.bound_table(name))
    }

    /// Position of its level: url, page, document, ...
    pub fn level(&self) -> &'static str {
        self.file.split_once('/').map_or("all", |(folder, _)| folder)
    }
}

/// An audit: a query that must return no rows.
#[derive(Debug)]
pub struct Audit {
    /// Its name.
    pub name: &'static str,
    /// The text of its file.
    pub sql: &'static str,
    /// The head of the file.
    pub head: Head,
}

/// A name of a SQL file, its text, and what its logical names mean.
type Source = (&'static str, &'static str, &'static str, &'static [(&'static str, &'static str)]);

macro_rules! stage {
    ($name:literal, $file:literal) => {
        stage!($name, $file, [])
    };
    ($name:literal, $file:literal, $binds:expr) => {
        ($name, $file, include_str!(concat!("../../sql/", $file, ".sql")), &$binds)
    };
}

macro_rules! audit {
    ($name:literal) => {
        ($name, include_str!(concat!("../../sql/audit/", $name, ".sql")))
    };
}

const SOURCES: &[Source] = &[
    stage!("url_key", "url/url_key"),
    stage!("parse", "page/parse"),
    stage!("quarantine", "quarantine"),
    stage!("fetch_fingerprint", "page/fetch_fingerprint"),
    stage!("gated_text", "page/gated_text"),
    stage!("page", "page/page"),
    stage!("page_trait", "page/page_trait"),
    stage!("repeated_block", "page/repeated_block"),
    stage!("removal", "page/removal"),
    stage!("reduced", "page/reduced"),
    stage!("proof", "page/proof"),
    stage!("page_document", "page/page_document"),
    stage!("text", "page/text"),
    stage!("declaration", "url/declaration"),
    stage!("current_page", "url/current_page"),
    stage!("redirect_hop", "url/redirect_hop"),
    stage!("redirect_chain", "url/redirect_chain"),
    stage!("resolved_declaration", "url/resolved_declaration"),
    stage!("declared_pair", "url/declared_pair"),
    stage!("bucket", "document/bucket"),
    stage!("hot_bucket", "document/hot_bucket"),
    stage!("candidate", "document/candidate"),
    stage!("candidate_component", "document/candidate_component"),
    stage!("shingle", "document/shingle"),
    stage!("resemblance", "document/resemblance"),
    stage!("alternate_pair", "document/alternate_pair"),
    stage!("difference", "document/difference"),
    stage!("edge", "document/edge"),
    stage!("component", "document/component"),
    stage!("leader", "document/leader"),
    stage!("closure", "document/closure"),
    stage!("closure_resemblance", "document/closure_resemblance"),
    stage!("closure_difference", "document/difference", [("resemblance", "closure_resemblance")]),
    stage!(
        "closure_edge",
        "document/edge",
        [("resemblance", "closure_resemblance"), ("difference", "closure_difference")]
    ),
    stage!("document_cluster", "document/document_cluster"),
    stage!("url_edge", "url/url_edge"),
    stage!("resource_component", "url/resource_component"),
    stage!("resource", "url/resource"),
    stage!("host_page", "host/host_page"),
    stage!("host_key", "host/host_key"),
    stage!("hot_host_key", "host/hot_host_key"),
    stage!("host_pointer", "host/host_pointer"),
    stage!("host_candidate", "host/host_candidate"),
    stage!("prefix_swap", "host/prefix_swap"),
    stage!("common_path", "host/common_path"),
    stage!("path_sample", "host/path_sample"),
    stage!("folder_count", "host/folder_count"),
    stage!("folder_path", "host/folder_path"),
    stage!("mirror_edge", "host/mirror_edge"),
    stage!("mirror_component", "host/mirror_component"),
    stage!("main_mirror", "host/main_mirror"),
    stage!("mirror", "host/mirror"),
    stage!("mirror_url", "host/mirror_url"),
    stage!("fetch_hint", "host/fetch_hint"),
    stage!("document_page", "document/document_page"),
    stage!("member", "page/member"),
    stage!("fingerprint", "page/fingerprint"),
    stage!("page_fact", "page/page_fact"),
    stage!("page_statement", "page/page_statement"),
    stage!("document_edge", "document/document_edge"),
    stage!("excerpt", "document/excerpt"),
    stage!("cluster", "document/cluster"),
    stage!("identity", "identity"),
    stage!("key_conflict", "report/key_conflict"),
    stage!("funnel", "report/funnel"),
];

const AUDITS: &[(&str, &str)] = &[
    audit!("cluster_floor"),
    audit!("gate_unclustered"),
    audit!("guard_apart"),
    audit!("member_clustered"),
    audit!("one_representative"),
    audit!("rows_reconciled"),
];

/// All stages, each after the stages that it reads.
pub static STAGES: LazyLock<Vec<Stage>> = LazyLock::new(|| {
    let stages = SOURCES.iter().filter_map(|&(name, file, sql, binds)| {
        let table = schema::table(name)?;
        Some(Stage { name, file, sql, binds, head: Head::parse(sql), table })
    });
    stages.collect()
});

/// All audits.
pub static AUDIT_LIST: LazyLock<Vec<Audit>> = LazyLock::new(|| {
    AUDITS.iter().map(|&(name, sql)| Audit { name, sql, head: Head::parse(sql) }).collect()
});

/// The operators that stages name.
pub const OPERATORS: &[&dyn Operator] = &[
    &components::Component,
    &components::Leader,
    &components::Cluster,
    &difference::Difference,
    &verify::Verify,
];

/// The stage called `name`.
pub fn stage(name: &str) -> Option<&'static Stage> {
    STAGES.iter().find(|stage| stage.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_source_is_a_stage_that_reads_earlier_tables() {
        let mut known = vec!["fetch", "set_aside"];
        assert_eq!(STAGES.len(), SOURCES.len(), "each stage writes a table of schema.rs");
        for stage in STAGES.iter() {
            for read in stage.reads() {
                assert!(known.contains(&read), "{} reads {read} before it is made", stage.name);
            }
            known.push(stage.name);
        }
    }
}
