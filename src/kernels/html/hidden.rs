//! Hidden elements: those that an attribute or an inline style takes out of sight.
//!
//! Not for style sheets and scripts, which are not read.
//!
//! Source: WHATWG HTML §6.1 (the `hidden` attribute).

use dom_query::{Element, local_name};

/// Whether an attribute or an inline style hides the element; what holds all text is never hidden.
pub(super) fn is_hidden(element: &Element) -> bool {
    if matches!(element.name.local, names!("html" "body" "main" "article")) {
        return false;
    }
    element.attrs.iter().any(|attribute| match attribute.name.local {
        local_name!("hidden") => !attribute.value.eq_ignore_ascii_case("until-found"),
        local_name!("style") => hides(&attribute.value),
        _ => false,
    })
}

fn hides(style: &str) -> bool {
    let mut parts = style.split(';').filter_map(|part| part.split_once(':'));
    parts.any(|(name, value)| {
        name.trim().eq_ignore_ascii_case("display")
            && value.trim().get(..4).is_some_and(|start| start.eq_ignore_ascii_case("none"))
    })
}
