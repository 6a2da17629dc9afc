//! What a page loses as the frame of its host, when other pages of the host are given.
//!
//! The pages go through the stages of a run with the bounds of the built-in job, all under one
//! host; a page that does not pass its gate, and a second page of one title, do not count.

use serde::Deserialize;
use url::Url;

use super::super::explain::removal::{Found, REMOVAL, REPEATED, Removal, Repeated};
use super::super::generation::{Bench, Content, NOTHING, Row};
use super::Args;
use crate::error::Result;
use crate::job::{BUILT_IN, Job, Scalar};

/// The host of a page whose URL is not given.
const HOST: &str = "http://page.invalid/";

const PAGE_ID: &str = "
    select encode(page.page_id, 'hex') as page_id
    from page
    where page.fetch = 1";

#[derive(Deserialize)]
struct PageId {
    page_id: String,
}

/// What becomes of the repeated lines of `body` beside the pages `others`; none where nothing of it
/// is repeated.
///
/// # Errors
///
/// Resource errors; a schema error when a stage does not give what it promises.
pub(super) async fn removal(
    args: &Args,
    body: Vec<u8>,
    headers: &str,
    others: Vec<Vec<u8>>,
) -> Result<Option<Removal>> {
    let job = Job::parse(BUILT_IN, "the built-in job", &overrides(args))?;
    let bench = Bench::start(&job).await?;
    let own = if args.url.is_empty() { HOST } else { &args.url };
    let content_type = args.content_type.as_deref().unwrap_or_default();
    let content = Content::Html(body);
    bench.fetch(Row { number: 1, name: "page", url: own, content_type, headers, content }).await?;
    for (number, other) in (2..).zip(others) {
        let (url, content) = (beside(own, number), Content::Html(other));
        let row = Row { number, name: "page", url: &url, content_type: "", headers: "", content };
        bench.fetch(row).await?;
    }
    bench.run(&job, &["parse", "fetch_fingerprint", "gated_text", "page"]).await?;
    bench.number_pages(false).await?;
    bench.run(&job, &["repeated_block", "removal", "reduced"]).await?;
    let pages: Vec<PageId> = bench.rows(PAGE_ID, &NOTHING).await?;
    let Some(page) = pages.into_iter().next() else { return Ok(None) };
    let bound = [("page_id", Scalar::Text(page.page_id))];
    let found: Vec<Found> = bench.rows(REMOVAL, &bound).await?;
    let Some(found) = found.into_iter().next() else { return Ok(None) };
    let repeated: Vec<Repeated> = bench.rows(REPEATED, &bound).await?;
    Ok(Some(Removal::of(found, &repeated, i64::MAX)))
}

/// The limits that were asked for.
fn overrides(args: &Args) -> Vec<String> {
    vec![
        format!("input.html_bytes={}", args.html_bytes),
        format!("parse.html_nodes={}", args.html_nodes),
        format!("parse.html_depth={}", args.html_depth),
        format!("gate.tokens_min={}", args.tokens_min),
    ]
}

/// An address on the host of `own`.
fn beside(own: &str, number: i64) -> String {
    let base = Url::parse(own).ok();
    let other = base.and_then(|base| base.join(&format!("/beside/{number}")).ok());
    other.map_or_else(|| format!("{HOST}beside/{number}"), String::from)
}
