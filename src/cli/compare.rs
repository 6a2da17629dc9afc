//! `compare`: what two texts or pages are to each other, by the functions and stages of a job.
//!
//! The two are two rows that go through the stages of a run, in memory. The pair is verified
//! whether it meets in a bucket or not; whether it would have met is told.

use std::path::Path;

use clap::Args as ClapArgs;
use serde::{Deserialize, Serialize};

use super::generation::{self, Bench, Jobs};
use super::{block_on, print};
use crate::error::{Error, Kind, Result};
use crate::job::{Job, Scalar};
use crate::kernels::minhash;
use crate::stages;

/// Compare two files, text or HTML, as a run would.
///
/// A file is HTML when its name ends in .html, .htm or .xhtml, or when it starts as HTML does.
/// Prints one JSON object. `verdict` is one of
/// equal_text  the normalised texts are equal;
/// near        at or above the threshold, and no guard refuses;
/// refused     at or above the threshold, and a guard refuses;
/// different   below the threshold;
/// too_short   a text has fewer tokens than a shingle, and they are not equal;
/// empty       a text is empty;
/// gated       a page did not pass its gate, see `page`.
/// A run verifies a pair only when it meets in a bucket (`is_met`) and its estimate is near enough
/// (`is_kept`). `shared_bands` and `shared_blocks` count buckets as if no other text were in them;
/// a run makes fewer pairs of a hot bucket.
#[derive(Debug, ClapArgs)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// A file: text in UTF-8, or HTML.
    left: String,
    /// Another file.
    right: String,
    /// The job whose methods and parameters count; the built-in job when it is not given.
    #[arg(long, value_name = "JOB.toml")]
    job: Option<String>,
    /// Change one value of the job.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Print JSON, which is what is printed in any case.
    #[arg(long, hide = true)]
    json: bool,
}

/// What two texts are to each other.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    /// Exact resemblance of the shingle sets; NULL when a text is too short.
    pub(super) resemblance: Option<f64>,
    /// Share of the left set in the right.
    pub(super) containment_left: Option<f64>,
    /// Share of the right set in the left.
    pub(super) containment_right: Option<f64>,
    /// Resemblance estimated from the stored slots.
    pub(super) resemblance_estimated: Option<f64>,
    /// Bits in which the SimHashes differ.
    pub(super) hamming: Option<u32>,
    /// Guards that refuse the pair, whatever its resemblance.
    pub(super) guards: Vec<String>,
    /// See [`Args`].
    pub(super) verdict: &'static str,
    /// Least resemblance of an edge.
    pub(super) resemblance_min: f64,
    /// Whether the texts meet in a bucket.
    pub(super) is_met: bool,
    /// Whether the estimate is near enough to verify the pair.
    pub(super) is_kept: bool,
    /// MinHash buckets in which they meet when they are alone.
    pub(super) shared_bands: i64,
    /// SimHash block keys in which they meet when they are alone.
    pub(super) shared_blocks: i64,
    /// Shingles that both hold.
    pub(super) shared_shingles: i64,
    /// The left text.
    pub(super) left: Side,
    /// The right text.
    pub(super) right: Side,
    /// The method that made the fingerprints.
    pub(super) method: String,
    /// Tokens in a shingle.
    pub(super) width: i64,
}

/// One of two texts.
#[derive(Debug, Serialize)]
pub(super) struct Side {
    tokens: i64,
    shingles: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<Page>,
}

/// What an HTML file says of itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Page {
    gate: String,
    title: Option<String>,
    canonical: Option<String>,
    robots: Option<String>,
    language: Option<String>,
    charset: Option<String>,
    #[serde(skip_serializing)]
    fault: Option<String>,
}

impl Side {
    fn of(fact: &Fact, shingles: i64) -> Self {
        let page = fact.is_html.then(|| fact.page.clone());
        Self { tokens: fact.tokens, shingles, page }
    }
}

/// What a file holds.
pub(super) enum Content {
    /// Plain text.
    Text(String),
    /// The bytes of a page.
    Html(Vec<u8>),
}

/// One row a file, the left one first.
const FETCHES: &str = "
    select
        cast(file.number as bigint) as fetch,
        file.name as input_file,
        cast(0 as bigint) as file_row,
        cast(null as varchar) as url,
        file.name as id,
        arrow_cast(null, 'Timestamp(Microsecond, Some(\"UTC\"))') as fetch_time,
        cast(null as int) as fetch_status,
        cast(null as varchar) as fetch_redirect,
        cast(null as varchar) as content_type,
        cast(null as varchar) as charset,
        cast(null as varchar) as headers,
        cast(null as varchar) as ip,
        arrow_cast(null, 'List(Utf8)') as links,
        case when file.is_html then file.html end as html,
        false as is_decoded,
        case when not file.is_html then file.text end as text
    from (
        select
            1 as number,
            'left' as name,
            cast($left_is_html as boolean) as is_html,
            cast($left_html as bytea) as html,
            cast($left_text as varchar) as text
        union all
        select
            2,
            'right',
            cast($right_is_html as boolean),
            cast($right_html as bytea),
            cast($right_text as varchar)
    ) as file";

