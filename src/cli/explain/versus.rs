//! Why two pages are, or are not, one.

use serde::{Deserialize, Serialize};

use super::super::compare::{Content, figures, ratio};
use super::super::generation::{Generation, Jobs};
use super::super::print::Address;
use super::report::{Cluster, Identity, Report};
use crate::error::Result;
use crate::job::Scalar;

const PAIR: &str = include_str!("../../../sql/explain/pair.sql");
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
    /// Whether the three figures were computed now, because the run never compared the two.
    pub(super) is_computed_now: bool,
    /// Guards that refuse the pair, whatever its resemblance; known for edges and computed pairs.
    pub(super) guards: Vec<String>,
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
    pub(super) guard: Option<String>,
}

#[derive(Deserialize)]
struct DocumentText {
    document: i64,
    text: String,
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
        if versus.resemblance.is_none() {
            let texts: Vec<DocumentText> = open.rows(TEXT, &pair).await?;
            versus.compute(open, &texts, left, is_left).await?;
        }
    }
    let (verdict, is_one) = versus.judge(own, other);
    versus.verdict = verdict;
    versus.is_one = is_one;
    versus.sentence = sentence(&versus, own);
    Ok(versus)
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
        guards: Vec::new(),
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

    /// The figures of two texts that the run never compared.
    async fn compute(
        &mut self,
        open: &Generation,
        texts: &[DocumentText],
        left: i64,
        is_left: bool,
    ) -> Result<()> {
        let left_text = texts.iter().find(|text| text.document == left);
        let right_text = texts.iter().find(|text| text.document != left);
        let (Some(left_text), Some(right_text)) = (left_text, right_text) else { return Ok(()) };
        let jobs = Jobs::built_in(&open.overrides()?)?;
        let [left, right] = [left_text, right_text].map(|found| Content::Text(found.text.clone()));
        let found = figures(&jobs, left, right).await?;
        let (own, other) = if is_left {
            (found.containment_left, found.containment_right)
        } else {
            (found.containment_right, found.containment_left)
        };
        self.resemblance = found.resemblance;
        self.containment_own = own;
        self.containment_other = other;
        self.guards = found.guards;
        self.is_computed_now = true;
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
            "one: an accepted edge ties them, resemblance {} (threshold {least:.3})",
            figure(versus.resemblance)
        ),
        "same_cluster" => same_cluster(versus, own.cluster.as_ref()),
        "other_cluster" => format!(
            "not one: an edge of resemblance {} ties them, but they are near different medoids",
            figure(versus.resemblance)
        ),
        "refused" => format!(
            "not one: guard {} refuses the pair, resemblance {} (threshold {least:.3})",
            versus.guards.join(", "),
            figure(versus.resemblance)
        ),
        "different" => format!(
            "not one: verified, resemblance {} is below the threshold {least:.3}",
            figure(versus.resemblance)
        ),
        "too_short" => {
            "not one: a text has fewer tokens than a shingle, so only an equal text is one with it"
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
        format!("guard {} would refuse it", versus.guards.join(", "))
    };
    format!("not one: {what}; computed now, resemblance {found} reaches {least:.3}: {guards}")
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
            guards: Vec::new(),
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
        assert!(computed("they never met", &missed, 0.8).ends_with("guard script would refuse it"));
    }
}
