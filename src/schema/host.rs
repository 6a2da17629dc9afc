//! Tables of the host level: what hosts share, the test of pairs, mirrors.
//!
//! A host here is a scheme, a name and a port, as keys begin: `https://a.example`. Of two hosts
//! the left one is the smaller; both columns have one meaning, so that SQL can stack them.

use super::ColumnKind::{Binary, Bool, Float64, Int32, Int64, Timestamp, Utf8};
use super::{Column, Layout, Table, maybe, needed};

const LEFT_HOST: Column = needed("left_host", Utf8, "scheme, name and port", "http://a.example");
const LEFT_PREFIX: Column = needed("left_prefix", Utf8, "prefix of its paths", "/docs/");
const RIGHT_HOST: Column = needed("right_host", Utf8, "scheme, name and port", "https://b.example");
const RIGHT_PREFIX: Column = needed("right_prefix", Utf8, "prefix of its paths", "/");
const LOWER: Column = needed("lower_bound", Float64, "lower bound of the share, 95 %", "0.83");

pub(super) const HOST_PAGE: Table = Table {
    name: "host_page",
    grain: "one row a key of a host: what it shows now",
    key: &["host", "path"],
    layout: Layout::Work,
    columns: &[
        needed("host", Utf8, "scheme, name and port", "https://a.example"),
        needed("path", Utf8, "rest of the key", "/x?y=1"),
        needed("page", Int64, "newest page that passed the gate, else the smallest", "8"),
        needed("gate", Utf8, "gate of that page", "ok"),
        maybe("document", Int64, "document of the page", "8"),
        maybe("content", Int64, "document that it may be replaced by", "3"),
        needed("tokens", Int32, "tokens of the main text", "210"),
        maybe("language", Utf8, "language of the main text, if sure", "en"),
        maybe("full_digest", Binary, "xxh3-128 of all visible text", "9f3c..."),
        maybe("full_simhash", Int64, "SimHash of all visible text", "-7"),
        maybe("newest", Timestamp, "newest fetch of the page", "2026-11-02T00:00:00Z"),
    ],
};

pub(super) const HOST_KEY: Table = Table {
    name: "host_key",
    grain: "one row a host and a key that it shares with another",
    key: &["kind", "key", "host"],
    layout: Layout::Work,
    columns: &[
        needed("kind", Utf8, "body, text, path or name", "body"),
        needed("key", Utf8, "what is shared", "/docs/x.html"),
        needed("host", Utf8, "scheme, name and port", "https://a.example"),
        needed("hosts", Int64, "hosts that share it", "2"),
    ],
};

pub(super) const HOT_HOST_KEY: Table = Table {
    name: "hot_host_key",
    grain: "one row a key that too many hosts share to propose pairs",
    key: &["kind", "key"],
    layout: Layout::Published,
    columns: &[
        needed("kind", Utf8, "body, text, path or name", "path"),
        needed("key", Utf8, "what is shared", "/wp-content/about.html"),
        needed("hosts", Int64, "hosts that share it", "200"),
        needed("example", Utf8, "the smallest of them", "http://a.example"),
    ],
};

pub(super) const HOST_POINTER: Table = Table {
    name: "host_pointer",
    grain: "one row a kind and two hosts of which one points at the other",
    key: &["kind", "from_host", "to_host"],
    layout: Layout::Work,
    columns: &[
        needed("kind", Utf8, "redirect or canonical", "redirect"),
        needed("from_host", Utf8, "host that points", "http://a.example"),
        needed("to_host", Utf8, "host that is pointed at", "https://a.example"),
        needed("keys", Int64, "keys that point", "40"),
        needed("kept_paths", Int64, "of them, surely and with the path unchanged", "40"),
        needed("host_keys", Int64, "keys of the host that points", "41"),
        needed("is_known", Bool, "whether the other host was fetched", "true"),
    ],
};

pub(super) const HOST_CANDIDATE: Table = Table {
    name: "host_candidate",
    grain: "one row a pair of hosts that is tested",
    key: &["left_host", "right_host"],
    layout: Layout::Work,
    columns: &[
        LEFT_HOST,
        RIGHT_HOST,
        needed("bodies", Int64, "texts under equal paths", "30"),
        needed("texts", Int64, "long texts under any paths", "12"),
        needed("paths", Int64, "equal paths", "33"),
        needed("names", Int64, "names in common", "1"),
        needed("redirects", Int64, "keys that redirect from one to the other", "0"),
        needed("canonicals", Int64, "keys that name the other as canonical", "0"),
        needed("weight", Int64, "sum of the weights of all these", "42000"),
    ],
};

pub(super) const PREFIX_SWAP: Table = Table {
    name: "prefix_swap",
    grain: "one row a pair of hosts and prefixes whose paths are compared",
    key: &["left_host", "left_prefix", "right_host", "right_prefix"],
    layout: Layout::Work,
    columns: &[
        LEFT_HOST,
        LEFT_PREFIX,
        RIGHT_HOST,
        RIGHT_PREFIX,
        needed("texts", Int64, "equal texts that show the swap", "30"),
    ],
};

