//! Every method and its versions: the single source of truth for what decides a value.
//!
//! A method is a named computation whose change alters results. SQL names functions without a
//! version; a job pins one method for each role, and the session binds the plain names to the
//! pinned functions, so the plan and the stage key carry `url_key_v1` where the file says
//! `url_key`. A published version is never edited: a change of behaviour is a new entry.

/// One version of one method.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    /// Key in `[methods]` of a job.
    pub name: &'static str,
    /// What it is used as; a job pins exactly one method for each role.
    pub role: &'static str,
    /// Number of the version, from 1.
    pub version: u16,
    /// SQL functions: the plain name, and the versioned name that is bound to it.
    pub functions: &'static [(&'static str, &'static str)],
    /// First day this version wrote a published table.
    pub since: &'static str,
    /// What it computes, in one sentence.
    pub meaning: &'static str,
    /// What differs from the version before, seen from the data; empty for the first.
    pub change: &'static str,
    /// BLAKE3 of its vector file `testdata/method/<name>_v<version>.tsv`, first 16 hex digits.
    pub vectors: &'static str,
}

impl Method {
    /// Name with version, as it is printed: `fingerprint_v1`.
    pub fn versioned(&self) -> String {
        format!("{}_v{}", self.name, self.version)
    }
}

/// Oldest first within a name.
pub const METHODS: &[Method] = &[
    Method {
        name: "url_key",
        role: "url_key",
        version: 1,
        functions: &[
            ("url_key", "url_key_v1"),
            ("url_resolve", "url_resolve_v1"),
            ("id_key", "id_key_v1"),
        ],
        since: "2026-11-30",
        meaning: "canonical key of a URL by the safe rules and those of a policy, with the key of \
                  the Common Crawl index; key of an id where there is no URL; references resolved",
        change: "",
        vectors: "7266ef151d564855",
    },
    Method {
        name: "registered_domain",
        role: "registered_domain",
        version: 1,
        functions: &[("registered_domain", "registered_domain_v1")],
        since: "2026-11-30",
        meaning: "public suffix of a host and one label more, by the Public Suffix List with its \
                  private section as of 2026-11-05 (psl 2.1.247)",
        change: "",
        vectors: "5bfa2ccfb6a25bfb",
    },
    Method {
        name: "page",
        role: "page",
        version: 1,
        functions: &[("html_page", "html_page_v1")],
        since: "2026-11-30",
        meaning: "texts, declared facts, links and blocks of an HTML page (dom_smoothie 0.19, \
                  html5ever 0.40, encoding_rs 0.8, chardetng 1, whatlang 0.18)",
        change: "",
        vectors: "098369e084615dda",
    },
    Method {
        name: "page",
        role: "page",
        version: 2,
        functions: &[("html_page", "html_page_v2")],
        since: "2026-12-01",
        meaning: "as version 1, with headings, layout, statements of structured data and ids, and \
                  a second extractor (trafilatura 0.6) where the first is suspicious",
        change: "the main text of forums, products and lists is taken from more than the article; \
                 one line a block; blocks are hashed without their tag",
        vectors: "2b46fc27dc6c9790",
    },
    Method {
        name: "boilerplate",
        role: "boilerplate",
        version: 1,
        functions: &[
            ("block_uses", "block_uses_v1"),
            ("removed_lines", "removed_lines_v1"),
            ("kept_text", "kept_text_v1"),
        ],
        since: "2026-12-01",
        meaning: "which lines of a main text go because the host repeats them",
        change: "",
        vectors: "4ff5e4c675d008bd",
    },
    Method {
        name: "gate",
        role: "gate",
        version: 1,
        functions: &[
            ("gate", "gate_v1"),
            ("page_gate", "page_gate_v1"),
            ("path_repeats", "path_repeats_v1"),
        ],
        since: "2026-11-30",
        meaning: "class of a fetched page: redirect, http_error, extract_failed, empty, too_short, \
                  ok",
        change: "",
        vectors: "1a114ad87517cbe2",
    },
    Method {
        name: "gate",
        role: "gate",
        version: 2,
        functions: &[("page_gate", "page_gate_v2"), ("path_repeats", "path_repeats_v2")],
        since: "2026-12-01",
        meaning: "as version 1, with soft404, login_wall, consent_wall, bot_block, parked, \
                  maintenance and infinite_space, and the signal that decided",
        change: "pages that answer 200 and hold no content of their own are told by their phrases, \
                 marks and fields, in more than twenty languages",
        vectors: "68f3960400cffc5b",
    },
    Method {
        name: "fingerprint",
        role: "fingerprint",
        version: 1,
        functions: &[
            ("fingerprint", "fingerprint_v1"),
            ("shingle_set", "shingle_set_v1"),
            ("text_proof", "text_proof_v1"),
        ],
        since: "2026-11-30",
        meaning: "normalised text, Unicode word tokens, shingles, MinHash slots, SimHash, digests",
        change: "",
        vectors: "a0dd0cc9aeefb996",
    },
    Method {
        name: "fingerprint",
        role: "fingerprint",
        version: 2,
        functions: &[
            ("fingerprint", "fingerprint_v2"),
            ("shingle_set", "shingle_set_v2"),
            ("text_proof", "text_proof_v2"),
        ],
        since: "2026-11-30",
        meaning: "as version 1, with more scripts written without spaces",
        change: "Tibetan, Javanese, Balinese, Tai Tham, New Tai Lue, Tai Le, Tai Viet, Yi and \
                 Bopomofo give one token per code point",
        vectors: "6b2226b7e4070362",
    },
    Method {
        name: "fingerprint",
        role: "fingerprint",
        version: 3,
        functions: &[
            ("fingerprint", "fingerprint_v3"),
            ("shingle_set", "shingle_set_v3"),
            ("text_proof", "text_proof_v3"),
        ],
        since: "2026-12-01",
        meaning: "as version 2, over text in ordinary spelling: how a character was typed or shown \
                  does not count",
        change: "full-width and half-width forms, Arabic and Hebrew presentation forms become \
                 ordinary letters, decimal digits of all scripts ASCII digits; default-ignorable \
                 characters, tatweel, Arabic short vowels, Hebrew points and accents are removed",
        vectors: "263fba1de16943eb",
    },
    Method {
        name: "fingerprint_word",
        role: "fingerprint",
        version: 1,
        functions: &[
            ("fingerprint", "fingerprint_word_v1"),
            ("shingle_set", "shingle_set_word_v1"),
            ("text_proof", "text_proof_word_v1"),
        ],
        since: "2026-11-30",
        meaning: "the same with the comparison tokeniser: lower-case runs of Python's \\w",
        change: "",
        vectors: "53a2dd72c8597089",
    },
    Method {
        name: "entity_id",
        role: "entity_id",
        version: 1,
        functions: &[
            ("page_id", "page_id_v1"),
            ("cluster_id", "cluster_id_v1"),
            ("id_bucket", "id_bucket_v1"),
            ("text_bucket", "text_bucket_v1"),
        ],
        since: "2026-11-30",
        meaning: "128-bit ids: BLAKE3 of key and digest for pages, of the medoid for clusters",
        change: "",
        vectors: "9bf0b43f32a9196a",
    },
    Method {
        name: "banding",
        role: "banding",
        version: 1,
        functions: &[
            ("bucket_orders", "bucket_orders_v1"),
            ("bucket_pairs", "bucket_pairs_v1"),
            ("equal_slots", "equal_slots_v1"),
            ("hamming", "hamming_v1"),
            ("simhash_blocks", "simhash_blocks_v1"),
        ],
        since: "2026-11-30",
        meaning: "which documents meet: pairs of a bucket, SimHash block keys, estimates",
        change: "",
        vectors: "6d1d61cdff516c2f",
    },
    Method {
        name: "clustering",
        role: "clustering",
        version: 1,
        functions: &[],
        since: "2026-11-30",
        meaning: "components by union-find, exact verification, leaders, representatives",
        change: "",
        vectors: "f42f074764b2e213",
    },
    Method {
        name: "clustering",
        role: "clustering",
        version: 2,
        functions: &[],
        since: "2026-12-01",
        meaning: "as version 1; a pair that a guard refuses is never inside one cluster",
        change: "a document that a guard keeps apart from a member joins another leader, or none",
        vectors: "40a192d15888b4af",
    },
    Method {
        name: "guard",
        role: "guard",
        version: 1,
        functions: &[("product_relation", "product_relation_v1")],
        since: "2026-12-01",
        meaning: "what the words that differ are: numbers by context, architectures, words that \
                  turn a meaning, signs, titles; whether two pages state one product",
        change: "",
        vectors: "a284cb51976ef593",
    },
    Method {
        name: "mirror",
        role: "mirror",
        version: 1,
        functions: &[
            ("mirror_names", "mirror_names_v1"),
            ("is_lesser_host", "is_lesser_host_v1"),
            ("path_swap", "path_swap_v1"),
            ("path_prefixes", "path_prefixes_v1"),
            ("path_stratum", "path_stratum_v1"),
            ("path_order", "path_order_v1"),
            ("share_bounds", "share_bounds_v1"),
        ],
        since: "2026-12-01",
        meaning: "which hosts may be mirrors, the sample of their common paths, bounds of a share",
        change: "",
        vectors: "bf0e4562c69d3ba8",
    },
];

/// Roles in the order in which the list first names them.
pub fn roles() -> Vec<&'static str> {
    let mut roles = Vec::new();
    for method in METHODS {
        if !roles.contains(&method.role) {
            roles.push(method.role);
        }
    }
    roles
}

/// The method called `name` at `version`.
pub fn find(name: &str, version: u16) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name && method.version == version)
}

/// The method that a versioned SQL function belongs to.
pub fn of_function(function: &str) -> Option<&'static Method> {
    METHODS
        .iter()
        .find(|method| method.functions.iter().any(|(_, versioned)| *versioned == function))
}
