//! Why two pages are, or are not, one.

use serde::{Deserialize, Serialize};

use super::super::compare::hunk::{self, Differing};
use super::super::compare::{self, Given, Known, figures, ratio};
use super::super::generation::{Content, Generation, Jobs};
use super::super::print::Address;
use super::report::{Cluster, Identity, Report};
use super::subject::text;
use crate::error::Result;
use crate::job::Scalar;
use crate::kernels::boilerplate::kept_text;
use crate::kernels::text::Text;

const PAIR: &str = include_str!("../../../sql/explain/pair.sql");
const LAYOUT: &str = include_str!("../../../sql/explain/layout.sql");
const TEXT: &str = include_str!("../../../sql/explain/text.sql");

/// What two pages are to each other; `own` is the page that is explained.
#[derive(Serialize)]
pub(super) struct Versus {
    pub(super) asked: Address,
    pub(super) page_id: Option<String>,
    pub(super) url_key: Option<Address>,
    pub(super) is_same_key: bool,
    pub(super) is_same_page: bool,
    pub(super) is_equal_text: bool,
    pub(super) is_same_component: bool,
    pub(super) is_same_cluster: bool,
    /// How far the pair came in the run; NULL where there is no pair of documents.
    pub(super) pair: Option<Pair>,
    pub(super) resemblance: Option<f64>,
    pub(super) containment_own: Option<f64>,
    pub(super) containment_other: Option<f64>,
    /// Whether the figures were computed now, because the run never compared the two.
    pub(super) is_computed_now: bool,
    /// What they share: same_content or partial_content, with _same_layout; NULL below the
    /// threshold.
    pub(super) kind: Option<String>,
    /// What decides the least resemblance of the pair, or equal.
    pub(super) class: Option<String>,
    /// merge, group, suggest or none; NULL below the threshold.
    pub(super) tier: Option<String>,
    /// What the numbers that differ are.
    pub(super) numbers: Option<String>,
    /// Estimated resemblance of the layouts.
    pub(super) layout: Option<f64>,
    /// Guards that refuse the pair, whatever its resemblance; class_... where the class does.
    /// Known for edges and computed pairs.
    pub(super) guards: Vec<String>,
    /// Least resemblance of its class, where the generation has classes.
    pub(super) class_min: Option<f64>,
    /// The words that differ; `left` is the page that is explained.
    #[serde(flatten)]
    pub(super) differing: Differing,
    pub(super) cluster: Option<String>,
    pub(super) medoid_url: Option<Address>,
    pub(super) resemblance_medoid: Option<f64>,
    /// same_page, equal_text, near, same_cluster, other_cluster, refused, different, dropped,
    /// never_met, too_short, empty, set_aside, same_resource, same_shown.
    pub(super) verdict: &'static str,
    /// Whether they are in one cluster, or one resource, or show one document.
    pub(super) is_one: bool,
    pub(super) sentence: String,
}

/// How far a pair of documents came.
#[derive(Serialize, Deserialize)]
pub(super) struct Pair {
    pub(super) is_met: bool,
    pub(super) is_kept: bool,
    pub(super) shared_bands: Option<i64>,
    pub(super) shared_blocks: Option<i64>,
    pub(super) equal_slots: Option<i64>,
    pub(super) hamming: Option<i64>,
    /// bucket, declared or closure; NULL when it was not verified.
    pub(super) source: Option<String>,
    #[serde(skip_serializing)]
    shared: Option<i64>,
    #[serde(skip_serializing)]
    left_shingles: Option<i64>,
    #[serde(skip_serializing)]
    right_shingles: Option<i64>,
    pub(super) is_edge: bool,
    #[serde(skip_serializing)]
    is_alternate: bool,
    #[serde(skip_serializing)]
    kind: Option<String>,
    #[serde(skip_serializing)]
    class: Option<String>,
    #[serde(skip_serializing)]
    tier: Option<String>,
    /// Words that differ, as far as a guard looked.
    pub(super) words: Option<i64>,
    #[serde(skip_serializing)]
    numbers: Option<String>,
    #[serde(skip_serializing)]
    layout: Option<f64>,
    pub(super) guard: Option<String>,
}