/// Both texts as documents, equal or not.
const DOCUMENTS: &str = "
    select
        fetch_fingerprint.fetch as document,
        fetch_fingerprint.fetch,
        fetch_fingerprint.tokens,
        fetch_fingerprint.scripts,
        fetch_fingerprint.simhash,
        fetch_fingerprint.buckets,
        fetch_fingerprint.slots
    from fetch_fingerprint";

const FACTS: &str = "
    select
        parse.is_html,
        coalesce(fetch_fingerprint.gate, 'fault') as gate,
        parse.title,
        parse.canonical,
        parse.robots,
        coalesce(parse.language_detected, parse.language_declared) as language,
        parse.charset,
        parse.fault,
        coalesce(fetch_fingerprint.tokens, 0) as tokens,
        coalesce(fetch_fingerprint.is_empty, true) as is_empty,
        coalesce(encode(fetch_fingerprint.text_digest, 'hex'), '')
            || encode(text_proof(parse.text), 'hex') as text_digest,
        coalesce(encode(fetch_fingerprint.slots, 'hex'), '') as slots
    from parse
    left join fetch_fingerprint
        on parse.fetch = fetch_fingerprint.fetch
    order by parse.fetch";

/// No bound value.
const NOTHING: [(&str, Scalar); 0] = [];

/// No file declares another.
const DECLARED_PAIR: &str = "
    select cast(1 as bigint) as left_document, cast(2 as bigint) as right_document
    where false";

const MEETING: &str = "
    select candidate.shared_bands, candidate.shared_blocks, candidate.is_kept
    from candidate";

/// The pair as a candidate, whether it met or not.
const CANDIDATE: &str = "
    select
        cast(1 as bigint) as left_document,
        cast(2 as bigint) as right_document,
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
        hamming(left_text.simhash, right_text.simhash) as hamming
    from resemblance
    inner join text as left_text
        on resemblance.left_document = left_text.document
    inner join text as right_text
        on resemblance.right_document = right_text.document";

const EDGE: &str = "
    select edge.guard
    from edge
    order by edge.guard";

#[derive(Deserialize)]
struct Fact {
    is_html: bool,
    #[serde(flatten)]
    page: Page,
    tokens: i64,
    is_empty: bool,
    text_digest: String,
    slots: String,
}

#[derive(Deserialize)]
struct Meeting {
    shared_bands: i64,
    shared_blocks: i64,
    is_kept: bool,
}

#[derive(Deserialize)]
struct Overlap {
    shared: i64,
    left_shingles: i64,
    right_shingles: i64,
    hamming: Option<u32>,
}

#[derive(Deserialize)]
struct Edge {
    guard: Option<String>,
}

pub(super) fn main(args: Args) -> Result<()> {
    let jobs = match &args.job {
        None => Jobs::built_in(&args.set)?,
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|cause| Error::job(format!("{path}: {cause}")))?;
            Jobs::parse(&text, path, &args.set)?
        }
    };
    let (left, right) = (read(&args.left, &jobs.asked)?, read(&args.right, &jobs.asked)?);
    let found = block_on(generation::settings().threads, figures(&jobs, left, right))?;
    print::json(&found)
}

/// What a file holds, under the rules that a run has for texts and bodies.
fn read(path: &str, job: &Job) -> Result<Content> {
    let bytes = std::fs::read(Path::new(path));
    let bytes = bytes.map_err(|cause| Error::job(format!("{path}: {cause}")))?;
    let refused = |what: String| Err(Error::new(Kind::Input, format!("{path}: {what}")));
    let is_html = is_html(path, &bytes);
    let limit = job.int(if is_html { "input.html_bytes" } else { "input.text_bytes" });
    if i64::try_from(bytes.len()).is_ok_and(|length| length > limit) {
        return refused(format!("{} bytes, wanted at most {limit}", bytes.len()));
    }
    if is_html {
        return Ok(Content::Html(bytes));
    }
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return refused(format!("NUL at byte {at}, wanted a text"));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Content::Text(text)),
        Err(fault) => {
            let at = fault.utf8_error().valid_up_to();
            refused(format!("no UTF-8 at byte {at}, wanted a text"))
        }
    }
}

