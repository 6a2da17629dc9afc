//! Policies: which heuristic rules apply to a run, by name.
//!
//! Source: the choice for [`Policy::WEB`] is the project's own: rules that on the public web are
//! wrong for next to nobody.

use std::fmt;

use super::rule::{Rule, Rules};

/// The heuristic rules that apply. Safe rules always do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy(Rules);

impl Policy {
    /// No heuristic rule.
    pub const SAFE: Policy = Policy(Rules::NONE);

    /// What a key of public web pages can do without: parameters that track, session ids, names
    /// and passwords, the trailing dot of a host.
    pub const WEB: Policy = Policy::SAFE
        .with(Rule::Userinfo)
        .with(Rule::HostDot)
        .with(Rule::Session)
        .with(Rule::Tracking);

    /// Every heuristic rule.
    pub const ALL: Policy = Policy(Rules::HEURISTIC);

    /// The policies that have a name.
    pub const NAMED: [(&str, Policy); 2] = [("safe", Policy::SAFE), ("web", Policy::WEB)];

    /// The policy called `name`.
    pub fn named(name: &str) -> Option<Policy> {
        Policy::NAMED.iter().find(|(known, _)| *known == name).map(|&(_, policy)| policy)
    }

    /// The policy and `rule`; a safe rule changes nothing.
    #[must_use]
    pub const fn with(self, rule: Rule) -> Policy {
        if Rules::HEURISTIC.contains(rule) { Policy(self.0.with(rule)) } else { self }
    }

    /// The rules of either policy.
    #[must_use]
    pub const fn and(self, other: Policy) -> Policy {
        Policy(self.0.union(other.0))
    }

    /// Names of policies and of heuristic rules, separated by commas: `web,sort`.
    ///
    /// # Errors
    ///
    /// Gives the first word that is neither.
    pub fn of_words(words: &str) -> Result<Policy, UnknownWord> {
        let mut policy = Policy::SAFE;
        for word in words.split(',').map(str::trim) {
            let rule = Rules::HEURISTIC.iter().find(|rule| rule.name() == word);
            let rule = rule.map(|rule| Policy::SAFE.with(rule));
            let Some(found) = rule.or_else(|| Policy::named(word)) else {
                return Err(UnknownWord { word: word.to_owned() });
            };
            policy = policy.and(found);
        }
        Ok(policy)
    }

    /// Whether `rule` applies; safe rules are not asked for here.
    pub const fn contains(self, rule: Rule) -> bool {
        self.0.contains(rule)
    }

    /// Whether no heuristic rule applies.
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The heuristic rules that apply, in order.
    pub const fn rules(self) -> Rules {
        self.0
    }
}

/// A word that names neither a policy nor a heuristic rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWord {
    word: String,
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let policies: Vec<_> = Policy::NAMED.iter().map(|(name, _)| *name).collect();
        let rules: Vec<_> = Rules::HEURISTIC.iter().map(Rule::name).collect();
        write!(
            out,
            "`{}` is no policy ({}) and no heuristic rule ({})",
            self.word,
            policies.join(", "),
            rules.join(", ")
        )
    }
}

impl std::error::Error for UnknownWord {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_policies_and_rules() {
        assert_eq!(Policy::of_words("safe"), Ok(Policy::SAFE));
        assert_eq!(Policy::of_words("web"), Ok(Policy::WEB));
        assert_eq!(Policy::of_words("safe, sort"), Ok(Policy::SAFE.with(Rule::Sort)));
        assert_eq!(Policy::of_words("web,sort"), Ok(Policy::WEB.with(Rule::Sort)));
        assert!(Policy::WEB.contains(Rule::Tracking) && !Policy::WEB.contains(Rule::Sort));
        assert_eq!(Policy::SAFE.with(Rule::Fragment), Policy::SAFE);
        for words in ["", "web,", "fragment", "Web"] {
            assert!(Policy::of_words(words).is_err(), "{words}");
        }
        let message = Policy::of_words("web,sorted").unwrap_err().to_string();
        assert!(message.starts_with("`sorted` is no policy (safe, web) and no"), "{message}");
        assert!(message.contains("tracking, empty_param, sort"), "{message}");
    }
}