#[derive(Deserialize)]
struct DocumentText {
    document: i64,
    text: String,
    removed: Option<Vec<i64>>,
    #[serde(flatten)]
    known: Known,
}

#[derive(Deserialize)]
struct Layouts {
    layout_slots: Option<i64>,
}

/// Compares what is known of two subjects, and computes what was never compared.
pub(super) async fn versus(open: &Generation, own: &Report, other: &Report) -> Result<Versus> {
    let mut versus = shell(own, other);
    let document = |report: &Report| report.page.as_ref().and_then(|page| page.document);
    if let (Some(own_document), Some(other_document)) = (document(own), document(other))
        && own_document != other_document
    {
        let is_left = own_document < other_document;
        let left = own_document.min(other_document);
        let right = own_document.max(other_document);
        let pair = [("left_document", Scalar::Int(left)), ("right_document", Scalar::Int(right))];
        versus.pair = open.rows(PAIR, &pair).await?.into_iter().next();
        versus.take_figures(is_left);
        let texts: Vec<DocumentText> = open.rows(TEXT, &pair).await?;
        versus.compute(open, texts, own_document).await?;
    } else if versus.is_equal_text {
        versus.take_equal(open, own).await?;
    }
    versus.class_min = versus.class.as_deref().and_then(|class| class_min(open, class));
    let (verdict, is_one) = versus.judge(own, other);
    versus.verdict = verdict;
    versus.is_one = is_one;
    versus.sentence = sentence(&versus, own);
    Ok(versus)
}

/// Slots of a layout.
const LAYOUT_SLOTS: i64 = 64;

/// A number that the generation made `table` with.
fn param(open: &Generation, table: &str, name: &str) -> Option<i64> {
    open.manifest.table(table)?.recipe.params.get(name)?.parse().ok()
}

/// Whether the generation tells classes of pairs apart; older ones do not.
fn has_classes(open: &Generation) -> bool {
    param(open, "edge", "article_tokens_min").is_some()
}

/// Least resemblance of a class, as the generation was made with.
fn class_min(open: &Generation, class: &str) -> Option<f64> {
    ratio(param(open, "edge", &format!("{class}_milli"))?, 1000)
}

/// What follows from the two reports alone.
fn shell(own: &Report, other: &Report) -> Versus {
    let (own_page, page) = (own.page.as_ref(), other.page.as_ref());
    let is_same = |of: fn(&Report) -> Option<&str>| of(own).is_some() && of(own) == of(other);
    let cluster = other.cluster.as_ref();
    let key = |report: &Report| report.key.url_key.clone();
    Versus {
        asked: other.asked.clone(),
        page_id: page.map(|page| page.page_id.clone()),
        url_key: key(other),
        is_same_key: key(own).is_some() && key(own) == key(other),
        is_same_page: own_page.is_some()
            && own_page.map(|page| &page.page_id) == page.map(|page| &page.page_id),
        is_equal_text: is_same(|report| report.page.as_ref()?.document_page_id.as_deref()),
        is_same_component: is_same(|report| report.cluster.as_ref()?.component.as_deref()),
        is_same_cluster: is_same(|report| report.cluster.as_ref()?.cluster.as_deref()),
        pair: None,
        resemblance: None,
        containment_own: None,
        containment_other: None,
        is_computed_now: false,
        kind: None,
        class: None,
        tier: None,
        numbers: None,
        layout: None,
        guards: Vec::new(),
        class_min: None,
        differing: Differing::default(),
        cluster: cluster.and_then(|cluster| cluster.cluster.clone()),
        medoid_url: cluster.and_then(|cluster| cluster.medoid_url.clone()),
        resemblance_medoid: cluster.and_then(|cluster| cluster.resemblance_medoid),
        verdict: "",
        is_one: false,
        sentence: String::new(),
    }
}

