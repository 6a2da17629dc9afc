//! Banding: which documents of a bucket meet.
//!
//! A bucket holds the documents that agree in all slots of one band. A small bucket makes every
//! pair of its members a candidate. A large one would cost the square of its size, so its members
//! meet only a few centres and their neighbours in a second order; the caller counts what that
//! leaves out. The second order of a band is read from the next band's slots: near-duplicates
//! agree in its first slot with probability equal to their resemblance, so they stand close.
//!
//! Not useful for deciding anything: a pair that meets is a proposal.
//!
//! Source: A. Broder, "On the resemblance and containment of documents", 1997; bounded buckets
//! after LSH practice.

/// Bounds on the pairs of one bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Most documents of which all pairs meet.
    pub bucket_limit: usize,
    /// In a larger bucket: documents that meet all others.
    pub centres: usize,
    /// In a larger bucket: following neighbours in the second order that meet.
    pub window: usize,
}

/// Calls `emit(left, right)` once for each pair of `members` that meets, `left < right`.
///
/// A member is (second order, document); members are sorted in place, so their order on entry does
/// not matter, and a document that appears twice counts once. Cost: `n (n - 1) / 2` calls up to
/// `bucket_limit`, else at most `n (centres + window)`.
pub fn pairs(members: &mut Vec<(i64, i64)>, bounds: Bounds, mut emit: impl FnMut(i64, i64)) {
    members.sort_unstable_by_key(|&(order, document)| (document, order));
    members.dedup_by_key(|&mut (_, document)| document);
    if members.len() <= bounds.bucket_limit {
        for (at, &(_, left)) in members.iter().enumerate() {
            for &(_, right) in members.iter().skip(at + 1) {
                emit(left, right);
            }
        }
        return;
    }
    let centres: Vec<i64> =
        members.iter().take(bounds.centres).map(|&(_, document)| document).collect();
    for (at, &centre) in centres.iter().enumerate() {
        for &(_, document) in members.iter().skip(at + 1) {
            emit(centre, document);
        }
    }
    let last_centre = centres.last().copied().unwrap_or(i64::MIN);
    members.retain(|&(_, document)| document > last_centre);
    members.sort_unstable();
    for (at, &(_, document)) in members.iter().enumerate() {
        for &(_, neighbour) in members.iter().skip(at + 1).take(bounds.window) {
            emit(document.min(neighbour), document.max(neighbour));
        }
    }
}

/// Writes one second order a band into `orders`: the first eight stored slots of the next band,
/// most significant first.
///
/// `slots_low` holds one byte a slot, `bands` equal bands. Empty slots give no orders.
pub fn orders(slots_low: &[u8], bands: usize, orders: &mut Vec<i64>) {
    orders.clear();
    let rows = slots_low.len().checked_div(bands).unwrap_or(0);
    if rows == 0 {
        return;
    }
    for band in 0..bands {
        let start = ((band + 1) % bands) * rows;
        let mut order = [0u8; 8];
        for (place, &slot) in order.iter_mut().zip(slots_low.iter().cycle().skip(start)) {
            *place = slot;
        }
        orders.push(i64::from_be_bytes(order));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn all(members: &[(i64, i64)], bounds: Bounds) -> Vec<(i64, i64)> {
        let mut found = Vec::new();
        pairs(&mut members.to_vec(), bounds, |left, right| found.push((left, right)));
        found
    }

    const SMALL: Bounds = Bounds { bucket_limit: 4, centres: 1, window: 1 };

    #[test]
    fn a_small_bucket_gives_all_pairs() {
        assert_eq!(all(&[(9, 3), (1, 2), (5, 1)], SMALL), [(1, 2), (1, 3), (2, 3)]);
        assert_eq!(all(&[(9, 3)], SMALL), []);
        assert_eq!(all(&[(9, 3), (9, 3)], SMALL), []);
    }

    #[test]
    fn a_hot_bucket_gives_centre_and_window() {
        let members: Vec<_> = (0..6).map(|document| (10 - document, document)).collect();
        let found: BTreeSet<_> = all(&members, SMALL).into_iter().collect();
        let centre = (1..6).map(|document| (0, document));
        let window = (1..5).map(|document| (document, document + 1));
        assert_eq!(found, centre.chain(window).collect());
    }

    #[test]
    fn orders_come_from_the_next_band() {
        let slots: Vec<u8> = (0..12).collect();
        let mut found = Vec::new();
        orders(&slots, 3, &mut found);
        assert_eq!(found[0].to_be_bytes(), [4, 5, 6, 7, 8, 9, 10, 11]);
        assert_eq!(found[2].to_be_bytes(), [0, 1, 2, 3, 4, 5, 6, 7]);
        orders(&[], 3, &mut found);
        assert!(found.is_empty());
    }

    proptest! {
        #[test]
        fn each_pair_once_and_ordered(
            mut members in prop::collection::vec((0i64..20, 0i64..60), 0..80),
        ) {
            let bounds = Bounds { bucket_limit: 8, centres: 3, window: 4 };
            let found = all(&members, bounds);
            let distinct: BTreeSet<_> = found.iter().copied().collect();
            prop_assert_eq!(distinct.len(), found.len());
            prop_assert!(found.iter().all(|(left, right)| left < right));
            members.reverse();
            let again: BTreeSet<_> = all(&members, bounds).into_iter().collect();
            prop_assert_eq!(distinct, again);
        }
    }
}
