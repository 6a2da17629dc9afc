//! The answer of `explain` for people: one word in capitals a paragraph.

use std::fmt::Write as _;

use super::super::print::{Address, plural, word};
use super::mirror;
use super::removal::{self, Removal};
use super::report::{Cluster, Edge, Excerpt, Facts, Listed, Page, Report, Statement, UrlEdge};
use super::versus::{Pair, Versus, figure};

/// Digits of an id that are shown.
const ID_DIGITS: usize = 12;

/// Characters of a line of a page that are shown.
const LINE_CHARACTERS: usize = 72;

/// Lines, each under a word in capitals.
#[derive(Default)]
struct Lines {
    text: String,
    title: &'static str,
}

impl Lines {
    /// Starts a paragraph.
    fn title(&mut self, title: &'static str) {
        self.title = title;
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:<10}{text}", self.title);
        self.title = "";
    }

    /// Says how many rows of a list are not shown.
    fn rest<T>(&mut self, list: &Listed<T>) {
        let rest = list.total - i64::try_from(list.shown.len()).unwrap_or_default();
        if rest > 0 {
            self.line(&format!("  and {rest} more; --limit shows them"));
        }
    }
}

/// `report` as text.
pub(super) fn text(report: &Report) -> String {
    let mut lines = Lines::default();
    head(&mut lines, report);
    if let Some(page) = &report.page {
        print(&mut lines, report, page);
        if let Some(facts) = &report.facts {
            self::facts(&mut lines, facts);
        }
        statements(&mut lines, &report.statements);
        if let Some(removal) = &report.removal {
            removed(&mut lines, removal);
        }
        declarations(&mut lines, report);
        pairs(&mut lines, report);
        excerpts(&mut lines, &report.excerpts);
    }
    if let Some(cluster) = &report.cluster {
        self::cluster(&mut lines, cluster);
    }
    mirror_tests(&mut lines, &report.mirror_tests);
    if let Some(versus) = &report.versus {
        self::versus(&mut lines, versus);
    }
    lines.title("METHODS");
    let (number, root) = (report.generation, &report.root);
    lines.line(&format!("{}  (generation {number} of {root})", report.methods.join(" ")));
    if let (None, Some(page)) = (&report.versus, &report.page) {
        lines.title("WHY NOT");
        let asked = quoted(&report.asked, page);
        lines.line(&format!("selfsame explain {root} {asked} --versus OTHER"));
    }
    lines.text
}

/// What a shell reads as what was asked for: as it was typed, or the page id where that is not
/// shown as it is.
fn quoted(asked: &Address, page: &Page) -> String {
    let shown = asked.to_string();
    if shown != asked.raw() || shown.contains('\'') {
        return short(&page.page_id).to_owned();
    }
    format!("'{shown}'")
}

fn short(id: &str) -> &str {
    id.get(..ID_DIGITS).unwrap_or(id)
}

fn name(address: Option<&Address>, page_id: &str) -> String {
    address.map_or_else(|| short(page_id).to_owned(), Address::to_string)
}

/// What was asked for, its key, and what maps to the page.
fn head(lines: &mut Lines, report: &Report) {
    lines.title("ASKED");
    let by = report.found_by.replace('_', " ");
    lines.line(&format!("{}  found as {by}", report.asked));
    lines.title("KEY");
    match &report.key.url_key {
        Some(key) => lines.line(&format!("{key}  {}", report.key.method)),
        None => lines.line("none"),
    }
    if let (Some(url), false) = (&report.key.url, report.key.rules.is_empty()) {
        lines.line(&format!("  from {url}"));
        lines.line(&format!("  by the rules {}", report.key.rules.join(", ")));
    }
    lines.title("SET ASIDE");
    for row in &report.set_aside {
        let (reason, detail) = (&row.reason, word(&row.detail));
        lines.line(&format!("{reason}: {detail}  {} row {}", word(&row.input_file), row.file_row));
    }
    lines.title("ROWS");
    for member in &report.members.shown {
        let url = member.url.as_ref().map(Address::to_string);
        let id = member.id.as_ref().map(|id| format!("id {id}"));
        let names = [url, id].into_iter().flatten().collect::<Vec<_>>().join("  ");
        lines.line(&format!("{names}  {}x", member.multiplicity));
    }
    lines.rest(&report.members);
}

