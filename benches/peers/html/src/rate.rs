//! Pages per second of processor time: the extractor alone, and each version of the kernel.
//!
//! The ways take turns, some pages each, so that a machine that is busy elsewhere is as busy for
//! each; processor time is counted, and of the rounds the fastest.

use std::hint::black_box;

use dom_query::Document;

use crate::kernels::html::{self, Rules};
use crate::speed::{cpu_seconds, extract};
use crate::{LIMITS, row, source};

/// Rounds over all pages.
const ROUNDS: usize = 3;

/// Pages of one turn: processor time is told in steps of milliseconds.
const TURN: usize = 100;

/// Pages of a file that are read: every n-th, so that all hosts have their part.
const PAGES: usize = 3_000;

/// What is measured, and by what.
type Way = (&'static str, fn(&row::Page));

const WAYS: &[Way] = &[
    ("tree", |page| drop(black_box(Document::from(text(page).as_str())))),
    ("extractor", |page| extract(&text(page))),
    ("page v1", |page| drop(black_box(html::parse(&source(page), &LIMITS, Rules::V1)))),
    ("page v2", |page| drop(black_box(html::parse(&source(page), &LIMITS, Rules::V2)))),
];

fn text(page: &row::Page) -> String {
    String::from_utf8_lossy(&page.html).into_owned()
}

pub fn main(files: &[String]) {
    for file in files {
        let count = row::pages(file).count();
        let step = count.div_ceil(PAGES).max(1);
        let pages: Vec<row::Page> = row::pages(file).step_by(step).collect();
        let bytes: usize = pages.iter().map(|page| page.html.len()).sum();
        let mut best = [f64::INFINITY; WAYS.len()];
        for _ in 0..ROUNDS {
            let mut spent = [0.0; WAYS.len()];
            for pages in pages.chunks(TURN) {
                for ((_, way), spent) in WAYS.iter().zip(&mut spent) {
                    let start = cpu_seconds();
                    pages.iter().for_each(way);
                    *spent += cpu_seconds() - start;
                }
            }
            for (best, spent) in best.iter_mut().zip(spent) {
                *best = best.min(spent);
            }
        }
        let name = file.rsplit('/').next().unwrap_or(file);
        println!("{name}: {} pages, {} bytes on average", pages.len(), bytes / pages.len().max(1));
        let extractor = best.get(1).copied().unwrap_or_default();
        for ((name, _), spent) in WAYS.iter().zip(best) {
            println!(
                "  {name:<10} {:>6.0} pages/s  {:>8.0} ns a page  {:.2} of the extractor's rate",
                pages.len() as f64 / spent,
                spent / pages.len() as f64 * 1e9,
                extractor / spent,
            );
        }
        let mut counts = std::collections::BTreeMap::<&str, usize>::new();
        let mut asked = 0;
        for page in &pages {
            if let Ok(page) = html::parse(&source(page), &LIMITS, Rules::V2) {
                *counts.entry(page.extractor.name()).or_default() += 1;
                asked += usize::from(page.more.agreement_milli.is_some());
            }
        }
        println!("  main text from {counts:?}; second extractor asked of {asked}");
    }
}
