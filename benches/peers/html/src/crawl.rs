//! Every page of a crawl: faults, classes, and one digest of all results.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::Xxh3;

use crate::kernels::html::{self, Extractor};
use crate::{LIMITS, RULES, row, source};

pub fn main(files: &[String]) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut digest = Xxh3::new();
    let mut shown = 0;
    let mut count = |name: String| *counts.entry(name).or_default() += 1;
    for page in files.iter().flat_map(|file| row::pages(file)) {
        count("pages".to_owned());
        let found = html::parse(&source(&page), &LIMITS, RULES);
        digest.update(format!("{found:?}").as_bytes());
        match found {
            Err(fault) => {
                count(format!("fault {}", fault.code.name()));
                println!("{} {} {fault}", page.url, page.html.len());
            }
            Ok(found) => {
                count(format!("charset {} {}", found.charset_source.name(), found.charset));
                count(format!("language {:?}", found.language_detected));
                for (name, is) in [
                    ("canonical", found.canonical.is_some()),
                    ("refresh", found.refresh.is_some()),
                    ("noindex", found.is_noindex),
                    ("replacement", found.full_text.contains('\u{fffd}')),
                    ("not extracted", found.extractor == Extractor::Failed),
                    ("empty", found.main_text.is_empty()),
                    ("no title", found.title.is_none()),
                ] {
                    if is {
                        count(format!("has {name}"));
                    }
                }
                if let Some(why) = found.canonical_unusable {
                    count(format!("canonical unusable {}", why.name()));
                    println!("{} {} {:?}", page.url, why.name(), found.canonicals);
                }
                if found.extractor == Extractor::Failed && shown < 20 {
                    shown += 1;
                    println!(
                        "not extracted: {} {:.80}",
                        page.url,
                        found.full_text.replace('\n', " ")
                    );
                }
            }
        }
    }
    for (name, number) in counts {
        println!("{number:>8}  {name}");
    }
    println!("digest {:016x}", digest.digest());
}
