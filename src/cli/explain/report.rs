//! What is known of one page; the fields are the contract of `--json`.

use serde::{Deserialize, Serialize};

use super::super::generation::Generation;
use super::super::print::Address;
use super::mirror::{self, Test};
use super::removal::{self, Removal};
use super::subject::{self, SetAside, Subject, text};
use super::versus::Versus;
use crate::error::Result;
use crate::job::Scalar;

const PAGE: &str = include_str!("../../../sql/explain/page.sql");
const MEMBER: &str = include_str!("../../../sql/explain/member.sql");
const KEY_PAGE: &str = include_str!("../../../sql/explain/key_page.sql");
const CANDIDATE: &str = include_str!("../../../sql/explain/candidate.sql");
const HOT_BUCKET: &str = include_str!("../../../sql/explain/hot_bucket.sql");
const EDGE: &str = include_str!("../../../sql/explain/edge.sql");
const EQUAL_TEXT: &str = include_str!("../../../sql/explain/equal_text.sql");
const BELOW: &str = include_str!("../../../sql/explain/below.sql");
const PAGE_FACT: &str = include_str!("../../../sql/explain/page_fact.sql");
const URL_EDGE: &str = include_str!("../../../sql/explain/url_edge.sql");
const STATEMENT: &str = include_str!("../../../sql/explain/page_statement.sql");
const EXCERPT: &str = include_str!("../../../sql/explain/excerpt.sql");
const IDENTITY: &str = include_str!("../../../sql/explain/identity.sql");
const CLUSTER: &str = include_str!("../../../sql/explain/cluster.sql");

/// Version of the fields below.
pub(super) const SCHEMA: u32 = 3;

/// Rows of a list, and how many there are in all.
#[derive(Serialize)]
pub(in crate::cli) struct Listed<T> {
    pub(in crate::cli) total: i64,
    pub(in crate::cli) shown: Vec<T>,
}

/// A row that carries the length of its list.
#[derive(Deserialize)]
pub(super) struct Counted<T> {
    total: i64,
    #[serde(flatten)]
    row: T,
}

impl<T> Listed<T> {
    pub(super) fn none() -> Self {
        Self { total: 0, shown: Vec::new() }
    }

    pub(super) fn of(rows: Vec<Counted<T>>) -> Self {
        let total = rows.first().map_or(0, |row| row.total);
        Self { total, shown: rows.into_iter().map(|row| row.row).collect() }
    }
}

/// The answer of `explain`.
#[derive(Serialize)]
pub(super) struct Report {
    explain_schema: u32,
    pub(super) root: String,
    pub(super) generation: u64,
    pub(super) asked: Address,
    pub(super) is_found: bool,
    /// url, id, url_key, page_id, or set_aside.
    pub(super) found_by: String,
    pub(super) key: Key,
    pub(super) set_aside: Vec<SetAside>,
    pub(super) identity: Option<Identity>,
    pub(super) page: Option<Page>,
    /// What an HTML page says of itself.
    pub(super) facts: Option<Facts>,
    /// What it states of itself and of its owner.
    pub(super) statements: Listed<Statement>,
    /// What became of the lines that its host repeats; NULL where it repeats none.
    pub(super) removal: Option<Removal>,
    /// What the key declares, and what declares it.
    pub(super) url_edges: Listed<UrlEdge>,
    pub(super) members: Listed<Member>,
    pub(super) key_pages: Listed<KeyPage>,
    pub(super) candidates: Option<Candidates>,
    pub(super) hot_buckets: Listed<HotBucket>,
    pub(super) equal_texts: Listed<Neighbour>,
    pub(super) edges_accepted: Listed<Edge>,
    pub(super) edges_refused: Listed<Edge>,
    pub(super) pairs_below: Listed<Below>,
    pub(super) excerpts: Listed<Excerpt>,
    /// Tests of its host, or of a part that holds it, with others.
    pub(super) mirror_tests: Listed<Test>,
    pub(super) cluster: Option<Cluster>,
    pub(super) resemblance_min: Option<f64>,
    pub(super) methods: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) versus: Option<Versus>,
}

/// The key, and the rules that made it of the URL.
#[derive(Serialize)]
pub(super) struct Key {
    /// The URL that the rules changed; NULL where there is only an id.
    pub(super) url: Option<Address>,
    pub(super) url_key: Option<Address>,
    pub(super) url_host_name: Option<String>,
    pub(super) rules: Vec<String>,
    pub(super) refused: Option<String>,
    pub(super) method: String,
}

