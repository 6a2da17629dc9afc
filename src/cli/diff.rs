//! `diff`: what changed from one generation to another, and what made it change.

mod cause;
mod text;

use std::collections::BTreeMap;

use clap::Args as ClapArgs;
use serde::{Deserialize, Serialize};

use super::generation::{self, Generation};
use super::print::Address;
use super::{block_on, print};
use crate::engine::store::{Manifest, Store};
use crate::error::{Error, Result};
use crate::job::Scalar;
use cause::{Cause, TableChange};

const URL: &str = include_str!("../../sql/diff/url.sql");
const CLUSTER: &str = include_str!("../../sql/diff/cluster.sql");

/// Version of the fields below.
const SCHEMA: u32 = 1;

/// Show what changed between two generations, and why.
///
/// `selfsame diff out` compares the last two, `selfsame diff out 3 5` these. Clusters are followed
/// by the URLs in them (ids where there is no URL), each in the cluster of its current page, since
/// an id of a cluster changes with its medoid.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// Folder of the generations: output.root of the job.
    root: String,
    /// Number of the older generation; the last but one when it is not given.
    old: Option<u64>,
    /// Number of the newer generation; the last when it is not given.
    new: Option<u64>,
    /// Examples of each kind of change.
    #[arg(long, value_name = "ROWS", default_value_t = 5)]
    limit: u32,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Kinds of changes, in the order in which they are shown, with what they mean.
const KINDS: &[(&str, &str)] = &[
    ("url_appeared", "URLs that appeared"),
    ("url_vanished", "URLs that vanished"),
    ("key_changed", "URLs with another key"),
    ("page_changed", "URLs with another page under the same key"),
    ("cluster_appeared", "clusters that appeared"),
    ("cluster_vanished", "clusters that vanished"),
    ("cluster_split", "clusters that were split"),
    ("cluster_merged", "clusters that were merged of several"),
    ("cluster_resized", "clusters that gained or lost members"),
    ("representative_moved", "clusters with another representative"),
];

/// The answer of `diff`; the fields are the contract of `--json`.
#[derive(Serialize)]
struct Report {
    diff_schema: u32,
    root: String,
    old: u64,
    new: u64,
    /// Whether every table has the same key.
    is_same: bool,
    causes: Vec<Cause>,
    tables: Vec<TableChange>,
    /// Changes by kind.
    counts: BTreeMap<&'static str, Count>,
    /// What made URLs and clusters change, in words.
    because: Vec<String>,
}

/// Changes of one kind.
#[derive(Default, Serialize)]
struct Count {
    total: i64,
    /// Those of clusters with several members.
    total_several: i64,
    examples: Vec<Change>,
}

/// A change of a URL or of a cluster.
#[derive(Serialize, Deserialize)]
struct Change {
    #[serde(skip_serializing)]
    kind: String,
    /// The URL (or id), or the id of the cluster: the new one, or the old one when it vanished or
    /// was split.
    subject: Address,
    /// The old key, or the old representative.
    old: Option<Address>,
    /// The new key, or the new representative.
    new: Option<Address>,
    /// Members of the cluster.
    members: i64,
    /// Into or from how many clusters it was split or merged; by how many members it grew.
    parts: i64,
    #[serde(skip_serializing)]
    total: i64,
    #[serde(skip_serializing)]
    total_several: i64,
}

pub(super) fn main(args: Args) -> Result<()> {
    block_on(generation::settings().threads, answer(&args))
}

async fn answer(args: &Args) -> Result<()> {
    let store = Store::open_existing(&args.root)?;
    let known = store.generations().await?;
    let (old, new) = numbers(&args.root, args.old, args.new, &known)?;
    let (old, new) = (manifest(&store, old).await?, manifest(&store, new).await?);
    let report = report(&store, &old, new, args.limit).await?;
    if args.json {
        return print::json(&report);
    }
    print::bytes(text::text(&report).as_bytes())
}

async fn manifest(store: &Store, number: u64) -> Result<Manifest> {
    let found = store.manifest(Some(number)).await?;
    found.ok_or_else(|| Error::job(format!("{} has no generation {number}", store.root())))
}

/// The two generations to compare.
fn numbers(root: &str, old: Option<u64>, new: Option<u64>, known: &[u64]) -> Result<(u64, u64)> {
    match (old, new, known) {
        (Some(old), Some(new), _) => Ok((old, new)),
        (Some(old), None, [.., last]) => Ok((old, *last)),
        (None, _, [.., before, last]) => Ok((*before, *last)),
        (_, _, []) => Err(Error::job(format!(
            "{root} holds no generation; wanted the output.root of a job that has run"
        ))),
        (_, _, [only]) => {
            Err(Error::job(format!("{root} holds generation {only} alone, wanted two to compare")))
        }
    }
}

async fn report(store: &Store, old: &Manifest, new: Manifest, limit: u32) -> Result<Report> {
    let tables = cause::tables(old, &new);
    let mut counts: BTreeMap<_, _> =
        KINDS.iter().map(|(kind, _)| (*kind, Count::default())).collect();
    let numbers = (old.generation, new.generation);
    let because = cause::because(&tables, &new, "identity");
    let is_same = tables.iter().all(TableChange::is_same);
    if !is_same {
        let open = Generation::pair(store, old, new, &["identity"])?;
        let shown = usize::try_from(limit).unwrap_or(usize::MAX);
        let bound = [("limit", Scalar::Int(i64::from(limit.max(1))))];
        for sql in [URL, CLUSTER] {
            let changes: Vec<Change> = open.rows(sql, &bound).await?;
            count(changes, shown, &mut counts);
        }
    }
    Ok(Report {
        diff_schema: SCHEMA,
        root: store.root(),
        old: numbers.0,
        new: numbers.1,
        is_same,
        causes: cause::causes(&tables),
        tables,
        counts,
        because,
    })
}

fn count(changes: Vec<Change>, shown: usize, counts: &mut BTreeMap<&'static str, Count>) {
    for change in changes {
        let Some(count) = counts.get_mut(change.kind.as_str()) else { continue };
        count.total = change.total;
        count.total_several = change.total_several;
        if count.examples.len() < shown {
            count.examples.push(change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_generations_are_chosen() {
        assert_eq!(numbers("out", None, None, &[1, 2, 5]).unwrap(), (2, 5));
        assert_eq!(numbers("out", Some(1), None, &[1, 2, 5]).unwrap(), (1, 5));
        assert_eq!(numbers("out", Some(5), Some(1), &[1, 2, 5]).unwrap(), (5, 1));
        let fault = numbers("out", None, None, &[4]).unwrap_err().to_string();
        assert!(fault.contains("generation 4 alone"), "{fault}");
        assert!(numbers("out", None, None, &[]).is_err());
    }
}
