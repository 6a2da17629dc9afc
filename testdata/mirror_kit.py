#!/usr/bin/env python3
"""A crawl of host mirrors, whole and partial, and of hosts that look like mirrors.

    python3 testdata/mirror_kit.py --seed 1 out/mirror-kit          # needs pyarrow
    python3 testdata/mirror_kit.py --seed 1 out/mirror-kit --check  # makes it twice and tests it
    python3 testdata/mirror_kit.py --seed 1 out/mirror-real --crawl FOLDER --package A B

Writes crawl.parquet (url, fetch_time, fetch_status, fetch_redirect, ip, html), truth.csv (part,
host_a, host_b, relation, note) and prefixes.csv (part, from_host, from_prefix, to_host,
to_prefix, carve_outs, note). The seeds that our figures are of: 1, 2 and 3. The same seed gives
the same bytes. A host is `scheme://host[:port]`. A row of the truth without `host_b` says that
the relation holds between `host_a` and every other host of its part; pairs that no row names are
unrelated. Prefixes may be found in either direction. Carve-outs are prefixes of `from_host`, with
a space between; below them the two hosts differ. Relations:

mirror       one site: same path, same main text, but for what the noise of the group changes
partial      one site below the prefixes of prefixes.csv, and only there
none         not mirrors; where the note says `or undecided`, that is right as well
translation  same paths, other languages
regional     same paths, other prices, phones or cities
parked       one page, or one that repeats what was asked for, at every path
undecided    too few common paths to decide; what one host alone has should be asked for

Parts: one_template (200 sites on one template, equal paths, half with one equal page), full (50
groups), partial (50 pairs), translation, regional, parked, template_only (short texts in long
templates, two default pages equal on all, some with a canonical that points at the vendor),
same_news (30 to 60 % of the articles at common paths equal), few, staging (half of the pages are
older), unrelated (with similar names, with redirects to another home page, with a shortener of
links). With --crawl the only part is `real`, made by mirror_kit_real.py of two packages' pages.

The noise of a true mirror is bounded so that the evidence always suffices: with pages of 50 words
and more, those of resemblance .9 taken as equal and error pages of one side taken as different,
the lower Wilson bound of the share of equal pages is at least .75 over at least 12 pages, or a
path-preserving 301 covers nine pages in ten. --check (mirror_kit_check.py) holds each group to it.

All words come from template_kit.py and mirror_kit.txt; nothing is copied.
"""

import argparse
import collections
import csv
import datetime
import html
import math
import os
import random
import sys

import pyarrow as pa
import pyarrow.parquet as pq

from template_kit import ADJECTIVES, NOUNS, heading, name, paragraph, paragraphs

SEEDS = (1, 2, 3)
PHRASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mirror_kit.txt")
FIRST_FETCH = datetime.datetime(2026, 2, 2, tzinfo=datetime.timezone.utc)
DAY = 86_400
FILES = ("crawl.parquet", "truth.csv", "prefixes.csv")
COLUMNS = (
    ("url", pa.string()), ("fetch_time", pa.timestamp("ms", tz="UTC")),
    ("fetch_status", pa.int32()), ("fetch_redirect", pa.string()), ("ip", pa.string()),
    ("html", pa.string()),
)
TRUTH = ("part", "host_a", "host_b", "relation", "note")
PREFIXES = ("part", "from_host", "from_prefix", "to_host", "to_prefix", "carve_outs", "note")
COMMON_PATHS = (
    "/", "/about", "/contact", "/news/1", "/news/2", "/news/3", "/news/4", "/services",
    "/privacy", "/faq", "/wp-content/uploads/guide.html", "/blog/hello-world", "/blog/page/2",
    "/team", "/history", "/prices",
)
TEMPLATE_SITES = 200
DEMO_SITES = 24
PARKED_HOSTS = 30
ECHO_HOSTS = 10
# Whole mirrors: 50 groups by what tells their hosts apart.
FULL = (("http", 8), ("www", 8), ("tld", 6), ("m", 6), ("second", 5), ("dash", 4), ("port", 3),
        ("redirect", 5), ("many", 5))
# Partial mirrors: 50 pairs by the shape of their prefixes.
PARTIAL = (("docs_root", 12), ("m_prefix", 12), ("same_prefix", 12), ("carved", 10),
           ("carved_big", 4))
LANGUAGES = ("en", "de", "fr", "ru", "el")
CITIES = (
    ("msk", "Moscow", "+7 495 555-01", "RUB"), ("spb", "Saint Petersburg", "+7 812 555-01", "RUB"),
    ("ekb", "Yekaterinburg", "+7 343 555-01", "RUB"), ("kzn", "Kazan", "+7 843 555-01", "RUB"),
    ("uk", "Leeds", "+44 113 496 00", "GBP"), ("us", "Boston", "+1 617 555-01", "USD"),
    ("ie", "Cork", "+353 20 910 00", "EUR"), ("ca", "Halifax", "+1 902 555-01", "CAD"),
)


