//! Quality of the main text beside an expected one.
//!
//! F1 is the harmonic mean of mean precision and mean recall over multisets of runs of four words,
//! as `scrapinghub/article-extraction-benchmark` counts it. Resemblance is that of their sets.
//! With `--pages` each page has a line: by each way F1, resemblance, what the text was taken from,
//! and how much two extractors agree in thousandths.

use std::collections::BTreeMap;

use dom_query::Document;
use dom_smoothie::{Config, Readability, TextMode};

use crate::kernels::html::{self, Rules};
use crate::{LIMITS, row, source};

/// Words in a run.
const WIDTH: usize = 4;

#[derive(Default)]
struct Score {
    pages: f64,
    precision: f64,
    recall: f64,
    resemblance: f64,
    near: f64,
    empty: f64,
}

type Runs<'t> = BTreeMap<Vec<&'t str>, u32>;

fn runs(text: &str) -> Runs<'_> {
    let is_word = |sign: char| sign.is_alphanumeric() || sign == '_';
    let words: Vec<&str> =
        text.split(|sign| !is_word(sign)).filter(|word| !word.is_empty()).collect();
    let mut runs = Runs::new();
    for start in 0..words.len().saturating_sub(WIDTH - 1).max(1) {
        let run = words[start..words.len().min(start + WIDTH)].to_vec();
        if !run.is_empty() {
            *runs.entry(run).or_default() += 1;
        }
    }
    runs
}

impl Score {
    /// Adds a page; its F1 and its resemblance.
    fn add(&mut self, found: &str, wanted: &str) -> [f64; 2] {
        let (found, wanted) = (runs(found), runs(wanted));
        let shared: u32 =
            found.iter().map(|(run, count)| *count.min(wanted.get(run).unwrap_or(&0))).sum();
        let shared_sets = found.keys().filter(|run| wanted.contains_key(*run)).count();
        let joined = found.len() + wanted.len() - shared_sets;
        let (found_all, wanted_all): (u32, u32) = (found.values().sum(), wanted.values().sum());
        let share = |part: f64, whole: f64| if whole == 0.0 { 1.0 } else { part / whole };
        let resemblance = share(shared_sets as f64, joined as f64);
        self.pages += 1.0;
        let precision = share(shared.into(), found_all.into());
        let recall = share(shared.into(), wanted_all.into());
        self.precision += precision;
        self.recall += recall;
        self.resemblance += resemblance;
        self.near += f64::from(resemblance >= 0.8);
        self.empty += f64::from(found.is_empty());
        [2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE), resemblance]
    }

    fn print(&self, name: &str) {
        let [precision, recall] = [self.precision, self.recall].map(|sum| sum / self.pages);
        println!(
            "{name:<40} pages {:>4}  F1 {:.3}  P {precision:.3}  R {recall:.3}  \
             mean J {:.3}  J>=.8 {:.3}  empty {}",
            self.pages,
            2.0 * precision * recall / (precision + recall),
            self.resemblance / self.pages,
            self.near / self.pages,
            self.empty,
        );
    }
}

/// The main text by one of the ways that are compared, and what chose it.
fn main_text(way: &str, page: &row::Page) -> (String, String) {
    let rules = match way {
        "extractor" => return (article(&String::from_utf8_lossy(&page.html)), String::new()),
        "v1" => Rules::V1,
        _ => Rules::V2,
    };
    html::parse(&source(page), &LIMITS, rules).map_or_else(
        |fault| (String::new(), fault.code.name().to_owned()),
        |page| {
            let agreement = page.more.agreement_milli.map(|milli| milli.to_string());
            let chosen = [page.extractor.name(), agreement.as_deref().unwrap_or("-")].join(" ");
            (page.main_text, chosen)
        },
    )
}

/// The extractor's text, without anything of ours.
fn article(html: &str) -> String {
    let config = Config { text_mode: TextMode::Formatted, ..Config::default() };
    let reader = Readability::with_document(Document::from(html), None, Some(config));
    let article = reader.and_then(|mut reader| reader.parse());
    article.map_or(String::new(), |article| article.text_content.to_string())
}

/// Every set and type, by the extractor alone and by both rules; with `--pages` every page as well.
pub fn main(args: &[String]) {
    let is_each = args.iter().any(|arg| arg == "--pages");
    for file in args.iter().filter(|arg| *arg != "--pages") {
        let name = file.rsplit('/').next().unwrap_or(file);
        let mut scores: BTreeMap<(String, &str), Score> = BTreeMap::new();
        let mut worst = Vec::new();
        for page in row::pages(file).filter(|page| !page.wanted.is_empty()) {
            let mut line = format!("{name} {} {} {}", page.kind, page.id, page.url);
            for way in ["extractor", "v1", "v2"] {
                let (found, chosen) = main_text(way, &page);
                let mut of_page = [0.0; 2];
                for kind in [" all", &page.kind] {
                    of_page =
                        scores.entry((kind.to_owned(), way)).or_default().add(&found, &page.wanted);
                }
                let [f1, resemblance] = of_page;
                line += &format!("  {way} {f1:.3} {resemblance:.3} {chosen}");
                if way == "v2" {
                    worst.push((resemblance, page.id.clone(), page.url.clone()));
                }
            }
            if is_each {
                println!("{line}");
            }
        }
        for ((kind, way), score) in scores {
            score.print(&format!("{name} {kind} {way}"));
        }
        worst.sort_by(|left, right| left.0.total_cmp(&right.0));
        for (resemblance, id, url) in worst.iter().take(5) {
            println!("    lowest: {resemblance:.3} {id} {url}");
        }
    }
}