/// What was measured of the page.
#[derive(Serialize, Deserialize)]
pub(super) struct Page {
    pub(super) page_id: String,
    pub(super) url_key: Address,
    pub(super) address: Option<Address>,
    pub(super) gate: String,
    /// What decided the gate; NULL in older generations.
    #[serde(default)]
    pub(super) gate_reason: Option<String>,
    /// Tokens of its text, before anything was removed.
    pub(super) tokens: i64,
    pub(super) text_digest: String,
    pub(super) simhash: Option<String>,
    pub(super) fetches: i64,
    pub(super) newest_ok: Option<String>,
    /// Pages that hold the same text, this one included.
    pub(super) equal_texts: i64,
    #[serde(skip_serializing)]
    pub(super) document: Option<i64>,
    /// The page that was compared in the name of all equal texts; NULL for an empty text.
    pub(super) document_page_id: Option<String>,
}

/// The answer of the run for the URL.
#[derive(Serialize, Deserialize)]
pub(super) struct Identity {
    pub(super) canonical_url: Address,
    /// Why another key stands for it; NULL where its resource has one key.
    pub(super) reason: Option<String>,
    pub(super) keys: Option<i64>,
    pub(super) representative_url: Option<Address>,
    pub(super) cluster: Option<String>,
    pub(super) owner: Option<String>,
    pub(super) gate: String,
    /// Main mirror of its host; NULL in older generations.
    #[serde(default)]
    pub(super) main_mirror: Option<Address>,
    /// Its address there, where that is another.
    #[serde(default)]
    pub(super) mirror_url: Option<Address>,
}

/// What an HTML page says of itself.
#[derive(Serialize, Deserialize)]
pub(super) struct Facts {
    pub(super) title: Option<String>,
    pub(super) heading: Option<String>,
    pub(super) canonical: Option<Address>,
    pub(super) canonicals: Vec<Address>,
    pub(super) robots: Option<String>,
    pub(super) language_declared: Option<String>,
    pub(super) language_detected: Option<String>,
    pub(super) hreflang: Vec<Address>,
    pub(super) final_url: Option<Address>,
    /// What the main text was taken from.
    pub(super) extractor: Option<String>,
    /// Resemblance to the text of a second extractor; NULL where only one was asked.
    pub(super) agreement: Option<f64>,
    /// Link text in its text.
    pub(super) link_share: Option<f64>,
    /// What frames it; equal within a host are pages of one template.
    pub(super) template: Option<String>,
    pub(super) links: i64,
    pub(super) charset: Option<String>,
    pub(super) charset_source: Option<String>,
    pub(super) body_digest: Option<String>,
    pub(super) fetch_status: Option<i32>,
}

/// A statement of a page.
#[derive(Serialize, Deserialize)]
pub(super) struct Statement {
    pub(super) kind: String,
    pub(super) value: String,
    pub(super) place: String,
}

/// A longer page that holds the text, or a shorter one that the text holds.
#[derive(Serialize, Deserialize)]
pub(super) struct Excerpt {
    /// held_by or holds.
    pub(super) relation: String,
    pub(super) page_id: String,
    pub(super) address: Option<Address>,
    /// Share of the shorter text in the longer one.
    pub(super) containment: f64,
    /// Share of the longer text in the shorter one.
    pub(super) containment_whole: f64,
    pub(super) is_same_host: bool,
    /// sample, bucket or declared.
    pub(super) source: String,
}

/// A redirect, refresh or canonical from one key to another.
#[derive(Serialize, Deserialize)]
pub(super) struct UrlEdge {
    pub(super) url_key: Address,
    pub(super) kind: String,
    pub(super) target_url: Address,
    /// Where the target's own redirects end.
    pub(super) final_key: Option<Address>,
    pub(super) fetch_status: Option<i32>,
    pub(super) resemblance: Option<f64>,
    /// accepted or refused.
    pub(super) outcome: String,
    /// Why it joins nothing.
    pub(super) refused: Option<String>,
}

/// Equal input rows of the page.
#[derive(Serialize, Deserialize)]
pub(super) struct Member {
    pub(super) url: Option<Address>,
    pub(super) id: Option<Address>,
    pub(super) multiplicity: i64,
}

/// A page under the key.
#[derive(Serialize, Deserialize)]
pub(super) struct KeyPage {
    pub(super) page_id: String,
    pub(super) gate: String,
    pub(super) tokens: i64,
    pub(super) fetches: i64,
    pub(super) newest_ok: Option<String>,
    /// Whether it is the page that is explained.
    #[serde(default)]
    pub(super) is_current: bool,
}

/// Candidate pairs of the document, counted.
#[derive(Serialize, Deserialize)]
pub(super) struct Candidates {
    pub(super) met: i64,
    pub(super) met_by_simhash_alone: i64,
    pub(super) met_by_sample_alone: i64,
    /// Left out by the estimate.
    pub(super) dropped: i64,
    pub(super) verified: i64,
}

