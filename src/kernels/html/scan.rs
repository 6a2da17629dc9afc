//! The text of a page before a tree is built: what it would cost.

use std::borrow::Cow;

use super::{Code, Fault, Limits};

/// Bytes of the page in which a refresh may stand outside the head.
const EARLY_BYTES: usize = 32 << 10;

/// A text that may be parsed.
pub(super) struct Scan<'t> {
    pub(super) text: Cow<'t, str>,
    /// Tags `meta` in the first 32 KiB.
    pub(super) metas_early: usize,
}

pub(super) fn scan<'t>(text: &'t str, limits: &Limits) -> Result<Scan<'t>, Fault> {
    let bytes = text.as_bytes();
    let tags = bytes.windows(2).filter(|w| w[0] == b'<' && w[1].is_ascii_alphabetic()).count();
    if tags > limits.nodes {
        return Err(Fault::over(Code::Nodes, "tags", tags, limits.nodes));
    }
    let early = bytes.get(..bytes.len().min(EARLY_BYTES)).unwrap_or_default();
    let metas_early =
        early.windows(5).filter(|window| window.eq_ignore_ascii_case(b"<meta")).count();
    Ok(Scan { text: Cow::Borrowed(text), metas_early })
}
