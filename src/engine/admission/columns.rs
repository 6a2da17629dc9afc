//! Which column or field of an input plays which role, by mapping or by name.

/// Which input column feeds which of ours.
///
/// `None` finds the column by name, see [`Columns::NAMES`]. A given name has to exist exactly: it
/// is compared with case, and a Parquet file without it is set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    /// The URL of a row.
    pub url: Option<String>,
    /// The identifier of a row.
    pub id: Option<String>,
    /// Plain text of a row.
    pub text: Option<String>,
    /// The page as fetched, text or bytes; in JSON Lines base64 where the name ends in `_base64`.
    pub html: Option<String>,
    /// When the row was fetched.
    pub fetch_time: Option<String>,
    /// HTTP status of the fetch.
    pub fetch_status: Option<String>,
    /// Where a redirect points.
    pub fetch_redirect: Option<String>,
    /// Media type of the answer.
    pub content_type: Option<String>,
    /// Encoding that the crawler noted.
    pub charset: Option<String>,
    /// Headers of the answer: a map, a list of pairs, a structure or a text.
    pub headers: Option<String>,
    /// Links that the crawler found, a list of texts.
    pub links: Option<String>,
    /// Address that answered.
    pub ip: Option<String>,
}

impl Columns {
    /// Names that are found without a mapping, compared without case.
    ///
    /// The first name of the list that a file has wins: `text` beats `content`. Two columns with
    /// the winning name (`text` twice, `URL` and `url`) are never chosen between: the file, or in
    /// JSON Lines the row, is set aside. A column of unusable type does not win, except for `url`
    /// and `id`, which a file cannot do without; it is passed over, and named in a notice.
    ///
    /// `content` is text, whatever its type: where it holds HTML, a notice `text_looks_html` says
    /// so, and `input.columns.html = "content"` makes it HTML.
    pub const NAMES: [(&'static str, &'static [&'static str]); MAPPED] = [
        ("url", &["url", "uri", "warc_target_uri"]),
        ("id", &["id", "doc_id", "document_id"]),
        ("text", &["text", "content", "raw_content"]),
        ("html", &["html", "raw_html", "html_content"]),
        ("fetch_time", &["fetch_time", "warc_date", "date", "timestamp"]),
        ("fetch_status", &["fetch_status", "status", "status_code", "http_status"]),
        ("fetch_redirect", &["fetch_redirect", "redirect_url", "redirect_location"]),
        (
            "content_type",
            &["content_type", "content_mime_type", "content_mime_detected", "mime_type"],
        ),
        ("charset", &["charset", "content_charset", "charset_declared"]),
        ("headers", &["headers", "response_headers", "http_headers"]),
        ("links", &["links", "outlinks"]),
        ("ip", &["ip", "ip_address", "warc_ip_address"]),
    ];

    /// Names of binary Parquet columns that hold a page, unless `html` is mapped.
    ///
    /// Where such a value is not NULL it is the page, else the column of the role `html` is. A
    /// text column of such a name is passed over with a notice: `body` may be either.
    pub const BYTES: &'static [&'static str] =
        &["body_raw", "html_raw", "html_bytes", "body_bytes", "raw_body", "payload", "body"];

    /// Names of JSON fields that hold a page in base64, in the place of [`Columns::BYTES`].
    pub const BASE64: &'static [&'static str] = &["html_base64", "body_base64", "payload_base64"];

    /// All columns by name.
    pub const BY_NAME: Columns = Columns {
        url: None,
        id: None,
        text: None,
        html: None,
        fetch_time: None,
        fetch_status: None,
        fetch_redirect: None,
        content_type: None,
        charset: None,
        headers: None,
        links: None,
        ip: None,
    };

    /// The names to look for in Parquet.
    pub(super) fn of_parquet(&self) -> Names<'_> {
        Names { mapped: self.mapped(), bytes: Columns::BYTES, is_json: false }
    }

    /// The names to look for in JSON Lines.
    pub(super) fn of_lines(&self) -> Names<'_> {
        Names { mapped: self.mapped(), bytes: Columns::BASE64, is_json: true }
    }

    /// The mapped names in the order of [`Columns::NAMES`].
    fn mapped(&self) -> [Option<&str>; MAPPED] {
        [
            &self.url,
            &self.id,
            &self.text,
            &self.html,
            &self.fetch_time,
            &self.fetch_status,
            &self.fetch_redirect,
            &self.content_type,
            &self.charset,
            &self.headers,
            &self.links,
            &self.ip,
        ]
        .map(Option::as_deref)
    }
}

/// Roles that can be mapped, in the order of [`Columns::NAMES`].
const MAPPED: usize = 12;

/// All roles: [`BYTES`] comes after those of [`Columns::NAMES`].
pub(super) const ROLES: usize = MAPPED + 1;
pub(super) const URL: usize = 0;
pub(super) const ID: usize = 1;
pub(super) const TEXT: usize = 2;
pub(super) const HTML: usize = 3;
pub(super) const TIME: usize = 4;
pub(super) const STATUS: usize = 5;
pub(super) const REDIRECT: usize = 6;
pub(super) const CONTENT_TYPE: usize = 7;
pub(super) const CHARSET: usize = 8;
pub(super) const HEADERS: usize = 9;
pub(super) const LINKS: usize = 10;
pub(super) const IP: usize = 11;
/// A page as bytes, which beats [`HTML`] where both are there.
pub(super) const BYTES: usize = 12;

/// The names to look for in a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names<'a> {
    mapped: [Option<&'a str>; MAPPED],
    bytes: &'static [&'static str],
    is_json: bool,
}

impl<'a> Names<'a> {
    /// The name that a role is mapped to.
    pub(super) fn mapped(&self, role: usize) -> Option<&'a str> {
        let at = if role == BYTES && self.is_base64() { HTML } else { role };
        self.mapped.get(at).copied().flatten().filter(|_| role != HTML || !self.is_base64())
    }

    /// Whether the mapped page is base64.
    fn is_base64(&self) -> bool {
        let html = self.mapped[HTML].filter(|_| self.is_json);
        html.is_some_and(|name| name.to_ascii_lowercase().ends_with("_base64"))
    }

    /// How good `name` is for a role: 0 is best, `None` is not at all.
    pub(super) fn rank(&self, role: usize, name: &str) -> Option<usize> {
        if let Some(mapped) = self.mapped(role) {
            return (mapped == name).then_some(0);
        }
        // A page is not also found as text, nor a text as a page.
        let taken = match role {
            TEXT => self.mapped[HTML],
            HTML | BYTES => self.mapped[TEXT],
            _ => None,
        };
        if taken == Some(name) || ([HTML, BYTES].contains(&role) && self.mapped[HTML].is_some()) {
            return None;
        }
        let names = match role {
            BYTES => self.bytes,
            role => Columns::NAMES.get(role)?.1,
        };
        names.iter().position(|known| known.eq_ignore_ascii_case(name))
    }
}

/// Name of a role, and the names it is found by.
pub(super) fn known(role: usize) -> (&'static str, &'static [&'static str]) {
    Columns::NAMES.get(role).copied().unwrap_or(("html", Columns::BYTES))
}
