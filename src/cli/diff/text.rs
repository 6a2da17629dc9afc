//! The answer of `diff` for people.

use std::fmt::Write as _;

use super::super::print::plural;
use super::{Change, KINDS, Report};

/// `report` as text.
pub(super) fn text(report: &Report) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "generation {} to {} of {}", report.old, report.new, report.root);
    if report.is_same {
        text.push_str("nothing differs: every table has the same key\n");
        return text;
    }
    for cause in &report.causes {
        let _ = writeln!(text, "cause     {}  ({})", cause.cause, cause.tables.join(", "));
    }
    tables(&mut text, report);
    let mut has_changes = false;
    for (kind, meaning) in KINDS {
        let Some(count) = report.counts.get(kind) else { continue };
        has_changes |= count.total > 0;
        let several = if count.total_several > 0 && count.total_several < count.total {
            format!("  ({} of several members)", count.total_several)
        } else {
            String::new()
        };
        let _ = writeln!(text, "{meaning:<48} {}{several}", count.total);
        for change in &count.examples {
            let _ = writeln!(text, "          {}", example(change));
        }
        let shown = i64::try_from(count.examples.len()).unwrap_or_default();
        if count.total > shown && shown > 0 {
            let _ =
                writeln!(text, "          and {} more; --limit shows them", count.total - shown);
        }
    }
    if has_changes && !report.because.is_empty() {
        let _ = writeln!(text, "URLs and clusters differ because {}", report.because.join("; "));
    }
    text
}

fn tables(text: &mut String, report: &Report) {
    let count = |status| report.tables.iter().filter(|change| change.status == status).count();
    let _ = writeln!(
        text,
        "tables    {} the same, {} made again with the same bytes, {} changed",
        count("same"),
        count("same_bytes"),
        report.tables.len() - count("same") - count("same_bytes")
    );
    for change in report.tables.iter().filter(|change| !change.is_same()) {
        let rows = |rows: Option<u64>| rows.map_or("none".to_owned(), |rows| rows.to_string());
        let _ = writeln!(
            text,
            "          {:<20} {:<10} {} to {} rows  {}",
            change.table,
            change.status.replace('_', " "),
            rows(change.old_rows),
            rows(change.new_rows),
            change.differences.join("; ")
        );
    }
}

/// One change on one line.
fn example(change: &Change) -> String {
    let (old, new) = (change.old.as_ref(), change.new.as_ref());
    let either = || new.or(old).map(ToString::to_string).unwrap_or_default();
    let (subject, parts) = (&change.subject, change.parts);
    let members = plural(change.members, "member");
    match (change.kind.as_str(), old, new) {
        ("key_changed", Some(old), Some(new)) => format!("{subject}: {old} became {new}"),
        ("representative_moved", Some(old), Some(new)) => {
            format!("{old} became {new}, {members}")
        }
        ("cluster_split", ..) => format!("{}, {members}, into {parts}", either()),
        ("cluster_merged", ..) => format!("{}, {members}, from {parts}", either()),
        ("cluster_resized", ..) => format!("{}, {members}, {parts:+}", either()),
        ("cluster_appeared" | "cluster_vanished", ..) => {
            format!("{}, {members}", either())
        }
        _ => subject.to_string(),
    }
}
