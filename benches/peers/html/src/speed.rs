//! Pages per second of processor time: the whole kernel beside the extractor alone.

use std::hint::black_box;

use dom_query::Document;
use dom_smoothie::{Config, Readability, TextMode};

use crate::kernels::html;
use crate::{LIMITS, RULES, row, source};

/// Rounds over all pages; the fastest counts.
const ROUNDS: usize = 5;

/// Processor time of this process in seconds.
pub fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    stat.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}

fn fastest(pages: &[row::Page], mut work: impl FnMut(&row::Page)) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = cpu_seconds();
        pages.iter().for_each(&mut work);
        best = best.min(cpu_seconds() - start);
    }
    pages.len() as f64 / best
}

pub fn extract(html: &str) {
    let config = Config { text_mode: TextMode::Formatted, ..Config::default() };
    let document = Document::from(html);
    let reader = Readability::with_document(document, None, Some(config));
    let _ = black_box(reader.unwrap().parse());
}

pub fn main(files: &[String]) {
    for file in files {
        let pages: Vec<row::Page> = row::pages(file).take(3_000).collect();
        let bytes: usize = pages.iter().map(|page| page.html.len()).sum();
        let texts = |page: &row::Page| String::from_utf8_lossy(&page.html).into_owned();
        let kernel = fastest(&pages, |page| {
            let _ = black_box(html::parse(&source(page), &LIMITS, RULES));
        });
        let extractor = fastest(&pages, |page| extract(&texts(page)));
        let tree = fastest(&pages, |page| drop(black_box(Document::from(texts(page)))));
        println!(
            "{}: {} pages, {} bytes on average: kernel {kernel:.0} pages/s, \
             extractor {extractor:.0}, tree {tree:.0}; kernel/extractor {:.2}",
            file.rsplit('/').next().unwrap_or(file),
            pages.len(),
            bytes / pages.len().max(1),
            kernel / extractor,
        );
    }
}
