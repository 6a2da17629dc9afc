//! Tables of the document level: buckets, pairs, edges, clusters.

use super::ColumnKind::{Binary, Bool, Float64, Int32, Int64, Members, Utf8};
use super::{Layout, Table, later, maybe, needed};

const OVERLAP_COLUMNS: &[super::Column] = &[
    needed("left_document", Int64, "document with the smaller number", "3"),
    needed("right_document", Int64, "document with the larger number", "8"),
    needed("shared", Int64, "shingles that both hold", "412"),
    needed("left_shingles", Int64, "distinct shingles of the left document", "430"),
    needed("right_shingles", Int64, "distinct shingles of the right document", "425"),
];

const EDGE_COLUMNS: &[super::Column] = &[
    needed("left_document", Int64, "document with the smaller number", "3"),
    needed("right_document", Int64, "document with the larger number", "8"),
    needed("shared", Int64, "shingles that both hold", "412"),
    needed("joined", Int64, "shingles that at least one holds", "443"),
    needed("left_shingles", Int64, "distinct shingles of the left document", "430"),
    needed("right_shingles", Int64, "distinct shingles of the right document", "425"),
    needed("hamming", Int32, "bits in which the SimHashes differ", "2"),
    later(2, "class", Utf8, "class of the pair, which decides the least resemblance", "same_host"),
    later(2, "layout_slots", Int32, "equal slots of 64 of their layouts", "61"),
    later(2, "words", Int32, "words that differ; NULL when they are too many", "2"),
    later(
        2,
        "numbers",
        Utf8,
        "what the numbers, versions, architectures that differ are",
        "version",
    ),
    later(2, "tier", Utf8, "merge, group, suggest or none", "group"),
    maybe("guard", Utf8, "the guard that refused the pair; NULL when accepted", "script"),
];

const DIFFERENCE_COLUMNS: &[super::Column] = &[
    needed("left_document", Int64, "document with the smaller number", "3"),
    needed("right_document", Int64, "document with the larger number", "8"),
    maybe("words", Int32, "words that differ; NULL when they are too many", "2"),
    needed("numbers", Utf8, "what the numbers, versions, architectures that differ are", "version"),
    needed("is_numbers_only", Bool, "whether nothing but numbers differs", "true"),
    needed("is_polarity", Bool, "whether a word that turns the meaning differs", "false"),
    needed("is_operator", Bool, "whether signs between words differ", "false"),
    needed("titles", Utf8, "equal, near, version, differ or unknown", "equal"),
];

pub(super) const ALTERNATE_PAIR: Table = Table {
    name: "alternate_pair",
    grain: "one row a pair of documents that are versions of one another",
    key: &["left_document", "right_document"],
    layout: Layout::Work,
    columns: &[
        needed("left_document", Int64, "document with the smaller number", "3"),
        needed("right_document", Int64, "document with the larger number", "8"),
    ],
};

pub(super) const DIFFERENCE: Table = Table {
    name: "difference",
    grain: "one row a candidate pair at or above the threshold, if its words are read",
    key: &["left_document", "right_document"],
    layout: Layout::Work,
    columns: DIFFERENCE_COLUMNS,
};

pub(super) const CLOSURE_DIFFERENCE: Table = Table {
    name: "closure_difference",
    grain: "one row a closure pair at or above the threshold, if its words are read",
    key: &["left_document", "right_document"],
    layout: Layout::Work,
    columns: DIFFERENCE_COLUMNS,
};

pub(super) const EXCERPT: Table = Table {
    name: "excerpt",
    grain: "one row a page and a longer page that holds its text",
    key: &["page_id", "whole_page_id"],
    layout: Layout::Published,
    columns: &[
        needed("page_id", Binary, "the page that is held", "9f3c"),
        needed("whole_page_id", Binary, "the page that holds it", "a001"),
        needed("containment", Float64, "share of its shingles in the whole", "0.96"),
        needed("containment_whole", Float64, "share of the whole's shingles in it", "0.41"),
        needed("is_same_host", Bool, "whether both stand on one host", "true"),
        needed("source", Utf8, "how it was found: sample, bucket or declared", "sample"),
    ],
};

