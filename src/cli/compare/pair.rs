//! Two rows go through the stages of a run: what each of them comes to.
//!
//! The stages are those of a run, with four differences: nothing is set aside, a page that does not
//! pass its gate is compared all the same, equal texts are compared too, and the pair is verified
//! whether it met or not. What a run would have made of each is read before it is changed.

use serde::Deserialize;

use super::super::generation::{Bench, Content, Jobs, NOTHING, Row};
use super::Page;
use crate::error::{Error, Kind, Result};
use crate::job::Scalar;

/// What each file came to: its parsed facts, its page, its gate.
const FACTS: &str = "
    select
        parse.is_html,
        coalesce(page.gate, 'fault') as gate,
        page.gate_reason,
        parse.title,
        parse.canonical,
        parse.robots,
        coalesce(parse.language_detected, parse.language_declared) as language,
        parse.charset,
        parse.fault,
        coalesce(fetch_fingerprint.is_empty, true) as is_empty,
        encode(fetch_fingerprint.page_id, 'hex') as page_id
    from parse
    left join fetch_fingerprint
        on parse.fetch = fetch_fingerprint.fetch
    left join page
        on fetch_fingerprint.page_id = page.page_id
    order by parse.fetch";

const DOCUMENTS: &str = "
    select count(distinct page_document.document) as documents
    from page_document";

/// Both pages as documents, equal or not.
const APART: &str = "
    select page.page, page.page as document
    from page";

/// No file declares another.
const NOT_DECLARED: &str = "
    select cast(1 as bigint) as left_document, cast(2 as bigint) as right_document
    where false";

/// What a page has beside its text.
const KNOWN: &str = "
    select
        cast($document as bigint) as document,
        nullif(cast($host as varchar), '') as host,
        cast($hosts as bigint) as hosts,
        nullif(cast($title as varchar), '') as title,
        nullif(cast($home_key as varchar), '') as home_key,
        nullif(cast($language as varchar), '') as language,
        array_remove(string_to_array(cast($product_ids as varchar), chr(10)), '') as product_ids,
        array_remove(string_to_array(cast($prices as varchar), chr(10)), '') as prices,
        cast($link_share_milli as int) as link_share_milli,
        nullif(cast($layout as bytea), decode('', 'hex')) as layout";

/// The texts with what is known of their pages.
const KNOWN_TEXT: &str = "
    select
        text.document,
        text.fetch,
        text.tokens,
        text.scripts,
        text.simhash,
        text.buckets,
        text.slots,
        text.samples,
        known.host,
        known.hosts,
        known.title,
        known.home_key,
        known.language,
        known.product_ids,
        known.prices,
        known.link_share_milli,
        known.layout
    from text
    inner join known
        on text.document = known.document";

/// Whether one page lists the other as its version in another language.
const ALTERNATE: &str = "
    select cast(1 as bigint) as left_document, cast(2 as bigint) as right_document
    where cast($is_alternate as boolean)";

/// What is left of each text.
const TEXTS: &str = "
    select
        text.tokens,
        encode(text.slots, 'hex') as slots,
        kept_text(parse.text, removal.removed) as text
    from text
    inner join parse
        on text.fetch = parse.fetch
    left join removal
        on text.document = removal.page
    order by text.document";

const MEETING: &str = "
    select
        candidate.shared_bands,
        candidate.shared_blocks,
        candidate.shared_samples,
        candidate.is_declared,
        candidate.is_kept
    from candidate";

/// The pair as a candidate, whether it met or not.
const CANDIDATE: &str = "
    select
        cast(1 as bigint) as left_document,
        cast(2 as bigint) as right_document,
        cast(null as bigint) as shared_bands,
        cast(null as bigint) as shared_blocks,
        cast(null as bigint) as shared_samples,
        true as is_kept";

const CANDIDATE_COMPONENT: &str = "
    select cast(1 as bigint) as document, cast(1 as bigint) as component
    union all
    select cast(2 as bigint), cast(1 as bigint)";

const OVERLAP: &str = "
    select
        resemblance.shared,
        resemblance.left_shingles,
        resemblance.right_shingles,
        hamming(left_text.simhash, right_text.simhash) as hamming,
        cast(equal_slots(left_text.layout, right_text.layout) as double) / 64 as layout
    from resemblance
    inner join text as left_text
        on resemblance.left_document = left_text.document
    inner join text as right_text
        on resemblance.right_document = right_text.document";

const EDGE: &str = "
    select edge.class, edge.numbers, edge.guard
    from edge";

const NO_EDGE: &str = "
    select edge.*
    from edge
    where false";

