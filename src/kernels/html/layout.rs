//! Layout: what a page is built of, whatever it says.
//!
//! The layout is a MinHash signature over tag paths: of each element of the body the names of the
//! last four elements that lead to it. Pages of one template share nearly all of them, however long
//! their texts are. The template is one number a page: pages of one host with equal numbers have
//! the same frame.
//!
//! Not for telling one generator from another by name, nor for comparing templates of two hosts:
//! for that, compare layouts.
//!
//! Source: tag-path shingles after D. Buttler, "A short survey of document structure similarity
//! algorithms", 2004; MinHash as in `minhash`.
//! Cost: one mix an element; 64 multiply-adds a distinct path.

use dom_query::{Element, LocalName, local_name};
use xxhash_rust::xxh3::xxh3_64;

use crate::kernels::minhash;
use crate::kernels::mix::fmix64;

/// Slots of a layout, one byte each.
pub const SLOTS: usize = 64;

/// Elements in a path.
const WIDTH: usize = 4;

/// A body of fewer elements has no layout.
const ELEMENTS_MIN: usize = 5;

/// Levels below the body that make the template. At three and four, hosts of generated pages fall
/// into dozens: what stands there is content.
const FRAME_DEPTH: usize = 2;

/// Equal slots of two layouts, 0 to 64; slots of unequal paths agree once in 256.
pub fn layout_resemblance(left: &[u8], right: &[u8]) -> u32 {
    minhash::equal_slots(left, right)
}

/// Paths of the elements of a page, as the walk meets them.
#[derive(Default)]
pub(super) struct Layout {
    /// The hashes of the open elements' names.
    open: Vec<u64>,
    /// How many elements are open around the body's children.
    body: Option<usize>,
    elements: usize,
    paths: Vec<u64>,
    /// The path of each open frame element, from the body on; none inside anything else.
    frames: Vec<Option<u64>>,
    frame: Vec<u64>,
}

impl Layout {
    /// Opens `element` with `around` elements open around it.
    pub(super) fn enter(&mut self, element: &Element, around: usize) {
        let name = &element.name.local;
        self.open.truncate(around);
        self.open.resize(around, 0);
        self.open.push(xxh3_64(name.as_bytes()));
        if *name == local_name!("body") {
            self.body.get_or_insert(around + 1);
        }
        let Some(body) = self.body.filter(|body| *body <= around) else { return };
        self.elements += 1;
        let start = self.open.len().saturating_sub(WIDTH);
        let last = self.open.get(start..).unwrap_or_default();
        let path = last.iter().fold(0, |path, name| fmix64(path ^ name).wrapping_add(1));
        if self.paths.last() != Some(&path) {
            self.paths.push(path);
        }
        self.frame(element, around - body);
    }

    fn frame(&mut self, element: &Element, depth: usize) {
        let name = &element.name.local;
        if depth >= FRAME_DEPTH {
            return;
        }
        self.frames.truncate(depth);
        self.frames.resize(depth, None);
        let above = depth.checked_sub(1).and_then(|above| self.frames.get(above).copied());
        let above = if depth == 0 { Some(0) } else { above.flatten() };
        let own = above.filter(|_| is_frame(name)).map(|path| {
            let path = fmix64(path ^ xxh3_64(name.as_bytes())).wrapping_add(1);
            names(element).fold(path, |path, name| fmix64(path ^ xxh3_64(name.as_bytes())))
        });
        self.frames.push(own);
        self.frame.extend(own);
    }

    /// The layout and the template; none of a body of hardly any elements.
    pub(super) fn finish(mut self) -> (Option<[u8; SLOTS]>, Option<u64>) {
        if self.elements < ELEMENTS_MIN {
            return (None, None);
        }
        let mut slots = [u32::MAX; SLOTS];
        self.paths.sort_unstable();
        self.paths.dedup();
        minhash::sign(&self.paths, &mut slots);
        let mut bytes = [0; SLOTS];
        minhash::low_bytes(&slots, &mut bytes);
        self.frame.sort_unstable();
        self.frame.dedup();
        let template = self.frame.iter().fold(0, |hash, path| fmix64(hash ^ path).wrapping_add(1));
        (Some(bytes), Some(template))
    }
}

/// Elements that frame a page; others are content.
fn is_frame(name: &LocalName) -> bool {
    matches!(
        *name,
        names!("article" "aside" "center" "div" "footer" "header" "main" "nav" "section")
    )
}

/// The classes without a digit in their names; an `id` may be that of a section of one page.
fn names(element: &Element) -> impl Iterator<Item = &str> {
    let named =
        element.attrs.iter().filter(|attribute| attribute.name.local == local_name!("class"));
    let words = named.flat_map(|attribute| attribute.value.split_ascii_whitespace());
    words.filter(|word| !word.bytes().any(|byte| byte.is_ascii_digit()))
}