/// A bucket of the document that was too large for all its pairs.
#[derive(Serialize, Deserialize)]
pub(super) struct HotBucket {
    pub(super) bucket: String,
    pub(super) source: String,
    pub(super) documents: i64,
    pub(super) pairs_possible: i64,
    pub(super) pairs_emitted: i64,
}

/// Another page.
#[derive(Serialize, Deserialize)]
pub(super) struct Neighbour {
    pub(super) page_id: String,
    pub(super) address: Option<Address>,
}

/// An edge to another page.
#[derive(Serialize, Deserialize)]
pub(super) struct Edge {
    pub(super) page_id: String,
    pub(super) address: Option<Address>,
    /// same_content or partial_content, with _same_layout; resemblance in older generations.
    pub(super) kind: String,
    /// What decides the least resemblance; NULL in older generations.
    pub(super) class: Option<String>,
    /// merge, group, suggest or none; NULL in older generations.
    pub(super) tier: Option<String>,
    /// bucket, declared or closure.
    pub(super) source: String,
    pub(super) resemblance: f64,
    /// Share of the own shingles in the other text.
    pub(super) containment_own: f64,
    /// Share of the other's shingles in this text.
    pub(super) containment_other: f64,
    pub(super) hamming: i64,
    pub(super) shared_bands: Option<i64>,
    pub(super) shared_blocks: Option<i64>,
    /// Words that differ; NULL when they are too many, or no guard looked.
    pub(super) words: Option<i64>,
    /// What the numbers that differ are.
    pub(super) numbers: Option<String>,
    /// Estimated resemblance of the layouts.
    pub(super) layout: Option<f64>,
    /// accepted or refused.
    pub(super) outcome: String,
    pub(super) guard: Option<String>,
}

/// A verified pair below the threshold.
#[derive(Serialize, Deserialize)]
pub(super) struct Below {
    pub(super) page_id: String,
    pub(super) address: Option<Address>,
    pub(super) resemblance: f64,
}

/// The cluster of the page, and the component that it was cut from.
#[derive(Serialize, Deserialize)]
pub(super) struct Cluster {
    /// NULL for an empty text.
    pub(super) cluster: Option<String>,
    pub(super) members: i64,
    pub(super) pages: i64,
    pub(super) medoid_page_id: Option<String>,
    pub(super) medoid_url: Option<Address>,
    pub(super) representative_page_id: Option<String>,
    pub(super) representative_url: Option<Address>,
    pub(super) is_representative: bool,
    pub(super) reason: String,
    pub(super) resemblance_medoid: Option<f64>,
    pub(super) resemblance_representative: Option<f64>,
    /// merge or group: what it is to the medoid.
    pub(super) tier: Option<String>,
    pub(super) component: Option<String>,
    pub(super) component_members: i64,
    pub(super) component_pages: i64,
    pub(super) component_clusters: i64,
}

impl Report {
    /// Reads all that the generation holds of `subject`; lists have at most `limit` rows.
    pub(super) async fn of(open: &Generation, subject: &Subject, limit: i64) -> Result<Self> {
        let mut report = Self::empty(open, subject);
        let Some(found) = subject.pages.first() else {
            report.set_key(open, subject).await?;
            return Ok(report);
        };
        let page_id = ("page_id", text(found.page_id.as_str()));
        let limited = ("limit", Scalar::Int(limit));
        let of_page = [page_id.clone(), limited.clone()];
        report.page = open.rows(PAGE, &of_page[..1]).await?.into_iter().next();
        report.cluster = open.rows(CLUSTER, &of_page[..1]).await?.into_iter().next();
        report.members = Listed::of(open.rows(MEMBER, &of_page).await?);
        report.facts = open.rows(PAGE_FACT, &of_page[..1]).await?.into_iter().next();
        report.statements = Listed::of(open.rows(STATEMENT, &of_page).await?);
        report.set_removal(open, &of_page[..1], limit).await?;
        let of_key = [("url_key", text(found.url_key.raw())), limited.clone()];
        report.url_edges = Listed::of(open.rows(URL_EDGE, &of_key).await?);
        report.mirror_tests = mirror::tests(open, found.url_key.raw(), limit).await?;
        let asked = [("asked", text(subject.asked.raw())), of_key[0].clone()];
        report.identity = open.rows(IDENTITY, &asked).await?.into_iter().next();
        report.key_pages = Listed::of(open.rows(KEY_PAGE, &of_key).await?);
        for page in &mut report.key_pages.shown {
            page.is_current = page.page_id == found.page_id;
        }
        report.set_key(open, subject).await?;
        report.set_pairs(open, page_id, limited).await?;
        Ok(report)
    }