pub(super) const BUCKET: Table = Table {
    name: "bucket",
    grain: "one row a bucket that holds at least two documents",
    key: &["bucket"],
    layout: Layout::Work,
    columns: &[
        needed("bucket", Int64, "hash of band number and slots, or SimHash block key", "77"),
        needed("source", Utf8, "what made the bucket: minhash, simhash, sample", "minhash"),
        needed("documents", Int64, "documents in the bucket", "2"),
        needed("members", Members, "the documents, each with its second order", "[...]"),
    ],
};

pub(super) const HOT_BUCKET: Table = Table {
    name: "hot_bucket",
    grain: "one row a bucket too large for all its pairs",
    key: &["bucket"],
    layout: Layout::Published,
    columns: &[
        needed("bucket", Int64, "hash of band number and slots, or SimHash block key", "77"),
        needed("source", Utf8, "what made the bucket: minhash, simhash, sample", "minhash"),
        needed("documents", Int64, "documents in the bucket", "8120"),
        needed("pairs_possible", Int64, "n (n - 1) / 2", "32963140"),
        needed("pairs_emitted", Int64, "pairs with a centre or inside the window", "194000"),
    ],
};

pub(super) const CANDIDATE: Table = Table {
    name: "candidate",
    grain: "one row a pair of documents that share a bucket or a declaration",
    key: &["left_document", "right_document"],
    layout: Layout::Work,
    columns: &[
        needed("left_document", Int64, "document with the smaller number", "3"),
        needed("right_document", Int64, "document with the larger number", "8"),
        needed("shared_bands", Int64, "MinHash buckets in which the pair meets", "14"),
        needed("shared_blocks", Int64, "SimHash block keys in which the pair meets", "0"),
        later(2, "shared_samples", Int64, "sampled shingles that both hold", "0"),
        needed("is_declared", Bool, "whether one names the other as canonical", "false"),
        needed("equal_slots", Int32, "stored slots that are equal", "101"),
        needed("hamming", Int32, "bits in which the SimHashes differ", "2"),
        needed("is_kept", Bool, "whether the estimate is near enough to verify", "true"),
    ],
};

pub(super) const CANDIDATE_COMPONENT: Table = Table {
    name: "candidate_component",
    grain: "one row a document of a kept candidate pair",
    key: &["document"],
    layout: Layout::Work,
    columns: &[
        needed("document", Int64, "document", "8"),
        needed("component", Int64, "smallest document it is connected to", "3"),
    ],
};

pub(super) const SHINGLE: Table = Table {
    name: "shingle",
    grain: "one row a document of a kept candidate pair",
    key: &["document"],
    layout: Layout::Work,
    columns: &[
        needed("document", Int64, "document", "8"),
        needed("component", Int64, "component of candidates it belongs to", "3"),
        needed("shingles", Binary, "its sorted shingle set, 8 bytes each", "..."),
    ],
};

pub(super) const RESEMBLANCE: Table = Table {
    name: "resemblance",
    grain: "one row a verified candidate pair",
    key: &["left_document", "right_document"],
    layout: Layout::Work,
    columns: OVERLAP_COLUMNS,
};

pub(super) const EDGE: Table = Table {
    name: "edge",
    grain: "one row a candidate pair at or above the threshold",
    key: &["left_document", "right_document"],
    layout: Layout::Work,
    columns: EDGE_COLUMNS,
};

pub(super) const COMPONENT: Table = Table {
    name: "component",
    grain: "one row a document with at least one accepted edge",
    key: &["document"],
    layout: Layout::Work,
    columns: &[
        needed("document", Int64, "document", "8"),
        needed("component", Int64, "smallest document it is connected to", "3"),
    ],
};

pub(super) const LEADER: Table = Table {
    name: "leader",
    grain: "one row a document with at least one accepted edge",
    key: &["document"],
    layout: Layout::Work,
    columns: &[
        needed("document", Int64, "document", "8"),
        needed("component", Int64, "component it belongs to", "3"),
        needed("rank", Int64, "place in its component by degree, then number, from 1", "2"),
        needed("is_leader", Bool, "whether no earlier leader is its neighbour", "false"),
    ],
};

pub(super) const CLOSURE: Table = Table {
    name: "closure",
    grain: "one row a leader and a member of its component that were never compared",
    key: &["left_document", "right_document"],
    layout: Layout::Work,
    columns: &[
        needed("left_document", Int64, "document with the smaller number", "3"),
        needed("right_document", Int64, "document with the larger number", "8"),
    ],
};

