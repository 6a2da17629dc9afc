//! `page`: what one page says, by the kernel that a run reads pages with.

use std::fs;
use std::io::Read;

use clap::Args as ClapArgs;
use clap::builder::RangedU64ValueParser;
use serde::Serialize;

use super::print;
use crate::error::{Error, Kind, Result};
use crate::kernels::gate::{Fetched, gate};
use crate::kernels::html::{self, Extractor, Fault, Limits, Page, Source};
use crate::kernels::text::{Rules, Text};

/// Read one HTML page as a run would.
///
/// Prints one JSON object: the texts, and what the page declares of itself. A page that a run
/// would set aside is printed with its fault, and the exit code is 0: the fault is the answer.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// An HTML file as it came from its server; `-` is standard input.
    file: String,
    /// The absolute URL of the page.
    #[arg(long, default_value = "", hide_default_value = true)]
    url: String,
    /// The value of the header `Content-Type`.
    #[arg(long, value_name = "TYPE")]
    content_type: Option<String>,
    /// Response headers, one `name: value` a line, in a file.
    #[arg(long, value_name = "FILE")]
    headers: Option<String>,
    /// Fewer tokens of main text are too short.
    #[arg(long, value_name = "TOKENS", default_value_t = 10)]
    tokens_min: i64,
    /// Most bytes of a page.
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20)]
    html_bytes: usize,
    /// Most tags of a page.
    #[arg(long, value_name = "TAGS", default_value_t = 500_000)]
    html_nodes: usize,
    /// Most elements in one another.
    #[arg(
        long,
        value_name = "ELEMENTS",
        default_value_t = 512,
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=4096)
    )]
    html_depth: usize,
    /// Print JSON, which is what is printed in any case.
    #[arg(long, hide = true)]
    json: bool,
}

/// What is printed; NULL where the page says nothing.
#[derive(Debug, Serialize)]
struct Report<'p> {
    gate: Option<&'static str>,
    title: Option<&'p str>,
    canonical: Option<&'p str>,
    robots: Option<&'p str>,
    language: Option<&'p str>,
    links: &'p [String],
    main_text: Option<&'p str>,
    full_text: Option<&'p str>,
    language_declared: Option<&'p str>,
    language_detected: Option<&'p str>,
    canonicals: &'p [String],
    canonical_unusable: Option<&'static str>,
    hreflang: Vec<String>,
    refresh: Option<&'p str>,
    refresh_delay: Option<u32>,
    is_noindex: bool,
    extractor: Option<&'static str>,
    tokens: Option<i64>,
    blocks: usize,
    charset: Option<&'static str>,
    charset_source: Option<&'static str>,
    body_digest: String,
    facts_digest: Option<String>,
    fault: Option<&'static str>,
    fault_detail: Option<&'p str>,
}

pub(super) fn main(args: Args) -> Result<()> {
    let body = bytes(&args.file, args.html_bytes)?;
    let headers = args.headers.as_deref().map(|file| bytes(file, HEADERS_BYTES)).transpose()?;
    let headers = headers.as_deref().map(String::from_utf8_lossy);
    let source = Source {
        body: &body,
        is_decoded: false,
        url: &args.url,
        content_type: args.content_type.as_deref(),
        charset: None,
        headers: headers.as_deref(),
    };
    let limits =
        Limits { body_bytes: args.html_bytes, nodes: args.html_nodes, depth: args.html_depth };
    let read = html::parse(&source, &limits);
    print::json(&report(&body, &read, args.tokens_min))
}

/// Bytes of a file of headers that are read.
const HEADERS_BYTES: usize = 1 << 20;

/// At most one byte more than `most`, which then is one too many.
fn bytes(file: &str, most: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    let read = if file == "-" {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        fs::File::open(file).and_then(|file| file.take(most).read_to_end(&mut bytes))
    };
    match read {
        Ok(_) => Ok(bytes),
        Err(cause) => {
            Err(Error::new(Kind::Job, format!("{file}: {cause}, wanted a file that can be read")))
        }
    }
}

fn report<'p>(
    body: &[u8],
    read: &'p std::result::Result<Page, Fault>,
    tokens_min: i64,
) -> Report<'p> {
    let page = read.as_ref().ok();
    let fault = read.as_ref().err();
    let tokens = page.map(|page| tokens(&page.main_text));
    let refresh = page.and_then(|page| page.refresh.as_ref());
    Report {
        gate: page.map(|page| class(page, tokens.unwrap_or_default(), tokens_min)),
        title: page.and_then(|page| page.title.as_deref()),
        canonical: page.and_then(|page| page.canonical.as_deref()),
        robots: page.and_then(|page| page.robots.as_deref()),
        language: page.and_then(language),
        links: page.map_or(&[], |page| &page.links),
        main_text: page.map(|page| page.main_text.as_str()),
        full_text: page.map(|page| page.full_text.as_str()),
        language_declared: page.and_then(|page| page.language_declared.as_deref()),
        language_detected: page.and_then(|page| page.language_detected),
        canonicals: page.map_or(&[], |page| &page.canonicals),
        canonical_unusable: page.and_then(|page| page.canonical_unusable).map(|why| why.name()),
        hreflang: page
            .map(|page| page.hreflang.iter().map(ToString::to_string).collect())
            .unwrap_or_default(),
        refresh: refresh.map(|refresh| refresh.url.as_str()),
        refresh_delay: refresh.map(|refresh| refresh.delay_seconds),
        is_noindex: page.is_some_and(|page| page.is_noindex),
        extractor: page.map(|page| page.extractor.name()),
        tokens,
        blocks: page.map_or(0, |page| page.blocks.len()),
        charset: page.map(|page| page.charset),
        charset_source: page.map(|page| page.charset_source.name()),
        body_digest: hex(&html::body_digest(body)),
        facts_digest: page.map(|page| hex(&page.facts_digest)),
        fault: fault.map(|fault| fault.code.name()),
        fault_detail: fault.map(|fault| fault.detail.as_str()),
    }
}

/// The detected language, else the primary subtag of the declared one: shells of sites stamp theirs
/// on every page.
fn language(page: &Page) -> Option<&str> {
    let declared = page.language_declared.as_deref();
    page.language_detected.or(declared.and_then(|tag| tag.split('-').next()))
}

fn class(page: &Page, tokens: i64, tokens_min: i64) -> &'static str {
    gate(&Fetched {
        status: None,
        is_html: true,
        is_empty: tokens == 0 && page.main_text.trim().is_empty(),
        tokens,
        is_refresh: page.refresh.as_ref().is_some_and(|refresh| refresh.delay_seconds <= 1),
        is_extracted: page.extractor != Extractor::Failed,
        tokens_min,
    })
    .name()
}

fn tokens(text: &str) -> i64 {
    let mut normalised = Text::new();
    normalised.normalise(Rules::V1, text);
    let mut tokens = 0;
    normalised.tokens(|_, _| tokens += 1);
    tokens
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
