//! Response headers: their values by name, and the `Link` header.
//!
//! Source: RFC 9110 §5 (fields), RFC 8288 §3 and appendix B (`Link`).

/// Values that are read of one header; a response with more is hostile.
const VALUES_MAX: usize = 64;

/// Parameters that are read of one link.
const PARAMETERS_MAX: usize = 32;

/// One link of a `Link` header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The target as written, not resolved.
    pub target: String,
    /// The relation types, lower-case, as written: separated by white space.
    pub rel: String,
    /// The language of the target, lower-case.
    pub hreflang: Option<String>,
}

impl Link {
    /// Whether `relation` is one of the relation types.
    pub fn has(&self, relation: &str) -> bool {
        self.rel.split_ascii_whitespace().any(|part| part == relation)
    }
}

/// The values of every header called `name`, in any case; `headers` has one header a line.
pub(super) fn values<'h>(
    headers: Option<&'h str>,
    name: &'static str,
) -> impl Iterator<Item = &'h str> {
    let lines = headers.unwrap_or_default().lines();
    lines
        .filter_map(|line| line.split_once(':'))
        .filter(move |(found, _)| found.trim().eq_ignore_ascii_case(name))
        .map(|(_, value)| value.trim())
        .take(VALUES_MAX)
}

/// The links of a `Link` header; what is not one ends the list.
///
/// Cost: linear in the bytes.
pub fn links(value: &str) -> Vec<Link> {
    let mut links = Vec::new();
    let mut rest = value.trim_start_matches([',', ' ', '\t']);
    while let Some((target, after)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        let mut link = Link { target: target.trim().to_owned(), ..Link::default() };
        rest = parameters(after, &mut link);
        links.push(link);
        rest = rest.trim_start_matches([',', ' ', '\t']);
    }
    links
}

/// Reads the parameters of a link and gives what stands behind them.
fn parameters<'v>(value: &'v str, link: &mut Link) -> &'v str {
    let mut rest = value.trim_start();
    let mut is_rel_seen = false;
    for _ in 0..PARAMETERS_MAX {
        let Some(after) = rest.strip_prefix(';') else { break };
        let after = after.trim_start();
        let end = after.find(['=', ';', ',']).unwrap_or(after.len());
        let (name, after) = after.split_at(end);
        let (text, after) = match after.strip_prefix('=') {
            Some(after) => parameter_value(after.trim_start()),
            None => (String::new(), after),
        };
        match name.trim().to_ascii_lowercase().as_str() {
            "rel" if !is_rel_seen => {
                is_rel_seen = true;
                link.rel = text.to_ascii_lowercase();
            }
            "hreflang" if link.hreflang.is_none() => {
                link.hreflang = Some(text.trim().to_ascii_lowercase());
            }
            _ => {}
        }
        rest = after.trim_start();
    }
    rest.find(',').and_then(|at| rest.get(at..)).unwrap_or_default()
}

/// A value, in quotes or up to a separator, and what stands behind it.
fn parameter_value(value: &str) -> (String, &str) {
    let Some(inside) = value.strip_prefix('"') else {
        let end = value.find([';', ',']).unwrap_or(value.len());
        let (text, rest) = value.split_at(end);
        return (text.trim().to_owned(), rest);
    };
    let mut text = String::new();
    let mut signs = inside.char_indices();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '"' => return (text, inside.get(at + 1..).unwrap_or_default()),
            '\\' => text.extend(signs.next().map(|(_, sign)| sign)),
            _ => text.push(sign),
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_read_with_quotes_and_escapes() {
        let found = links(
            "<http://a.example/?a,b>; rel=\"Canonical up\"; title=\"a, \\\"b\\\"; rel=x\", \
             </b>;REL=next ; rel=prev,, <c> ; hreflang=DE ; rel=alternate",
        );
        let shown: Vec<(&str, &str)> =
            found.iter().map(|link| (link.target.as_str(), link.rel.as_str())).collect();
        assert_eq!(
            shown,
            [("http://a.example/?a,b", "canonical up"), ("/b", "next"), ("c", "alternate")]
        );
        assert!(found[0].has("canonical") && !found[0].has("canon"));
        assert_eq!(found[2].hreflang.as_deref(), Some("de"));
    }

    #[test]
    fn what_is_no_link_ends_the_list() {
        assert_eq!(links("").len() + links("a, <b>; rel=x").len() + links("<a").len(), 0);
        assert_eq!(links("<a>; rel=\"x").first().unwrap().rel, "x");
        assert_eq!(links("<a> garbage; rel=x, <b>; rel=y").last().unwrap().rel, "y");
    }

    #[test]
    fn values_are_found_by_name() {
        let headers = Some("A: 1\r\nb:2\n a : 3 \nnonsense\n");
        assert_eq!(values(headers, "a").collect::<Vec<_>>(), ["1", "3"]);
        assert_eq!(values(None, "a").count(), 0);
    }
}
