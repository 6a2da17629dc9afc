//! A table of declared canonical URLs: what is followed and what is not.

use crate::kernels::html;
use crate::kernels::url::{Key, Policy, canonical_key};
use crate::{LIMITS, RULES, row, source};

pub fn main(files: &[String]) {
    println!("| page | class | declared | usable | reason |\n| --- | --- | --- | --- | --- |");
    for page in files.iter().flat_map(|file| row::pages(file)) {
        let Ok(found) = html::parse(&source(&page), &LIMITS, RULES) else { continue };
        let (mut own, mut other) = (Key::new(), Key::new());
        let is_self = found.canonical.as_ref().is_some_and(|canonical| {
            canonical_key(&page.url, Policy::SAFE, &mut own).is_ok()
                && canonical_key(canonical, Policy::SAFE, &mut other).is_ok()
                && own.as_str() == other.as_str()
        });
        let reason = match (found.canonical_unusable, is_self) {
            (Some(why), _) => why.name(),
            (None, true) => "self",
            (None, false) if found.canonical.is_none() => "none declared",
            (None, false) => "",
        };
        println!(
            "| {} | {} | {} | {} | {reason} |",
            page.id,
            page.kind,
            found.canonicals.join(" "),
            if found.canonical.is_some() { "yes" } else { "no" },
        );
    }
}
