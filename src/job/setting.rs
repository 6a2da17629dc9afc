//! What a job may say: the list of settings, in the order of the manual.

/// What a value may be.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// An integer from the first to the second number.
    Int(i64, i64),
    /// True or false.
    Bool,
    /// Any text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list of texts.
    Texts,
}

/// How a setting behaves when it is missing, and whether SQL sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Must be given; bound to `$<last part of the key>` in SQL.
    Param,
    /// Must be given.
    Needed,
    /// May be missing.
    Optional,
}

/// One thing a job may say.
#[derive(Debug)]
pub struct Setting {
    /// Dotted key, `fingerprint.width`.
    pub key: &'static str,
    /// What a value may be.
    pub kind: Kind,
    /// Whether it must be given, and who reads it.
    pub usage: Use,
    /// What it means, with its unit.
    pub meaning: &'static str,
}

impl Setting {
    /// Fewest entries of a list: input has to be named, rules need not.
    pub(super) fn least(&self) -> usize {
        usize::from(self.key == "input.paths")
    }
}

const fn setting(key: &'static str, kind: Kind, usage: Use, meaning: &'static str) -> Setting {
    Setting { key, kind, usage, meaning }
}

use Kind::{Bool, Int, Text, Texts, Word};
use Use::{Needed, Optional, Param};

