#!/usr/bin/env python3
"""Sites whose template outweighs their content: two hundred on one template, twenty on twenty.

    python3 testdata/template_kit.py --seed 1 out/template-kit      # needs pyarrow

Writes OUT_DIR/crawl.parquet (url, fetch_time, fetch_status, html) and OUT_DIR/truth.csv (url,
site, template, content, part). Pages are one document if and only if they have one `content`.
The same seed gives the same pages. Parts:

one_template  200 sites on one template, 12 pages each, every page with a content of its own of
              60 to 200 words in some 1,200 words of menus, notices and footer; the name of the
              site stands in the template, and half of the sites share their titles
same_content  20 sites, each on its own template with its own notices, all with the same 12 contents
tables        pages with one repeated table header and caption, and rows of their own
headings      pages with one first heading, and contents of their own
long_block    pages that are one repeated block of 260 words and a short line of their own: one
              content, because a long repeated block is no boilerplate
vanish        pages that are nothing but repeated blocks, each with another choice of them: what
              removes all of a page has to give it back

All words of a text come from the lists below or are made of syllables; nothing is copied.
"""

import argparse
import csv
import datetime
import html
import os
import random

import pyarrow as pa
import pyarrow.parquet as pq

SITES_ONE_TEMPLATE = 200
SITES_SAME_CONTENT = 20
SITES_EXCEPTION = 4
PAGES = 12
FIRST_FETCH = datetime.datetime(2026, 1, 5, tzinfo=datetime.timezone.utc)

NOUNS = """
apron archive axle bakery barrel basin beacon bench blanket boiler bracket bridge broom bucket
cabin cable canal candle carpet cellar chimney clamp clinic cloth coach compass copper cottage
crane cushion dairy depot drawer engine fabric farm fence ferry filter flour forge fountain
furnace garage garden gate glaze grain granite hammer harbour hinge hotel kettle kitchen ladder
lantern leather lever lock loom mantle marble market meadow mill mirror mortar motor museum
needle notebook orchard oven paddle panel paper pasture pier pillow pipe plank plaster plough
pump quarry quilt rail ribbon river roof rope saddle sail sample sash shelf shutter signal silo
spindle spring stable stove studio tailor tank tile timber tower tractor tunnel valve vault
violin wagon wall warehouse wheel window wire workshop yard
""".split()
ADJECTIVES = """
ample blunt brisk broad calm careful coarse cool crisp curved damp deep dense double dry early
even faint firm flat fresh gentle glossy heavy hollow idle keen late level light local loose
mellow mild modest narrow neat pale patient plain polished proper quiet rapid rare ready rough
round sharp short silent simple slim smooth soft solid sound spare steady steep stiff strong
sturdy tall thick thin tidy tight warm wide worn
""".split()
VERBS = """
adjusts balances bends borrows builds carries checks cleans collects compares covers cuts
delivers draws dries empties examines fastens fills fits folds gathers grinds guards heats holds
joins keeps lifts loads locates marks measures mends mixes moves notes offers opens orders paints
places polishes presses protects raises records repairs replaces saves seals selects shapes
shows sorts stacks stores supports tests tightens trims turns uses washes weighs winds wraps
""".split()
TAILS = """
after-the-rain at-dawn before-noon behind-the-hall beside-the-road by-hand during-winter
every-second-week for-the-guild for-visitors from-the-north in-three-steps in-small-batches
near-the-square on-market-days on-request over-the-summer since-last-autumn through-the-night
together-with-neighbours under-the-stairs until-evening with-great-care with-old-tools
within-an-hour without-much-noise
""".split()
SYLLABLES = "ba be bo da del do fen ga gor ha hel jo ka kel la lim lo ma mer mo na nor pa pel \
ra rin ro sa sol ta tev to va ven vi wa wen yo zan zel".split()
# Titles that half of the sites share, so that a title alone says nothing.
COMMON_TITLES = [
    "About us", "Opening hours", "How to find us", "Prices", "Our team", "History", "Services",
    "Questions and answers", "News of the month", "Workshops", "For members", "Contact",
]
ORDERS = ["menu main side foot", "side menu main foot", "menu side main foot", "main menu foot"]


def sentence(rng):
    """A sentence of 9 to 18 words."""
    subject = f"{rng.choice(ADJECTIVES)} {rng.choice(NOUNS)}"
    object_ = f"{rng.choice(ADJECTIVES)} {rng.choice(NOUNS)}"
    words = f"the {subject} {rng.choice(VERBS)} a {object_}"
    if rng.random() < 0.6:
        words += f" and {rng.choice(VERBS)} the {rng.choice(NOUNS)} of {name(rng)}"
    words += " " + rng.choice(TAILS).replace("-", " ")
    return words[0].upper() + words[1:] + "."


