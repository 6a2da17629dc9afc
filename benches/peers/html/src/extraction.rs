//! Quality of the main text beside an expected one.
//!
//! F1 is the harmonic mean of mean precision and mean recall over multisets of runs of four words,
//! as `scrapinghub/article-extraction-benchmark` counts it. Resemblance is that of their sets.

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
    fn add(&mut self, found: &str, wanted: &str) -> f64 {
        let (found, wanted) = (runs(found), runs(wanted));
        let shared: u32 =
            found.iter().map(|(run, count)| *count.min(wanted.get(run).unwrap_or(&0))).sum();
        let shared_sets = found.keys().filter(|run| wanted.contains_key(*run)).count();
        let joined = found.len() + wanted.len() - shared_sets;
        let (found_all, wanted_all): (u32, u32) = (found.values().sum(), wanted.values().sum());
        let share = |part: f64, whole: f64| if whole == 0.0 { 1.0 } else { part / whole };
        let resemblance = share(shared_sets as f64, joined as f64);
        self.pages += 1.0;
        self.precision += share(shared.into(), found_all.into());
        self.recall += share(shared.into(), wanted_all.into());
        self.resemblance += resemblance;
        self.near += f64::from(resemblance >= 0.8);
        self.empty += f64::from(found.is_empty());
        resemblance
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

/// The main text by one of the ways that are compared.
fn main_text(way: &str, page: &row::Page) -> String {
    let rules = match way {
        "extractor" => return article(&String::from_utf8_lossy(&page.html)),
        "v1" => Rules::V1,
        _ => Rules::V2,
    };
    html::parse(&source(page), &LIMITS, rules).map_or(String::new(), |page| page.main_text)
}

/// The extractor's text, without anything of ours.
fn article(html: &str) -> String {
    let config = Config { text_mode: TextMode::Formatted, ..Config::default() };
    let reader = Readability::with_document(Document::from(html), None, Some(config));
    let article = reader.and_then(|mut reader| reader.parse());
    article.map_or(String::new(), |article| article.text_content.to_string())
}

/// Every set and type, by the extractor alone and by both rules.
pub fn main(files: &[String]) {
    for file in files {
        let mut scores: BTreeMap<(String, &str), Score> = BTreeMap::new();
        let mut worst = Vec::new();
        for page in row::pages(file).filter(|page| !page.wanted.is_empty()) {
            for way in ["extractor", "v1", "v2"] {
                let found = main_text(way, &page);
                for kind in [" all", &page.kind] {
                    let score = scores.entry((kind.to_owned(), way)).or_default();
                    let resemblance = score.add(&found, &page.wanted);
                    if way == "v2" && kind == " all" {
                        worst.push((resemblance, page.id.clone(), page.url.clone()));
                    }
                }
            }
        }
        let name = file.rsplit('/').next().unwrap_or(file);
        for ((kind, way), score) in scores {
            score.print(&format!("{name} {kind} {way}"));
        }
        worst.sort_by(|left, right| left.0.total_cmp(&right.0));
        for (resemblance, id, url) in worst.iter().take(5) {
            println!("    lowest: {resemblance:.3} {id} {url}");
        }
    }
}