/// Whether a file is HTML by its name or by its first bytes.
fn is_html(path: &str, bytes: &[u8]) -> bool {
    let path = path.to_ascii_lowercase();
    let start = bytes.trim_ascii_start();
    let starts = |wanted: &[u8]| {
        start.get(..wanted.len()).is_some_and(|start| start.eq_ignore_ascii_case(wanted))
    };
    [".html", ".htm", ".xhtml"].iter().any(|ending| path.ends_with(ending))
        || starts(b"<!doctype html")
        || starts(b"<html")
}

/// What two texts are to each other by the functions, parameters and guards of a job.
///
/// # Errors
///
/// Resource errors; a schema error when a stage does not give what it promises.
pub(super) async fn figures(jobs: &Jobs, left: Content, right: Content) -> Result<Figures> {
    let bench = Bench::start(&jobs.asked).await?;
    bench.make("fetch", FETCHES, &[bound("left", left), bound("right", right)].concat()).await?;
    run(&bench, &jobs.asked, &["parse", "fetch_fingerprint"]).await?;
    let facts: Vec<Fact> = bench.rows(FACTS).await?;
    for (side, fact) in ["left", "right"].iter().zip(&facts) {
        if let Some(fault) = &fact.page.fault {
            let message = format!("{side}: {fault}, so a run would set it aside; see `page`");
            return Err(Error::new(Kind::Input, message));
        }
    }
    bench.make("text", DOCUMENTS, &NOTHING).await?;
    bench.make("declared_pair", DECLARED_PAIR, &NOTHING).await?;
    run(&bench, &jobs.asked, &["bucket", "candidate"]).await?;
    let met: Vec<Meeting> = bench.rows(MEETING).await?;
    bench.make("candidate", CANDIDATE, &NOTHING).await?;
    bench.make("candidate_component", CANDIDATE_COMPONENT, &NOTHING).await?;
    run(&bench, &jobs.asked, &["shingle", "resemblance", "edge"]).await?;
    let overlap: Vec<Overlap> = bench.rows(OVERLAP).await?;
    let edges: Vec<Edge> = bench.rows(EDGE).await?;
    run(&bench, &jobs.lowest, &["edge"]).await?;
    let guards: Vec<Edge> = bench.rows(EDGE).await?;
    let ([left, right], [overlap]) = (facts.as_slice(), overlap.as_slice()) else {
        return Err(Error::schema("two texts gave no pair"));
    };
    let guards = guards.into_iter().filter_map(|edge| edge.guard).collect();
    Ok(judge(&jobs.asked, [left, right], overlap, met.first(), &edges, guards))
}

/// The values of one file.
fn bound(side: &str, content: Content) -> [(String, Scalar); 3] {
    let (is_html, html, text) = match content {
        Content::Html(html) => (true, html, String::new()),
        Content::Text(text) => (false, Vec::new(), text),
    };
    [
        (format!("{side}_is_html"), Scalar::Bool(is_html)),
        (format!("{side}_html"), Scalar::Bytes(html)),
        (format!("{side}_text"), Scalar::Text(text)),
    ]
}

async fn run(bench: &Bench, job: &Job, names: &[&str]) -> Result<()> {
    for name in names {
        match stages::stage(name) {
            Some(stage) => bench.run(stage, job).await?,
            None => return Err(Error::schema(format!("no stage {name}"))),
        }
    }
    Ok(())
}