/// The row that a run would publish; of equal texts the one that says so.
const PUBLISHED: &str = "
    select
        document_edge.kind,
        document_edge.class,
        document_edge.tier,
        document_edge.numbers,
        document_edge.guard
    from document_edge
    order by case when document_edge.source = 'digest' then 0 else 1 end
    limit 1";

/// What is known of a page that is given as text, from the run that read it.
#[derive(Deserialize)]
pub(in crate::cli) struct Known {
    host: Option<String>,
    hosts: Option<i64>,
    title: Option<String>,
    home_key: Option<String>,
    language: Option<String>,
    product_ids: Option<Vec<String>>,
    prices: Option<Vec<String>>,
    link_share_milli: Option<i64>,
    /// Hex.
    layout: Option<String>,
}

/// One of two texts, and what is given with it.
pub(in crate::cli) struct Given {
    pub(in crate::cli) content: Content,
    /// Its URL; empty where there is none.
    pub(in crate::cli) url: String,
    pub(in crate::cli) known: Option<Known>,
}

/// What a file came to.
#[derive(Deserialize)]
pub(super) struct Fact {
    pub(super) is_html: bool,
    #[serde(flatten)]
    pub(super) page: Page,
    pub(super) is_empty: bool,
    page_id: Option<String>,
}

/// What was compared of a file.
#[derive(Deserialize)]
pub(super) struct Compared {
    pub(super) tokens: i64,
    pub(super) slots: String,
    pub(super) text: String,
}

/// How the pair met, if nothing else is in the buckets.
#[derive(Deserialize)]
pub(super) struct Meeting {
    pub(super) shared_bands: i64,
    pub(super) shared_blocks: i64,
    pub(super) shared_samples: i64,
    pub(super) is_declared: bool,
    pub(super) is_kept: bool,
}

#[derive(Deserialize)]
pub(super) struct Overlap {
    pub(super) shared: i64,
    pub(super) left_shingles: i64,
    pub(super) right_shingles: i64,
    pub(super) hamming: Option<u32>,
    pub(super) layout: Option<f64>,
}

/// A pair at or above a threshold.
#[derive(Deserialize)]
pub(super) struct Edge {
    pub(super) class: Option<String>,
    pub(super) numbers: Option<String>,
    pub(super) guard: Option<String>,
    pub(super) kind: Option<String>,
    pub(super) tier: Option<String>,
}

#[derive(Deserialize)]
struct Documents {
    documents: i64,
}

/// All that is known of two rows.
pub(super) struct Found {
    pub(super) facts: [Fact; 2],
    pub(super) texts: [Compared; 2],
    /// Whether they are one page or one document.
    pub(super) is_equal: bool,
    pub(super) met: Option<Meeting>,
    pub(super) overlap: Overlap,
    /// The pair whatever its resemblance; none where nothing is shared.
    pub(super) any: Option<Edge>,
    /// The pair as a run would publish it; none below the threshold.
    pub(super) edge: Option<Edge>,
}

/// Sends two rows through the stages.
pub(super) async fn find(jobs: &Jobs, given: [Given; 2], is_alternate: bool) -> Result<Found> {
    let bench = Bench::start(&jobs.asked).await?;
    let has_urls = given.iter().all(|given| !given.url.is_empty());
    let known = fetch(&bench, given).await?;
    let (facts, is_equal) = pages(&bench, jobs, known, is_alternate).await?;
    let met = meet(&bench, jobs, has_urls).await?;
    let texts = two(bench.rows(TEXTS, &NOTHING).await?)?;
    let (overlap, any, edge) = verify(&bench, jobs).await?;
    Ok(Found { facts, texts, is_equal, met, overlap, any, edge })
}

/// Reads both rows; what is known of them comes back.
async fn fetch(bench: &Bench, given: [Given; 2]) -> Result<Vec<Known>> {
    let mut known = Vec::new();
    for ((number, name), given) in [(1, "left"), (2, "right")].into_iter().zip(given) {
        known.extend(given.known);
        let (url, content) = (given.url.as_str(), given.content);
        let row = Row { number, name, url, content_type: "", headers: "", content };
        bench.fetch(row).await?;
    }
    Ok(known)
}