pub(super) const COMMON_PATH: Table = Table {
    name: "common_path",
    grain: "one row a path that both hosts have under their prefixes",
    key: &["left_host", "left_prefix", "right_host", "right_prefix", "suffix"],
    layout: Layout::Work,
    columns: &[
        LEFT_HOST,
        LEFT_PREFIX,
        RIGHT_HOST,
        RIGHT_PREFIX,
        needed("suffix", Utf8, "the path behind the prefixes, with its slash", "/x.html"),
        needed("stratum", Utf8, "its folders, with digits as 0", "/docs"),
        needed("place", Int64, "its place in the order of the pair", "-8214"),
        maybe("left_content", Int64, "content of the left page", "3"),
        maybe("right_content", Int64, "content of the right page", "3"),
        needed("is_compared", Bool, "whether both pages say something", "true"),
        needed("is_same", Bool, "whether the contents are one", "true"),
        needed("is_full_same", Bool, "whether all visible text is nearly equal", "true"),
        needed("is_other_language", Bool, "whether the languages differ", "false"),
        needed("is_other_offer", Bool, "whether prices or numbers differ", "false"),
        needed("is_contrary", Bool, "whether the texts have little in common", "false"),
    ],
};

pub(super) const PATH_SAMPLE: Table = Table {
    name: "path_sample",
    grain: "one row a folder and a sampled path below it",
    key: &["left_host", "left_prefix", "right_host", "right_prefix", "folder", "suffix"],
    layout: Layout::Work,
    columns: &[
        LEFT_HOST,
        LEFT_PREFIX,
        RIGHT_HOST,
        RIGHT_PREFIX,
        needed("folder", Utf8, "folder behind the prefixes", "/docs/"),
        needed("suffix", Utf8, "the path behind the prefixes, with its slash", "/docs/x.html"),
        needed("child", Utf8, "the folder right below it that holds the path, if one does", "api"),
        needed("stratum", Utf8, "folders above what it names, with digits as 0", "/docs"),
        maybe("left_content", Int64, "content of the left page", "3"),
        maybe("right_content", Int64, "content of the right page", "3"),
        needed("is_same", Bool, "whether the contents are one", "true"),
        needed("is_full_same", Bool, "whether all visible text is nearly equal", "true"),
        needed("is_other_language", Bool, "whether the languages differ", "false"),
        needed("is_other_offer", Bool, "whether prices or numbers differ", "false"),
        needed("is_contrary", Bool, "whether the texts have little in common", "false"),
    ],
};

pub(super) const FOLDER_COUNT: Table = Table {
    name: "folder_count",
    grain: "one row a folder with a sample",
    key: &["left_host", "left_prefix", "right_host", "right_prefix", "folder"],
    layout: Layout::Work,
    columns: &[
        LEFT_HOST,
        LEFT_PREFIX,
        RIGHT_HOST,
        RIGHT_PREFIX,
        needed("folder", Utf8, "folder behind the prefixes", "/docs/"),
        needed("compared", Int64, "paths of its sample", "60"),
        needed("same", Int64, "of them, with one main text", "58"),
        needed("upper_milli", Int32, "upper bound of the share, thousandths", "990"),
        needed("is_narrower", Bool, "whether one folder below it agrees alone", "false"),
    ],
};

pub(super) const FOLDER_PATH: Table = Table {
    name: "folder_path",
    grain: "one row a judged folder and a path of its sample",
    key: &["left_host", "left_prefix", "right_host", "right_prefix", "folder", "suffix"],
    layout: Layout::Work,
    columns: &[
        LEFT_HOST,
        LEFT_PREFIX,
        RIGHT_HOST,
        RIGHT_PREFIX,
        needed("folder", Utf8, "folder behind the prefixes", "/docs/"),
        needed("suffix", Utf8, "the path behind the prefixes, with its slash", "/docs/x.html"),
        needed("is_narrower", Bool, "whether one folder below it agrees alone", "false"),
        needed("is_left_out", Bool, "whether it lies in a folder that is carved out", "false"),
        needed("stratum", Utf8, "folders above what it names, with digits as 0", "/docs"),
        maybe("left_content", Int64, "content of the left page", "3"),
        maybe("right_content", Int64, "content of the right page", "3"),
        needed("is_same", Bool, "whether the contents are one", "true"),
        needed("is_full_same", Bool, "whether all visible text is nearly equal", "true"),
        needed("is_other_language", Bool, "whether the languages differ", "false"),
        needed("is_other_offer", Bool, "whether prices or numbers differ", "false"),
        needed("is_contrary", Bool, "whether the texts have little in common", "false"),
    ],
};

