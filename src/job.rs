//! A job file as written becomes a job that can run; every fault is reported at once.
//!
//! [`SETTINGS`] is the single list of what a job may say: the reader, the cross-checks, `--set`,
//! the manual page and the SQL parameters come from it. What changes a result has no default; only
//! what changes speed may have one. A [`Job`] has been checked, so nothing below checks again.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use toml::{Table, Value};

use crate::error::{Error, Result};
use crate::kernels::url::Policy;
use crate::method::{self, METHODS, Method};

/// The job that `run INPUT... -o OUT` uses, every value written out.
pub const BUILT_IN: &str = include_str!("../jobs/corpus.toml");

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
    fn least(&self) -> usize {
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
    setting("engine.kind", Word(&["embedded", "cluster"]), Optional, "what runs the stages"),
    setting("engine.memory_mib", Int(16, 1 << 24), Optional, "memory pool of the engine, MiB"),
    setting("engine.threads", Int(1, 4096), Optional, "worker threads"),
    setting("engine.stage_minutes", Int(1, 100_000), Optional, "longest time of one stage"),
];

/// A query that a job prints when it has run.
#[derive(Debug, Clone)]
pub struct Show {
    /// What the reader sees.
    pub title: String,
    /// The query.
    pub sql: String,
}

/// A value that SQL sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scalar {
    /// A whole number.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A text.
    Text(String),
    /// Bytes; no setting holds any.
    Bytes(Vec<u8>),
}

/// A checked job.
#[derive(Debug, Clone)]
pub struct Job {
    values: BTreeMap<&'static str, Value>,
    methods: Vec<&'static Method>,
    shows: Vec<Show>,
}

impl Job {
    /// Reads a job file's text; `origin` names it in messages, `overrides` are `--set key=value`.
    ///
    /// # Errors
    ///
    /// One error that lists every fault with key, found and wanted.
    pub fn parse(text: &str, origin: &str, overrides: &[String]) -> Result<Self> {
        let mut written: Table = text
            .parse()
            .map_err(|fault: toml::de::Error| Error::job(format!("{origin}: {fault}")))?;
        let mut faults = Faults::default();
        for assignment in overrides {
            faults.keep(assign(&mut written, assignment));
        }
        let shows = take_shows(&mut written, &mut faults);
        let methods = take_methods(&mut written, &mut faults);
        let mut flat = BTreeMap::new();
        flatten("", written, &mut flat);
        let mut values = BTreeMap::new();
        for setting in SETTINGS {
            match flat.remove(setting.key) {
                Some(value) => match check(setting, &value) {
                    Ok(()) => drop(values.insert(setting.key, value)),
                    Err(fault) => faults.add(fault),
                },
                None if setting.usage == Use::Optional => {}
                None => faults.add(format!(
                    "{} is missing, wanted {} ({})",
                    setting.key,
                    wanted(setting.kind),
                    setting.meaning
                )),
            }
        }
        for key in flat.keys() {
            faults.add(format!("{key} is not a setting, {}", nearest(key)));
        }
        let job = Self { values, methods, shows };
        job.cross_check(&mut faults);
        faults.into_result(origin)?;
        Ok(job)
    }

    fn cross_check(&self, faults: &mut Faults) {
        let (slots, bands) = (self.find("fingerprint.slots"), self.find("fingerprint.bands"));
        if let (Some(slots), Some(bands)) = (slots, bands)
            && bands > 0
            && slots % bands != 0
        {
            faults.add(format!(
                "fingerprint.bands is {bands}, wanted a divisor of the {slots} slots"
            ));
        }
        if let (Some(slots), Some(least)) = (slots, self.find("candidate.equal_slots_min"))
            && least > slots
        {
            faults.add(format!(
                "candidate.equal_slots_min is {least}, wanted at most the {slots} slots"
            ));
        }
        for rule in self.texts("url.rules") {
            if let Err(fault) = Policy::of_words(&rule) {
                faults.add(format!("url.rules: {fault}"));
            }
        }
        if let Some(buckets) = self.find("output.buckets")
            && buckets.count_ones() != 1
        {
            faults.add(format!("output.buckets is {buckets}, wanted a power of two"));
        }
    }

    fn find(&self, key: &str) -> Option<i64> {
        self.values.get(key).and_then(Value::as_integer)
    }

    /// The integer at `key`, or 0 for an optional one that is missing.
    pub fn int(&self, key: &str) -> i64 {
        self.find(key).unwrap_or(0)
    }

