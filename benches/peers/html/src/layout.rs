//! Templates of hosts, and how layouts resemble one another within hosts and across them.

use std::collections::BTreeMap;

use crate::kernels::html::{self, layout_resemblance};
use crate::{LIMITS, RULES, row, source};

/// Pairs of pages that are compared, within each host and across.
const PAIRS: usize = 2_000;

/// The layout of a page, and its template.
type Seen = ([u8; html::LAYOUT_SLOTS], u64);

fn host(page: &row::Page) -> String {
    let after = page.url.split_once("//").map_or(page.url.as_str(), |(_, after)| after);
    after.split('/').next().unwrap_or_default().to_owned()
}

fn shown(name: &str, mut found: Vec<u32>) {
    found.sort_unstable();
    let at = |part: usize| found.get(found.len() * part / 100).copied().unwrap_or_default();
    println!("{name}: of 64 slots 5 % {} median {} 95 % {}", at(5), at(50), at(95));
}

/// Prints how the pages of a host fall into templates of `sizes`.
fn host_line(host: &str, pages: usize, mut sizes: Vec<usize>) {
    sizes.sort_unstable_by(|left, right| right.cmp(left));
    let mut sum = 0;
    let most = sizes.iter().take_while(|size| {
        let is_open = sum * 10 < pages * 9;
        sum += **size;
        is_open
    });
    let most = most.count();
    let share = |count: usize| sizes.iter().take(count).sum::<usize>() * 100 / pages;
    let (first, ten) = (share(1), share(10));
    println!("{host:<40} {pages:>6} {:>9} {most:>5} {first:>4}% {ten:>4}%", sizes.len());
}

pub fn main(files: &[String]) {
    let mut hosts: BTreeMap<String, Vec<Seen>> = BTreeMap::new();
    let mut without = 0;
    for page in files.iter().flat_map(|file| row::pages(file)) {
        let Ok(found) = html::parse(&source(&page), &LIMITS, RULES) else { continue };
        match (found.more.layout, found.more.template) {
            (Some(layout), Some(template)) => {
                hosts.entry(host(&page)).or_default().push((layout, template));
            }
            _ => without += 1,
        }
    }
    let mut within = Vec::new();
    let mut owners: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    println!(
        "{:<40} {:>6} {:>9} {:>5} {:>5} {:>5}",
        "host", "pages", "templates", "90%", "top", "top10"
    );
    for (host, pages) in &hosts {
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        for (_, template) in pages {
            *counts.entry(*template).or_default() += 1;
        }
        for template in counts.keys() {
            owners.entry(*template).or_default().push(host);
        }
        host_line(host, pages.len(), counts.into_values().collect());
        let step = (pages.len() / PAIRS).max(1);
        let pairs = pages.iter().step_by(step).zip(pages.iter().skip(pages.len() / 2));
        within.extend(pairs.map(|(left, right)| layout_resemblance(&left.0, &right.0)));
    }
    shown("within a host", within);
    let all: Vec<(usize, &Seen)> = hosts
        .values()
        .enumerate()
        .flat_map(|(at, pages)| pages.iter().map(move |p| (at, p)))
        .collect();
    let across = all.iter().zip(all.iter().skip(all.len() / 3)).filter(|(l, r)| l.0 != r.0);
    shown("across hosts", across.map(|(l, r)| layout_resemblance(&l.1.0, &r.1.0)).collect());
    let shared = owners.values().filter(|owners| owners.len() > 1).count();
    println!("templates of several hosts: {shared}; pages without a layout: {without}");
    let mut groups: BTreeMap<String, usize> = BTreeMap::new();
    for owners in owners.values().filter(|owners| owners.len() > 1) {
        *groups.entry(owners.join(" ")).or_default() += 1;
    }
    for (owners, count) in groups {
        println!("  {count} shared by {owners}");
    }
}