class Doc:
    """The main content of a page: a title, paragraphs, maybe a last line and a language."""

    def __init__(self, title, texts, language="en"):
        self.title, self.texts, self.language = title, texts, language

    def words(self):
        """All words of the main text."""
        return " ".join([self.title, *self.texts]).lower().split()


def new_doc(rng, low=80, high=250):
    """A content that no other page has, of so many words."""
    return Doc(heading(rng), paragraphs(rng, rng.randint(low, high)))


def updated(rng, doc):
    """The content after an edit: of two in three pages all is new, of the others every other
    paragraph."""
    if rng.random() < 0.67 or len(doc.texts) < 2:
        return new_doc(rng)
    texts = [text if at % 2 else paragraph(rng, len(text.split()))
             for at, text in enumerate(doc.texts)]
    return Doc(doc.title, texts, doc.language)


class Look:
    """Markup and repeated texts of a site."""

    def __init__(self, rng, shell=0, menu=None, foot=None):
        self.prefix = name(rng).lower()
        self.main = rng.choice(["main", "div", "article", "section"])
        self.tag = rng.choice(["div", "section"])
        self.order = rng.choice(["menu main side foot", "side menu main foot", "menu main foot",
                                 "menu side main foot"]).split()
        self.is_listed = rng.random() < 0.5
        self.separator = rng.choice([" - ", " | ", " / "])
        self.menu = menu or [f"{rng.choice(NOUNS)} {rng.choice(NOUNS)}".capitalize()
                             for _ in range(rng.randint(5, 9))]
        self.foot = foot or [paragraph(rng, rng.randint(12, 28))]
        self.side = paragraphs(rng, shell // 3, 50) if shell else []
        self.above = paragraphs(rng, shell // 3, 50) if shell else []
        self.foot = self.foot + (paragraphs(rng, shell // 3, 50) if shell else [])
        self.is_stamped = rng.random() < 0.25
        self.is_home_named = rng.random() < 0.7

    def links(self, pairs):
        """Links in a list or in a row."""
        made = [f'<a href="{html.escape(to)}">{html.escape(text)}</a>' for to, text in pairs]
        if self.is_listed:
            return "<ul>" + "".join(f"<li>{link}</li>" for link in made) + "</ul>"
        return "<p>" + " &middot; ".join(made) + "</p>"

    def region(self, part, site, doc, pairs, dice):
        """One of the regions that `order` names."""
        css = f'class="{self.prefix}-{part}"'
        if part == "menu":
            inner = f'<a href="/">{html.escape(site.title)}</a>'
            inner += self.links(zip(site.menu_paths(len(self.menu)), self.menu))
            return f"<nav {css}>{inner}</nav>"
        if part == "side":
            return f"<{self.tag} {css}>{self.links(pairs)}{blocks(self.side)}</{self.tag}>"
        if part == "foot":
            stamp = f"<p>Made in 0.{dice.randint(10, 99)} s</p>" if self.is_stamped else ""
            return f"<footer {css}>{blocks(self.foot)}{stamp}{blocks(site.foot)}</footer>"
        inner = f"<h1>{html.escape(doc.title)}</h1>{blocks(self.above)}{blocks(doc.texts)}"
        if site.is_counted:
            inner += f"<p>Views {dice.randint(10, 9999)}</p>"
        return f"<{self.main} {css}>{inner}</{self.main}>"

    def page(self, site, doc, pairs, head, dice):
        """A whole page around its content."""
        title = doc.title + (self.separator + site.title if self.is_home_named else "")
        regions = "\n".join(self.region(part, site, doc, pairs, dice) for part in self.order)
        return (f'<!DOCTYPE html>\n<html lang="{doc.language}"><head><meta charset="utf-8">'
                f"<title>{html.escape(title)}</title>{head}</head>\n<body>\n{regions}\n"
                "</body></html>\n")


def blocks(texts):
    """Paragraphs of markup."""
    return "".join(f"<p>{html.escape(text)}</p>" for text in texts)


class Site:
    """One host of the crawl; what it serves goes to the kit."""

    def __init__(self, kit, part, base, look, title, day=0, ip=None):
        self.kit, self.part, self.base, self.look, self.title = kit, part, base, look, title
        self.second = day * DAY
        self.ip = ip or address(base)
        self.known = []
        self.foot = []
        self.is_counted = False
        self.canonical = None
        self.alternates = {}
        kit.sites.append(self)

    def menu_paths(self, count):
        """The paths that the menu names; the same on every page."""
        return (self.known[:count] + ["/"] * count)[:count]

    def head(self, path):
        """Declarations of a page."""
        made = ""
        if self.canonical:
            made += f'<link rel="canonical" href="{html.escape(self.canonical + path)}">'
        for language, base in self.alternates.items():
            made += (f'<link rel="alternate" hreflang="{language}" '
                     f'href="{html.escape(base + path)}">')
        return made

    def tick(self):
        """The time of the next fetch."""
        self.second += 37
        return FIRST_FETCH + datetime.timedelta(seconds=self.second)

    def serve(self, path, doc, look=None):
        """A page with its content; it links to the three paths after its own, fetched or not."""
        at = self.known.index(path) if path in self.known else 0
        near = [self.known[(at + step) % len(self.known)] for step in (1, 2, 3)] \
            if self.known else []
        pairs = [(to, to.strip("/").replace("/", " ").replace("-", " ") or "home") for to in near]
        dice = random.Random(f"{self.base}{path}{self.second}")
        page = (look or self.look).page(self, doc, pairs, self.head(path), dice)
        self.kit.add(self, path, 200, None, page, doc)

    def redirect(self, path, target, status=301):
        """A redirect."""
        self.kit.add(self, path, status, target, None, None)

    def fail(self, path, status):
        """An error page."""
        page = self.look.page(self, Doc(f"Error {status}", ["The page cannot be shown."]), [], "",
                              random.Random(path))
        self.kit.add(self, path, status, None, page, None)


def address(key):
    """An address from the range for benchmarks, by the key alone."""
    dice = random.Random(f"ip/{key}")
    return f"198.{dice.choice([18, 19])}.{dice.randint(0, 255)}.{dice.randint(1, 254)}"


class Kit:
    """The rows of the crawl, of the truth and of the prefixes."""

    def __init__(self, seed):
        self.seed = seed
        self.crawl, self.truth, self.prefixes, self.sites = [], [], [], []
        self.docs, self.errors, self.redirects = {}, set(), {}
        self.names = set()

    def dice(self, *key):
        """The dice of one group, the same whatever other parts are made."""
        return random.Random("/".join(str(one) for one in (self.seed, *key)))

    def name(self, rng):
        """The name of a site that no other site has."""
        while True:
            made = name(rng).lower() + name(rng).lower()
            if made not in self.names:
                self.names.add(made)
                return made

    def add(self, site, path, status, target, page, doc):
        """A row of the crawl."""
        url = site.base + path
        self.crawl.append((url, site.tick(), status, target, site.ip, page))
        if doc is not None:
            self.docs[url] = doc
        elif target is not None:
            self.redirects[url] = target
        else:
            self.errors.add(url)

    def relate(self, part, bases, relation, note=""):
        """A relation between each two of the hosts."""
        for at, base in enumerate(bases):
            for other in bases[at + 1:]:
                self.truth.append((part, base, other, relation, note))

    def alone(self, part, base, relation="none", note=""):
        """The relation of a host to all others of its part."""
        self.truth.append((part, base, "", relation, note))

    def write(self, folder):
        """Writes the three files."""
        os.makedirs(folder, exist_ok=True)
        columns = [pa.array(column, kind)
                   for column, (_, kind) in zip(zip(*self.crawl), COLUMNS)]
        table = pa.table(columns, names=[column for column, _ in COLUMNS])
        pq.write_table(table, os.path.join(folder, FILES[0]), compression="zstd")
        for file_name, head, body in ((FILES[1], TRUTH, self.truth),
                                      (FILES[2], PREFIXES, self.prefixes)):
            path = os.path.join(folder, file_name)
            with open(path, "w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(head)
                writer.writerows(body)


def slug(rng):
    """A path segment of two words and a number."""
    return f"{rng.choice(ADJECTIVES)}-{rng.choice(NOUNS)}-{rng.randint(2, 9999)}"


def suffixes(rng, count, folders=3, ending=None):
    """So many different relative paths: `folders` folders and some pages beside them.

    The first is empty: the index. No folder has more than half of the pages, so that no prefix
    of all pages is longer than the root.
    """
    ending = rng.choice(["", ".html", "/", ".php"]) if ending is None else ending
    made, names = [""], rng.sample(NOUNS, folders)
    while len(made) < count:
        at = len(made) % (folders + 1)
        path = (names[at] + "/" if at < folders else "") + slug(rng) + ending
        if path not in made:
            made.append(path)
    return made


def site_paths(rng, count):
    """Paths of an ordinary site: some that every site has, the others its own."""
    common = [COMMON_PATHS[0]] + rng.sample(COMMON_PATHS[1:], min(6, count // 4))
    own = ["/" + path for path in suffixes(rng, count - len(common) + 1)[1:]]
    return common + own


def parts_of(table):
    """The shapes of a table one by one, each as often as it says, with a number within it."""
    return [(shape, order) for shape, count in table for order in range(count)]


# The parts.

def one_template(kit):
    """Many sites on one template with equal paths; each page has a content of its own."""
    rng = kit.dice("one_template")
    look = Look(rng, shell=170)
    look.is_stamped = False
    paths = COMMON_PATHS[:14]
    # Half of the sites left the notice of the maker in place: one page on a hundred hosts.
    notice = new_doc(rng, 80, 150)
    for number in range(TEMPLATE_SITES):
        base = f"https://www.{kit.name(rng)}.example"
        # One hosting company: five addresses for all.
        site = Site(kit, "one_template", base, look, kit_title(base), ip=address(number % 5))
        site.known = list(paths)
        for path in paths:
            doc = new_doc(rng, 80, 150)
            if number % 2:
                doc.title = path.strip("/").replace("/", " ").capitalize() or "Welcome"
            elif path == "/privacy":
                doc = notice
            site.serve(path, doc)
        kit.alone("one_template", base)


def kit_title(base):
    """The title of a site by its host."""
    return base.split("//")[1].removeprefix("www.").split(".")[0].capitalize()


def full_bases(kit, rng, shape, order):
    """The hosts of a whole mirror; the first has everything."""
    made = kit.name(rng)
    host = f"{made}.example"
    other = kit.name(rng)
    if shape == "http":
        return [f"https://{host}", f"http://{host}"]
    if shape == "www":
        pair = [f"https://www.{host}", f"https://{host}"]
        return pair[::-1] if order % 2 else pair
    if shape == "tld":
        return [f"https://{host}", f"https://{made}.{('test', 'invalid')[order % 2]}"]
    if shape == "m":
        return [f"https://www.{host}", f"https://m.{host}"]
    if shape in ("second", "redirect"):
        return [f"https://www.{host}", f"https://{'www.' * (order % 2)}{other}.example"]
    if shape == "dash":
        short = other[:5]
        return [f"https://{short}{made}.example", f"https://{short}-{made}.example"]
    if shape == "port":
        return [f"http://{host}", f"http://{host}:8080"]
    five = [f"https://{host}", f"https://www.{host}", f"http://{host}", f"https://{made}.test",
            f"http://{other}.example:8000"]
    return five[: 3 + order % 3]


def noise(rng, is_many):
    """What keeps a copy from being exact: shares of edited, absent and failed pages."""
    half = 0.5 if is_many else 1.0
    return {
        "aged": rng.choice([0, rng.uniform(0.02, 0.06)]) * half,
        "one_sided": rng.choice([0, rng.uniform(0.04, 0.16)]) * half,
        "errors": rng.choice([0, rng.uniform(0.02, 0.04)]) * half,
    }


def pick(rng, paths, share):
    """A share of the paths, at least one if the share is not 0; never the home page."""
    count = max(1, math.floor(share * len(paths))) if share else 0
    return set(rng.sample(paths[1:], count))


def copy(kit, rng, main, site, docs, flaws):
    """Serves the contents of a site on another host, with flaws; returns them in words."""
    paths = list(docs)
    absent = pick(rng, paths, flaws["one_sided"])
    rest = [path for path in paths if path not in absent]
    failed = pick(rng, rest, flaws["errors"])
    edited = pick(rng, [path for path in rest if path not in failed], flaws["aged"])
    site.known = list(main.known)
    for path in rest:
        if path in failed:
            site.fail(path, rng.choice([404, 500, 503]))
        else:
            site.serve(path, updated(rng, docs[path]) if path in edited else docs[path])
    return f"{len(edited)} edited, {len(absent)} absent, {len(failed)} failed"


def full_group(kit, shape, order):
    """One whole mirror."""
    rng = kit.dice("full", shape, order)
    bases = full_bases(kit, rng, shape, order)
    flaws = noise(rng, shape == "many")
    is_clean = not any(flaws.values())
    count = rng.randint(20, 40) if is_clean else rng.randint(44, 60)
    look, title = Look(rng), kit_title(bases[0])
    main = Site(kit, "full", bases[0], look, title, day=rng.randint(0, 20))
    main.known = site_paths(rng, count)
    low = 160 if rng.random() < 0.3 else 80
    main.is_counted = low > 80
    docs = {path: new_doc(rng, low) for path in main.known}
    unfetched = pick(rng, main.known, flaws["one_sided"] / 3)
    for path in main.known:
        if path not in unfetched:
            main.serve(path, docs[path])
    notes = [shape]
    for number, base in enumerate(bases[1:]):
        is_other = shape == "m" or (shape == "second" and order % 2)
        day = rng.randint(60, 200) if flaws["aged"] else rng.randint(0, 30)
        site = Site(kit, "full", base, Look(rng) if is_other else look, title, day=day,
                    ip=main.ip if rng.random() < 0.7 else None)
        site.is_counted = main.is_counted
        if rng.random() < 0.25:
            site.canonical = main.base
        to = moved_to(shape, order, number, bases)
        if to is None or (shape == "http" and order >= 6):
            notes.append(copy(kit, rng, main, site, docs, flaws))
        if to is not None:
            notes.append(move(rng, site, main.known, to, order))
    kit.relate("full", bases, "mirror", "; ".join(notes))


def moved_to(shape, order, number, bases):
    """Where a host of a whole mirror redirects to; None if it does not."""
    if shape == "redirect" or (shape == "http" and order >= 4):
        return bases[0]
    # The last of four or five hosts redirects to one that is no main mirror.
    if shape == "many" and number == len(bases) - 2 and len(bases) > 3:
        return bases[1]
    return None


def move(rng, site, paths, to, order):
    """Redirects paths of a site to the same paths of another host."""
    site.known = list(paths)
    site.second += 30 * DAY
    asked = paths if order % 2 else [paths[0]] + rng.sample(paths[1:], len(paths) * 3 // 5)
    status = 308 if order == 1 else 301
    for path in asked:
        site.redirect(path, to + path, status)
    return f"{len(asked)} redirects"


def full(kit):
    """Whole mirrors."""
    for shape, order in parts_of(FULL):
        full_group(kit, shape, order)


def partial_prefixes(rng, shape, order):
    """Prefixes of both hosts, and the name of the folder that is carved out."""
    if shape == "docs_root":
        return rng.choice(["/docs/", "/manual/", "/wiki/en/", "/help/v2/"]), "/", None
    if shape == "m_prefix":
        return rng.choice(["/m/", "/mobile/", "/print/"]), "/", None
    if shape == "same_prefix":
        both = rng.choice(["/en/", "/docs/", "/api/"])
        return both, both, None
    left, right = rng.choice([("/manual/", "/handbook/"), ("/a/docs/", "/docs/"),
                              ("/wiki/", "/help/wiki/"), ("/kb/", "/support/articles/")])
    return left, right, rng.choice(["legal", "prices", "jobs"])


def partial_pair(kit, shape, order):
    """One pair of hosts that are equal below a prefix of each."""
    rng = kit.dice("partial", shape, order)
    left_prefix, right_prefix, carved = partial_prefixes(rng, shape, order)
    is_similar = rng.random() < 0.4
    made = kit.name(rng)
    bases = [f"https://www.{made}.example",
             f"https://docs.{made}.example" if is_similar else f"https://{kit.name(rng)}.example"]
    looks = [Look(rng), Look(rng)]
    sites = [Site(kit, "partial", base, look, kit_title(base), day=rng.randint(0, 60))
             for base, look in zip(bases, looks)]
    count = rng.randint(50, 56) if carved else rng.randint(22, 36)
    shared = suffixes(rng, count, ending=rng.choice([".html", "", "/"]))
    odd = [f"{carved}/{slug(rng)}" for _ in range(5 if shape == "carved" else 14)]
    odd = odd if carved else []
    own_left, own_right = own_paths(rng, shape, shared, (left_prefix, right_prefix))
    sites[0].known = own_left + [left_prefix + one for one in shared + odd]
    sites[1].known = own_right + [right_prefix + one for one in shared + odd]
    for site, paths in zip(sites, (own_left, own_right)):
        for path in paths:
            site.serve(path, new_doc(rng))
    prefixes = (left_prefix, right_prefix)
    shared_docs = {one: new_doc(rng) for one in shared}
    gone = [pick(rng, shared, rng.choice([0, 0.04])) for _ in sites]
    edited = pick(rng, shared, rng.choice([0, 0.03]) if count >= 32 else 0)
    other_look = Look(rng)
    for site, prefix, absent in zip(sites, prefixes, gone):
        look = other_look if shape == "m_prefix" and site is sites[0] else None
        for one in shared:
            if one not in absent:
                is_new = one in edited and site is sites[1]
                doc = updated(rng, shared_docs[one]) if is_new else shared_docs[one]
                site.serve(prefix + one, doc, look)
        for one in odd:
            site.serve(prefix + one, new_doc(rng), look)
    kit.relate("partial", bases, "partial", shape)
    carve = left_prefix + carved + "/" if carved else ""
    kit.prefixes.append(("partial", bases[0], left_prefix, bases[1], right_prefix, carve, shape))


def own_paths(rng, shape, shared, prefixes):
    """Paths of both hosts outside of the prefixes, many of them common to both by name alone."""
    if shape in ("m_prefix", "docs_root"):
        # The first host answers at its root to names of the second, with other contents.
        step = 2 if shape == "m_prefix" else 5
        shop = [f"/shop/{slug(rng)}" for _ in range(6)]
        return ["/"] + ["/" + one for one in shared[1::step]] + shop, []
    names = ["about", "contact"] + [f"blog/{slug(rng)}" for _ in range(14)]
    return [["/"] + [root + one for one in names] for root in roots(*prefixes)]


def roots(left, right):
    """What is left of two prefixes without the folders that both end in.

    Pages that differ lie there, so that no shorter prefixes hold than those of the truth. Where
    the prefixes end in different folders, nothing shorter can hold, and the pages lie at `/`.
    """
    pair = [one.strip("/").split("/") for one in (left, right)]
    is_alike = False
    while all(pair) and pair[0][-1] == pair[1][-1]:
        is_alike = True
        pair = [one[:-1] for one in pair]
    return ["/" + "".join(part + "/" for part in one) if is_alike else "/" for one in pair]


def partial(kit):
    """Partial mirrors."""
    for shape, order in parts_of(PARTIAL):
        partial_pair(kit, shape, order)


def phrases():
    """Per language the lists of phrases by key."""
    found, language = {}, None
    with open(PHRASES, encoding="utf-8") as file:
        for line in file:
            if line.startswith("= "):
                language = line.split()[1]
                found[language] = {}
            elif not line.startswith("#"):
                key, _, rest = line.rstrip("\n").partition(": ")
                found[language][key] = rest.split(" ¦ ")
    return found


def said(words, language, plan):
    """A content by its plan, in a language."""
    title, number, sentences = plan
    own = words[language]
    made = []
    for who, what, when, year in sentences:
        extra = f" ({year})" if year else ""
        made.append(f"{own['a'][who]} {own['b'][what]}{extra} {own['c'][when]}.")
    texts = [" ".join(made[at:at + 4]) for at in range(0, len(made), 4)]
    return Doc(f"{own['title'][title]} {number}", texts, language)


def new_plan(rng):
    """A content in no language yet."""
    sentences = [(rng.randrange(16), rng.randrange(16), rng.randrange(16),
                  rng.choice([0, 0, rng.randint(1900, 2026)]))
                 for _ in range(rng.randint(9, 16))]
    return rng.randrange(6), rng.randint(1, 999), sentences


def translation(kit):
    """Sites in two to four languages, with the same paths on a host each."""
    words = phrases()
    for number in range(14):
        rng = kit.dice("translation", number)
        made = kit.name(rng)
        languages = ["en"] + rng.sample(LANGUAGES[1:], rng.randint(1, 3))
        rng.shuffle(languages)
        kind = number % 3
        hosts = [f"{language}.{made}.example" if kind == 0 or (kind == 1 and at)
                 else f"www.{made}.example" if not at else f"{made}-{language}.example"
                 for at, language in enumerate(languages)]
        bases = [f"https://{host}" for host in hosts]
        paths = site_paths(rng, rng.randint(20, 32))
        plans = {path: new_plan(rng) for path in paths}
        # Some sites leave a few pages in the first language everywhere.
        left = pick(rng, paths, 0.14 if number % 4 == 3 else 0)
        shape = rng.random()
        for language, base in zip(languages, bases):
            look = Look(random.Random(shape), 0, words[language]["menu"], words[language]["foot"])
            site = Site(kit, "translation", base, look, made.capitalize(), ip=address(made))
            site.known = paths
            site.alternates = dict(zip(languages, bases)) if number % 2 else {}
            for path in paths:
                site.serve(path, said(words, languages[0] if path in left else language,
                                      plans[path]))
        note = f"{' '.join(languages)}; hreflang {number % 2}; untranslated {len(left)}"
        kit.relate("translation", bases, "translation", note)


def regional(kit):
    """Shops with a host a city: same texts, other prices; phones, cities and currencies too."""
    for number in range(14):
        rng = kit.dice("regional", number)
        made, look = kit.name(rng), Look(rng)
        cities = rng.sample(CITIES[:4] if number % 2 else CITIES, 3)
        paths = site_paths(rng, rng.randint(20, 28))
        docs = {path: new_doc(rng, 150, 220) for path in paths}
        equal = pick(rng, paths, 0.12)
        is_light = number % 3 == 0
        bases = []
        for order, (code, city, phone, currency) in enumerate(cities):
            base = f"https://{code}.{made}.example"
            if number % 4 == 1:
                base = f"https://{made}-{code}.example"
            bases.append(base)
            site = Site(kit, "regional", base, look, made.capitalize(), ip=address(made))
            site.known = paths
            site.foot = [f"{city}, {phone}-{rng.randint(10, 99)}"]
            for at, path in enumerate(paths):
                doc = docs[path]
                if path not in equal:
                    price = (at + 3) * 100 + order * 37 + rng.randint(1, 30)
                    doc = priced(doc, price, currency, None if is_light else (city, phone, rng))
                site.serve(path, doc)
        note = ("price only" if is_light else "price, phone and city") + f"; {len(equal)} equal"
        kit.relate("regional", bases, "regional", note)


def priced(doc, price, currency, shop):
    """The content with a price line after its first paragraph."""
    line = f"Price {price}.00 {currency}"
    if shop:
        city, phone, rng = shop
        line += f". In {city} call {phone}-{rng.randint(10, 99)}, delivery tomorrow"
    return Doc(doc.title, doc.texts[:1] + [line + "."] + doc.texts[1:])


def parked(kit):
    """Hosts with one page for all paths, and hosts that repeat the path that was asked for."""
    rng = kit.dice("parked")
    look = Look(rng)
    ways = COMMON_PATHS[:6] + tuple(f"/{slug(rng)}" for _ in range(10))
    lines = ["This name is reserved for a project of our customer. " + paragraph(rng, 60),
             paragraph(rng, 40)]
    for number in range(PARKED_HOSTS):
        base = f"http://{kit.name(rng)}.example"
        site = Site(kit, "parked", base, look, "Reserved", ip=address("parked"))
        site.known = list(ways)
        title = kit_title(base) if number % 2 else "Welcome"
        for path in rng.sample(ways, rng.randint(12, len(ways))):
            site.serve(path, Doc(title, lines))
        kit.alone("parked", base, "parked", "one page")
    echo = [paragraph(rng, 90), "Popular with our visitors: " + paragraph(rng, 30)]
    look = Look(rng)
    for number in range(ECHO_HOSTS):
        base = f"https://{kit.name(rng)}.example"
        site = Site(kit, "parked", base, look, "Catalogue", ip=address("echo"))
        site.known = list(ways)
        for path in ways + tuple(f"/{slug(rng)}" for _ in range(4)):
            asked = path.strip("/").replace("-", " ").replace("/", " ") or "everything"
            first = f"We looked for {asked} and have nothing of that kind at present."
            site.serve(path, Doc(f"Results for {asked}", [first, *echo]))
        kit.alone("parked", base, "parked", "repeats the path")


def template_only(kit):
    """Sites on one template of which nearly all is template, with default pages left in place."""
    rng = kit.dice("template_only")
    look = Look(rng, shell=330)
    look.is_home_named = False
    paths = COMMON_PATHS[:14]
    default = {path: new_doc(rng, 80, 120) for path in ("/privacy", "/blog/hello-world")}
    vendor = None
    for number in range(DEMO_SITES):
        made = kit.name(rng)
        base = f"https://{made}.example" if number % 2 else f"https://demo{number}.{made}.example"
        site = Site(kit, "template_only", base, look, "Demo site", ip=address("demo"))
        vendor = vendor or base
        if number % 3 == 2:
            site.canonical = vendor
        site.known = list(paths)
        low, high = ((28, 45), (60, 80))[number % 2]
        for path in paths:
            site.serve(path, default.get(path) or new_doc(rng, low, high))
        note = "canonical of the vendor" if site.canonical else ""
        kit.alone("template_only", base, "none", note)


def same_news(kit):
    """Papers that share articles at the same paths; the other articles differ."""
    for number in range(12):
        rng = kit.dice("same_news", number)
        looks = [Look(rng)] * 3 if number % 2 else [Look(rng) for _ in range(3)]
        bases = [f"https://www.{kit.name(rng)}.example" for _ in range(3)]
        folders = ["/news/", "/sport/", "/region/2026/05/"]
        paths = ["/", "/about"] + [f"{folders[at % 3]}{1000 + 7 * at}" for at in range(34)]
        share = rng.uniform(0.3, 0.6)
        shared = {}
        for at, path in enumerate(paths[2:]):
            # Every folder has its share of both kinds.
            if math.floor((at // 3 + 1) * share) > math.floor(at // 3 * share):
                shared[path] = new_doc(rng)
        for base, look in zip(bases, looks):
            site = Site(kit, "same_news", base, look, kit_title(base), day=rng.randint(0, 9))
            own = [f"{folder}{slug(rng)}" for folder in folders for _ in range(3)]
            site.known = paths + own
            for path in site.known:
                if path in shared or path in own or rng.random() < 0.85:
                    site.serve(path, shared.get(path) or new_doc(rng))
                else:
                    site.fail(path, 404)
        note = f"or undecided; {len(shared)} of {len(paths)} shared"
        kit.relate("same_news", bases, "none", note)


def few(kit):
    """Pairs of which only three to eight common paths were fetched, all equal."""
    for number in range(20):
        rng = kit.dice("few", number)
        made, look = kit.name(rng), Look(rng)
        bases = [f"https://{made}.example",
                 (f"https://www.{made}.example", f"http://{made}.example",
                  f"https://{made}.test", f"https://{kit.name(rng)}.example")[number % 4]]
        paths = site_paths(rng, rng.randint(26, 36))
        docs = {path: new_doc(rng) for path in paths}
        rest = rng.sample(paths[1:], len(paths) - 1)
        common, rest = rest[:3 + number % 6], rest[3 + number % 6:]
        cut = len(rest) if number % 2 else len(rest) // 2
        for base, alone in zip(bases, (rest[:cut], rest[cut:])):
            site = Site(kit, "few", base, look, made.capitalize(), day=rng.randint(0, 9))
            site.known = paths
            for path in paths:
                if path in common or path in alone:
                    site.serve(path, docs[path])
        kit.relate("few", bases, "undecided", f"{len(common)} common paths")


def staging(kit):
    """A copy of an old state: every other page has changed since."""
    for number in range(12):
        rng = kit.dice("staging", number)
        made, look = kit.name(rng), Look(rng)
        first = rng.choice(["staging", "old", "beta", "test", "dev"])
        bases = [f"https://www.{made}.example", f"https://{first}.{made}.example"]
        paths = site_paths(rng, rng.randint(28, 40))
        for base in bases:
            site = Site(kit, "staging", base, look, made.capitalize(), ip=address(made),
                        day=0 if base == bases[1] else 120)
            site.known = paths
            dice = random.Random(f"{kit.seed}/{made}")
            for at, path in enumerate(paths):
                doc, new = new_doc(dice), new_doc(dice)
                # Twice two pages, so that both kinds are in every folder.
                site.serve(path, new if base == bases[0] and at // 2 % 2 else doc)
        kit.relate("staging", bases, "none", "or undecided; half of the pages changed")


def unrelated(kit):
    """Hosts with nothing in common but names of paths, six pairs of them with similar names."""
    rng = kit.dice("unrelated")
    hosts = [f"{'www.' * rng.randint(0, 1)}{kit.name(rng)}.example" for _ in range(28)]
    for number in range(6):
        made = kit.name(rng)
        pair = ((f"www.{made}.example", f"{made}.test"), (f"{made}.example", f"m-{made}.example"),
                (f"{made}.example", f"{made[:4]}-{made[4:]}.example"))[number % 3]
        hosts += pair
    bases = [f"https://{host}" for host in hosts]
    for number, base in enumerate(bases):
        site = Site(kit, "unrelated", base, Look(rng), kit_title(base), day=rng.randint(0, 90))
        site.known = site_paths(rng, rng.randint(14, 24))
        for path in site.known:
            site.serve(path, new_doc(rng))
        kit.alone("unrelated", base, "none", "similar name" if number >= 28 else "")
    for number in range(4):
        base = f"https://{kit.name(rng)}.example"
        site = Site(kit, "unrelated", base, Look(rng), kit_title(base), day=30)
        for path in site_paths(rng, 20):
            site.redirect(path, bases[number] + "/")
        kit.alone("unrelated", base, "none", "sold: all paths redirect to one home page")
    base = f"https://{kit.name(rng)[:5]}.example"
    site = Site(kit, "unrelated", base, Look(rng), "Short", day=30)
    for one in rng.sample(sorted(url for url in kit.docs if site.base not in url), 40):
        site.redirect(f"/{rng.getrandbits(24):06x}", one)
    kit.alone("unrelated", base, "none", "shortener of links")


PARTS = (one_template, full, partial, translation, regional, parked, template_only, same_news,
         few, staging, unrelated)


def make(seed, parts=PARTS):
    """The kit of a seed."""
    kit = Kit(seed)
    for part in parts:
        part(kit)
    return kit


def host_of(url):
    """The host of a URL with its scheme."""
    return url[:(url + "/").index("/", url.index("//") + 2)]


def report(kit):
    """Prints counts by part."""
    pages, hosts = collections.Counter(), collections.Counter()
    part_of = {site.base: site.part for site in kit.sites}
    for row in kit.crawl:
        pages[part_of[host_of(row[0])]] += 1
    for site in kit.sites:
        hosts[site.part] += 1
    relations = collections.Counter((row[0], row[3]) for row in kit.truth)
    for part in hosts:
        told = ", ".join(f"{relation} {count}" for (one, relation), count in relations.items()
                         if one == part)
        print(f"{part}: {hosts[part]} hosts, {pages[part]} rows; {told}")
    print(f"{len(kit.crawl)} rows, {len(kit.prefixes)} prefixes")


def main():
    """Makes the kit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out_dir")
    parser.add_argument("--seed", type=int, default=SEEDS[0])
    parser.add_argument("--check", action="store_true", help="make it twice and test it")
    parser.add_argument("--crawl", metavar="FOLDER", help="Parquet files of real pages")
    parser.add_argument("--package", nargs=2, metavar="NAME", help="two packages of that crawl")
    parser.add_argument("--pages", type=int, default=160, help="most pages taken of a package")
    options = parser.parse_args()
    if bool(options.crawl) != bool(options.package):
        parser.error("--crawl and --package go together")

    def again():
        if not options.crawl:
            return make(options.seed)
        import mirror_kit_real

        kit = Kit(options.seed)
        mirror_kit_real.real(kit, options.crawl, options.package, options.pages)
        return kit

    kit = again()
    kit.write(options.out_dir)
    report(kit)
    if options.check:
        import mirror_kit_check

        if not mirror_kit_check.checked(kit, again, options.out_dir):
            sys.exit(1)


if __name__ == "__main__":
    main()