    /// The text at `key`, if given.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.values.get(key).and_then(Value::as_str)
    }

    /// The texts at `key`.
    pub fn texts(&self, key: &str) -> Vec<String> {
        let list = self.values.get(key).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// The pinned methods, in the order of [`METHODS`].
    pub fn methods(&self) -> &[&'static Method] {
        &self.methods
    }

    /// The pinned methods, as one text: `fingerprint_v1 url_key_v1`.
    pub fn methods_text(&self) -> String {
        let mut names: Vec<_> = self.methods.iter().map(|method| method.versioned()).collect();
        names.sort();
        names.join(" ")
    }

    /// The pinned method of a role: `fingerprint_v1`.
    fn method_of(&self, role: &str) -> Option<String> {
        let found = self.methods.iter().find(|method| method.role == role)?;
        Some(found.versioned())
    }

    /// Policy and heuristic rules of URL keys, as one text: `web,sort`.
    fn url_policy(&self) -> String {
        let policy = self.text("url.policy").unwrap_or_default().to_owned();
        let rules = self.texts("url.rules");
        std::iter::once(policy).chain(rules).collect::<Vec<_>>().join(",")
    }

    /// Queries to print at the end.
    pub fn shows(&self) -> &[Show] {
        &self.shows
    }

    /// The value that SQL sees as `$name`.
    pub fn param(&self, name: &str) -> Option<Scalar> {
        match name {
            "methods" => return Some(Scalar::Text(self.methods_text())),
            "url_policy" => return Some(Scalar::Text(self.url_policy())),
            "tokeniser" => return self.method_of("fingerprint").map(Scalar::Text),
            "clusterer" => return self.method_of("clustering").map(Scalar::Text),
            "is_leader_policy" => {
                return Some(Scalar::Bool(self.text("cluster.policy") == Some("leader")));
            }
            _ => {}
        }
        let mut params = SETTINGS.iter().filter(|setting| setting.usage == Use::Param);
        let found = params.find(|setting| setting.key.rsplit('.').next() == Some(name))?;
        match self.values.get(found.key)? {
            Value::Integer(value) => Some(Scalar::Int(*value)),
            Value::Boolean(value) => Some(Scalar::Bool(*value)),
            Value::String(value) => Some(Scalar::Text(value.clone())),
            _ => None,
        }
    }
}

/// Faults found so far; all are reported together.
#[derive(Debug, Default)]
struct Faults(Vec<String>);

impl Faults {
    fn add(&mut self, fault: String) {
        self.0.push(fault);
    }

    fn keep(&mut self, result: std::result::Result<(), String>) {
        if let Err(fault) = result {
            self.add(fault);
        }
    }

    fn into_result(self, origin: &str) -> Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        let count = self.0.len();
        let mut message = format!("{origin}: {count} fault{}", if count == 1 { "" } else { "s" });
        for fault in self.0 {
            let _ = write!(message, "\n  {fault}");
        }
        Err(Error::job(message))
    }
}

fn assign(written: &mut Table, assignment: &str) -> std::result::Result<(), String> {
    let (key, value) = assignment
        .split_once('=')
        .ok_or_else(|| format!("--set {assignment}: found no `=`, wanted key=value"))?;
    let parsed: Table = format!("value = {value}")
        .parse()
        .or_else(|_| format!("value = {}", Value::String(value.to_owned())).parse())
        .map_err(|_| format!("--set {key}: {value} is not a value"))?;
    let Some(value) = parsed.get("value").cloned() else { return Ok(()) };
    let mut place = written;
    let mut parts = key.trim().split('.').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            place.insert(part.to_owned(), value);
            return Ok(());
        }
        let next = place.entry(part).or_insert_with(|| Value::Table(Table::new()));
        place = next.as_table_mut().ok_or_else(|| format!("--set {key}: {part} has no parts"))?;
    }
    Ok(())
}

fn take_shows(written: &mut Table, faults: &mut Faults) -> Vec<Show> {
    let mut shows = Vec::new();
    let Some(value) = written.remove("show") else { return shows };
    let Value::Array(entries) = value else {
        faults.add(format!("show is {}, wanted [[show]] tables", value.type_str()));
        return shows;
    };
    for (at, entry) in entries.iter().enumerate() {
        let text = |key: &str| entry.get(key).and_then(Value::as_str).map(str::to_owned);
        let (title, sql) = (text("title"), text("sql"));
        let extra = entry.as_table().is_none_or(|table| table.len() != 2);
        match (title, sql) {
            (Some(title), Some(sql)) if !extra => shows.push(Show { title, sql }),
            _ => faults.add(format!("show[{at}] wants exactly the texts title and sql")),
        }
    }
    shows
}

fn take_methods(written: &mut Table, faults: &mut Faults) -> Vec<&'static Method> {
    let table = match written.remove("methods") {
        Some(Value::Table(table)) => table,
        Some(other) => {
            faults.add(format!("methods is {}, wanted a table", other.type_str()));
            return Vec::new();
        }
        None => Table::new(),
    };
    let mut pinned: Vec<&'static Method> = Vec::new();
    for (name, value) in &table {
        let version = value.as_integer().and_then(|version| u16::try_from(version).ok());
        match version.and_then(|version| method::find(name, version)) {
            Some(method) => pinned.push(method),
            None => {
                faults.add(format!("methods.{name} is {value}, wanted one of: {}", known(name)));
            }
        }
    }
    for role in method::roles() {
        let names: Vec<_> =
            pinned.iter().filter(|method| method.role == role).map(|method| method.name).collect();
        let named_at_all =
            METHODS.iter().any(|method| method.role == role && table.contains_key(method.name));
        match names.as_slice() {
            [_] => {}
            [] if named_at_all => {}
            [] => faults.add(format!("methods pins no {role}, wanted one of: {}", known(role))),
            several => faults.add(format!(
                "methods pins {} as {role}, wanted one of them",
                several.join(" and ")
            )),
        }
    }
    pinned
}

