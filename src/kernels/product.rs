//! Products: whether two pages state one product, or one price.
//!
//! A statement is `kind:value` for an id, `amount currency` for a price. Two pages state different
//! products when a kind that both state has no value in common; world-wide ids (gtin, then mpn)
//! decide before those of a shop. A page that states nothing says nothing.
//!
//! Source: schema.org `Product`; GS1 General Specifications (gtin).
//! Cost: quadratic in the few ids of two pages.

/// What two lists of statements are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They share a value of the kind that decides.
    Same,
    /// A kind that both state has no value in common.
    Different,
    /// They state no kind in common.
    Unknown,
}

impl Relation {
    /// The stable name in SQL.
    pub const fn name(self) -> &'static str {
        match self {
            Relation::Same => "same",
            Relation::Different => "different",
            Relation::Unknown => "unknown",
        }
    }
}

/// Kinds in the order in which they decide; others follow, and all of them have to agree.
const WORLD_WIDE: &[&str] = &["gtin", "mpn"];

/// The kind of a statement, and its value; a price has the kind of its currency.
fn parts(statement: &str) -> (&str, &str) {
    match statement.split_once(':') {
        Some((kind, value)) => (kind, value),
        None => statement.split_once(' ').map_or(("", statement), |(value, kind)| (kind, value)),
    }
}

fn of_kind<'s>(statements: &'s [&str], wanted: &str) -> Vec<&'s str> {
    let all = statements.iter().map(|statement| parts(statement));
    all.filter(|(kind, _)| *kind == wanted).map(|(_, value)| value).collect()
}

/// What two lists say of one kind.
fn of_one(left: &[&str], right: &[&str], kind: &str) -> Relation {
    let (left, right) = (of_kind(left, kind), of_kind(right, kind));
    if left.is_empty() || right.is_empty() {
        Relation::Unknown
    } else if left.iter().any(|value| right.contains(value)) {
        Relation::Same
    } else {
        Relation::Different
    }
}

/// What two lists of statements are to each other.
pub fn relation(left: &[&str], right: &[&str]) -> Relation {
    for kind in WORLD_WIDE {
        let found = of_one(left, right, kind);
        if found != Relation::Unknown {
            return found;
        }
    }
    let mut found = Relation::Unknown;
    for statement in left {
        match of_one(left, right, parts(statement).0) {
            Relation::Different => return Relation::Different,
            Relation::Same => found = Relation::Same,
            Relation::Unknown => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_that_both_state_decides() {
        let of = |left: &[&str], right: &[&str]| relation(left, right).name();
        assert_eq!(of(&["sku:a1"], &["sku:a1"]), "same");
        assert_eq!(of(&["sku:a1"], &["sku:a2"]), "different");
        assert_eq!(of(&["sku:a1"], &["labelled_id:a2"]), "unknown");
        assert_eq!(of(&["sku:a1"], &[]), "unknown");
        assert_eq!(of(&["sku:a1", "labelled_id:x"], &["sku:a1", "labelled_id:y"]), "different");
    }

    #[test]
    fn an_id_of_the_world_decides_before_one_of_a_shop() {
        let left = ["gtin:4006381333931", "sku:a1"];
        assert_eq!(relation(&left, &["gtin:4006381333931", "sku:b7"]), Relation::Same);
        assert_eq!(relation(&left, &["gtin:4006381333948", "sku:a1"]), Relation::Different);
    }

    #[test]
    fn prices_are_compared_by_currency() {
        assert_eq!(relation(&["19.90 EUR"], &["19.90 EUR", "21.00 EUR"]), Relation::Same);
        assert_eq!(relation(&["19.90 EUR"], &["18.90 EUR"]), Relation::Different);
        assert_eq!(relation(&["19.90 EUR"], &["21.00 USD"]), Relation::Unknown);
    }
}