/// The page and its fingerprint, and the other pages under its key.
fn print(lines: &mut Lines, report: &Report, page: &Page) {
    lines.title("PAGE");
    let simhash = page.simhash.as_deref().unwrap_or("none, fewer tokens than a shingle");
    lines.line(&format!(
        "{}  {}  {}, {}  simhash {simhash}",
        short(&page.page_id),
        gate(page),
        plural(page.tokens, "token"),
        plural(page.fetches, "fetch row"),
    ));
    if report.key_pages.total > 1 {
        lines.line(&format!("{} under this key:", plural(report.key_pages.total, "page")));
        for other in &report.key_pages.shown {
            lines.line(&format!(
                "  {}  {}  {}  newest ok {}{}",
                short(&other.page_id),
                other.gate,
                plural(other.tokens, "token"),
                other.newest_ok.as_deref().unwrap_or("unknown"),
                if other.is_current { "  explained here" } else { "" },
            ));
        }
        lines.rest(&report.key_pages);
    }
    if report.equal_texts.total > 0 {
        lines.title("EQUAL");
        lines.line(&format!("{} with the same text:", plural(report.equal_texts.total, "page")));
        for twin in &report.equal_texts.shown {
            lines.line(&format!("  {}", name(twin.address.as_ref(), &twin.page_id)));
        }
        lines.rest(&report.equal_texts);
    }
}

/// The gate, and what decided it where that is not the gate itself.
fn gate(page: &Page) -> String {
    let reason = page.gate_reason.as_deref().filter(|reason| *reason != page.gate);
    let reason = reason.map(|reason| format!(" by {reason}"));
    format!("{}{}", page.gate, reason.unwrap_or_default())
}

/// What the page says of itself.
fn facts(lines: &mut Lines, facts: &Facts) {
    lines.title("SAYS");
    let address = |address: &Option<Address>| address.as_ref().map(Address::to_string);
    let canonicals = facts.canonicals.iter().map(Address::to_string).collect::<Vec<_>>();
    let canonical = match (&facts.canonical, canonicals.as_slice()) {
        (Some(canonical), _) => Some(canonical.to_string()),
        (None, []) => None,
        (None, all) => Some(format!("none that may be used of {}", all.join(", "))),
    };
    let language = [&facts.language_declared, &facts.language_detected];
    let language = match language.map(Option::as_deref) {
        [Some(declared), Some(detected)] => Some(format!("{declared}, detected {detected}")),
        [Some(declared), None] => Some(declared.to_owned()),
        [None, Some(detected)] => Some(format!("detected {detected}")),
        [None, None] => None,
    };
    let source = facts.charset_source.as_deref().unwrap_or_default();
    let charset = facts.charset.as_ref().map(|charset| format!("{charset}, by {source}"));
    let heading = facts.heading.clone().filter(|heading| facts.title.as_ref() != Some(heading));
    for (name, value) in [
        ("title", facts.title.clone()),
        ("heading", heading),
        ("canonical", canonical),
        ("robots", facts.robots.clone()),
        ("language", language),
        ("leads to", address(&facts.final_url)),
        ("main text", main_text(facts)),
        ("charset", charset),
        ("links", Some(links(facts))),
        ("template", facts.template.clone()),
    ] {
        if let Some(value) = value {
            lines.line(&format!("{name:<10}{}", word(&value)));
        }
    }
}

/// What the main text was taken from, and whether a second extractor agrees.
fn main_text(facts: &Facts) -> Option<String> {
    let extractor = facts.extractor.as_ref()?;
    let agreement = facts.agreement.map(|agreement| {
        format!(", agrees with a second extractor by {}", figure(Some(agreement)))
    });
    Some(format!("{extractor}{}", agreement.unwrap_or_default()))
}

fn links(facts: &Facts) -> String {
    let share = facts.link_share.map(|share| format!(", {} of its text", figure(Some(share))));
    format!("{}{}", facts.links, share.unwrap_or_default())
}

/// What the page states, each kind once.
fn statements(lines: &mut Lines, statements: &Listed<Statement>) {
    lines.title("STATES");
    let mut last = "";
    for statement in &statements.shown {
        let kind = if statement.kind == last { "" } else { statement.kind.as_str() };
        let value = cut(&statement.value);
        lines.line(&format!("{kind:<24}{value}  ({})", statement.place));
        last = &statement.kind;
    }
    lines.rest(statements);
}

