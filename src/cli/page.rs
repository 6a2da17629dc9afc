//! `page`: what one page says, by the kernels that a run reads pages with.

mod beside;

use std::fs;
use std::io::Read;

use clap::Args as ClapArgs;
use clap::builder::RangedU64ValueParser;
use serde::Serialize;

use super::explain::removal::{Line, Removal};
use super::{block_on, generation, print};
use crate::error::{Error, Kind, Result};
use crate::kernels::gate::{Seen, Verdict, judge};
use crate::kernels::html::{self, Extractor, Fact, Fault, Limits, Page, Source};
use crate::kernels::text::{Rules, Text};

/// Read one HTML page as a run would.
///
/// Prints one JSON object: the texts, the gate and what decided it, what the page declares and
/// states of itself (`facts`), the ids by which its owner is known (`ids`), its layout, and what
/// its host repeats and a run would remove (`removed_blocks`, with --beside). A page that a run
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
    /// Another page of the host; may be given many times. What enough of them repeat, by the bounds
    /// of the built-in job, is removed.
    #[arg(long, value_name = "FILE")]
    beside: Vec<String>,
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
    /// What decided the gate.
    gate_reason: Option<&'static str>,
    title: Option<&'p str>,
    heading: Option<&'p str>,
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
    /// Resemblance to the text of a second extractor; NULL where only one was asked.
    agreement: Option<f64>,
    tokens: Option<i64>,
    blocks: usize,
    /// What became of the lines that the host repeats; NULL where none is known to be repeated.
    removal: Option<&'p str>,
    removed_blocks: &'p [Line],
    /// Tokens when they are gone.
    tokens_after: Option<i64>,
    /// Statements of the page that are no ids.
    facts: Vec<Stated<'p>>,
    /// Ids, profiles and legal numbers of its owner.
    ids: Vec<Stated<'p>>,
    layout: Option<Layout>,
    /// Visible fields for a password.
    passwords: u32,
    /// Marks of walls and of parked domains.
    marks: &'p [&'static str],
    charset: Option<&'static str>,
    charset_source: Option<&'static str>,
    body_digest: String,
    facts_digest: Option<String>,
    fault: Option<&'static str>,
    fault_detail: Option<&'p str>,
}

/// Something that a page says.
#[derive(Debug, Serialize)]
struct Stated<'p> {
    kind: &'static str,
    value: &'p str,
    place: &'static str,
}

