//! `compare`: what two texts or pages are to each other, by the functions and stages of a job.
//!
//! The two are two rows that go through the stages of a run, in memory. The pair is verified
//! whether it meets in a bucket or not; whether it would have met is told.

pub(in crate::cli) mod hunk;
mod pair;

use std::path::Path;

use clap::Args as ClapArgs;
use serde::{Deserialize, Serialize};

use super::generation::{self, Content, Jobs};
use super::{block_on, print};
use crate::error::{Error, Kind, Result};
use crate::job::{Job, Scalar};
use crate::kernels::minhash;
use crate::kernels::text::Rules;
use crate::stages::difference;
use hunk::Differing;
use pair::{Compared, Edge, Fact, Found};
pub(super) use pair::{Given, Known};

/// Compare two files, text or HTML, as a run would.
///
/// A file is HTML when its name ends in .html, .htm or .xhtml, or when it starts as HTML does.
/// Prints one JSON object. `verdict` is one of
/// equal_text  a run takes the normalised texts for equal: one document;
/// near        at or above the threshold, and no guard refuses;
/// refused     at or above the threshold, and a guard refuses, or the class of the pair, which
///             wants more (class_...);
/// different   below the threshold;
/// too_short   a text has fewer tokens than a shingle, and a run does not take them for equal;
/// empty       a text is empty;
/// gated       a page did not pass its gate, see `page`.
/// `class` is what decides the least resemblance of the pair; `tier` says whether it may merge
/// (merge), belongs together (group), may be the same (suggest) or is not (none); `kind` says
/// whether they share content or a part of it, and the layout. `words` are the places that differ.
/// Pages that state different products, prices or languages are compared as a pair, however equal
/// their texts are. Rules of hosts apply where --left-url and --right-url are given; blocks that a
/// host repeats are not known from two pages, see `page --beside`.
/// A run verifies a pair only when it meets in a bucket (`is_met`) and its estimate is near enough
/// (`is_kept`). `shared_bands`, `shared_blocks` and `shared_samples` count buckets as if no other
/// text were in them; a run makes fewer pairs of a hot bucket.
#[derive(Debug, ClapArgs)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// A file: text in UTF-8, or HTML.
    left: String,
    /// Another file.
    right: String,
    /// The URL of the left file; without it its host is unknown.
    #[arg(long, value_name = "URL", default_value = "", hide_default_value = true)]
    left_url: String,
    /// The URL of the right file.
    #[arg(long, value_name = "URL", default_value = "", hide_default_value = true)]
    right_url: String,
    /// The job whose methods and parameters count; the built-in job when it is not given.
    #[arg(long, value_name = "JOB.toml")]
    job: Option<String>,
    /// Change one value of the job, such as guard.digits=false.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Print JSON, which is what is printed in any case.
    #[arg(long, hide = true)]
    json: bool,
}

/// What two texts are to each other.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    /// See [`Args`].
    pub(super) verdict: &'static str,
    /// What they share: same_content or partial_content, with _same_layout; NULL below the
    /// threshold.
    pub(super) kind: Option<String>,
    /// What decides the least resemblance; NULL when they share nothing.
    pub(super) class: Option<String>,
    /// merge, group, suggest or none; NULL below the threshold.
    pub(super) tier: Option<String>,
    /// Guards that refuse the pair, whatever its resemblance; class_... where the class does.
    pub(super) guards: Vec<String>,
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
    /// What the numbers that differ are; NULL when they share nothing.
    pub(super) numbers: Option<String>,
    /// The words that differ.
    #[serde(flatten)]
    pub(super) differing: Differing,
    /// Estimated resemblance of the layouts of two pages.
    pub(super) layout: Option<f64>,
    /// Least resemblance of an edge.
    pub(super) resemblance_min: f64,
    /// Whether the texts meet in a bucket, or one names the other as canonical.
    pub(super) is_met: bool,
    /// Whether the estimate is near enough to verify the pair.
    pub(super) is_kept: bool,
    /// Whether one names the other as canonical.
    pub(super) is_declared: bool,
    /// MinHash buckets in which they meet when they are alone.
    pub(super) shared_bands: i64,
    /// SimHash block keys in which they meet when they are alone.
    pub(super) shared_blocks: i64,
    /// Sampled shingles in which they meet when they are alone.
    pub(super) shared_samples: i64,
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
    gate_reason: Option<String>,
    title: Option<String>,
    canonical: Option<String>,
    robots: Option<String>,
    language: Option<String>,
    charset: Option<String>,
    #[serde(skip_serializing)]
    fault: Option<String>,
}

