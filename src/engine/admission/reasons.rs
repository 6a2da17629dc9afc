//! Reasons: why something was set aside, and what was noticed about rows that were admitted.

use std::collections::BTreeMap;

/// What an entry stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The whole file.
    File,
    /// A range of rows, or the rest of the file.
    Range,
    /// Single rows.
    Row,
    /// No row: something was passed over, the rows were admitted.
    Notice,
}

/// A reason that something was set aside.
#[derive(Debug, Clone, Copy)]
pub struct Reason {
    /// Code, as in [`super::SetAside::reason`].
    pub code: &'static str,
    /// What it stands for.
    pub scope: Scope,
    /// What it means.
    pub sentence: &'static str,
}

/// A reason and its detail.
pub(super) type Wrong = (&'static str, String);

macro_rules! reasons {
    ($($name:ident $code:literal $scope:ident $sentence:literal)*) => {
        $(pub(super) const $name: &str = $code;)*
        /// Every reason there is.
        pub const REASONS: &[Reason] =
            &[$(Reason { code: $code, scope: Scope::$scope, sentence: $sentence }),*];
    };
}

reasons! {
    FILE_EMPTY "file_empty" File "The file has no bytes."
    FORMAT_UNKNOWN "format_unknown" File "The ending of the name is of no format that is read."
    MISLABELLED "mislabelled" File "The bytes are of another format than the name says."
    PARQUET_FOOTER "parquet_footer" File "The Parquet footer is missing, damaged or impossible."
    COLUMN_MISSING "column_missing" File "A column that is needed or was mapped does not exist."
    COLUMN_TYPE "column_type" File "A needed column has a type that cannot be used."
    COLUMN_AMBIGUOUS "column_ambiguous" File "Two columns match, and neither is chosen."
    PARQUET_DAMAGED "parquet_damaged" Range "The rest of a row group cannot be decoded."
    COMPRESSION_DAMAGED "compression_damaged" Range "The rest of the file cannot be unpacked."
    RATIO_LIMIT "ratio_limit" Range "The file yields far more bytes than it has."
    READER_PANIC "reader_panic" Range "The reader broke down on the rest of a row group or file."
    TEXT_MISSING "text_missing" Row "There is no page or text, and no status that explains it."
    TEXT_NUL "text_nul" Row "The text holds a NUL character."
    TEXT_TOO_LONG "text_too_long" Row "The text has more bytes than the limit."
    TEXT_NOT_UTF8 "text_not_utf8" Row "The text is not UTF-8."
    HTML_TOO_LONG "html_too_long" Row "The page has more bytes than the limit, once unpacked."
    HTML_PACKED "html_packed" Row "The page is compressed and cannot be unpacked."
    HTML_NOT_BASE64 "html_not_base64" Row "The page is not the base64 that its field promises."
    CONTENT_TYPE_OTHER "content_type_other" Row "The page is a picture, an archive or the like."
    NO_KEY "no_key" Row "There is neither a URL nor an id."
    URL_NUL "url_nul" Row "The URL holds a NUL character."
    URL_TOO_LONG "url_too_long" Row "The URL has more bytes than the limit."
    URL_NOT_UTF8 "url_not_utf8" Row "The URL is not UTF-8."
    ID_NUL "id_nul" Row "The id holds a NUL character."
    ID_TOO_LONG "id_too_long" Row "The id has more bytes than the limit."
    ID_NOT_UTF8 "id_not_utf8" Row "The id is not UTF-8."
    LINE_NOT_UTF8 "line_not_utf8" Row "The line is not UTF-8."
    LINE_TOO_LONG "line_too_long" Row "The line has more bytes than a row within limits can have."
    JSON_SYNTAX "json_syntax" Row "The line is not JSON, or a string of it is no text."
    JSON_NOT_OBJECT "json_not_object" Row "The line is JSON, but not an object."
    JSON_TYPE "json_type" Row "A field has a type that cannot be used."
    JSON_DUPLICATE_FIELD "json_duplicate_field" Row "Two fields match, and neither is chosen."
    COLUMN_UNSEEN "column_unseen" Notice "A mapped column is in no line of the file."
    COLUMN_IGNORED "column_ignored" Notice "An optional column was passed over for its type."
    FETCH_TIME_UNREADABLE "fetch_time_unreadable" Notice "Fetch times that are no time became NULL."
    FETCH_STATUS_UNREADABLE "fetch_status_unreadable" Notice
        "Fetch statuses that are no 32-bit integer became NULL."
    VALUE_UNUSABLE "value_unusable" Notice
        "Optional values that are no text or too long became NULL."
    VALUE_CUT "value_cut" Notice "Headers or links of a row beyond what is kept were left out."
    BODY_COLUMN_MISSING "body_column_missing" Notice
        "No column holds pages or texts: the rows say only which URLs are known."
    BODY_LEFT_OUT "body_left_out" Notice
        "Bodies that cannot be used were left out of rows that need none."
    TEXT_LOOKS_HTML "text_looks_html" Notice "Texts that begin like HTML were taken as text."
}

/// What is noticed about single values, and told once a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Notice {
    Time,
    Status,
    Redirect,
    ContentType,
    Charset,
    Ip,
    Headers,
    HeadersCut,
    Links,
    LinksCut,
    Body,
    LooksHtml,
}

impl Notice {
    /// Its reason, what the values are of, and what was wanted.
    pub(super) fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Notice::Time => (FETCH_TIME_UNREADABLE, "", "a time"),
            Notice::Status => (FETCH_STATUS_UNREADABLE, "", "a 32-bit integer"),
            Notice::Redirect => (VALUE_UNUSABLE, "fetch_redirect: ", "a short text"),
            Notice::ContentType => (VALUE_UNUSABLE, "content_type: ", "a short text"),
            Notice::Charset => (VALUE_UNUSABLE, "charset: ", "a short text"),
            Notice::Ip => (VALUE_UNUSABLE, "ip: ", "a short text"),
            Notice::Headers => (VALUE_UNUSABLE, "headers: ", "names with values"),
            Notice::HeadersCut => (VALUE_CUT, "headers: ", "at most 65536 bytes"),
            Notice::Links => (VALUE_UNUSABLE, "links: ", "a list of short texts"),
            Notice::LinksCut => (VALUE_CUT, "links: ", "at most 10000 in 1 MiB"),
            Notice::Body => (BODY_LEFT_OUT, "", "a page"),
            Notice::LooksHtml => (TEXT_LOOKS_HTML, "", "plain text, or a column of HTML"),
        }
    }
}

/// Values that were noticed: how many, and the first one in words.
#[derive(Debug, Default)]
pub(super) struct Noticed(BTreeMap<Notice, (i64, String)>);

impl Noticed {
    /// Counts a value; `found` is asked for the first one only.
    pub(super) fn add(&mut self, notice: Notice, row: i64, found: impl FnOnce() -> String) {
        let (values, _) =
            self.0.entry(notice).or_insert_with(|| (0, format!("row {row}: {}", found())));
        *values += 1;
    }

    /// Each reason with its detail.
    pub(super) fn told(self) -> impl Iterator<Item = Wrong> {
        self.0.into_iter().map(|(notice, (values, first))| {
            let (reason, subject, wanted) = notice.words();
            (reason, format!("{subject}{values} values, first {first}; wanted {wanted}"))
        })
    }
}
