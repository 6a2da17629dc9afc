//! Loops: paths that repeat a part of themselves, as relative links on every page make them.
//!
//! Cost: linear in the bytes; parts of up to three segments are tried.

/// Segments of a part that may be repeated.
const PART_SEGMENTS: usize = 3;

/// Segments of a path that are looked at.
const SEGMENTS_MAX: usize = 256;

/// How often in a row the path of `url` holds one part of up to three segments; 1 when no part is
/// repeated, 0 without path.
pub fn path_repeats(url: &str) -> usize {
    let address = url.split(['?', '#']).next().unwrap_or_default();
    let path = address.split_once("://").map_or(address, |(_, rest)| rest);
    let segments: Vec<&str> =
        path.split('/').skip(1).filter(|part| !part.is_empty()).take(SEGMENTS_MAX).collect();
    let longest = |size: usize| {
        let (mut run, mut most) = (0_usize, 0_usize);
        for (segment, before) in segments.iter().skip(size).zip(&segments) {
            run = if segment == before { run + 1 } else { 0 };
            most = most.max(run / size + 1);
        }
        most
    };
    let found = (1..=PART_SEGMENTS).map(longest).max().unwrap_or(0);
    found.max(usize::from(!segments.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_in_a_row_are_counted() {
        for (url, wanted) in [
            ("http://a.example/", 0),
            ("http://a.example/x", 1),
            ("http://a.example/x/y/x", 1),
            ("http://a.example/x/x/", 2),
            ("http://a.example/p/p/p/q", 3),
            ("http://a.example/a/b/a/b/a/b", 3),
            ("http://a.example/a/b/c/a/b/c/a/b", 2),
            ("http://a.example/?p=/x/x/x", 0),
            ("id:7", 0),
        ] {
            assert_eq!(path_repeats(url), wanted, "{url}");
        }
    }
}