/// What a page is built of; NULL where it is hardly anything.
#[derive(Debug, Serialize)]
struct Layout {
    /// What frames it; equal within a host are pages of one template. Hex.
    template: Option<String>,
    /// Slots of the set of its tag paths. Hex.
    slots: Option<String>,
    /// Link text in its text.
    link_share: Option<f64>,
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
    let read = html::parse(&source, &limits, html::Rules::V2);
    let others = args.beside.iter().map(|file| bytes(file, args.html_bytes));
    let others = others.collect::<Result<Vec<_>>>()?;
    let removal = if others.is_empty() || read.is_err() {
        None
    } else {
        let headers = headers.as_deref().unwrap_or_default();
        let removal = beside::removal(&args, body.clone(), headers, others);
        block_on(generation::settings().threads, removal)?
    };
    print::json(&report(&args, &body, &read, removal.as_ref()))
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
    args: &Args,
    body: &[u8],
    read: &'p std::result::Result<Page, Fault>,
    removal: Option<&'p Removal>,
) -> Report<'p> {
    let page = read.as_ref().ok();
    let fault = read.as_ref().err();
    let tokens = page.map(|page| tokens(&page.main_text));
    let verdict = page.zip(tokens).map(|(page, tokens)| verdict(args, page, tokens));
    let refresh = page.and_then(|page| page.refresh.as_ref());
    let [facts, ids] = page.map(stated).unwrap_or_default();
    let hreflang = |page: &Page| page.hreflang.iter().map(ToString::to_string).collect();
    Report {
        gate: verdict.map(|verdict| verdict.gate.name()),
        gate_reason: verdict.map(|verdict| verdict.reason),
        title: page.and_then(|page| page.title.as_deref()),
        heading: page.and_then(|page| page.more.heading.as_deref()),
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
        hreflang: page.map(hreflang).unwrap_or_default(),
        refresh: refresh.map(|refresh| refresh.url.as_str()),
        refresh_delay: refresh.map(|refresh| refresh.delay_seconds),
        is_noindex: page.is_some_and(|page| page.is_noindex),
        extractor: page.map(|page| page.extractor.name()),
        agreement: page.and_then(|page| share(page.more.agreement_milli)),
        tokens,
        blocks: page.map_or(0, |page| page.blocks.len()),
        removal: removal.map(|removal| removal.verdict.as_str()),
        removed_blocks: removal.map_or(&[], |removal| &removal.removed.shown),
        tokens_after: removal.map_or(tokens, |removal| Some(removal.tokens_after)),
        facts,
        ids,
        layout: page.map(layout),
        passwords: page.map_or(0, |page| page.more.passwords),
        marks: page.map_or(&[], |page| &page.more.marks),
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

/// The gate as far as a page shows itself; a run also knows the other pages of its host.
fn verdict(args: &Args, page: &Page, tokens: i64) -> Verdict {
    let refresh = page.refresh.as_ref();
    judge(&Seen {
        status: None,
        is_html: true,
        is_empty: tokens == 0 && page.main_text.trim().is_empty(),
        tokens,
        tokens_min: args.tokens_min,
        is_refresh: refresh.is_some_and(|refresh| refresh.delay_seconds <= 1),
        is_extracted: page.extractor != Extractor::Failed,
        title: page.title.as_deref(),
        heading: page.more.heading.as_deref(),
        main_text: &page.main_text,
        full_text: &page.full_text,
        url: &args.url,
        final_url: refresh.map(|refresh| refresh.url.as_str()),
        passwords: i64::from(page.more.passwords),
        marks: &page.more.marks,
    })
}

/// What a page states: facts, and the ids of its owner.
fn stated(page: &Page) -> [Vec<Stated<'_>>; 2] {
    let (ids, facts): (Vec<&Fact>, Vec<&Fact>) =
        page.more.facts.iter().partition(|fact| is_id(fact.kind));
    [facts, ids].map(|facts| {
        let facts = facts.into_iter();
        facts
            .map(|fact| Stated { kind: fact.kind, value: &fact.value, place: fact.place })
            .collect()
    })
}

/// Whether a kind of fact is an id by which an owner is known.
fn is_id(kind: &str) -> bool {
    kind.starts_with("id.")
        || kind.starts_with("legal.")
        || matches!(kind, "social" | "twitter.site")
}

fn layout(page: &Page) -> Layout {
    Layout {
        template: page.more.template.map(|template| format!("{template:016x}")),
        slots: page.more.layout.map(|slots| hex(&slots)),
        link_share: share(page.more.link_share_milli),
    }
}

/// Thousandths as a share.
fn share(milli: Option<u32>) -> Option<f64> {
    milli.map(|milli| f64::from(milli) / 1000.0)
}

fn tokens(text: &str) -> i64 {
    let mut normalised = Text::new();
    normalised.normalise(Rules::V3, text);
    let mut tokens = 0;
    normalised.tokens(|_, _| tokens += 1);
    tokens
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Asked {
        #[command(flatten)]
        args: Args,
    }

    fn asked(arguments: &[&str]) -> Args {
        Asked::parse_from([&["page", "-"], arguments].concat()).args
    }

    fn read(body: &str) -> std::result::Result<Page, Fault> {
        let source = Source { body: body.as_bytes(), is_decoded: false, ..Source::default() };
        let limits = Limits { body_bytes: 1 << 20, nodes: 10_000, depth: 512 };
        html::parse(&source, &limits, html::Rules::V2)
    }

    fn page(number: usize, foot: &str) -> String {
        let word = |at: usize| format!("tale{number}word{at}");
        let text: Vec<_> = (0..60).map(word).collect();
        format!(
            "<html><head><title>Tale {number}</title></head><body><main><h1>Tale {number}</h1>\
             <p>{}.</p><p>{foot}</p></main><footer><p>Tales</p></footer></body></html>",
            text.join(" ")
        )
    }

    #[test]
    fn facts_are_told_from_ids() {
        let read = read(
            r#"<html><head><title>Shop</title>
            <meta property="og:type" content="article">
            <meta name="google-site-verification"
              content="k3Jx9aQmT7vYw2LpRs8Nd4HbZc6Ue1FgXo5Ki0Vt_Mw">
            </head><body><p>One tale of the sea.</p></body></html>"#,
        );
        let report = report(&asked(&[]), b"", &read, None);
        assert!(report.facts.iter().any(|fact| fact.kind == "og.type"), "{report:?}");
        assert!(report.ids.iter().all(|fact| is_id(fact.kind)) && !report.ids.is_empty());
        assert_eq!((report.gate, report.gate_reason), (Some("too_short"), Some("length")));
        assert!(report.removed_blocks.is_empty() && report.removal.is_none());
    }

    #[test]
    fn pages_beside_tell_what_the_host_repeats() {
        let foot = "Read all our tales in the order in which they were written";
        let own = page(0, foot).into_bytes();
        let beside = |pages: usize| {
            let others = (1..pages).map(|number| page(number, foot).into_bytes()).collect();
            let args = asked(&["--url", "http://a.example/tale"]);
            block_on(2, beside::removal(&args, own.clone(), "", others)).unwrap()
        };
        let removal = beside(8).unwrap();
        assert_eq!((removal.verdict.as_str(), removal.removed_blocks), ("removed", 1));
        let line = &removal.removed.shown[0];
        assert_eq!(line.text, foot);
        assert_eq!((line.pages, line.of_pages), (Some(8), Some(8)));
        assert_eq!(removal.tokens_before - removal.tokens_after, 12);
        assert!(beside(4).is_none());
    }
}
