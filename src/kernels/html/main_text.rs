//! The main text of a page: what an article says without menus, banners and lists of links.
//!
//! Source: Mozilla's Readability as written in dom_smoothie 0.19, text mode `Formatted`.

use dom_query::{Document, NodeId};
use dom_smoothie::{Config, Readability, TextMode};

/// The main text; none when there is none. Consumes the tree, which it changes, without `banners`.
pub(super) fn extract(document: Document, banners: &[NodeId]) -> Option<String> {
    for banner in banners {
        document.tree.remove_from_parent(banner);
    }
    let config =
        Config { text_mode: TextMode::Formatted, disable_json_ld: true, ..Config::default() };
    let mut reader = Readability::with_document(document, None, Some(config)).ok()?;
    let article = reader.parse().ok()?;
    let text = article.text_content.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