pub(super) const CLOSURE_RESEMBLANCE: Table = Table {
    name: "closure_resemblance",
    grain: "one row a verified closure pair",
    key: &["left_document", "right_document"],
    layout: Layout::Work,
    columns: OVERLAP_COLUMNS,
};

pub(super) const CLOSURE_EDGE: Table = Table {
    name: "closure_edge",
    grain: "one row a closure pair at or above the threshold",
    key: &["left_document", "right_document"],
    layout: Layout::Work,
    columns: EDGE_COLUMNS,
};

pub(super) const DOCUMENT_CLUSTER: Table = Table {
    name: "document_cluster",
    grain: "one row a document with at least one accepted edge",
    key: &["document"],
    layout: Layout::Work,
    columns: &[
        needed("document", Int64, "document", "8"),
        needed("component", Int64, "component it belongs to", "3"),
        needed("medoid", Int64, "document to which every member was compared", "3"),
        needed("representative", Int64, "document that stands for the cluster", "8"),
        needed("reason", Utf8, "why that one", "best"),
        maybe("medoid_shared", Int64, "shingles shared with the medoid", "412"),
        maybe("medoid_joined", Int64, "shingles of it or the medoid", "443"),
        maybe("representative_shared", Int64, "shingles shared with the representative", "412"),
        maybe("representative_joined", Int64, "shingles of it or the representative", "443"),
    ],
};

pub(super) const DOCUMENT_EDGE: Table = Table {
    name: "document_edge",
    grain: "one row a pair of pages at or above the threshold",
    key: &["left_page_id", "right_page_id"],
    layout: Layout::Published,
    columns: &[
        needed("left_page_id", Binary, "page with the smaller id", "9f3c"),
        needed("right_page_id", Binary, "page with the larger id", "a001"),
        needed("kind", Utf8, "what they share: content, a part of it, layout", "same_content"),
        later(
            2,
            "class",
            Utf8,
            "class of the pair, which decides the least resemblance",
            "same_host",
        ),
        later(2, "tier", Utf8, "merge, group, suggest or none", "group"),
        needed("source", Utf8, "how it was found: digest, bucket, declared, closure", "bucket"),
        needed("resemblance", Float64, "exact resemblance of the shingle sets", "0.93"),
        needed("containment_left", Float64, "share of the left set in the right", "0.95"),
        needed("containment_right", Float64, "share of the right set in the left", "0.97"),
        needed("hamming", Int32, "bits in which the SimHashes differ", "2"),
        maybe("shared_bands", Int64, "MinHash buckets in which the pair met", "14"),
        maybe("shared_blocks", Int64, "SimHash block keys in which the pair met", "0"),
        later(2, "words", Int32, "words that differ; NULL when they are too many", "2"),
        later(
            2,
            "numbers",
            Utf8,
            "what the numbers, versions, architectures that differ are",
            "version",
        ),
        later(2, "layout", Float64, "estimated resemblance of their layouts", "0.95"),
        needed("outcome", Utf8, "accepted or refused", "accepted"),
        maybe("guard", Utf8, "the guard that refused it", "script"),
    ],
};

pub(super) const CLUSTER: Table = Table {
    name: "cluster",
    grain: "one row a member: a page, raw URL and id",
    key: &["page_id", "url", "id"],
    layout: Layout::Published,
    columns: &[
        needed("page_id", Binary, "id of the page", "9f3c"),
        maybe("url", Utf8, "raw URL", "http://a.example/"),
        maybe("id", Utf8, "the input's own id, as text", "4711"),
        maybe("cluster", Binary, "id of the cluster; NULL where nothing is compared", "c71d"),
        maybe("medoid_page_id", Binary, "page to which every member was compared", "9f3c"),
        maybe("representative_page_id", Binary, "page that stands for the cluster", "a001"),
        maybe("representative_url", Utf8, "its key, or its id", "http://a.example/"),
        needed("is_representative", Bool, "whether this page is that one", "false"),
        needed("reason", Utf8, "why that representative", "best"),
        maybe("resemblance_medoid", Float64, "exact resemblance to the medoid", "0.93"),
        maybe("resemblance_representative", Float64, "exact, to the representative", "0.91"),
        later(2, "tier", Utf8, "merge or group: what it is to the medoid", "merge"),
        maybe("component", Binary, "smallest page id of its component of edges", "9f3c"),
    ],
};
