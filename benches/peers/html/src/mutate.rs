//! Pages put together at random from tags and odd bytes: no panic, one answer, bounded time.

use std::time::Instant;

use crate::kernels::html::{self, Code, Limits, Source};
use crate::{LIMITS, RULES};

const NAMES: &[&str] = &[
    "a",
    "b",
    "i",
    "font",
    "nobr",
    "p",
    "div",
    "table",
    "tr",
    "td",
    "th",
    "tbody",
    "caption",
    "colgroup",
    "col",
    "select",
    "option",
    "optgroup",
    "svg",
    "math",
    "mi",
    "foreignObject",
    "desc",
    "title",
    "template",
    "form",
    "button",
    "li",
    "ul",
    "dd",
    "h1",
    "h2",
    "frameset",
    "html",
    "body",
    "head",
    "script",
    "style",
    "textarea",
    "noscript",
    "object",
    "applet",
    "main",
    "article",
    "section",
    "br",
    "hr",
    "img",
    "input",
    "base href=/x",
    "meta charset=utf-8",
    "link rel=canonical href=/c",
    "meta http-equiv=refresh content=0;url=x",
    "pre",
    "blockquote",
    "annotation-xml encoding=text/html",
    "plaintext",
    "iframe",
    "ruby",
    "rt",
    "details",
    "marquee",
];

const PARTS: &[&str] = &[
    "word, and word. ",
    " ",
    "&amp;",
    "&#0;",
    "\0",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "</",
    "<",
    ">",
    "\"",
    "'",
    "=",
    "\u{feff}",
    "é",
    "字",
    "<?",
    "\n",
];

struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).unwrap()
    }
}

fn page(random: &mut Random) -> Vec<u8> {
    let mut page = String::new();
    let names: Vec<&str> =
        (0..1 + random.below(8)).map(|_| NAMES[random.below(NAMES.len())]).collect();
    for number in 0..random.below(3_000) {
        let name = names[random.below(names.len())];
        match random.below(10) {
            0..5 => page.push_str(&format!("<{name}>")),
            5 => page.push_str(&format!("<{name} id={number}>")),
            6 | 7 => page.push_str(&format!("</{}>", name.split(' ').next().unwrap_or_default())),
            _ => page.push_str(PARTS[random.below(PARTS.len())]),
        }
    }
    let mut bytes = page.into_bytes();
    for _ in 0..random.below(4) {
        if !bytes.is_empty() {
            let at = random.below(bytes.len());
            bytes[at] = u8::try_from(random.below(256)).unwrap();
        }
    }
    bytes
}

pub fn main(args: &[String]) {
    let seed = args.first().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let seconds = args.get(1).and_then(|seconds| seconds.parse().ok()).unwrap_or(60.0);
    let mut random = Random(seed);
    let limits = Limits { nodes: 20_000, ..LIMITS };
    let (start, mut slowest, mut counts) = (Instant::now(), 0.0_f64, [0_usize; 3]);
    while start.elapsed().as_secs_f64() < seconds {
        let body = page(&mut random);
        let source = Source { body: &body, url: "http://a.example/d/p", ..Source::default() };
        let before = Instant::now();
        let found = html::parse(&source, &limits, RULES);
        let taken = before.elapsed().as_secs_f64();
        counts[0] += 1;
        counts[1] += usize::from(found.is_err());
        if let Err(fault) = &found
            && (fault.code == Code::Panic || taken > 0.5)
        {
            counts[2] += 1;
            println!("{taken:.2} s {fault}");
            std::fs::write(std::env::temp_dir().join(format!("odd-{}.html", counts[2])), &body)
                .unwrap();
        }
        if taken > slowest {
            slowest = taken;
            println!("slowest {taken:.3} s, {} bytes", body.len());
            std::fs::write(std::env::temp_dir().join("slowest.html"), &body).unwrap();
        }
        assert!(html::parse(&source, &limits, RULES) == found, "two answers");
    }
    println!("pages {}, faults {}, odd {}", counts[0], counts[1], counts[2]);
}
