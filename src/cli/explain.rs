//! `explain`: where a URL or a row ended up, and why.
//!
//! Everything shown is read from the tables of one generation, those between stages included. What
//! may be computed anew is what two documents are that were never compared, and the words in which
//! two documents differ; and then by the methods and parameters of the generation.

mod mirror;
pub(super) mod removal;
mod report;
mod subject;
mod text;
mod versus;

use clap::Args as ClapArgs;

use super::generation::{self, Generation};
use super::print::Address;
use super::{block_on, print};
use crate::error::{Error, Result};
use report::Report;
use subject::Subject;

/// Show where a URL or an id ended up, and why.
///
/// The argument is a raw URL, an id of the input, a canonical key, or the first hex digits of a
/// page id (8 or more). Shown are the key, the gate and its reason, what the page says, what its
/// host repeats and was removed, its pairs with their class, tier and guard, its cluster, and the
/// tests of its host with others.
/// `--versus OTHER` says why two are, or are not, in one cluster, and in which words they differ.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// Folder of the generations: output.root of the job.
    root: String,
    /// URL, id, key or page id.
    #[arg(value_name = "URL-or-id")]
    asked: String,
    /// Why it and OTHER are, or are not, one.
    #[arg(long, value_name = "OTHER")]
    versus: Option<String>,
    /// Number of the generation; the newest when it is not given.
    #[arg(long, value_name = "N")]
    generation: Option<u64>,
    /// Rows of each list that are shown.
    #[arg(long, value_name = "ROWS", default_value_t = 10)]
    limit: u32,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn main(args: Args) -> Result<()> {
    block_on(generation::settings().threads, answer(&args))
}

async fn answer(args: &Args) -> Result<()> {
    let open = Generation::open(&args.root, args.generation).await?;
    let asked = Address::new(args.asked.as_str());
    let Some(subject) = Subject::find(&open, &asked).await? else {
        return not_found(&open, args, asked).await;
    };
    let other = match &args.versus {
        None => None,
        Some(other) => {
            let other = Address::new(other.as_str());
            match Subject::find(&open, &other).await? {
                Some(other) => Some(other),
                None => return not_found(&open, args, other).await,
            }
        }
    };
    let limit = i64::from(args.limit.max(1));
    let mut report = Report::of(&open, &subject, limit).await?;
    if let Some(other) = &other {
        let other_report = Report::of(&open, other, limit).await?;
        report.versus = Some(versus::versus(&open, &report, &other_report).await?);
    }
    if args.json {
        return print::json(&report);
    }
    print::bytes(text::text(&report).as_bytes())
}

/// The error that says what is near to something that was not found.
async fn not_found(open: &Generation, args: &Args, asked: Address) -> Result<()> {
    let hint = subject::hint(open, &asked).await?;
    if args.json {
        print::json(&serde_json::json!({
            "explain_schema": report::SCHEMA,
            "root": open.store.root(),
            "generation": open.manifest.generation,
            "asked": asked,
            "is_found": false,
            "hint": hint,
        }))?;
    }
    let number = open.manifest.generation;
    Err(Error::job(format!("{asked} is not in generation {number}: {hint}")))
}