impl Versus {
    /// The figures that the run stored.
    fn take_figures(&mut self, is_left: bool) {
        let Some(pair) = &self.pair else { return };
        self.guards.extend(pair.guard.clone());
        self.kind.clone_from(&pair.kind);
        self.class.clone_from(&pair.class);
        self.tier.clone_from(&pair.tier);
        self.numbers.clone_from(&pair.numbers);
        self.layout = pair.layout;
        let (Some(shared), Some(left), Some(right)) =
            (pair.shared, pair.left_shingles, pair.right_shingles)
        else {
            return;
        };
        let (own, other) = if is_left { (left, right) } else { (right, left) };
        self.resemblance = ratio(shared, left + right - shared);
        self.containment_own = ratio(shared, own);
        self.containment_other = ratio(shared, other);
    }

    /// What is known of two pages with one text.
    async fn take_equal(&mut self, open: &Generation, own: &Report) -> Result<()> {
        self.differing.places = Some(0);
        let is_pair = !self.is_same_page && has_classes(open);
        let Some(page) = own.page.as_ref().filter(|_| is_pair) else { return Ok(()) };
        let ids = [
            ("left_page_id", text(page.page_id.as_str())),
            ("right_page_id", text(self.page_id.clone().unwrap_or_default())),
        ];
        let found: Vec<Layouts> = open.rows(LAYOUT, &ids).await?;
        let slots = found.first().and_then(|found| found.layout_slots);
        let least = param(open, "document_edge", "layout_slots_min");
        let is_same_layout = slots.zip(least).is_some_and(|(slots, least)| slots >= least);
        let kind = if is_same_layout { "same_content_same_layout" } else { "same_content" };
        self.layout = slots.and_then(|slots| ratio(slots, LAYOUT_SLOTS));
        self.kind = Some(kind.to_owned());
        self.class = Some("equal".to_owned());
        self.tier = Some("merge".to_owned());
        Ok(())
    }

    /// The words that differ, and the figures of two texts that the run never compared.
    async fn compute(
        &mut self,
        open: &Generation,
        texts: Vec<DocumentText>,
        own_document: i64,
    ) -> Result<()> {
        let (own, other): (Vec<_>, Vec<_>) =
            texts.into_iter().partition(|text| text.document == own_document);
        let (Some(own), Some(other)) = (own.into_iter().next(), other.into_iter().next()) else {
            return Ok(());
        };
        let jobs = match open.overrides() {
            Ok(overrides) => Jobs::built_in(&overrides)?,
            // The words are not known; the figures are.
            Err(_) if self.resemblance.is_some() => return Ok(()),
            Err(fault) => return Err(fault),
        };
        let mut scratch = Text::new();
        let [own, other] = [own, other].map(|found| {
            let removed = found.removed.unwrap_or_default();
            (kept_text(&found.text, &removed, &mut scratch), found.known)
        });
        if let Some(rules) = compare::rules(&jobs.asked) {
            self.differing = hunk::differing(rules, &own.0, &other.0);
        }
        if self.resemblance.is_some() {
            return Ok(());
        }
        let given = [own, other].map(|(text, known)| Given {
            content: Content::Text(text),
            url: String::new(),
            known: Some(known),
        });
        let is_alternate = self.pair.as_ref().is_some_and(|pair| pair.is_alternate);
        let found = figures(&jobs, given, is_alternate).await?;
        self.resemblance = found.resemblance;
        self.containment_own = found.containment_left;
        self.containment_other = found.containment_right;
        self.guards = found.guards;
        self.is_computed_now = true;
        if has_classes(open) {
            self.kind = found.kind;
            self.class = found.class;
            self.tier = found.tier;
            self.numbers = found.numbers;
            self.layout = found.layout;
        }
        Ok(())
    }

