//! Tables of the URL level: keys, declarations, resources.

use super::ColumnKind::{Bool, Float64, Int32, Int64, Timestamp, Utf8, Utf8List};
use super::{Layout, Table, maybe, needed};

pub(super) const URL_KEY: Table = Table {
    name: "url_key",
    grain: "one row a raw URL",
    key: &["url"],
    layout: Layout::Published,
    columns: &[
        needed("url", Utf8, "raw URL as it came in", "HTTP://A.example:80/x/../"),
        maybe("url_key", Utf8, "canonical key; NULL when refused", "http://a.example/"),
        maybe("url_surtkey", Utf8, "key as the Common Crawl index sorts it", "example,a)/"),
        maybe("url_host_name", Utf8, "host of the key", "a.example"),
        maybe("url_host_registered_domain", Utf8, "public suffix and one label", "a.example"),
        needed("policy", Utf8, "policy and heuristic rules of the job", "safe"),
        needed("rules", Utf8List, "rules that changed the URL, in order", "[host_case]"),
        maybe("refused", Utf8, "why there is no key", "host_invalid"),
    ],
};

pub(super) const DECLARATION: Table = Table {
    name: "declaration",
    grain: "one row a key, a kind and a target that its fetches declare",
    key: &["url_key", "kind", "target_url"],
    layout: Layout::Work,
    columns: &[
        needed("url_key", Utf8, "key that declares", "http://a.example/x?y"),
        needed("kind", Utf8, "redirect, refresh or canonical", "canonical"),
        needed("target_url", Utf8, "absolute address as declared", "http://a.example/x"),
        maybe("target_key", Utf8, "its key; NULL when refused", "http://a.example/x"),
        needed("is_usable", Bool, "whether nothing in the page speaks against it", "true"),
        maybe("fetch_status", Int32, "HTTP status of the newest such fetch", "301"),
        maybe("newest", Timestamp, "newest fetch that says so", "2026-11-02T00:00:00Z"),
        needed("fetches", Int64, "fetches that say so", "1"),
    ],
};

pub(super) const CURRENT_PAGE: Table = Table {
    name: "current_page",
    grain: "one row a key that declares something or is declared",
    key: &["url_key"],
    layout: Layout::Work,
    columns: &[
        needed("url_key", Utf8, "key", "http://a.example/"),
        needed("key", Int64, "number of the key: its smallest page", "3"),
        needed("page", Int64, "newest page that passed the gate, else the smallest", "8"),
        needed("gate", Utf8, "gate of that page", "ok"),
        maybe("newest_ok", Timestamp, "newest fetch that passed", "2026-11-02T00:00:00Z"),
        maybe("newest_page", Timestamp, "newest that is no redirect", "2026-11-02T00:00:00Z"),
    ],
};

pub(super) const REDIRECT_HOP: Table = Table {
    name: "redirect_hop",
    grain: "one row a key whose newest answer is a redirect to one place",
    key: &["url_key"],
    layout: Layout::Work,
    columns: &[
        needed("url_key", Utf8, "key that redirects", "http://a.example/old"),
        needed("target_key", Utf8, "where it points", "http://a.example/new"),
        needed("is_permanent", Bool, "status 301 or 308, or a refresh", "true"),
    ],
};

pub(super) const REDIRECT_CHAIN: Table = Table {
    name: "redirect_chain",
    grain: "one row a key that redirects",
    key: &["url_key"],
    layout: Layout::Work,
    columns: &[
        needed("url_key", Utf8, "key that redirects", "http://a.example/old"),
        needed("target_key", Utf8, "key of the next hop", "http://a.example/new"),
        needed("final_key", Utf8, "key at the end of the chain", "http://a.example/newer"),
        needed("hops", Int64, "redirects up to there", "2"),
        needed("is_permanent", Bool, "whether every hop is permanent", "true"),
        needed("is_open", Bool, "whether the chain goes on: a loop, or too long", "false"),
    ],
};

