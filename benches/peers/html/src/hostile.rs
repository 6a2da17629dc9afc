//! Pages that are made to cost much: the outcome, and the processor time it took.

use std::time::Instant;

use crate::kernels::html::{self, Source};
use crate::{LIMITS, RULES};

/// A page that is about a product is given to both extractors.
const ASKED: &str = "<script type=application/ld+json>{\"@type\":\"Product\"}</script>";

type Pages = Vec<(&'static str, String)>;

fn many(part: &str, count: usize) -> String {
    part.repeat(count)
}

/// `part` with `#` as its number, again and again.
fn numbered(count: usize, part: &str) -> String {
    (0..count).map(|number| part.replace('#', &number.to_string())).collect()
}

fn elements() -> Pages {
    let deep = LIMITS.depth - 8;
    let words = many("word and more words here, ", 10);
    vec![
        ("a million div", many("<div>", 1_000_000)),
        ("200,000 div", many("<div>", 200_000)),
        ("500 div", many("<div>", deep) + &words),
        ("240,000 p", many("<p>x", 240_000)),
        ("240,000 li", many("<li>x", 240_000)),
        ("240,000 span closed", many("<span>x</span>", 240_000)),
        ("deep, then 200,000 p", many("<div>", deep) + &many("<p>word, word", 200_000)),
        ("deep span, then 200,000 br", many("<span>", deep) + &many("x<br>", 200_000)),
        ("two br, 120,000", many("<br><br>x", 120_000)),
        ("white br, 240,000", many("<br> ", 240_000)),
        ("240,000 b", many("<b>", 240_000)),
        ("numbered b, div", numbered(400, "<b id=#>") + &many("</p><div>x</div>", 100_000)),
        (
            "div around numbered b",
            many("<div>", 1) + &numbered(300, "<b id=#>") + &many("</div><div>x", 100_000),
        ),
        ("font in p", many("<p><font color=red>x", 100_000)),
        ("numbered font in p", numbered(100_000, "<p><font color=c#>x")),
        ("adoption", many("<a><div>", 100_000)),
        ("adoption closed", many("<b><div></b>", 80_000)),
        ("adoption in p", many("<b><p></b>x", 80_000)),
        ("nobr", many("<nobr><div>", 100_000)),
        ("table foster", many("<table><b>x", 60_000)),
        ("tables", many("<table><tr><td>", 80_000)),
        ("foster text", many("<table>", 1) + &many("x<b>", 120_000)),
    ]
}

fn parts() -> Pages {
    vec![
        ("select", many("<select><option>", 100_000)),
        ("svg", many("<svg>", 200_000)),
        ("svg source", "<svg>".to_owned() + &many("<source>", 200_000)),
        ("svg style", "<svg><style>".to_owned() + &many("<g>", 200_000)),
        ("math", many("<math><mi>", 100_000)),
        ("template", many("<template>", 200_000)),
        ("form", many("<form><div></form>", 80_000)),
        ("button", many("<button><div>", 100_000)),
        ("h1", many("<h1><div>", 100_000)),
        ("dl", many("<dl><dd>", 100_000)),
        ("ul", many("<ul><li>", 100_000)),
        ("attributes, one tag", "<p ".to_owned() + &numbered(1_000_000, "a# ")),
        (
            "attributes, many tags",
            many("<p a b c d e f g h i j k l m n o p q r s t u v w x y z>", 200_000),
        ),
        ("html attributes", numbered(100_000, "<html a#>")),
        ("body attributes", numbered(100_000, "<body a#=1 b#>")),
    ]
}

fn texts() -> Pages {
    vec![
        ("references 100,000", many("&amp;", 100_000)),
        ("references 200,000", many("&amp;", 200_000)),
        ("references, line breaks", many("&amp;\n", 200_000)),
        ("references", many("&amp;", 3_000_000)),
        ("broken references", many("&am", 3_000_000)),
        ("comments", many("<!-->", 2_000_000)),
        ("bogus", many("<?", 4_000_000)),
        ("end tags", many("</x>", 3_000_000)),
        ("end p", many("</p>", 2_000_000)),
        ("end br", many("</br>", 2_000_000)),
        ("open angles", many("<", 15_000_000)),
        ("nul", many("\0", 15_000_000)),
        ("text", many("word ", 3_000_000)),
        ("one word", many("w", 15_000_000)),
        ("marks", "a".to_owned() + &many("\u{301}", 7_000_000)),
        ("spaces", many(" ", 15_000_000)),
        ("lines in div", many("<div>a, b, c, d, e, f, g\n</div>", 80_000)),
        ("links", numbered(120_000, "<a href=/#>link</a> ")),
        ("long links", many(&format!("<a href=/{}>x</a>", many("a/", 500_000)), 15)),
        ("metas", many("<meta name=robots content=noindex>", 200_000)),
        ("metas of properties", numbered(100_000, "<meta property=og:title content=x#>")),
        ("canonicals", numbered(120_000, "<link rel=canonical href=/#>")),
        ("hreflangs", numbered(120_000, "<link rel=alternate hreflang=x# href=/#>")),
        ("bases", many("<base href=/x/>", 120_000)),
        (
            "nested paragraphs with text",
            many("<div><p>word, word, word, word, word</p>", 480)
                + &many("<p>word, word, word, word, word", 100_000),
        ),
        ("images", many("<noscript><img></noscript><img>", 60_000)),
        ("json", "<script type=application/ld+json>".to_owned() + &many("[", 4_000_000)),
        ("a in a block", many("<a href=x><p>", 60_000)),
        ("ins in ins", many("<ins>", 500) + &many("<br><br><ins>x</ins>", 40_000)),
    ]
}

/// Pages that are small enough for the second extractor.
fn small() -> Pages {
    let deep = many("<div>", 240);
    vec![
        ("12,000 p", many("<p>word, word and word", 12_000)),
        ("18,000 br", many("x<br>", 18_000)),
        ("12,000 br in a deep one", deep.clone() + &many("word, word<br>", 12_000)),
        ("12,000 p in a deep one", deep + &many("<p>word, word", 12_000)),
        ("9,000 links", many("<a href=/x>word</a> ", 9_000)),
        ("9,000 cells", "<table><tr>".to_owned() + &many("<td>word</td>", 9_000)),
        ("9,000 items", "<ul>".to_owned() + &many("<li>word", 9_000)),
        ("18,000 span", many("<span>word</span>", 18_000)),
        ("9,000 named div", numbered(9_000, "<div class=c# id=comments-#>word, word</div>")),
        ("6,000 nested quotes", many("<blockquote><p>word</p></blockquote>", 6_000)),
        ("12,000 em", "<p>".to_owned() + &many("x<em>y</em>", 9_000)),
        ("two million signs", "<p>".to_owned() + &many("word, ", 330_000)),
    ]
}

pub fn main(names: &[String]) {
    let is_wanted =
        |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part.as_str()));
    let pages = [elements(), parts(), texts(), small()].concat().into_iter();
    // Once more with what makes the second extractor read them.
    let asked = |(name, page): (&'static str, String)| {
        [(name, page.clone()), (name, ASKED.to_owned() + &page)]
    };
    for (name, page) in pages.filter(|(name, _)| is_wanted(name)).flat_map(asked) {
        let source =
            Source { body: page.as_bytes(), url: "http://a.example/", ..Source::default() };
        if !names.is_empty() {
            let start = Instant::now();
            let document = dom_query::Document::from(page.as_str());
            println!("    tree {:.2}", start.elapsed().as_secs_f64());
            let start = Instant::now();
            let reader = dom_smoothie::Readability::with_document(document, None, None);
            let is_read = reader.unwrap().parse().is_ok();
            println!("    extractor {:.2} {is_read}", start.elapsed().as_secs_f64());
        }
        let start = Instant::now();
        let outcome = match html::parse(&source, &LIMITS, RULES) {
            Err(fault) => fault.to_string(),
            Ok(page) => format!(
                "read: {} bytes, {} blocks, {} links",
                page.full_text.len(),
                page.blocks.len(),
                page.links.len()
            ),
        };
        println!(
            "{:>8.2} s  {name} ({} bytes): {outcome}",
            start.elapsed().as_secs_f64(),
            page.len()
        );
    }
}