fn judge(
    job: &Job,
    [left, right]: [&Fact; 2],
    overlap: &Overlap,
    met: Option<&Meeting>,
    edges: &[Edge],
    guards: Vec<String>,
) -> Figures {
    let is_empty = left.is_empty || right.is_empty;
    let is_equal = !is_empty && left.text_digest == right.text_digest;
    let has_shingles = overlap.left_shingles > 0 && overlap.right_shingles > 0;
    let is_gated = [left, right].iter().any(|side| !matches!(&*side.page.gate, "ok" | "empty"));
    let verdict = match edges {
        _ if is_gated => "gated",
        _ if is_empty => "empty",
        _ if is_equal => "equal_text",
        _ if !has_shingles => "too_short",
        [] => "different",
        edges if edges.iter().any(|edge| edge.guard.is_some()) => "refused",
        _ => "near",
    };
    let joined = overlap.left_shingles + overlap.right_shingles - overlap.shared;
    let share = |whole| if is_equal { Some(1.0) } else { ratio(overlap.shared, whole) };
    let share = |whole| share(whole).filter(|_| is_equal || has_shingles);
    let slots = [&left.slots, &right.slots].map(|hex| bytes(hex));
    let fingerprint = job.methods().iter().find(|method| method.role == "fingerprint");
    Figures {
        resemblance: share(joined),
        containment_left: share(overlap.left_shingles),
        containment_right: share(overlap.right_shingles),
        resemblance_estimated: has_shingles
            .then(|| minhash::resemblance_estimated_low(&slots[0], &slots[1])),
        hamming: overlap.hamming,
        guards: if has_shingles { guards } else { Vec::new() },
        verdict,
        resemblance_min: ratio(job.int("edge.resemblance_min_milli"), 1000).unwrap_or_default(),
        is_met: met.is_some(),
        is_kept: met.is_some_and(|met| met.is_kept),
        shared_bands: met.map_or(0, |met| met.shared_bands),
        shared_blocks: met.map_or(0, |met| met.shared_blocks),
        shared_shingles: overlap.shared,
        left: Side::of(left, overlap.left_shingles),
        right: Side::of(right, overlap.right_shingles),
        method: fingerprint.map(|method| method.versioned()).unwrap_or_default(),
        width: job.int("fingerprint.width"),
    }
}

/// The quotient of two counts; none over nothing.
pub(super) fn ratio(part: i64, whole: i64) -> Option<f64> {
    let [part, whole] = [part, whole].map(|count| u32::try_from(count).ok().map(f64::from));
    let whole = whole.filter(|&whole| whole > 0.0)?;
    Some(part? / whole)
}

/// The bytes that `hex` writes.
fn bytes(hex: &str) -> Vec<u8> {
    let pairs = hex.as_bytes().chunks_exact(2);
    let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
    pairs.filter_map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(left: &str, right: &str, overrides: &[&str]) -> Figures {
        let overrides: Vec<_> = overrides.iter().map(|text| (*text).to_owned()).collect();
        let jobs = Jobs::built_in(&overrides).unwrap();
        let [left, right] = [left, right].map(|text| Content::Text(text.to_owned()));
        block_on(2, figures(&jobs, left, right)).unwrap()
    }

    const LONG: &str = "one two three four five six seven eight nine ten eleven twelve thirteen";

    #[test]
    fn hex_is_read() {
        assert_eq!(bytes("009fff"), [0, 0x9f, 0xff]);
        assert_eq!(ratio(1, 0), None);
    }

    #[test]
    fn equal_texts_are_equal_though_spelled_otherwise() {
        let found = compare(LONG, &format!("  {LONG}\n"), &[]);
        assert_eq!((found.verdict, found.resemblance), ("equal_text", Some(1.0)));
        assert_eq!(found.hamming, Some(0));
        let short = compare("only this", "only this", &[]);
        assert_eq!((short.verdict, short.resemblance), ("equal_text", Some(1.0)));
        assert_eq!((short.hamming, short.left.tokens, short.left.shingles), (None, 2, 0));
    }

    #[test]
    fn figures_are_exact() {
        let found = compare(LONG, &format!("{LONG} fourteen"), &[]);
        assert_eq!((found.shared_shingles, found.left.shingles, found.right.shingles), (9, 9, 10));
        assert_eq!((found.verdict, found.resemblance), ("near", Some(0.9)));
        assert_eq!((found.containment_left, found.containment_right), (Some(1.0), Some(0.9)));
        let strict =
            compare(LONG, &format!("{LONG} fourteen"), &["edge.resemblance_min_milli=901"]);
        assert_eq!(strict.verdict, "different");
    }

    #[test]
    fn short_and_empty_texts_have_no_figures() {
        let short = compare("only this", LONG, &[]);
        assert_eq!((short.verdict, short.resemblance, short.hamming), ("too_short", None, None));
        assert_eq!(compare("", " \n", &[]).verdict, "empty");
    }

    #[test]
    fn a_guard_is_named_even_below_the_threshold() {
        let cyrillic = "раз два три четыре пять шесть семь восемь";
        let greek = "ένα δύο τρία τέσσερα πέντε έξι επτά οκτώ";
        let [left, right] = [cyrillic, greek].map(|text| format!("{LONG} {text}"));
        let found = compare(&left, &right, &[]);
        assert_eq!(
            (found.verdict, found.guards.as_slice()),
            ("different", &["script".to_owned()][..])
        );
        let near = compare(&left, &right, &["edge.resemblance_min_milli=300"]);
        assert_eq!(near.verdict, "refused");
        let off = ["edge.resemblance_min_milli=300", "edge.guard_script=false"];
        assert_eq!(compare(&left, &right, &off).verdict, "near");
    }
}
