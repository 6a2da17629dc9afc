//! What became of the lines of a page that its host repeats.

use serde::{Deserialize, Serialize};

use super::report::Listed;
use crate::kernels::boilerplate::removed_text;
use crate::kernels::html;
use crate::kernels::text::Text;

/// Asks for a [`Found`].
pub(in crate::cli) const REMOVAL: &str = include_str!("../../../sql/explain/removal.sql");

/// Asks for [`Repeated`] blocks.
pub(in crate::cli) const REPEATED: &str = include_str!("../../../sql/explain/repeated_block.sql");

/// The removal of a page as the tables hold it.
#[derive(Deserialize)]
pub(in crate::cli) struct Found {
    verdict: String,
    removed_blocks: i64,
    removed: Vec<i64>,
    tokens_before: i64,
    tokens_after: i64,
    text: String,
}

/// A block that the host repeats.
#[derive(Deserialize)]
pub(in crate::cli) struct Repeated {
    block: i64,
    pages: i64,
    of_pages: i64,
    rule: String,
}

/// What became of the repeated lines of a page.
#[derive(Serialize)]
pub(in crate::cli) struct Removal {
    /// removed, kept_long, kept_whole or kept_frame.
    pub(in crate::cli) verdict: String,
    /// Lines that went.
    pub(in crate::cli) removed_blocks: i64,
    pub(in crate::cli) tokens_before: i64,
    pub(in crate::cli) tokens_after: i64,
    /// The lines that went, in the order of the page.
    pub(in crate::cli) removed: Listed<Line>,
    /// Repeated lines that stay.
    pub(in crate::cli) kept: Listed<Line>,
}

/// A repeated line, and how often the host repeats it.
#[derive(Debug, Serialize)]
pub(in crate::cli) struct Line {
    pub(in crate::cli) text: String,
    /// host, template or links: what counts it as repeated.
    pub(in crate::cli) rule: Option<String>,
    /// Distinct pages that hold it.
    pub(in crate::cli) pages: Option<i64>,
    /// Distinct pages of the host.
    pub(in crate::cli) of_pages: Option<i64>,
}

impl Removal {
    /// Finds the lines; lists have at most `limit` rows.
    pub(in crate::cli) fn of(found: Found, repeated: &[Repeated], limit: i64) -> Self {
        let is_gone = |block: &i64| found.removed.binary_search(block).is_ok();
        let blocks = repeated.iter().map(|repeated| repeated.block);
        let mut kept: Vec<i64> = blocks.filter(|block| !is_gone(block)).collect();
        kept.sort_unstable();
        let mut scratch = Text::new();
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut lines = |hashes: &[i64]| {
            let texts = removed_text(&found.text, hashes, &mut scratch);
            let total = i64::try_from(texts.len()).unwrap_or(i64::MAX);
            let texts = texts.into_iter().take(most);
            let shown = texts.map(|text| line(text, repeated, &mut scratch)).collect();
            Listed { total, shown }
        };
        let (removed, kept) = (lines(&found.removed), lines(&kept));
        Self {
            verdict: found.verdict,
            removed_blocks: found.removed_blocks,
            tokens_before: found.tokens_before,
            tokens_after: found.tokens_after,
            removed,
            kept,
        }
    }
}

fn line(text: String, repeated: &[Repeated], scratch: &mut Text) -> Line {
    let block = html::line_hash(scratch, &text).cast_signed();
    let known = repeated.iter().find(|repeated| repeated.block == block);
    Line {
        text,
        rule: known.map(|known| known.rule.clone()),
        pages: known.map(|known| known.pages),
        of_pages: known.map(|known| known.of_pages),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_lines_go_or_stay() {
        let hash = |text: &str| html::line_hash(&mut Text::new(), text).cast_signed();
        let found = Found {
            verdict: "removed".to_owned(),
            removed_blocks: 2,
            removed: vec![hash("share this")],
            tokens_before: 9,
            tokens_after: 5,
            text: "A head\nShare this\nA tale of the sea\nSHARE  this".to_owned(),
        };
        let repeated = ["share this", "a head"].map(|text| Repeated {
            block: hash(text),
            pages: 31,
            of_pages: 40,
            rule: "host".to_owned(),
        });
        let removal = Removal::of(found, &repeated, 1);
        assert_eq!((removal.removed.total, removal.removed.shown.len()), (2, 1));
        assert_eq!(removal.removed.shown[0].text, "Share this");
        assert_eq!(removal.removed.shown[0].pages, Some(31));
        assert_eq!((removal.kept.total, removal.kept.shown[0].text.as_str()), (1, "A head"));
    }
}
