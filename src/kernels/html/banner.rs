//! Banners that ask for consent to cookies: longer than a short article, and equal on a whole site.
//!
//! The extractor would take the longer text. A banner is known by the names its makers give it, in
//! `id` and `class`; an element that holds `main`, `article` or `h1` is none, whatever its name.
//! The foot of a site is one too, where its role says so.

use dom_query::{Element, local_name};

/// What follows or precedes `cookie` in the name of a banner.
const PARTS: &[&str] = &[
    "alert",
    "banner",
    "bar",
    "box",
    "consent",
    "dialog",
    "disclaimer",
    "info",
    "law",
    "message",
    "modal",
    "notice",
    "notification",
    "overlay",
    "popup",
    "privacy",
    "warning",
];

/// How the banners of the common makers start.
const MAKERS: &[&str] = &[
    "cmplz-cookiebanner",
    "cybotcookiebot",
    "didomi-",
    "onetrust-",
    "qc-cmp",
    "usercentrics-",
    "cc-window",
    "iubenda-cs-",
    "gdpr-consent",
    "consent-banner",
    "consent_banner",
];

/// Names that say that there is a banner elsewhere.
const ELSEWHERE: &[&str] = &["has-", "no-", "with-", "without-", "show-", "hide-"];

/// Whether the names of `element` are those of a banner.
pub(super) fn is_banner(element: &Element) -> bool {
    let mut roles =
        element.attrs.iter().filter(|attribute| attribute.name.local == local_name!("role"));
    if roles.any(|role| &*role.value == "contentinfo") {
        return true;
    }
    let named = element
        .attrs
        .iter()
        .filter(|attribute| matches!(attribute.name.local, names!("id" "class")));
    named.flat_map(|attribute| attribute.value.split_ascii_whitespace()).any(is_name)
}

fn is_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    if MAKERS.iter().any(|maker| name.starts_with(maker)) {
        return true;
    }
    name.contains("cookie")
        && !ELSEWHERE.iter().any(|start| name.starts_with(start))
        && PARTS.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[test]
    fn names_of_banners_are_known() {
        for name in
            ["cookie-consent", "CookieBanner", "onetrust-banner-sdk", "CybotCookiebotDialog"]
        {
            assert!(is_name(name), "{name}");
        }
        for name in ["cookies", "has-cookie-banner", "cookie-recipe", "consent", "banner"] {
            assert!(!is_name(name), "{name}");
        }
    }
}