/// The lines that the host of the page repeats.
fn removed(lines: &mut Lines, removal: &Removal) {
    lines.title("REMOVED");
    lines.line(&format!(
        "{}: {} of its main text, {} before and {} after",
        removal.verdict.replace('_', " "),
        plural(removal.removed_blocks, "line"),
        plural(removal.tokens_before, "token"),
        removal.tokens_after
    ));
    for (what, list) in [("went", &removal.removed), ("stays", &removal.kept)] {
        for line in &list.shown {
            lines.line(&format!("  {what:<6}{}{}", cut(&line.text), repeated(line)));
        }
        lines.rest(list);
    }
}

/// How often the host repeats a line, and by which rule that counts.
fn repeated(line: &removal::Line) -> String {
    match (line.pages, line.of_pages, &line.rule) {
        (Some(pages), Some(of_pages), Some(rule)) => {
            format!("  on {pages} of {}, rule {rule}", plural(of_pages, "page"))
        }
        _ => String::new(),
    }
}

/// The start of a crawled text, on one line.
fn cut(text: &str) -> String {
    let mut shown: String = text.chars().take(LINE_CHARACTERS).collect();
    if shown.len() < text.len() {
        shown.push_str("...");
    }
    word(&shown)
}

/// Longer texts that hold this one, and shorter ones that it holds.
/// The tests of the host with others.
fn mirror_tests(lines: &mut Lines, tests: &Listed<mirror::Test>) {
    lines.title("MIRROR");
    for (place, test) in tests.shown.iter().enumerate() {
        if let (0, Some(main), Some(choice)) = (place, &test.main_mirror, &test.choice) {
            let points = test.score_milli.unwrap_or_default();
            lines.line(&format!("main mirror of its host {main}  {choice}, {points} points"));
        }
        lines.line(&format!("  {}", test.line()));
    }
    lines.rest(tests);
}

fn excerpts(lines: &mut Lines, excerpts: &Listed<Excerpt>) {
    lines.title("EXCERPT");
    for excerpt in &excerpts.shown {
        let relation = if excerpt.relation == "holds" { "holds" } else { "is held by" };
        lines.line(&format!(
            "{relation}  {}  shares {} / {}{}  {}",
            name(excerpt.address.as_ref(), &excerpt.page_id),
            figure(Some(excerpt.containment)),
            figure(Some(excerpt.containment_whole)),
            if excerpt.is_same_host { "  one host" } else { "" },
            excerpt.source,
        ));
    }
    lines.rest(excerpts);
}

/// Redirects, refreshes and canonicals of the key and to it.
fn declarations(lines: &mut Lines, report: &Report) {
    lines.title("URLS");
    report.url_edges.shown.iter().for_each(|edge| url_edge(lines, edge));
    lines.rest(&report.url_edges);
    let Some(identity) = &report.identity else { return };
    lines.title("ANSWER");
    let keys = identity.keys.filter(|_| identity.reason.is_some());
    let shared = keys.map(|keys| format!("  of a resource of {}", plural(keys, "key")));
    lines.line(&format!("canonical {}{}", identity.canonical_url, shared.unwrap_or_default()));
    if let Some(representative) = &identity.representative_url {
        lines.line(&format!("shown as  {representative}"));
    }
    if let Some(mirror_url) = &identity.mirror_url {
        lines.line(&format!("on its main mirror  {mirror_url}"));
    }
    if let Some(owner) = &identity.owner {
        lines.line(&format!("owner     {}", word(owner)));
    }
}

fn url_edge(lines: &mut Lines, edge: &UrlEdge) {
    let status = edge.fetch_status.map(|status| format!(" {status}")).unwrap_or_default();
    let near = edge.resemblance.map(|near| format!("  {}", figure(Some(near))));
    let outcome = edge.refused.as_ref().map(|why| format!("refused, {}", why.replace('_', " ")));
    lines.line(&format!(
        "{}{status}  {} -> {}{}  {}",
        edge.kind,
        edge.url_key,
        edge.target_url,
        near.unwrap_or_default(),
        outcome.unwrap_or_else(|| edge.outcome.clone()),
    ));
}