impl Side {
    fn of(fact: &Fact, text: &Compared, shingles: i64) -> Self {
        let page = fact.is_html.then(|| fact.page.clone());
        Self { tokens: text.tokens, shingles, page }
    }
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
    let given = |path: &str, url: &str| {
        let content = read(path, &jobs.asked)?;
        Ok::<_, Error>(Given { content, url: url.to_owned(), known: None })
    };
    let given = [given(&args.left, &args.left_url)?, given(&args.right, &args.right_url)?];
    let found = block_on(generation::settings().threads, figures(&jobs, given, false))?;
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
/// `is_alternate` says of two known pages that one lists the other as its version.
///
/// # Errors
///
/// Resource errors; a schema error when a stage does not give what it promises.
pub(super) async fn figures(jobs: &Jobs, given: [Given; 2], is_alternate: bool) -> Result<Figures> {
    let found = pair::find(jobs, given, is_alternate).await?;
    Ok(judge(&jobs.asked, found))
}

/// How the words of a text are told apart by the fingerprints of a job.
pub(super) fn rules(job: &Job) -> Option<Rules> {
    match job.param("tokeniser") {
        Some(Scalar::Text(name)) => difference::rules(&name),
        _ => None,
    }
}

/// The verdict on two rows.
fn verdict(found: &Found, edge: Option<&Edge>, has_shingles: bool) -> &'static str {
    let is_gated = found.facts.iter().any(|fact| !matches!(&*fact.page.gate, "ok" | "empty"));
    match edge {
        _ if is_gated => "gated",
        _ if found.facts.iter().any(|fact| fact.is_empty) => "empty",
        _ if found.is_equal => "equal_text",
        _ if !has_shingles => "too_short",
        None => "different",
        Some(edge) if edge.guard.is_some() => "refused",
        Some(_) => "near",
    }
}

fn judge(job: &Job, found: Found) -> Figures {
    let overlap = &found.overlap;
    let has_shingles = overlap.left_shingles > 0 && overlap.right_shingles > 0;
    let verdict = verdict(&found, found.edge.as_ref(), has_shingles);
    let is_equal = verdict == "equal_text";
    let joined = overlap.left_shingles + overlap.right_shingles - overlap.shared;
    let share = |whole| if is_equal { Some(1.0) } else { ratio(overlap.shared, whole) };
    let share = |whole| share(whole).filter(|_| is_equal || has_shingles);
    let [left, right] = &found.texts;
    let slots = [left, right].map(|text| bytes(&text.slots));
    let fingerprint = job.methods().iter().find(|method| method.role == "fingerprint");
    let differing = rules(job).map(|rules| hunk::differing(rules, &left.text, &right.text));
    let edge = found.edge.filter(|_| matches!(verdict, "equal_text" | "refused" | "near"));
    let closest = edge.as_ref().or(found.any.as_ref().filter(|_| has_shingles));
    let of = |value: fn(&Edge) -> &Option<String>| closest.and_then(|edge| value(edge).clone());
    let met = found.met.as_ref();
    Figures {
        verdict,
        kind: edge.as_ref().and_then(|edge| edge.kind.clone()),
        class: of(|edge| &edge.class),
        tier: edge.as_ref().and_then(|edge| edge.tier.clone()),
        guards: of(|edge| &edge.guard).into_iter().collect(),
        resemblance: share(joined),
        containment_left: share(overlap.left_shingles),
        containment_right: share(overlap.right_shingles),
        resemblance_estimated: has_shingles
            .then(|| minhash::resemblance_estimated_low(&slots[0], &slots[1])),
        hamming: overlap.hamming,
        numbers: of(|edge| &edge.numbers),
        differing: differing.unwrap_or_default(),
        layout: overlap.layout,
        resemblance_min: ratio(job.int("edge.resemblance_min_milli"), 1000).unwrap_or_default(),
        is_met: met.is_some(),
        is_kept: met.is_some_and(|met| met.is_kept),
        is_declared: met.is_some_and(|met| met.is_declared),
        shared_bands: met.map_or(0, |met| met.shared_bands),
        shared_blocks: met.map_or(0, |met| met.shared_blocks),
        shared_samples: met.map_or(0, |met| met.shared_samples),
        shared_shingles: overlap.shared,
        left: Side::of(&found.facts[0], left, overlap.left_shingles),
        right: Side::of(&found.facts[1], right, overlap.right_shingles),
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
mod tests;