/// Everything a job may say, in the order of the manual.
pub const SETTINGS: &[Setting] = &[
    setting("job", Text, Needed, "name of the job"),
    setting("input.paths", Texts, Needed, "files, folders and globs of Parquet or JSON Lines"),
    setting("input.text_bytes", Int(1, 1 << 30), Needed, "longest admitted text, bytes"),
    setting("input.url_bytes", Int(1, 1 << 20), Needed, "longest admitted URL, bytes"),
    setting("input.html_bytes", Int(1, 1 << 30), Param, "longest body that is parsed, bytes"),
    setting("input.columns.url", Text, Optional, "input column that holds the URL"),
    setting("input.columns.id", Text, Optional, "input column that holds the id"),
    setting("input.columns.text", Text, Optional, "input column that holds plain text"),
    setting(
        "input.columns.html",
        Text,
        Optional,
        "input column that holds the page, text or bytes",
    ),
    setting("input.columns.fetch_time", Text, Optional, "input column that holds the fetch time"),
    setting("input.columns.fetch_status", Text, Optional, "input column that holds the status"),
    setting(
        "input.columns.fetch_redirect",
        Text,
        Optional,
        "input column that holds the redirect target",
    ),
    setting("input.columns.content_type", Text, Optional, "input column that holds the media type"),
    setting("input.columns.charset", Text, Optional, "input column that holds the noted encoding"),
    setting("input.columns.headers", Text, Optional, "input column that holds the answer headers"),
    setting("input.columns.links", Text, Optional, "input column that holds the list of links"),
    setting(
        "input.columns.ip",
        Text,
        Optional,
        "input column that holds the address that answered",
    ),
    setting("output.root", Text, Needed, "folder of the generations"),
    setting("output.buckets", Int(1, 4096), Needed, "files of a published table"),
    setting("url.policy", Word(&["safe", "web"]), Needed, "heuristic rules of URL keys, by policy"),
    setting("url.rules", Texts, Needed, "heuristic rules of URL keys beside the policy"),
    setting("parse.html_nodes", Int(1, 1 << 26), Param, "most tags of a body"),
    setting("parse.html_depth", Int(1, 1 << 12), Param, "deepest nesting of a body"),
    setting("gate.tokens_min", Int(0, 1 << 20), Param, "fewest tokens of a compared HTML page"),
    setting("gate.mass_pages_min", Int(2, 1 << 30), Param, "addresses of a host with one text"),
    setting("gate.mass_share_milli", Int(0, 1000), Param, "and their share of its addresses"),
    setting("gate.mass_tokens_max", Int(0, 1 << 20), Param, "most tokens of such a text"),
    setting("gate.domains_min", Int(2, 1 << 30), Param, "domains that answer with one text"),
    setting("gate.domains_tokens_max", Int(0, 1 << 20), Param, "most tokens of such a text"),
    setting("gate.probe_marker", Text, Param, "what the address of a made-up path holds"),
    setting("gate.probe_equal_slots_min", Int(0, 512), Param, "equal slots of a page and a probe"),
    setting("gate.loop_repeats_min", Int(2, 1000), Param, "repetitions in a path that make a loop"),
    setting("boilerplate.is_removed", Bool, Param, "whether repeated blocks are removed"),
    setting("boilerplate.host_pages_min", Int(2, 1 << 30), Param, "pages of a host that tell"),
    setting("boilerplate.host_repeats_min", Int(2, 1 << 30), Param, "pages that repeat a block"),
    setting("boilerplate.host_share_milli", Int(1, 1000), Param, "and their least share"),
    setting("boilerplate.template_pages_min", Int(2, 1 << 30), Param, "pages of a template"),
    setting("boilerplate.template_share_milli", Int(1, 1000), Param, "share that repeats a block"),
    setting("boilerplate.links_repeats_min", Int(2, 1 << 30), Param, "pages that repeat links"),
    setting("boilerplate.links_share_milli", Int(1, 1000), Param, "and their least share"),
    setting("boilerplate.long_tokens", Int(1, 1 << 20), Param, "tokens of a block that stays"),
    setting("boilerplate.vanish_share_milli", Int(1, 1000), Param, "share that no page loses"),
    setting("boilerplate.vanish_tokens", Int(0, 1 << 20), Param, "if fewer tokens would be left"),
    setting("fingerprint.width", Int(3, 10), Param, "tokens in a shingle"),
    setting("fingerprint.slots", Int(1, 512), Param, "slots of a MinHash signature"),
    setting("fingerprint.bands", Int(1, 512), Param, "bands of a signature"),
    setting("bucket.simhash", Bool, Param, "SimHash block keys as a second source of candidates"),
    setting("bucket.sample", Bool, Param, "sampled shingles as a third source of candidates"),
    setting("candidate.samples_min", Int(1, 1 << 20), Param, "shared samples of a kept candidate"),
    setting("candidate.samples_share_milli", Int(0, 1000), Param, "and their share of the shorter"),
    setting("candidate.bucket_limit", Int(2, 100_000), Param, "documents with all pairs"),
    setting("candidate.centres", Int(1, 1000), Param, "documents of a hot bucket that meet all"),
    setting("candidate.window", Int(1, 1000), Param, "neighbours in a hot bucket that meet"),
    setting("candidate.equal_slots_min", Int(0, 512), Param, "equal slots of a kept candidate"),
    setting("candidate.hamming_max", Int(0, 3), Param, "SimHash bits of a kept candidate"),
    setting("edge.resemblance_min_milli", Int(1, 1000), Param, "least resemblance, thousandths"),
    setting("edge.variant_min_milli", Int(1, 1000), Param, "and of versions, of architectures"),
    setting("class.tiny_tokens_min", Int(0, 1 << 20), Param, "fewest tokens of a short text"),
    setting("class.short_tokens_min", Int(0, 1 << 20), Param, "fewest tokens of a medium text"),
    setting("class.article_tokens_min", Int(0, 1 << 20), Param, "fewest tokens of an article"),
    setting(
        "class.list_share_milli",
        Int(0, 1001),
        Param,
        "least link share of a list, thousandths",
    ),
    setting("class.cross_host_milli", Int(1, 1000), Param, "least resemblance across hosts"),
    setting("class.same_host_milli", Int(1, 1000), Param, "least resemblance on one host"),
    setting("class.medium_milli", Int(1, 1000), Param, "least resemblance of medium texts"),
    setting("class.short_milli", Int(1, 1000), Param, "least resemblance of short texts"),
    setting("class.tiny_milli", Int(1, 1000), Param, "least resemblance of tiny texts"),
    setting("class.list_milli", Int(1, 1000), Param, "least resemblance of lists"),
    setting("class.product_milli", Int(1, 1000), Param, "least resemblance with one product"),
    setting("guard.hreflang", Bool, Param, "guard: one page lists the other as its version"),
    setting("guard.script", Bool, Param, "guard: each text has a script the other lacks"),
    setting("guard.language", Bool, Param, "guard: the texts are of two languages"),
    setting("guard.product", Bool, Param, "guard: the pages state different products"),
    setting("guard.price", Bool, Param, "guard: the pages state different prices"),
    setting("guard.title", Bool, Param, "guard: the titles of two pages of a host differ"),
    setting("guard.digits", Bool, Param, "guard: numbers that identify differ"),
    setting("guard.operator", Bool, Param, "guard: signs between words differ"),
    setting("guard.polarity", Bool, Param, "guard: words that turn the meaning differ"),
    setting("guard.words_max", Int(0, 10_000), Param, "most differing words that are looked at"),
    setting("layout.layout_slots_min", Int(0, 64), Param, "equal slots of one layout, of 64"),
    setting("excerpt.excerpt_milli", Int(1, 1000), Param, "least share of an excerpt in the whole"),
    setting("excerpt.excerpt_size_milli", Int(1, 1000), Param, "most size of an excerpt"),
    setting(
        "excerpt.excerpt_shingles_min",
        Int(1, 1 << 20),
        Param,
        "fewest shingles of an excerpt",
    ),
    setting("closure.closure_limit", Int(0, 1 << 40), Param, "comparisons in one component"),
    setting("cluster.policy", Word(&["leader", "component"]), Needed, "how clusters are cut"),
    setting("cluster.floor_slack_milli", Int(0, 1000), Param, "slack of a representative"),
    setting(
        "host.page_tokens_min",
        Int(0, 1 << 20),
        Param,
        "fewest tokens of a page that says something of its host",
    ),
    setting(
        "host.text_tokens_min",
        Int(0, 1 << 20),
        Param,
        "fewest tokens of a text shared under any path",
    ),
    setting("host.path_bytes_min", Int(1, 1 << 20), Param, "shortest path that hosts share, bytes"),
    setting("host.key_hosts_max", Int(2, 10_000), Param, "most hosts of a key that proposes pairs"),
    setting(
        "host.paths_min",
        Int(1, 1 << 20),
        Param,
        "fewest common paths that propose a pair alone",
    ),
    setting("host.partners_max", Int(1, 10_000), Param, "most partners of a host that are tested"),
    setting(
        "host.prefix_paths_min",
        Int(1, 1 << 20),
        Param,
        "fewest equal texts that show a swap of prefixes",
    ),
    setting("host.swaps_max", Int(0, 1000), Param, "most swaps of prefixes of a pair"),
    setting(
        "host.full_hamming_max",
        Int(0, 64),
        Param,
        "differing bits of nearly equal full texts",
    ),
    setting(
        "host.contained_milli",
        Int(1, 1001),
        Param,
        "share of a text that is whole in another",
    ),
    setting("host.contrary_tokens_min", Int(0, 1 << 20), Param, "fewest tokens of contrary texts"),
    setting("host.contrary_slots_max", Int(0, 512), Param, "most equal slots of contrary texts"),
    setting("host.sample_max", Int(1, 100_000), Param, "most paths of a sample"),
    setting("host.depth_max", Int(0, 16), Param, "deepest folder with a sample of its own"),
    setting("mirror.compared_min", Int(1, 100_000), Param, "fewest compared paths of a mirror"),
    setting("mirror.folder_paths_min", Int(1, 100_000), Param, "fewest paths of a judged folder"),
    setting("mirror.carved_share_milli", Int(0, 1000), Param, "most share that is carved out"),
    setting(
        "mirror.lower_min_milli",
        Int(1, 1000),
        Param,
        "least lower bound of a mirror, thousandths",
    ),
    setting(
        "mirror.upper_max_milli",
        Int(0, 1000),
        Param,
        "highest upper bound of what is none, thousandths",
    ),
    setting("mirror.redirects_min", Int(1, 1 << 20), Param, "fewest redirects that show a mirror"),
    setting(
        "mirror.redirect_share_milli",
        Int(1, 1000),
        Param,
        "and least share that keeps the path, thousandths",
    ),
    setting(
        "mirror.redirect_lower_milli",
        Int(0, 1000),
        Param,
        "and least lower bound of that share, thousandths",
    ),
    setting(
        "mirror.other_share_milli",
        Int(1, 1000),
        Param,
        "share of other languages or offers, thousandths",
    ),
    setting(
        "mirror.texts_share_milli",
        Int(0, 1000),
        Param,
        "least share of distinct texts, thousandths",
    ),
    setting(
        "mirror.contrary_strata_max",
        Int(0, 100_000),
        Param,
        "most strata with contrary paths",
    ),
    setting("mirror.contrary_share_milli", Int(0, 1000), Param, "or most share of such paths"),
    setting(
        "mirror.away_share_milli",
        Int(1, 1000),
        Param,
        "share of redirects away that rules a host out",
    ),
    setting("mirror.hints_max", Int(0, 100_000), Param, "most URLs to fetch for an undecided pair"),
    setting("engine.kind", Word(&["embedded", "cluster"]), Optional, "what runs the stages"),
    setting("engine.memory_mib", Int(16, 1 << 24), Optional, "memory pool of the engine, MiB"),
    setting("engine.threads", Int(1, 4096), Optional, "worker threads"),
    setting("engine.stage_minutes", Int(1, 100_000), Optional, "longest time of one stage"),
];