/// Candidates, edges, near misses and hot buckets.
fn pairs(lines: &mut Lines, report: &Report) {
    let Some(candidates) = &report.candidates else { return };
    lines.title("PAIRS");
    lines.line(&format!(
        "{} met: {} dropped by the estimate, {} verified",
        plural(candidates.met, "document"),
        candidates.dropped,
        candidates.verified
    ));
    for (outcome, list) in
        [("accepted", &report.edges_accepted), ("refused", &report.edges_refused)]
    {
        if list.total > 0 {
            lines.line(&format!("{} {outcome}:", plural(list.total, "edge")));
            list.shown.iter().for_each(|edge| self::edge(lines, edge));
            lines.rest(list);
        }
    }
    if report.pairs_below.total > 0 {
        let least = report.resemblance_min.unwrap_or_default();
        lines.line(&format!(
            "{} below the threshold {least:.3}, the nearest first:",
            plural(report.pairs_below.total, "verified pair")
        ));
        for pair in &report.pairs_below.shown {
            let other = name(pair.address.as_ref(), &pair.page_id);
            lines.line(&format!("  {}  {other}", figure(Some(pair.resemblance))));
        }
        lines.rest(&report.pairs_below);
    }
    if let Some(largest) = report.hot_buckets.shown.first() {
        lines.title("HOT");
        lines.line(&format!(
            "{}: pairs may be missing; the largest holds {} documents, {} of {} pairs were made",
            plural(report.hot_buckets.total, "hot bucket"),
            largest.documents,
            largest.pairs_emitted,
            largest.pairs_possible
        ));
    }
}

fn edge(lines: &mut Lines, edge: &Edge) {
    let guard = edge.guard.as_ref().map(|guard| format!("  guard {guard}")).unwrap_or_default();
    let met = match edge.shared_bands {
        Some(bands) => format!("{bands} shared bands"),
        None => edge.source.clone(),
    };
    lines.line(&format!(
        "  {}  contained {} / {}  hamming {}  {met}{}{guard}  {}",
        figure(Some(edge.resemblance)),
        figure(Some(edge.containment_own)),
        figure(Some(edge.containment_other)),
        edge.hamming,
        judged(edge),
        name(edge.address.as_ref(), &edge.page_id)
    ));
}

/// What the numbers that differ are; nothing where none does, or too many words do.
fn shown_numbers(numbers: Option<&String>) -> Option<&String> {
    numbers.filter(|numbers| !matches!(numbers.as_str(), "none" | "many"))
}

/// Class, tier and kind of an edge, and what differs.
fn judged(edge: &Edge) -> String {
    let (Some(class), Some(tier)) = (&edge.class, &edge.tier) else { return String::new() };
    let words = edge.words.filter(|words| *words > 0).map(|words| plural(words, "word"));
    let numbers = shown_numbers(edge.numbers.as_ref());
    let numbers = numbers.map(|numbers| format!("{numbers} numbers"));
    let differ: Vec<_> = [words, numbers].into_iter().flatten().collect();
    let differ = if differ.is_empty() {
        String::new()
    } else {
        format!("  differ in {}", differ.join(", "))
    };
    format!("  {class} {tier}  {}{differ}", edge.kind.replace('_', " "))
}

fn cluster(lines: &mut Lines, cluster: &Cluster) {
    lines.title("CLUSTER");
    let Some(id) = &cluster.cluster else {
        lines.line(&format!("none of its own: the gate says {}", cluster.reason.replace('_', " ")));
        return;
    };
    let size = format!("{}, {}", plural(cluster.members, "member"), plural(cluster.pages, "page"));
    let tier = cluster.tier.as_ref().filter(|_| cluster.pages > 1);
    let tier = tier.map(|tier| format!("  tier {tier}")).unwrap_or_default();
    lines.line(&format!("{}  {size}{tier}", short(id)));
    let medoid = cluster.medoid_page_id.as_deref().unwrap_or_default();
    lines.line(&format!(
        "  medoid          {}  resemblance {}",
        name(cluster.medoid_url.as_ref(), medoid),
        figure(cluster.resemblance_medoid)
    ));
    let representative = cluster.representative_page_id.as_deref().unwrap_or_default();
    let own = if cluster.is_representative { "  this page" } else { "" };
    lines.line(&format!(
        "  representative  {}  resemblance {}  because {}{own}",
        name(cluster.representative_url.as_ref(), representative),
        figure(cluster.resemblance_representative),
        because(&cluster.reason)
    ));
    if cluster.component_clusters > 1 {
        lines.line(&format!(
            "  its component has {}, cut into {} clusters; {} are in other clusters",
            plural(cluster.component_members, "member"),
            cluster.component_clusters,
            cluster.component_members - cluster.members
        ));
    }
}

