//! The rules by name, and sets of them.
//!
//! Safe rules always apply; heuristic rules apply where a policy names them.

/// A rule, in the order in which rules are reported: the safe ones, then the heuristic ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Rule {
    /// Spaces and controls around the URL, and tabs and line ends inside it, are removed.
    WhiteSpace,
    /// The scheme is lower-case.
    SchemeCase,
    /// Two slashes stand before the host of `http`, `https`, `ws`, `wss` and `ftp`.
    AuthoritySlashes,
    /// A file URL is written as the standard writes it: host, slashes, drive letter, path.
    FileForm,
    /// An empty name and password, or an empty password, are removed with their sign.
    EmptyUserinfo,
    /// Percent-encoded octets of a host are decoded.
    HostDecoded,
    /// The host is lower-case.
    HostCase,
    /// A host outside ASCII becomes A-labels (UTS 46, non-transitional).
    Idna,
    /// An IPv4 address is four decimal numbers, an IPv6 address is compressed.
    HostIp,
    /// A port that is empty or the scheme's own is removed.
    DefaultPort,
    /// Leading zeros of a port are removed.
    PortZeros,
    /// A backslash in the path of a web URL is a slash.
    Backslash,
    /// The segments `.` and `..` are resolved, also where they are percent-encoded.
    DotSegments,
    /// A `%` without two hexadecimal digits becomes `%25`: a repair.
    StrayPercent,
    /// Encoded letters, digits, `-`, `.`, `_` and `~` are decoded, once.
    UnreservedDecoded,
    /// The digits of encoded octets are upper-case.
    HexCase,
    /// What RFC 3986 forbids is percent-encoded as UTF-8; so is `'` in the query of a web URL.
    ForbiddenEncoded,
    /// An empty path becomes `/`.
    EmptyPath,
    /// The fragment is dropped, save one that starts with `!`; a text directive always goes.
    Fragment,
    /// A host without scheme gets `http`, where two slashes or a listed public suffix tell it.
    SchemeGuess,
    /// `http` without a port becomes `https`.
    Scheme,
    /// Name and password are removed.
    Userinfo,
    /// Empty labels of the host are removed, save the one behind a trailing dot.
    EmptyLabel,
    /// A single trailing dot of the host is removed.
    HostDot,
    /// A leading `www.` is removed, unless the rest is a public suffix or starts with `www.` again.
    Www,
    /// Session ids in query and path are removed; which they are is said in `param.rs`.
    Session,
    /// A last segment such as `index.html` or `default.aspx` is removed.
    IndexName,
    /// Runs of slashes in the path become one, save those of an embedded `scheme://`.
    SlashRun,
    /// A slash at the end of the path is removed, unless another one stands before it.
    TrailingSlash,
    /// Parameters that only track are removed; which they are is said in `param.rs`.
    Tracking,
    /// Empty parameters and those without name are removed, and an empty query with its `?`.
    EmptyParam,
    /// Parameters are sorted by name; those of one name keep their order.
    Sort,
    /// The fragment that starts with `!` is dropped too.
    Hashbang,
}

impl Rule {
    /// Every rule, in order.
    pub const ALL: [Rule; 33] = [
        Rule::WhiteSpace,
        Rule::SchemeCase,
        Rule::AuthoritySlashes,
        Rule::FileForm,
        Rule::EmptyUserinfo,
        Rule::HostDecoded,
        Rule::HostCase,
        Rule::Idna,
        Rule::HostIp,
        Rule::DefaultPort,
        Rule::PortZeros,
        Rule::Backslash,
        Rule::DotSegments,
        Rule::StrayPercent,
        Rule::UnreservedDecoded,
        Rule::HexCase,
        Rule::ForbiddenEncoded,
        Rule::EmptyPath,
        Rule::Fragment,
        Rule::SchemeGuess,
        Rule::Scheme,
        Rule::Userinfo,
        Rule::EmptyLabel,
        Rule::HostDot,
        Rule::Www,
        Rule::Session,
        Rule::IndexName,
        Rule::SlashRun,
        Rule::TrailingSlash,
        Rule::Tracking,
        Rule::EmptyParam,
        Rule::Sort,
        Rule::Hashbang,
    ];

    /// The stable name of the rule in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::WhiteSpace => "white_space",
            Rule::SchemeCase => "scheme_case",
            Rule::AuthoritySlashes => "authority_slashes",
            Rule::FileForm => "file_form",
            Rule::EmptyUserinfo => "empty_userinfo",
            Rule::HostDecoded => "host_decoded",
            Rule::HostCase => "host_case",
            Rule::Idna => "idna",
            Rule::HostIp => "host_ip",
            Rule::DefaultPort => "default_port",
            Rule::PortZeros => "port_zeros",
            Rule::Backslash => "backslash",
            Rule::DotSegments => "dot_segments",
            Rule::StrayPercent => "stray_percent",
            Rule::UnreservedDecoded => "unreserved_decoded",
            Rule::HexCase => "hex_case",
            Rule::ForbiddenEncoded => "forbidden_encoded",
            Rule::EmptyPath => "empty_path",
            Rule::Fragment => "fragment",
            Rule::SchemeGuess => "scheme_guess",
            Rule::Scheme => "scheme",
            Rule::Userinfo => "userinfo",
            Rule::EmptyLabel => "empty_label",
            Rule::HostDot => "host_dot",
            Rule::Www => "www",
            Rule::Session => "session",
            Rule::IndexName => "index_name",
            Rule::SlashRun => "slash_run",
            Rule::TrailingSlash => "trailing_slash",
            Rule::Tracking => "tracking",
            Rule::EmptyParam => "empty_param",
            Rule::Sort => "sort",
            Rule::Hashbang => "hashbang",
        }
    }

    /// Whether the rule applies only where a policy names it.
    pub const fn is_heuristic(self) -> bool {
        Rules::HEURISTIC.contains(self)
    }
}

/// A set of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules(u64);

impl Rules {
    /// No rule.
    pub const NONE: Rules = Rules(0);

    /// Every heuristic rule.
    pub const HEURISTIC: Rules = Rules::from(Rule::SchemeGuess);

    /// Whether `rule` is in the set.
    pub const fn contains(self, rule: Rule) -> bool {
        self.0 & Rules::bit(rule) != 0
    }

    /// Whether no rule is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The rules of the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.into_iter().filter(move |&rule| self.contains(rule))
    }

    /// The set and `rule`.
    pub(super) const fn with(self, rule: Rule) -> Rules {
        Rules(self.0 | Rules::bit(rule))
    }

    /// What is in either set.
    pub(super) const fn union(self, other: Rules) -> Rules {
        Rules(self.0 | other.0)
    }

    /// `first` and every rule after it.
    const fn from(first: Rule) -> Rules {
        let mut rules = Rules::NONE;
        let mut at = 0;
        while at < Rule::ALL.len() {
            if Rules::bit(first) <= Rules::bit(Rule::ALL[at]) {
                rules = rules.with(Rule::ALL[at]);
            }
            at += 1;
        }
        rules
    }

    #[expect(clippy::as_conversions, reason = "the only way from a plain enum to its number")]
    const fn bit(rule: Rule) -> u64 {
        1 << rule as u8
    }
}
