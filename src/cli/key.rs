//! `key`: the canonical keys of URLs, with the rules that made them.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};

use serde::{Serialize, Serializer};

use super::print;
use crate::error::{Error, Result};
use crate::kernels::url::{
    Key, Policy, Rules, canonical_key_with_surt, registered_domain, resolved, text_of_bytes,
};

/// Bytes of output that are gathered before they are written.
const OUTPUT_BYTES: usize = 1 << 16;

/// Bytes of a line that are read; the rest of a longer one, which has no key, is passed over.
const LINE_MAX_BYTES: usize = 1 << 20;

/// Print the canonical key of each URL, one JSON line a URL.
///
/// A line has `input`, `key` (null when refused), `surt` (the key of the Common Crawl index),
/// `rules` (what changed the URL, in order), `refused` (the reason, or null), `host` and
/// `registered_domain`. Safe rules always apply, heuristic rules where a policy names them.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// URLs; without any, one a line from standard input. Only a line feed ends a line.
    urls: Vec<OsString>,

    /// Resolve each URL against this one, as a link on that page.
    #[arg(long, value_name = "URL")]
    base: Option<String>,

    /// The policy: safe, or web (userinfo, host_dot, session, tracking).
    #[arg(long, value_name = "NAME", default_value = "safe", value_parser = named)]
    policy: Policy,

    /// Heuristic rules to apply as well, separated by commas.
    #[arg(long, value_name = "NAMES", value_parser = Policy::of_words)]
    rules: Option<Policy>,
}

fn named(name: &str) -> std::result::Result<Policy, String> {
    let known: Vec<_> = Policy::NAMED.iter().map(|(known, _)| *known).collect();
    Policy::named(name).ok_or_else(|| format!("wanted {}", known.join(" or ")))
}

pub(super) fn main(args: Args) -> Result<()> {
    let mut writer = Writer::new(args.base, args.policy.and(args.rules.unwrap_or_default()));
    if args.urls.is_empty() {
        write_lines(std::io::stdin().lock(), &mut writer)?;
    }
    for url in &args.urls {
        writer.write(url.as_encoded_bytes())?;
    }
    writer.flush()
}

/// Writes a line for each line of `input`; what is there is shown before more is waited for.
fn write_lines(input: impl Read, writer: &mut Writer) -> Result<()> {
    let mut input = BufReader::with_capacity(OUTPUT_BYTES, input);
    let mut line = Vec::new();
    while read_line(&mut input, &mut line)
        .map_err(|cause| Error::store(format!("standard input: {cause}")))?
    {
        writer.write(&line)?;
        if input.buffer().is_empty() {
            writer.flush()?;
        }
    }
    Ok(())
}

/// Reads up to a line feed, which is left out; false at the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    let limit = u64::try_from(LINE_MAX_BYTES).unwrap_or(u64::MAX);
    let count = input.take(limit).read_until(b'\n', line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if count == LINE_MAX_BYTES {
        input.skip_until(b'\n')?;
    }
    Ok(count > 0)
}

/// One line of output.
#[derive(Serialize)]
struct Line<'k> {
    input: &'k str,
    key: Option<&'k str>,
    surt: Option<&'k str>,
    rules: RuleNames,
    refused: Option<&'static str>,
    host: Option<&'k str>,
    registered_domain: Option<&'k str>,
}

struct RuleNames(Rules);

impl Serialize for RuleNames {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|rule| rule.name()))
    }
}

/// Keys of URLs as JSON lines; its buffers serve every line.
struct Writer {
    base: Option<String>,
    policy: Policy,
    key: Key,
    surt: String,
    output: Vec<u8>,
}

impl Writer {
    fn new(base: Option<String>, policy: Policy) -> Self {
        Self { base, policy, key: Key::new(), surt: String::new(), output: Vec::new() }
    }

    fn write(&mut self, raw: &[u8]) -> Result<()> {
        let input = text_of_bytes(raw);
        let (key, surt) = (&mut self.key, &mut self.surt);
        let found = match &self.base {
            None => canonical_key_with_surt(&input, self.policy, key, surt),
            Some(base) => resolved(base, &input)
                .and_then(|url| canonical_key_with_surt(&url, self.policy, key, surt)),
        };
        let key = found.is_ok().then_some(&self.key);
        let host = key.map(Key::host).filter(|host| !host.is_empty());
        let domain = host.and_then(registered_domain);
        let line = Line {
            input: &input,
            key: key.map(Key::as_str),
            surt: key.map(|_| self.surt.as_str()),
            rules: RuleNames(key.map_or(Rules::NONE, Key::rules)),
            refused: found.err().map(|refused| refused.name()),
            host,
            registered_domain: domain.as_deref(),
        };
        print::push_json_line(&line, &mut self.output)?;
        if self.output.len() < OUTPUT_BYTES { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<()> {
        if !self.output.is_empty() {
            print::bytes(&self.output)?;
            self.output.clear();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(raw: &[u8], base: Option<&str>, policy: &str) -> String {
        let policy = Policy::of_words(policy).unwrap();
        let mut writer = Writer::new(base.map(String::from), policy);
        writer.write(raw).unwrap();
        String::from_utf8(writer.output).unwrap()
    }

    #[test]
    fn a_line_tells_all() {
        assert_eq!(
            line(b"HTTP://www.Example.co.uk/a?utm_id=1&b", None, "web"),
            concat!(
                r#"{"input":"HTTP://www.Example.co.uk/a?utm_id=1&b","#,
                r#""key":"http://www.example.co.uk/a?b","#,
                r#""surt":"uk,co,example)/a?b&utm_id=1","#,
                r#""rules":["scheme_case","host_case","tracking"],"refused":null,"#,
                r#""host":"www.example.co.uk","registered_domain":"example.co.uk"}"#,
                "\n"
            )
        );
        assert_eq!(
            line(b"a\xE9\x1b", None, "safe"),
            concat!(
                r#"{"input":"a%E9\u001b","key":null,"surt":null,"rules":[],"#,
                r#""refused":"no_scheme","host":null,"registered_domain":null}"#,
                "\n"
            )
        );
        assert!(line(b"../b", Some("http://a.org/x/y"), "safe").contains("\"http://a.org/b\""));
        assert!(line("\u{202e}".as_bytes(), None, "safe").starts_with(r#"{"input":"\u202e""#));
    }

    #[test]
    fn only_a_line_feed_ends_a_line() {
        let mut input = BufReader::with_capacity(4, &b"a\r\n\n\x0bb\xFF"[..]);
        let (mut line, mut lines) = (Vec::new(), Vec::new());
        while read_line(&mut input, &mut line).unwrap() {
            lines.push(line.clone());
        }
        assert_eq!(lines, [b"a\r".to_vec(), Vec::new(), b"\x0bb\xFF".to_vec()]);
    }

    #[test]
    fn a_long_line_is_cut() {
        let long = [vec![b'a'; LINE_MAX_BYTES + 9], b"\nb".to_vec()].concat();
        let mut input = BufReader::new(&long[..]);
        let mut line = Vec::new();
        assert!(read_line(&mut input, &mut line).unwrap());
        assert_eq!(line.len(), LINE_MAX_BYTES);
        assert!(read_line(&mut input, &mut line).unwrap());
        assert_eq!(line, b"b");
        assert!(!read_line(&mut input, &mut line).unwrap());
    }

    #[test]
    fn an_unknown_policy_is_named() {
        assert_eq!(named("wide"), Err("wanted safe or web".to_owned()));
    }
}
