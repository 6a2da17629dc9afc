//! Tables of the answer and its counts.

use super::ColumnKind::{Binary, Bool, Int64, Utf8};
use super::{Layout, Table, later, maybe, needed};

pub(super) const IDENTITY: Table = Table {
    name: "identity",
    grain: "one row a known URL, or an id where there is no URL",
    key: &["url", "id"],
    layout: Layout::Published,
    columns: &[
        maybe("url", Utf8, "raw URL; NULL for a row without", "http://a.example/"),
        maybe("id", Utf8, "the input's own id where there is no URL", "4711"),
        needed("url_key", Utf8, "canonical key", "http://a.example/"),
        needed("canonical_url", Utf8, "address that stands for the URL", "http://a.example/"),
        needed("page_id", Binary, "current page: the newest ok fetch", "9f3c"),
        maybe("cluster", Binary, "cluster of the page that the URL shows, NULL if none", "c71d"),
        maybe("representative_url", Utf8, "what stands for the cluster", "http://a.example/"),
        needed("is_representative", Bool, "whether canonical_url is what stands for it", "true"),
        needed("gate", Utf8, "may it be compared: ok, or why not", "ok"),
        maybe("main_mirror", Utf8, "main mirror of its host; NULL for an id", "https://a.example"),
        maybe("owner", Utf8, "registered domain of its host, NULL without one", "a.example"),
        needed("pages", Int64, "pages seen under this URL", "1"),
        needed("methods", Utf8, "versions that made this row", "fingerprint_v1 url_key_v1"),
        later(2, "mirror_url", Utf8, "its address on the main mirror, NULL if its own", ""),
    ],
};

pub(super) const FUNNEL: Table = Table {
    name: "funnel",
    grain: "one row a count of the run",
    key: &["step", "name"],
    layout: Layout::Published,
    columns: &[
        needed("step", Int64, "place in the order of the run", "4"),
        needed("name", Utf8, "what is counted", "candidate_pairs"),
        needed("count", Int64, "how many", "8120"),
    ],
};

pub(super) const AUDIT: Table = Table {
    name: "audit",
    grain: "one row a check of the output",
    key: &["name"],
    layout: Layout::Published,
    columns: &[
        needed("name", Utf8, "the check", "cluster_floor"),
        needed("rows", Int64, "rows that break it; more than 0 stops publishing", "0"),
    ],
};
