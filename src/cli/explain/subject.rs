//! What a user means by a URL, an id, a key or the start of a page id.

use serde::{Deserialize, Serialize};

use super::super::generation::Generation;
use super::super::print::Address;
use super::mirror;
use crate::error::{Error, Result};
use crate::job::Scalar;

const ASKED: &str = include_str!("../../../sql/explain/asked.sql");
const FOUND: &str = include_str!("../../../sql/explain/found.sql");
const SET_ASIDE: &str = include_str!("../../../sql/explain/set_aside.sql");
const NEIGHBOURHOOD: &str = include_str!("../../../sql/explain/neighbourhood.sql");

/// Fewest hex digits that are taken for the start of a page id.
const PREFIX_MIN: usize = 8;

/// The key that a text has as a URL, and as an id.
#[derive(Deserialize)]
pub(super) struct Key {
    pub(super) url_key: Option<Address>,
    pub(super) url_host_name: Option<String>,
    pub(super) rules: Vec<String>,
    pub(super) refused: Option<String>,
    id_key: String,
}

/// A page that is meant.
#[derive(Deserialize)]
pub(super) struct Found {
    pub(super) found_by: String,
    pub(super) page_id: String,
    pub(super) url_key: Address,
}

/// An input row that has no page, and why.
#[derive(Serialize, Deserialize)]
pub(super) struct SetAside {
    pub(super) reason: String,
    pub(super) detail: String,
    pub(super) input_file: String,
    pub(super) file_row: i64,
}

/// What was asked for: pages, the current one first, or rows that were set aside.
pub(super) struct Subject {
    pub(super) asked: Address,
    pub(super) key: Key,
    pub(super) pages: Vec<Found>,
    pub(super) set_aside: Vec<SetAside>,
}

/// A text as a bound value.
pub(super) fn text(value: impl Into<String>) -> Scalar {
    Scalar::Text(value.into())
}

/// The key of `asked` by the methods of the generation.
pub(super) async fn key(open: &Generation, asked: &Address) -> Result<Key> {
    let bound = [("asked", text(asked.raw())), ("url_policy", text(open.url_policy()))];
    let keys: Vec<Key> = open.rows(ASKED, &bound).await?;
    keys.into_iter().next().ok_or_else(|| Error::schema("no key was made"))
}

impl Subject {
    /// Finds what `asked` means; none when there is nothing.
    ///
    /// # Errors
    ///
    /// A job error when it is the start of several page ids.
    pub(super) async fn find(open: &Generation, asked: &Address) -> Result<Option<Self>> {
        let key = key(open, asked).await?;
        let url_key = key.url_key.as_ref().map(Address::raw).unwrap_or_default();
        let bound = [
            ("asked", text(asked.raw())),
            ("url_key", text(url_key)),
            ("id_key", text(key.id_key.as_str())),
            ("prefix", text(prefix(asked.raw()))),
        ];
        let pages: Vec<Found> = open.rows(FOUND, &bound).await?;
        if let [first, second, ..] = pages.as_slice()
            && first.found_by == "page_id"
        {
            return Err(Error::job(format!(
                "{asked} is the start of several page ids, the first are {} and {}",
                first.page_id, second.page_id
            )));
        }
        let set_aside: Vec<SetAside> = if pages.is_empty() {
            open.rows(SET_ASIDE, &[("asked", text(asked.raw()))]).await?
        } else {
            Vec::new()
        };
        if pages.is_empty() && set_aside.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self { asked: asked.clone(), key, pages, set_aside }))
    }
}

/// `asked` in lower case if it may be the start of a page id, else nothing.
fn prefix(asked: &str) -> String {
    let is_hex = asked.len() >= PREFIX_MIN && asked.bytes().all(|sign| sign.is_ascii_hexdigit());
    if is_hex { asked.to_ascii_lowercase() } else { String::new() }
}

#[derive(Deserialize)]
struct Neighbourhood {
    host_urls: i64,
    set_aside: i64,
}

/// What is near to something that was not found.
pub(super) async fn hint(open: &Generation, asked: &Address) -> Result<String> {
    let key = key(open, asked).await?;
    let host = key.url_host_name.as_deref().unwrap_or_default();
    let found: Vec<Neighbourhood> = open.rows(NEIGHBOURHOOD, &[("host", text(host))]).await?;
    let (host_urls, set_aside) =
        found.first().map_or((0, 0), |near| (near.host_urls, near.set_aside));
    let mut hints = vec![match (&key.url_key, &key.refused) {
        (Some(url_key), _) => {
            format!(
                "no row has this URL or its key {url_key}; {host_urls} URLs of its host are known"
            )
        }
        (None, Some(refused)) if refused == "no_scheme" => "no row has this id".to_owned(),
        (None, refused) => {
            let refused = refused.as_deref().unwrap_or("unknown");
            format!("no row has this id, and as a URL it is refused: {refused}")
        }
    }];
    if let Some(url_key) = &key.url_key {
        let tests = mirror::tests(open, url_key.raw(), 1).await?;
        hints.extend(tests.shown.first().map(|test| format!("its host: {}", test.line())));
    }
    for scheme in ["https", "http"] {
        let with_scheme = Address::new(format!("{scheme}://{}", asked.raw()));
        if key.url_key.is_none() && Subject::find(open, &with_scheme).await?.is_some() {
            hints.push(format!("{with_scheme} is known"));
        }
    }
    if set_aside > 0 {
        hints.push(format!("{set_aside} input rows were set aside, see table quarantine"));
    }
    Ok(hints.join("; "))
}

#[cfg(test)]
mod tests {
    use super::prefix;

    #[test]
    fn eight_hex_digits_may_be_a_page_id() {
        assert_eq!(prefix("9F3c00aa"), "9f3c00aa");
        assert_eq!(prefix("9f3c00a"), "");
        assert_eq!(prefix("9f3c00ag"), "");
    }
}
