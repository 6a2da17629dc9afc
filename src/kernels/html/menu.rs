//! Menus: elements that help to find pages and say nothing of their own.
//!
//! Known by element, by role, or by a whole name in `id` and `class`; an element that is merely
//! *with* a sidebar is none.
//!
//! Source: HTML's sectioning elements and WAI-ARIA's landmark roles; the names are those that
//! themes and generators of documentation share.

use dom_query::{Element, local_name};

/// Roles of landmarks that hold no content.
const ROLES: &[&str] = &["contentinfo", "menu", "menubar", "navigation", "search", "toolbar"];

/// Whole names of elements that hold no content.
const NAMES: &[&str] = &[
    "breadcrumb",
    "breadcrumbs",
    "copyright",
    "copyright-footer",
    "footer",
    "menu",
    "nav",
    "navbar",
    "navfooter",
    "navheader",
    "navigation",
    "pager",
    "pagination",
    "page-footer",
    "sidebar",
    "site-footer",
    "sphinxsidebar",
    "toc",
];

/// Whether `element` is a menu.
pub(super) fn is_menu(element: &Element) -> bool {
    let name = &element.name.local;
    if matches!(*name, names!("html" "body" "main" "article")) {
        return false;
    }
    matches!(*name, names!("aside" "dialog" "footer" "menu" "nav" "search"))
        || element.attrs.iter().any(|attribute| match attribute.name.local {
            local_name!("role") => is_one(&attribute.value, ROLES),
            names!("id" "class") => is_one(&attribute.value, NAMES),
            _ => false,
        })
}

fn is_one(value: &str, known: &[&str]) -> bool {
    let mut words = value.split_ascii_whitespace().filter(|word| is_likely(word));
    words.any(|word| known.iter().any(|name| name.eq_ignore_ascii_case(word)))
}

/// Whether a word starts and is as long as some name; most are not, and most pages have thousands.
fn is_likely(word: &str) -> bool {
    let first = word.as_bytes().first().map(u8::to_ascii_lowercase);
    matches!(first, Some(b'b' | b'c' | b'f' | b'm' | b'n' | b'p' | b's' | b't'))
        && (3..=16).contains(&word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_likely() {
        assert!(NAMES.iter().chain(ROLES).all(|name| is_likely(name)));
        assert!(is_one("wide NavBar", NAMES) && !is_one("with-sidebar navel", NAMES));
    }
}