pub(super) const RESOLVED_DECLARATION: Table = Table {
    name: "resolved_declaration",
    grain: "one row a declaration",
    key: &["url_key", "kind", "target_url"],
    layout: Layout::Work,
    columns: &[
        needed("url_key", Utf8, "key that declares", "http://a.example/x?y"),
        needed("kind", Utf8, "redirect, refresh or canonical", "canonical"),
        needed("target_url", Utf8, "absolute address as declared", "http://a.example/x"),
        maybe("target_key", Utf8, "its key; NULL when refused", "http://a.example/x"),
        maybe("final_key", Utf8, "key at the end of its redirects", "http://a.example/x"),
        maybe("fetch_status", Int32, "HTTP status of the declaring fetch", "301"),
        needed("fetches", Int64, "fetches that say so", "1"),
        needed("key", Int64, "number of the declaring key", "3"),
        maybe("final", Int64, "number of the key at the end", "8"),
        maybe("document", Int64, "document of the declaring key", "3"),
        maybe("final_document", Int64, "document of the key at the end", "8"),
        maybe("refused", Utf8, "why it joins nothing, texts apart", "other_host"),
    ],
};

pub(super) const DECLARED_PAIR: Table = Table {
    name: "declared_pair",
    grain: "one row a pair of documents of which one names the other as canonical",
    key: &["left_document", "right_document"],
    layout: Layout::Work,
    columns: &[
        needed("left_document", Int64, "document with the smaller number", "3"),
        needed("right_document", Int64, "document with the larger number", "8"),
    ],
};

pub(super) const URL_EDGE: Table = Table {
    name: "url_edge",
    grain: "one row a key, a kind and a target that its fetches declare",
    key: &["url_key", "kind", "target_url"],
    layout: Layout::Published,
    columns: &[
        needed("url_key", Utf8, "key that declares", "http://a.example/x?y"),
        needed("kind", Utf8, "redirect, refresh or canonical", "canonical"),
        needed("target_url", Utf8, "absolute address as declared", "http://a.example/x"),
        maybe("target_key", Utf8, "its key; NULL when refused", "http://a.example/x"),
        maybe("final_key", Utf8, "key at the end of its redirects", "http://a.example/x"),
        maybe("fetch_status", Int32, "HTTP status of the declaring fetch", "301"),
        needed("fetches", Int64, "fetches that say so", "1"),
        maybe("resemblance", Float64, "exact resemblance of both texts", "0.97"),
        needed("outcome", Utf8, "accepted or refused", "accepted"),
        maybe("refused", Utf8, "why it joins nothing", "other_host"),
    ],
};

pub(super) const RESOURCE_COMPONENT: Table = Table {
    name: "resource_component",
    grain: "one row a key with at least one accepted edge",
    key: &["key"],
    layout: Layout::Work,
    columns: &[
        needed("key", Int64, "number of the key", "8"),
        needed("component", Int64, "smallest key it is connected to", "3"),
    ],
};

pub(super) const RESOURCE: Table = Table {
    name: "resource",
    grain: "one row a key that shares its resource with another",
    key: &["url_key"],
    layout: Layout::Published,
    columns: &[
        needed("url_key", Utf8, "canonical key", "http://a.example/x?y"),
        needed("canonical_url", Utf8, "key that stands for it", "http://a.example/x"),
        needed("is_canonical", Bool, "whether this key is that one", "false"),
        needed("reason", Utf8, "why that one: target, or order in a loop", "target"),
        needed("keys", Int64, "keys of the resource", "2"),
    ],
};

pub(super) const KEY_CONFLICT: Table = Table {
    name: "key_conflict",
    grain: "one row a key whose URLs show different documents",
    key: &["url_key"],
    layout: Layout::Published,
    columns: &[
        needed("url_key", Utf8, "canonical key", "http://a.example/x"),
        needed("urls", Int64, "raw URLs with this key", "2"),
        needed("rules", Utf8List, "heuristic or safe rules that changed them", "[tracking]"),
        needed("left_url", Utf8, "one URL", "http://a.example/x?a=1"),
        needed("right_url", Utf8, "a URL that shows another document", "http://a.example/x?a=2"),
    ],
};