def paragraph(rng, words):
    """Sentences with exactly that many words."""
    found = []
    while len(found) < words:
        found += sentence(rng).split()
    return " ".join(found[:words]).rstrip(".,") + "."


def paragraphs(rng, words, longest=70):
    """Paragraphs with that many words in all, none with more than `longest`."""
    found = []
    while words > 0:
        size = min(words, rng.randint(longest // 2, longest))
        found.append(paragraph(rng, size))
        words -= size
    return found


def name(rng):
    """A made-up name of two or three syllables."""
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.choice([2, 3, 3]))).capitalize()


def names(rng, count):
    """So many different names."""
    found = []
    while len(found) < count:
        made = name(rng) + rng.choice(SYLLABLES)
        if made not in found:
            found.append(made)
    return found


def heading(rng):
    """A title of four words and a name."""
    adjective, noun, other = rng.choice(ADJECTIVES), rng.choice(NOUNS), rng.choice(NOUNS)
    return f"{adjective.capitalize()} {noun} and {other} in {name(rng)}"


class Template:
    """Markup and repeated texts of a site; `{site}` in a text stands for its name."""

    def __init__(self, rng, inside, outside):
        self.tag = {part: rng.choice(["div", "section"]) for part in ("wrap", "side", "box")}
        self.main = rng.choice(["main", "div", "article", "section"])
        self.prefix = name(rng).lower()
        self.order = rng.choice(ORDERS).split()
        self.is_listed = rng.random() < 0.5
        self.separator = rng.choice([" - ", " | ", " :: ", " / "])
        self.menu = [f"{rng.choice(NOUNS)} {rng.choice(NOUNS)}" for _ in range(rng.randint(9, 14))]
        self.related = [heading(rng) for _ in range(rng.randint(5, 8))]
        self.cookie = paragraph(rng, 40) + " {site} keeps what you choose."
        self.side = paragraphs(rng, outside // 3)
        self.foot = paragraphs(rng, outside - outside // 3)
        self.above = paragraphs(rng, inside // 3)
        self.below = paragraphs(rng, inside - inside // 3) + ["Write to {site} with any question."]
        self.slug = rng.choice(["p", "page", "info", "read"])

    def css(self, part):
        """The class of a part."""
        return f"{self.prefix}-{part}"

    def box(self, part, inner):
        """A region with its class."""
        tag = self.tag["box"]
        return f'<{tag} class="{self.css(part)}">{inner}</{tag}>'

    def links(self, texts):
        """Links in a list or in a row."""
        made = [f'<a href="/{number}.html">{html.escape(text)}</a>'
                for number, text in enumerate(texts)]
        if self.is_listed:
            return "<ul>" + "".join(f"<li>{link}</li>" for link in made) + "</ul>"
        return "<p>" + " &middot; ".join(made) + "</p>"

    def blocks(self, texts, site):
        """Repeated paragraphs with the name of the site."""
        return "".join(f"<p>{html.escape(text.replace('{site}', site))}</p>" for text in texts)

    def region(self, part, site, title, body):
        """One of the regions that `order` names."""
        if part == "menu":
            inner = f'<a href="/">{html.escape(site)}</a>' + self.links(self.menu)
            return self.box("menu", inner + self.blocks([self.cookie], site))
        if part == "side":
            inner = "<h3>Popular</h3>" + self.links(self.related) + self.blocks(self.side, site)
            return self.box("side", inner)
        if part == "foot":
            inner = self.blocks(self.foot, site) + f"<p>All rights with {html.escape(site)}.</p>"
            return f'<footer class="{self.css("foot")}">{inner}</footer>'
        inner = f"<h1>{html.escape(title)}</h1>" + self.blocks(self.above, site)
        inner += self.box("text", body) + self.blocks(self.below, site)
        return f'<{self.main} class="{self.css("main")}">{inner}</{self.main}>'

    def page(self, site, title, body):
        """A whole page around the markup of its content."""
        head = f"<title>{html.escape(title + self.separator + site)}</title>"
        regions = "\n".join(self.region(part, site, title, body) for part in self.order)
        wrap = self.tag["wrap"]
        return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">{head}</head>\n'
                f'<body><{wrap} class="{self.css("wrap")}">\n{regions}\n</{wrap}></body></html>\n')


class Kit:
    """The rows of the crawl and of the truth."""

    def __init__(self):
        self.crawl = []
        self.truth = []

    def add(self, part, site, template, number, content, page):
        """Adds a page; `page` is the template, the title and the markup of the content."""
        markup, title, body = page
        host = "www." + site.lower().replace(" ", "-") + ".example"
        url = f"https://{host}/{markup.slug}/{number + 1}.html"
        seen = FIRST_FETCH + datetime.timedelta(seconds=37 * len(self.crawl))
        self.crawl.append((url, seen, 200, markup.page(site, title, body)))
        self.truth.append((url, host, template, content, part))

    def write(self, folder):
        """Writes both files."""
        os.makedirs(folder, exist_ok=True)
        kinds = [pa.string(), pa.timestamp("ms", tz="UTC"), pa.int32(), pa.string()]
        columns = [pa.array(column, kind) for column, kind in zip(zip(*self.crawl), kinds)]
        table = pa.table(columns, names=["url", "fetch_time", "fetch_status", "html"])
        pq.write_table(table, os.path.join(folder, "crawl.parquet"), compression="zstd")
        with open(os.path.join(folder, "truth.csv"), "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["url", "site", "template", "content", "part"])
            writer.writerows(self.truth)


def markup(texts):
    """Paragraphs of a content."""
    return "".join(f"<p>{html.escape(text)}</p>" for text in texts)


def one_template(kit, rng, sites):
    """Many sites on one template, each page with its own content."""
    template = Template(rng, inside=640, outside=480)
    for order, site in enumerate(sites):
        for number in range(PAGES):
            title = COMMON_TITLES[number] if order % 2 else heading(rng)
            body = markup(paragraphs(rng, rng.randint(60, 200)))
            content = f"own-{order}-{number}"
            kit.add("one_template", site, "shared", number, content, (template, title, body))


def same_content(kit, rng, sites):
    """The same contents on sites of different templates."""
    contents = [(heading(rng), markup(paragraphs(rng, rng.randint(60, 200))))
                for _ in range(PAGES)]
    for order, site in enumerate(sites):
        template = Template(rng, inside=rng.randint(120, 300), outside=rng.randint(300, 700))
        for number, (title, body) in enumerate(contents):
            page = (template, title, body)
            kit.add("same_content", site, f"own-{order}", number, f"same-{number}", page)


def table_rows(rng, head, count):
    """A table with that header and rows of its own."""
    made = "<table><caption>Sizes and stock of all our parts</caption><tr>"
    made += "".join(f"<th>{text}</th>" for text in head) + "</tr>"
    for _ in range(count):
        cells = [f"{rng.choice(ADJECTIVES)} {rng.choice(NOUNS)}"]
        cells += [str(rng.randint(10, 9999)) for _ in head[1:]]
        made += "<tr>" + "".join(f"<td>{text}</td>" for text in cells) + "</tr>"
    return made + "</table>"


def exception_body(part, rng, site_rng, number):
    """Title and content of a page of an exception; `site_rng` makes what a site repeats."""
    if part == "tables":
        head = ["Part"] + [site_rng.choice(NOUNS).capitalize() + " mm" for _ in range(5)]
        return heading(rng), markup(paragraphs(rng, 40)) + table_rows(rng, head, 14)
    if part == "headings":
        return f"Weekly notice of {name(site_rng)}", markup(paragraphs(rng, rng.randint(80, 160)))
    if part == "long_block":
        line = f"Printed for the {rng.choice(NOUNS)} in {name(rng)}."
        return f"Terms of {name(site_rng)}", markup([paragraph(site_rng, 260), line])
    clauses = [paragraph(site_rng, 45) for _ in range(12)]
    chosen = sorted(random.Random(number).sample(range(12), 6))
    return heading(rng), markup(clauses[one] for one in chosen)


def exceptions(kit, rng, part, sites):
    """Sites with pages that removal of repeated blocks has to leave alone."""
    for order, site in enumerate(sites):
        template = Template(rng, inside=0 if part == "long_block" else 30, outside=120)
        seed = rng.random()
        for number in range(PAGES):
            title, body = exception_body(part, rng, random.Random(seed), number)
            content = f"{part}-{order}" + ("" if part == "long_block" else f"-{number}")
            kit.add(part, site, f"{part}-{order}", number, content, (template, title, body))


def main():
    """Makes the kit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out_dir")
    parser.add_argument("--seed", type=int, required=True)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    parts = ["tables", "headings", "long_block", "vanish"]
    sites = names(rng, SITES_ONE_TEMPLATE + SITES_SAME_CONTENT + SITES_EXCEPTION * len(parts))
    kit = Kit()
    one_template(kit, rng, [sites.pop() for _ in range(SITES_ONE_TEMPLATE)])
    same_content(kit, rng, [sites.pop() for _ in range(SITES_SAME_CONTENT)])
    for part in parts:
        exceptions(kit, rng, part, [sites.pop() for _ in range(SITES_EXCEPTION)])
    kit.write(options.out_dir)
    print(f"{len(kit.crawl)} pages in {options.out_dir}")


if __name__ == "__main__":
    main()
