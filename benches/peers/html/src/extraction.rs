//! Quality of the main text beside an expected one.
//!
//! F1 is the harmonic mean of mean precision and mean recall over multisets of runs of four words,
//! as `scrapinghub/article-extraction-benchmark` counts it. Resemblance is that of their sets.

use std::collections::BTreeMap;

use crate::kernels::html::{self, Page};
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

pub fn main(files: &[String]) {
    for file in files {
        let mut scores: BTreeMap<String, Score> = BTreeMap::new();
        let mut worst = Vec::new();
        for page in row::pages(file).filter(|page| !page.wanted.is_empty()) {
            let found = html::parse(&source(&page), &LIMITS);
            let found = found.as_ref().map_or("", |page: &Page| &page.main_text);
            let resemblance = scores.entry(" all".to_owned()).or_default().add(found, &page.wanted);
            scores.entry(page.kind.clone()).or_default().add(found, &page.wanted);
            worst.push((resemblance, page.id, page.url));
        }
        let name = file.rsplit('/').next().unwrap_or(file);
        for (kind, score) in scores {
            score.print(&format!("{name} {kind}"));
        }
        worst.sort_by(|left, right| left.0.total_cmp(&right.0));
        for (resemblance, id, url) in worst.iter().take(5) {
            println!("    lowest: {resemblance:.3} {id} {url}");
        }
    }
}