/// Makes a document of each row; tells what the rows came to, and whether a run takes their texts
/// for equal.
async fn pages(
    bench: &Bench,
    jobs: &Jobs,
    known: Vec<Known>,
    is_alternate: bool,
) -> Result<([Fact; 2], bool)> {
    let job = &jobs.asked;
    bench.run(job, &["parse", "fetch_fingerprint", "gated_text", "page"]).await?;
    let facts: [Fact; 2] = two(bench.rows(FACTS, &NOTHING).await?)?;
    for (side, fact) in ["left", "right"].iter().zip(&facts) {
        let why = match &fact.page.fault {
            Some(fault) => format!("{side}: {fault}, so a run would set it aside; see `page`"),
            None if fact.page_id.is_some() => continue,
            None => format!("{side}: its URL is refused; see `key`"),
        };
        return Err(Error::new(Kind::Input, why));
    }
    bench.number_pages(true).await?;
    bench.run(job, &["page_trait", "repeated_block", "removal", "reduced", "proof"]).await?;
    bench.run(job, &["page_document"]).await?;
    let documents: Vec<Documents> = bench.rows(DOCUMENTS, &NOTHING).await?;
    let is_one = documents.first().is_some_and(|found| found.documents == 1);
    bench.run(job, &["alternate_pair"]).await?;
    bench.make("page_document", APART, &NOTHING).await?;
    bench.run(job, &["text"]).await?;
    if known.len() == facts.len() {
        remember(bench, known, is_alternate).await?;
    }
    let is_equal = is_one || facts[0].page_id == facts[1].page_id;
    Ok((facts, is_equal))
}

/// Puts what is known of the pages in the place of what plain texts say.
async fn remember(bench: &Bench, known: Vec<Known>, is_alternate: bool) -> Result<()> {
    let text = |value: Option<String>| Scalar::Text(value.unwrap_or_default());
    let list = |values: Option<Vec<String>>| Scalar::Text(values.unwrap_or_default().join("\n"));
    for (document, known) in [1, 2].into_iter().zip(known) {
        let bound = [
            ("document", Scalar::Int(document)),
            ("host", text(known.host)),
            ("hosts", Scalar::Int(known.hosts.unwrap_or_default())),
            ("title", text(known.title)),
            ("home_key", text(known.home_key)),
            ("language", text(known.language)),
            ("product_ids", list(known.product_ids)),
            ("prices", list(known.prices)),
            ("link_share_milli", Scalar::Int(known.link_share_milli.unwrap_or_default())),
            ("layout", Scalar::Bytes(super::bytes(&known.layout.unwrap_or_default()))),
        ];
        bench.add("known", KNOWN, &bound).await?;
    }
    bench.make("text", KNOWN_TEXT, &NOTHING).await?;
    let alternate = [("is_alternate", Scalar::Bool(is_alternate))];
    bench.make("alternate_pair", ALTERNATE, &alternate).await
}

/// Whether and how the two meet.
async fn meet(bench: &Bench, jobs: &Jobs, has_urls: bool) -> Result<Option<Meeting>> {
    if has_urls {
        let stages = ["declaration", "current_page", "redirect_hop", "redirect_chain"];
        bench.run(&jobs.asked, &stages).await?;
        bench.run(&jobs.asked, &["resolved_declaration", "declared_pair"]).await?;
    } else {
        bench.make("declared_pair", NOT_DECLARED, &NOTHING).await?;
    }
    bench.run(&jobs.asked, &["bucket", "candidate"]).await?;
    Ok(bench.rows(MEETING, &NOTHING).await?.into_iter().next())
}

/// The exact figures of the pair, and what the rules say of it.
async fn verify(bench: &Bench, jobs: &Jobs) -> Result<(Overlap, Option<Edge>, Option<Edge>)> {
    bench.make("candidate", CANDIDATE, &NOTHING).await?;
    bench.make("candidate_component", CANDIDATE_COMPONENT, &NOTHING).await?;
    bench.run(&jobs.asked, &["shingle", "resemblance"]).await?;
    let Some(overlap) = bench.rows(OVERLAP, &NOTHING).await?.into_iter().next() else {
        return Err(Error::schema("two texts gave no pair"));
    };
    bench.run(&jobs.lowest, &["difference", "edge"]).await?;
    let any = bench.rows(EDGE, &NOTHING).await?.into_iter().next();
    bench.run(&jobs.asked, &["edge"]).await?;
    bench.make("closure_edge", NO_EDGE, &NOTHING).await?;
    bench.run(&jobs.asked, &["page_document", "document_edge"]).await?;
    let edge = bench.rows(PUBLISHED, &NOTHING).await?.into_iter().next();
    Ok((overlap, any, edge))
}

fn two<T>(rows: Vec<T>) -> Result<[T; 2]> {
    let count = rows.len();
    <[T; 2]>::try_from(rows).map_err(|_| Error::schema(format!("two texts gave {count} rows")))
}