    fn empty(open: &Generation, subject: &Subject) -> Self {
        let found_by = subject.pages.first().map_or("set_aside", |found| &found.found_by);
        let set_aside = subject.set_aside.iter().map(|row| SetAside {
            reason: row.reason.clone(),
            detail: row.detail.clone(),
            input_file: row.input_file.clone(),
            file_row: row.file_row,
        });
        let methods = &open.manifest.methods;
        let key_method = methods.iter().find(|name| name.starts_with("url_key_v"));
        Self {
            explain_schema: SCHEMA,
            root: open.store.root(),
            generation: open.manifest.generation,
            asked: subject.asked.clone(),
            is_found: true,
            found_by: found_by.to_owned(),
            key: Key {
                url: None,
                url_key: subject.pages.first().map(|found| found.url_key.clone()),
                url_host_name: None,
                rules: Vec::new(),
                refused: None,
                method: key_method.cloned().unwrap_or_default(),
            },
            set_aside: set_aside.collect(),
            identity: None,
            page: None,
            facts: None,
            statements: Listed::none(),
            removal: None,
            url_edges: Listed::none(),
            members: Listed::none(),
            key_pages: Listed::none(),
            candidates: None,
            hot_buckets: Listed::none(),
            equal_texts: Listed::none(),
            edges_accepted: Listed::none(),
            edges_refused: Listed::none(),
            pairs_below: Listed::none(),
            excerpts: Listed::none(),
            mirror_tests: Listed::none(),
            cluster: None,
            resemblance_min: resemblance_min(open),
            methods: methods.clone(),
            versus: None,
        }
    }

    /// The rules that applied to the URL: the one that was asked for, else the first of the page.
    async fn set_key(&mut self, open: &Generation, subject: &Subject) -> Result<()> {
        let is_asked = matches!(self.found_by.as_str(), "url" | "url_key" | "set_aside");
        let (url, found) = if is_asked && !subject.asked.raw().starts_with("id:") {
            (subject.asked.clone(), None)
        } else {
            let Some(url) = self.members.shown.iter().find_map(|member| member.url.clone()) else {
                return Ok(());
            };
            let key = subject::key(open, &url).await?;
            (url, Some(key))
        };
        let found = found.as_ref().unwrap_or(&subject.key);
        self.key.url_host_name.clone_from(&found.url_host_name);
        self.key.rules.clone_from(&found.rules);
        self.key.refused.clone_from(&found.refused);
        self.key.url = Some(url);
        Ok(())
    }

    /// The lines of its main text that its host repeats.
    async fn set_removal(
        &mut self,
        open: &Generation,
        of_page: &[(&str, Scalar)],
        limit: i64,
    ) -> Result<()> {
        let found: Vec<removal::Found> = open.rows(removal::REMOVAL, of_page).await?;
        if let Some(found) = found.into_iter().next() {
            let repeated: Vec<removal::Repeated> = open.rows(removal::REPEATED, of_page).await?;
            self.removal = Some(Removal::of(found, &repeated, limit));
        }
        Ok(())
    }

    /// The pairs of the document: met, dropped, below the threshold, edges, equal texts.
    async fn set_pairs(
        &mut self,
        open: &Generation,
        page_id: (&str, Scalar),
        limited: (&str, Scalar),
    ) -> Result<()> {
        let Some(page) = &self.page else { return Ok(()) };
        let (Some(document), Some(delegate)) = (page.document, &page.document_page_id) else {
            return Ok(());
        };
        let document = [("document", Scalar::Int(document)), limited.clone(), page_id];
        self.candidates = open.rows(CANDIDATE, &document[..1]).await?.into_iter().next();
        self.hot_buckets = Listed::of(open.rows(HOT_BUCKET, &document[..2]).await?);
        self.pairs_below = Listed::of(open.rows(BELOW, &document[..2]).await?);
        self.excerpts = Listed::of(open.rows(EXCERPT, &document[..2]).await?);
        self.equal_texts = Listed::of(open.rows(EQUAL_TEXT, &document).await?);
        let of_delegate = [("page_id", text(delegate.as_str())), limited];
        let edges: Vec<Counted<Edge>> = open.rows(EDGE, &of_delegate).await?;
        let (accepted, refused) = edges.into_iter().partition(|edge| edge.row.guard.is_none());
        self.edges_accepted = Listed::of(accepted);
        self.edges_refused = Listed::of(refused);
        Ok(())
    }
}

/// Least resemblance of an edge, as the generation was made with.
fn resemblance_min(open: &Generation) -> Option<f64> {
    let milli = open.manifest.table("edge")?.recipe.params.get("resemblance_min_milli")?;
    Some(milli.parse::<f64>().ok()? / 1000.0)
}
