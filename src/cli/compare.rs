//! `compare`: what two texts are to each other, by the functions and stages of a job.
//!
//! The two texts are two rows that go through the stages of a run, in memory. The pair is verified
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

/// Compare two text files as a run would.
///
/// Prints one JSON object. `verdict` is one of
/// equal_text  the normalised texts are equal;
/// near        at or above the threshold, and no guard refuses;
/// refused     at or above the threshold, and a guard refuses;
/// different   below the threshold;
/// too_short   a text has fewer tokens than a shingle, and they are not equal;
/// empty       a text is empty.
/// A run verifies a pair only when it meets in a bucket (`is_met`) and its estimate is near enough
/// (`is_kept`). `shared_bands` and `shared_blocks` count buckets as if no other text were in them;
/// a run makes fewer pairs of a hot bucket.
#[derive(Debug, ClapArgs)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// A text file, UTF-8.
    left: String,
    /// Another text file.
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
}

/// One row a text, the left one first.
const TEXTS: &str = "
    select
        cast(1 as bigint) as fetch,
        'left' as input_file,
        cast(0 as bigint) as file_row,
        cast(null as varchar) as url,
        'left' as id,
        arrow_cast(null, 'Timestamp(Microsecond, Some(\"UTC\"))') as fetch_time,
        cast(null as int) as fetch_status,
        cast($left as varchar) as text
    union all
    select
        cast(2 as bigint),
        'right',
        cast(0 as bigint),
        cast(null as varchar),
        'right',
        arrow_cast(null, 'Timestamp(Microsecond, Some(\"UTC\"))'),
        cast(null as int),
        cast($right as varchar)";

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
        fetch_fingerprint.tokens,
        fetch_fingerprint.is_empty,
        encode(fetch_fingerprint.text_digest, 'hex')
            || encode(text_proof(fetch.text), 'hex') as text_digest,
        encode(fetch_fingerprint.slots, 'hex') as slots
    from fetch_fingerprint
    inner join fetch
        on fetch_fingerprint.fetch = fetch.fetch
    order by fetch_fingerprint.fetch";

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
    let text = |path| read(path, jobs.asked.int("input.text_bytes"));
    let (left, right) = (text(&args.left)?, text(&args.right)?);
    let found = block_on(generation::settings().threads, figures(&jobs, &left, &right))?;
    print::json(&found)
}

/// The text of a file, under the rules that a run has for texts.
fn read(path: &str, limit: i64) -> Result<String> {
    let bytes = std::fs::read(Path::new(path));
    let bytes = bytes.map_err(|cause| Error::job(format!("{path}: {cause}")))?;
    let refused = |what: String| Err(Error::new(Kind::Input, format!("{path}: {what}")));
    if i64::try_from(bytes.len()).is_ok_and(|length| length > limit) {
        return refused(format!("{} bytes, wanted at most {limit}", bytes.len()));
    }
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return refused(format!("NUL at byte {at}, wanted a text"));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(fault) => {
            let at = fault.utf8_error().valid_up_to();
            refused(format!("no UTF-8 at byte {at}, wanted a text"))
        }
    }
}

/// What two texts are to each other by the functions, parameters and guards of a job.
///
/// # Errors
///
/// Resource errors; a schema error when a stage does not give what it promises.
pub(super) async fn figures(jobs: &Jobs, left: &str, right: &str) -> Result<Figures> {
    let bench = Bench::start(&jobs.asked).await?;
    let texts =
        [("left", Scalar::Text(left.to_owned())), ("right", Scalar::Text(right.to_owned()))];
    bench.make("fetch", TEXTS, &texts).await?;
    run(&bench, &jobs.asked, &["fetch_fingerprint"]).await?;
    bench.make("text", DOCUMENTS, &[]).await?;
    run(&bench, &jobs.asked, &["bucket", "candidate"]).await?;
    let facts: Vec<Fact> = bench.rows(FACTS).await?;
    let met: Vec<Meeting> = bench.rows(MEETING).await?;
    bench.make("candidate", CANDIDATE, &[]).await?;
    bench.make("candidate_component", CANDIDATE_COMPONENT, &[]).await?;
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
    let verdict = match edges {
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
        left: Side { tokens: left.tokens, shingles: overlap.left_shingles },
        right: Side { tokens: right.tokens, shingles: overlap.right_shingles },
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
