//! The gate: which fetched pages may be compared.
//!
//! An error page, a redirect or an empty page says nothing about what a site holds; compared, such
//! pages would all be one document. The gate names the class of each; only `Ok` is compared.
//!
//! In version 1 the first class that fits decides, in the order of [`Gate::ALL`]; version 2,
//! [`judge()`], also reads what a page says.

mod judge;
mod phrase;

pub use judge::{MARKS, Seen, Verdict, judge, marks_of};

/// A page that sends its reader on is a redirect only when it has fewer tokens than this.
pub const REDIRECT_TOKENS: i64 = 50;

/// The class of a fetched page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gate {
    /// The status is 301, 302, 303, 307 or 308; or the page sends its reader on within a second
    /// and holds fewer than [`REDIRECT_TOKENS`].
    Redirect,
    /// The status is known and neither a success nor one of those.
    HttpError,
    /// The page has text, and the extractor found no main text in it.
    ExtractFailed,
    /// There is no text.
    Empty,
    /// An HTML page with fewer tokens than the job wants.
    TooShort,
    /// A missing page that is answered as if it were there.
    Soft404,
    /// A page that wants its reader to sign in.
    LoginWall,
    /// A page that wants its reader to agree to something first.
    ConsentWall,
    /// A page for readers that are taken for programs.
    BotBlock,
    /// A domain without a site: for sale, expired, not yet set up.
    Parked,
    /// A site that is being worked on.
    Maintenance,
    /// An address of a space without end. Decided by the addresses of a host.
    InfiniteSpace,
    /// A page that unrelated sites show alike. Decided by many hosts.
    GlobalBoilerplate,
    /// The page may be compared.
    Ok,
}

impl Gate {
    /// Every class; version 1 tries its own in this order.
    pub const ALL: [Gate; 14] = [
        Gate::Redirect,
        Gate::HttpError,
        Gate::ExtractFailed,
        Gate::Empty,
        Gate::TooShort,
        Gate::Soft404,
        Gate::LoginWall,
        Gate::ConsentWall,
        Gate::BotBlock,
        Gate::Parked,
        Gate::Maintenance,
        Gate::InfiniteSpace,
        Gate::GlobalBoilerplate,
        Gate::Ok,
    ];

    /// The stable name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Gate::Redirect => "redirect",
            Gate::HttpError => "http_error",
            Gate::ExtractFailed => "extract_failed",
            Gate::Empty => "empty",
            Gate::TooShort => "too_short",
            Gate::Soft404 => "soft404",
            Gate::LoginWall => "login_wall",
            Gate::ConsentWall => "consent_wall",
            Gate::BotBlock => "bot_block",
            Gate::Parked => "parked",
            Gate::Maintenance => "maintenance",
            Gate::InfiniteSpace => "infinite_space",
            Gate::GlobalBoilerplate => "global_boilerplate",
            Gate::Ok => "ok",
        }
    }
}

/// What the gate looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The HTTP status; none where the crawl did not keep it.
    pub status: Option<i32>,
    /// Whether the row came as HTML, not as text.
    pub is_html: bool,
    /// Whether the main text is empty once normalised.
    pub is_empty: bool,
    /// Tokens of the main text.
    pub tokens: i64,
    /// Whether the page sends its reader elsewhere within a second.
    pub is_refresh: bool,
    /// Whether the extractor found what there was.
    pub is_extracted: bool,
    /// Fewer tokens than this are too short for an HTML page.
    pub tokens_min: i64,
}

/// The class of a fetched page by version 1.
pub fn gate(page: &Fetched) -> Gate {
    let is_sent_on = page.is_refresh && page.tokens < REDIRECT_TOKENS;
    match page.status {
        Some(301 | 302 | 303 | 307 | 308) => Gate::Redirect,
        Some(status) if !(200..300).contains(&status) && status != 304 => Gate::HttpError,
        _ if is_sent_on => Gate::Redirect,
        _ if !page.is_extracted => Gate::ExtractFailed,
        _ if page.is_empty => Gate::Empty,
        _ if page.is_html && page.tokens < page.tokens_min => Gate::TooShort,
        _ => Gate::Ok,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: Fetched = Fetched {
        status: Some(200),
        is_html: true,
        is_empty: false,
        tokens: 100,
        is_refresh: false,
        is_extracted: true,
        tokens_min: 10,
    };

    #[test]
    fn the_first_class_that_fits_decides() {
        for (page, wanted) in [
            (PAGE, "ok"),
            (Fetched { status: None, ..PAGE }, "ok"),
            (Fetched { status: Some(304), ..PAGE }, "ok"),
            (Fetched { status: Some(301), is_empty: true, ..PAGE }, "redirect"),
            (Fetched { status: Some(308), ..PAGE }, "redirect"),
            (Fetched { status: Some(300), ..PAGE }, "http_error"),
            (Fetched { status: Some(404), is_refresh: true, tokens: 3, ..PAGE }, "http_error"),
            (Fetched { status: Some(0), ..PAGE }, "http_error"),
            (Fetched { is_refresh: true, tokens: 49, ..PAGE }, "redirect"),
            (Fetched { is_refresh: true, tokens: 50, ..PAGE }, "ok"),
            (Fetched { is_extracted: false, is_empty: true, tokens: 0, ..PAGE }, "extract_failed"),
            (Fetched { is_empty: true, tokens: 0, ..PAGE }, "empty"),
            (Fetched { tokens: 9, ..PAGE }, "too_short"),
            (Fetched { tokens: 9, is_html: false, ..PAGE }, "ok"),
        ] {
            assert_eq!(gate(&page).name(), wanted, "{page:?}");
        }
    }
}