pub(super) const MIRROR_EDGE: Table = Table {
    name: "mirror_edge",
    grain: "one row a tested pair of hosts and prefixes",
    key: &["left_host", "left_prefix", "right_host", "right_prefix"],
    layout: Layout::Published,
    columns: &[
        LEFT_HOST,
        LEFT_PREFIX,
        RIGHT_HOST,
        RIGHT_PREFIX,
        needed("verdict", Utf8, "mirror, partial, not or undecided", "mirror"),
        needed("reason", Utf8, "what decided: content, redirect, translation, ...", "content"),
        needed("common", Int64, "paths that both have", "230"),
        needed("compared", Int64, "paths of the sample, without carved ones", "60"),
        needed("same", Int64, "of them, with one main text", "58"),
        needed("full_same", Int64, "of them, with nearly equal full texts", "60"),
        LOWER,
        needed("upper_bound", Float64, "upper bound of the share, 95 %", "0.99"),
        needed("texts", Int64, "contents of the sample that are not near another of it", "57"),
        needed("other_languages", Int64, "compared paths in two languages", "0"),
        needed("other_offers", Int64, "compared paths that differ in prices or numbers", "0"),
        needed("carved", Int64, "sampled paths in folders that are carved out", "0"),
        needed("contrary", Int64, "compared paths with texts that have little in common", "0"),
        needed("contrary_strata", Int64, "strata of those paths", "0"),
        needed("redirect_keys", Int64, "keys of the host that redirects to the other", "0"),
        needed("redirect_kept", Int64, "of them, surely and to the same path", "0"),
        maybe("example", Utf8, "a compared path that is not the same", "/news/1"),
        needed("bodies", Int64, "texts under equal paths, which proposed the pair", "30"),
        needed("shared_texts", Int64, "long texts under any paths, likewise", "12"),
        needed("shared_paths", Int64, "equal paths, likewise", "33"),
        needed("shared_names", Int64, "names in common, likewise", "1"),
        needed("canonicals", Int64, "keys that name the other as canonical, likewise", "0"),
    ],
};

pub(super) const MIRROR_COMPONENT: Table = Table {
    name: "mirror_component",
    grain: "one row a host with at least one edge of whole hosts",
    key: &["host_page"],
    layout: Layout::Work,
    columns: &[
        needed("host_page", Int64, "number of the host: its smallest page", "3"),
        needed("component", Int64, "smallest host it is connected to", "3"),
    ],
};

pub(super) const MAIN_MIRROR: Table = Table {
    name: "main_mirror",
    grain: "one row a host",
    key: &["host"],
    layout: Layout::Published,
    columns: &[
        needed("host", Utf8, "scheme, name and port", "http://a.example"),
        needed("main_mirror", Utf8, "host that stands for it", "https://a.example"),
        needed("reason", Utf8, "main, member, no_direct_edge or alone", "member"),
        needed("members", Int64, "hosts of its component", "2"),
        needed("score_milli", Int64, "sum of the points, thousandths", "3500"),
        needed("redirect_milli", Int64, "points for redirects of other members", "0"),
        needed("canonical_milli", Int64, "points for canonicals of other members", "0"),
        needed("scheme_milli", Int64, "points for https", "2000"),
        needed("answer_milli", Int64, "points for pages that passed the gate", "1000"),
        needed("age_milli", Int64, "points for the first fetch of the group", "500"),
        needed("name_milli", Int64, "points against names such as m. and cdn.", "0"),
        needed("is_away", Bool, "whether it only redirects to other hosts", "false"),
    ],
};

pub(super) const MIRROR: Table = Table {
    name: "mirror",
    grain: "one row a host and a prefix that another host mirrors, or that is carved out",
    key: &["from_host", "from_prefix"],
    layout: Layout::Published,
    columns: &[
        needed("from_host", Utf8, "host whose URLs are mapped", "http://a.example"),
        needed("from_prefix", Utf8, "prefix of their paths", "/"),
        needed("to_host", Utf8, "host that they are mapped to", "https://a.example"),
        needed("to_prefix", Utf8, "prefix that takes the place", "/"),
        needed("scope", Utf8, "mirror, partial or carved", "mirror"),
        needed("reason", Utf8, "what decided", "content"),
        needed("common", Int64, "paths that both have", "230"),
        needed("compared", Int64, "paths of the sample", "60"),
        needed("same", Int64, "of them, with one main text", "58"),
        LOWER,
    ],
};

pub(super) const MIRROR_URL: Table = Table {
    name: "mirror_url",
    grain: "one row a known key that another host mirrors",
    key: &["url_key"],
    layout: Layout::Published,
    columns: &[
        needed("url_key", Utf8, "key, fetched or not", "http://a.example/x"),
        needed("main_mirror", Utf8, "host that it is mapped to", "https://a.example"),
        needed("mirror_url", Utf8, "its image there", "https://a.example/x"),
        needed("scope", Utf8, "mirror or partial", "mirror"),
        needed("from_prefix", Utf8, "prefix that decided", "/"),
        needed("is_known", Bool, "whether the image was fetched", "true"),
        needed("is_exception", Bool, "whether the image shows something else", "false"),
    ],
};

pub(super) const FETCH_HINT: Table = Table {
    name: "fetch_hint",
    grain: "one row a URL that would help to decide on two hosts",
    key: &["left_host", "right_host", "url"],
    layout: Layout::Published,
    columns: &[
        LEFT_HOST,
        RIGHT_HOST,
        needed("url", Utf8, "URL that was never fetched", "https://b.example/x"),
        needed("place", Int64, "its place, from 1", "1"),
    ],
};