fn known(name: &str) -> String {
    let fits = |method: &&Method| method.name == name || method.role == name;
    let mut names: Vec<_> = METHODS.iter().filter(fits).collect();
    if names.is_empty() {
        names = METHODS.iter().collect();
    }
    let shown: Vec<_> =
        names.iter().map(|method| format!("{} = {}", method.name, method.version)).collect();
    shown.join(", ")
}

fn flatten(prefix: &str, table: Table, flat: &mut BTreeMap<String, Value>) {
    for (name, value) in table {
        let key = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
        match value {
            Value::Table(inner) if !inner.is_empty() => flatten(&key, inner, flat),
            Value::Table(_) => {}
            value => drop(flat.insert(key, value)),
        }
    }
}

fn check(setting: &Setting, value: &Value) -> std::result::Result<(), String> {
    let fits = match setting.kind {
        Kind::Int(least, most) => {
            value.as_integer().is_some_and(|found| (least..=most).contains(&found))
        }
        Kind::Bool => value.is_bool(),
        Kind::Text => value.as_str().is_some_and(|text| !text.is_empty()),
        Kind::Word(words) => value.as_str().is_some_and(|text| words.contains(&text)),
        Kind::Texts => value
            .as_array()
            .is_some_and(|list| list.len() >= setting.least() && list.iter().all(Value::is_str)),
    };
    if fits {
        return Ok(());
    }
    Err(format!("{} is {value}, wanted {}", setting.key, wanted(setting.kind)))
}

/// What a value may be, in words.
pub fn wanted(kind: Kind) -> String {
    match kind {
        Kind::Int(least, most) => format!("an integer from {least} to {most}"),
        Kind::Bool => "true or false".to_owned(),
        Kind::Text => "a text".to_owned(),
        Kind::Word(words) => words.join(" or "),
        Kind::Texts => "a list of texts".to_owned(),
    }
}

fn nearest(key: &str) -> String {
    let section = key.split('.').next().unwrap_or(key);
    let fits = |setting: &&Setting| setting.key.split('.').next() == Some(section);
    let keys: Vec<_> = SETTINGS.iter().filter(fits).map(|setting| setting.key).collect();
    match keys.as_slice() {
        [] => "wanted a section of the manual page docs/jobs.md".to_owned(),
        keys => format!("wanted one of {}", keys.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built_in(overrides: &[&str]) -> Result<Job> {
        let mut all = vec!["input.paths=[\"in\"]".to_owned(), "output.root=\"out\"".to_owned()];
        all.extend(overrides.iter().map(|text| (*text).to_owned()));
        Job::parse(BUILT_IN, "built-in", &all)
    }

    #[test]
    fn the_built_in_job_is_complete() {
        let job = built_in(&[]).unwrap();
        assert_eq!(job.param("width"), Some(Scalar::Int(5)));
        assert_eq!(job.param("is_leader_policy"), Some(Scalar::Bool(true)));
        assert_eq!(job.methods().len(), method::roles().len());
    }

    #[test]
    fn three_faults_are_reported_at_once() {
        let fault = built_in(&["fingerprint.width=2", "edge.treshold=8", "methods.url_key=9"])
            .unwrap_err()
            .to_string();
        assert!(fault.contains("3 faults"), "{fault}");
        assert!(fault.contains("fingerprint.width is 2, wanted an integer from 3 to 10"));
        assert!(fault.contains("edge.treshold is not a setting, wanted one of edge."));
        assert!(fault.contains("methods.url_key is 9, wanted one of: url_key = 1"));
    }

    #[test]
    fn bands_divide_slots() {
        let fault = built_in(&["fingerprint.bands=7"]).unwrap_err().to_string();
        assert!(fault.contains("wanted a divisor of the 120 slots"), "{fault}");
    }

    #[test]
    fn two_methods_of_one_role_are_a_fault() {
        let fault = built_in(&["methods.fingerprint_word=1"]).unwrap_err().to_string();
        assert!(fault.contains("fingerprint and fingerprint_word as fingerprint"), "{fault}");
    }

    #[test]
    fn a_set_without_quotes_is_a_text() {
        let job = built_in(&["cluster.policy=component"]).unwrap();
        assert_eq!(job.param("is_leader_policy"), Some(Scalar::Bool(false)));
    }
}