    /// The verdict, and whether the two are one.
    fn judge(&self, own: &Report, other: &Report) -> (&'static str, bool) {
        let is_empty =
            |report: &Report| report.page.as_ref().is_some_and(|page| page.document.is_none());
        let pair = self.pair.as_ref();
        let is_accepted = pair.is_some_and(|pair| pair.is_edge && pair.guard.is_none());
        if own.page.is_none() || other.page.is_none() {
            return ("set_aside", false);
        }
        if self.is_same_page {
            return ("same_page", true);
        }
        if self.is_equal_text {
            return ("equal_text", true);
        }
        if self.is_same_cluster {
            return (if is_accepted { "near" } else { "same_cluster" }, true);
        }
        if is_same_answer(own, other, |identity| Some(identity.canonical_url.raw())) {
            return ("same_resource", true);
        }
        if is_empty(own) || is_empty(other) {
            let is_shown = is_same_answer(own, other, |identity| identity.cluster.as_deref());
            return (if is_shown { "same_shown" } else { "empty" }, is_shown);
        }
        let verdict = match pair {
            Some(pair) if pair.is_edge && pair.guard.is_some() => "refused",
            Some(pair) if pair.is_edge => "other_cluster",
            Some(pair) if pair.source.is_some() => "different",
            _ if self.resemblance.is_none() => "too_short",
            Some(pair) if pair.is_met => "dropped",
            _ => "never_met",
        };
        (verdict, false)
    }
}

/// Whether the answers of the run agree in what `of` gives.
fn is_same_answer(own: &Report, other: &Report, of: fn(&Identity) -> Option<&str>) -> bool {
    let answers = [own, other].map(|report| report.identity.as_ref().and_then(of));
    answers[0].is_some() && answers[0] == answers[1]
}

/// The verdict in words.
fn sentence(versus: &Versus, own: &Report) -> String {
    let least = own.resemblance_min.unwrap_or_default();
    let mut sentence = match versus.verdict {
        "set_aside" => "not one: a row that was set aside has no page".to_owned(),
        "same_page" => "one: the same key and the same text make one page".to_owned(),
        "empty" => "not one: a page that does not pass its gate is in no cluster".to_owned(),
        "same_resource" => {
            "one: redirects or canonicals make both addresses one resource".to_owned()
        }
        "same_shown" => "one: a redirect shows the same document at both addresses".to_owned(),
        "equal_text" => "one: their normalised texts are equal".to_owned(),
        "near" => format!(
            "one: an accepted edge {} them, resemblance {} (threshold {:.3})",
            if versus.tier.as_deref() == Some("group") { "groups" } else { "ties" },
            figure(versus.resemblance),
            versus.class_min.unwrap_or(least)
        ),
        "same_cluster" => same_cluster(versus, own.cluster.as_ref()),
        "other_cluster" => format!(
            "not one: an edge of resemblance {} ties them, but they are near different medoids",
            figure(versus.resemblance)
        ),
        "refused" => {
            let found = figure(versus.resemblance);
            format!("not one: {}; found {found} (threshold {least:.3})", refusal(versus))
        }
        "different" => format!(
            "not one: verified, resemblance {} is below the threshold {least:.3}",
            figure(versus.resemblance)
        ),
        "too_short" => {
            "not one: a text has fewer tokens than a shingle, and they are not taken for equal"
                .to_owned()
        }
        "dropped" => {
            computed("they met in a bucket and the estimate dropped the pair", versus, least)
        }
        _ => computed("they never met in a bucket", versus, least),
    };
    if versus.is_same_key && !versus.is_same_page {
        sentence.push_str("; both texts were seen under one key");
    }
    if versus.is_same_component && !versus.is_same_cluster {
        sentence.push_str("; both are in one component, in clusters of different medoids");
    }
    sentence
}

