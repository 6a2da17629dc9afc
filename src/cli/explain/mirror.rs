//! Where a URL stands on other hosts, and by which tests.

use serde::{Deserialize, Serialize};

use super::super::generation::Generation;
use super::super::print::Address;
use super::report::{Counted, Listed};
use super::subject::text;
use crate::error::Result;
use crate::job::Scalar;

const MIRROR: &str = include_str!("../../../sql/explain/mirror.sql");

/// A test of the host of a URL with another host.
#[derive(Serialize, Deserialize)]
pub(super) struct Test {
    pub(super) prefix: String,
    pub(super) other_host: Address,
    pub(super) other_prefix: String,
    /// mirror, partial, not or undecided.
    pub(super) verdict: String,
    pub(super) reason: String,
    /// Paths that both have.
    pub(super) common: i64,
    /// Paths of the sample.
    pub(super) compared: i64,
    /// Of them, with one main text.
    pub(super) same: i64,
    /// Of them, with nearly equal full texts.
    pub(super) full_same: i64,
    pub(super) lower_bound: f64,
    pub(super) upper_bound: f64,
    /// Contents of the sample that are not near another of it.
    pub(super) texts: i64,
    /// Sampled paths in folders that are carved out.
    pub(super) carved: i64,
    pub(super) other_languages: i64,
    pub(super) other_offers: i64,
    pub(super) contrary: i64,
    pub(super) redirect_keys: i64,
    pub(super) redirect_kept: i64,
    /// A compared path that is not the same.
    pub(super) example: Option<Address>,
    /// mirror, partial or carved where the test decides the mapping, else empty.
    pub(super) scope: String,
    /// Main mirror of the host, and why that one.
    pub(super) main_mirror: Option<Address>,
    pub(super) choice: Option<String>,
    pub(super) score_milli: Option<i64>,
}

/// Scheme, name and port of a key, and its path; none for an id.
pub(super) fn parts(key: &str) -> Option<(&str, &str)> {
    let start = key.find("://")? + 3;
    let rest = key.get(start..)?;
    let slash = rest.find('/')?;
    Some((key.get(..start + slash)?, rest.get(slash..)?))
}

/// The tests whose prefixes hold `key`; older generations have none.
pub(super) async fn tests(open: &Generation, key: &str, limit: i64) -> Result<Listed<Test>> {
    let (Some((host, path)), true) = (parts(key), open.manifest.table("mirror_edge").is_some())
    else {
        return Ok(Listed::none());
    };
    let bound = [("host", text(host)), ("path", text(path)), ("limit", Scalar::Int(limit))];
    let rows: Vec<Counted<Test>> = open.rows(MIRROR, &bound).await?;
    Ok(Listed::of(rows))
}

impl Test {
    /// The test in one line.
    pub(super) fn line(&self) -> String {
        let mut line = format!(
            "{} = {}{}: {} by {}, {} of {} paths the same, share {:.3} to {:.3}",
            self.prefix,
            self.other_host,
            self.other_prefix,
            self.verdict,
            self.reason,
            self.same,
            self.compared,
            self.lower_bound,
            self.upper_bound,
        );
        let counts = [
            (self.full_same, "alike with their frames"),
            (self.carved, "carved out"),
            (self.other_languages, "in another language"),
            (self.other_offers, "with other numbers"),
            (self.contrary, "with nothing in common"),
            (self.redirect_kept, "redirected to the same path"),
        ];
        for (count, what) in counts.iter().filter(|(count, _)| *count > 0) {
            line.push_str(&format!("; {count} {what}"));
        }
        if let Some(example) = &self.example {
            line.push_str(&format!("; not the same: {example}"));
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn a_key_is_a_host_and_a_path() {
        assert_eq!(parts("https://a.example:81/x?y"), Some(("https://a.example:81", "/x?y")));
        assert_eq!(parts("http://a.example/"), Some(("http://a.example", "/")));
        assert_eq!(parts("id:7"), None);
    }
}