/// A reason of table `cluster` in words.
fn because(reason: &str) -> &str {
    match reason {
        "only" | "only_text" => "it is the only text",
        "best" => "it is the longest text",
        "best_near" => "it is the longest text that is known to be near to every member",
        "medoid" => "no longer text is known to be near to every member",
        reason => reason,
    }
}

fn versus(lines: &mut Lines, versus: &Versus) {
    lines.title("VERSUS");
    lines.line(&versus.asked.to_string());
    if let Some(key) = &versus.url_key {
        let same = if versus.is_same_key { "the same key" } else { "key" };
        lines.line(&format!("  {same} {key}"));
    }
    if let Some(pair) = &versus.pair {
        lines.line(&format!("  {}", met(pair)));
    }
    if versus.resemblance.is_some() {
        let now = if versus.is_computed_now { ", computed now" } else { "" };
        lines.line(&format!(
            "  resemblance {}, contained {} / {}{now}",
            figure(versus.resemblance),
            figure(versus.containment_own),
            figure(versus.containment_other)
        ));
    }
    judgement(lines, versus);
    if let (Some(cluster), Some(medoid)) = (&versus.cluster, &versus.medoid_url) {
        lines.line(&format!(
            "  cluster {}  medoid {medoid}  resemblance {}",
            short(cluster),
            figure(versus.resemblance_medoid)
        ));
    }
    words(lines, versus);
    lines.title("VERDICT");
    lines.line(&versus.sentence);
}

/// Class, kind, tier and guards of the pair.
fn judgement(lines: &mut Lines, versus: &Versus) {
    let numbers = shown_numbers(versus.numbers.as_ref());
    let layout = versus.layout.map(|layout| figure(Some(layout)));
    let guards = Some(versus.guards.join(", ")).filter(|guards| !guards.is_empty());
    let kind = versus.kind.as_ref().map(|kind| kind.replace('_', " "));
    let parts = [
        ("class", versus.class.clone()),
        ("kind", kind),
        ("tier", versus.tier.clone()),
        ("numbers", numbers.cloned()),
        ("layouts", layout),
        ("guard", guards),
    ];
    let parts: Vec<_> =
        parts.into_iter().filter_map(|(name, value)| Some(format!("{name} {}", value?))).collect();
    if !parts.is_empty() {
        lines.line(&format!("  {}", parts.join(", ")));
    }
}

/// The words in which the two differ: those of the page that is explained, then the other's.
fn words(lines: &mut Lines, versus: &Versus) {
    lines.title("WORDS");
    let Some(places) = versus.differing.places else {
        if versus.resemblance.is_some() {
            lines.line("too many words differ to be shown");
        }
        return;
    };
    versus.differing.words.iter().for_each(|hunk| lines.line(&hunk.to_string()));
    let rest = places - versus.differing.words.len().min(places);
    if rest > 0 {
        lines.line(&format!("  and {rest} places more"));
    } else if places == 0 {
        lines.line("none differ");
    }
}

fn met(pair: &Pair) -> String {
    if !pair.is_met {
        let closure = if pair.source.is_some() { ", compared for the closure" } else { "" };
        return format!("never met in a bucket{closure}");
    }
    let count = |value: Option<i64>| value.unwrap_or_default();
    format!(
        "met in {}, {} equal, hamming {}: {}",
        plural(count(pair.shared_bands) + count(pair.shared_blocks), "bucket"),
        plural(count(pair.equal_slots), "slot"),
        count(pair.hamming),
        if pair.is_kept { "verified" } else { "dropped by the estimate" }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_stands_once() {
        let mut lines = Lines::default();
        lines.title("PAIRS");
        lines.line("first");
        lines.line("second");
        assert_eq!(lines.text, "PAIRS     first\n          second\n");
    }

    #[test]
    fn what_was_asked_is_safe_to_paste() {
        let page: Page = serde_json::from_value(serde_json::json!({
            "page_id": "00112233445566778899aabbccddeeff", "url_key": "", "gate": "ok",
            "tokens": 0, "text_digest": "", "fetches": 1, "equal_texts": 1,
        }))
        .unwrap();
        assert_eq!(
            quoted(&Address::new("http://a.example/?x&y"), &page),
            "'http://a.example/?x&y'"
        );
        for hidden in ["http://user:pass@a.example/", "a'b", "a\u{1b}"] {
            assert_eq!(quoted(&Address::new(hidden), &page), "001122334455");
        }
    }
}