fn same_cluster(versus: &Versus, own: Option<&Cluster>) -> String {
    let own_figure = own.and_then(|cluster| cluster.resemblance_medoid);
    format!(
        "one: no edge ties them, but each is near the medoid of their cluster, resemblance {} and \
         {} (their own: {})",
        figure(own_figure),
        figure(versus.resemblance_medoid),
        figure(versus.resemblance)
    )
}

fn computed(what: &str, versus: &Versus, least: f64) -> String {
    let found = figure(versus.resemblance);
    if versus.resemblance.is_none_or(|resemblance| resemblance < least) {
        return format!("not one: {what}; computed now, resemblance {found} is below {least:.3}");
    }
    let guards = if versus.guards.is_empty() {
        "the run missed this pair".to_owned()
    } else {
        format!("compared, it would not join: {}", refusal(versus))
    };
    format!("not one: {what}; computed now, resemblance {found} reaches {least:.3}: {guards}")
}

/// What refuses the pair: a guard, or what its class wants.
fn refusal(versus: &Versus) -> String {
    let guards = versus.guards.join(", ");
    let Some(class) = guards.strip_prefix("class_") else {
        return format!("guard {guards} refuses the pair");
    };
    let wanted = versus.class_min.map(|least| format!("resemblance {least:.3}"));
    let beside = match class {
        "tiny" => "one host",
        "short" => "one host or equal titles",
        "medium" => "equal titles or no number among the words that differ",
        _ => "",
    };
    let beside = Some(beside.to_owned()).filter(|beside| !beside.is_empty());
    let wanted: Vec<_> = [wanted, beside].into_iter().flatten().collect();
    format!("class {class} wants {}", wanted.join(" and "))
}

/// A figure with three decimals, rounded down so that 0.7999 is not shown as the threshold.
pub(super) fn figure(value: Option<f64>) -> String {
    match value {
        Some(value) => format!("{:.3}", (value * 1000.0 + 1e-9).floor() / 1000.0),
        None => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn versus(verdict: &'static str) -> Versus {
        Versus {
            asked: Address::new("http://user:pass@b.example/"),
            page_id: None,
            url_key: None,
            is_same_key: false,
            is_same_page: false,
            is_equal_text: false,
            is_same_component: false,
            is_same_cluster: false,
            pair: None,
            resemblance: Some(0.79999),
            containment_own: None,
            containment_other: None,
            is_computed_now: true,
            kind: None,
            class: None,
            tier: None,
            numbers: None,
            layout: None,
            guards: Vec::new(),
            class_min: None,
            differing: Differing::default(),
            cluster: None,
            medoid_url: None,
            resemblance_medoid: None,
            verdict,
            is_one: false,
            sentence: String::new(),
        }
    }

    #[test]
    fn a_figure_below_the_threshold_is_not_shown_as_the_threshold() {
        assert_eq!(figure(Some(0.79999)), "0.799");
        assert_eq!(figure(Some(0.8)), "0.800");
        assert_eq!(figure(Some(0.9)), "0.900");
        assert_eq!(figure(Some(1.0)), "1.000");
    }

    #[test]
    fn a_missed_pair_is_said_to_be_missed() {
        let mut missed = versus("never_met");
        assert!(computed("they never met", &missed, 0.8).ends_with("0.799 is below 0.800"));
        missed.resemblance = Some(0.9);
        assert!(computed("they never met", &missed, 0.8).ends_with("the run missed this pair"));
        missed.guards.push("script".to_owned());
        let said = computed("they never met", &missed, 0.8);
        assert!(said.ends_with("it would not join: guard script refuses the pair"), "{said}");
        missed.guards = vec!["class_short".to_owned()];
        missed.class_min = Some(1.0);
        assert_eq!(
            refusal(&missed),
            "class short wants resemblance 1.000 and one host or equal titles"
        );
    }
}
