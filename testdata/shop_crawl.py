#!/usr/bin/env python3
"""A crawl of ten shops, each with its own habits of URLs, and the truth about every habit.

    python3 testdata/shop_crawl.py --seed 1 out/shop.parquet --truth out/shop_truth.csv \
        --pages out/shop_pages.csv [--urls 50000] [--hosts 10]
    python3 testdata/shop_crawl.py --check [--seed 1]      # or: python3 -m unittest shop_crawl

Wants pyarrow. The seeds that our figures are of: 1, 2 and 3. The same seed gives the same bytes.
A host is a server that answers any request for one of its templates, and a crawler that follows
links with session ids, sort links, campaign tags and variants of paths; it never takes all of them.
Names of parameters, items, texts and session ids come from the seed, the habits from the kind:

cart      `id` selects on /p and is a session on /cart; sort counts; paths move (301)
catalog   sort ignored, small colour texts, a cache buster, a fixed and a rare parameter
dispatch  all under /index.php; old ids and unknown filters give one page with status 200
sections  `sid` selects content, of `store` one value; the session is ;jsessionid= in the path;
          index.html
windows   paths without case, default.aspx; old ids give one page; a chain of campaign parameters
ticking   clock, counter, advertisement on each page; the default colour; canonicals to page 1
restless  half of the main text is another at each fetch: nothing can be decided
partner   `ref` selects content, the first of two filters wins, case counts, a login for all of /my,
          canonicals of all pages lead home
tiny      some forty URLs
content   every parameter counts; /x and /x/ and /x/index.html are three pages

Crawl: url, fetch_time, fetch_status, fetch_redirect, html (NULL for a redirect). Of 3 to 8 % of the
URLs a host has a second fetch days later.
Truth: host, template (path with `*` for identifiers), kind (param, order, slash, index, case,
double_slash), name, value, verdict, note, groups, groups_first. A row with a value says whether
that value equals the absent parameter (irrelevant) or not (relevant). `groups` counts the URLs
apart from the parameter that occur with two values or more, absent being one, other irrelevant
parameters left out; `groups_first` leaves none out. An ignored parameter with under ten groups is
undecidable. A redirect counts as the content it leads to, a 404 as another content.
Pages: url, content, class (page, sink, redirect, missing). One content is one text of the server
apart from what changes at each fetch, from markup and from texts of pictures.
"""

import argparse
import csv
import dataclasses
import datetime
import functools
import hashlib
import html
import os
import random
import sys
import tempfile
import unittest

import pyarrow
import pyarrow.parquet

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from template_kit import ADJECTIVES, NOUNS, SYLLABLES, name, paragraph  # noqa: E402

SEEDS = (1, 2, 3)
START = datetime.datetime(2026, 2, 2, tzinfo=datetime.timezone.utc)
KINDS = ("cart", "catalog", "dispatch", "sections", "windows", "ticking", "restless", "partner",
         "tiny", "content")
FEWEST_GROUPS = 10
TINY_URLS = 40
# What a parameter does, and what follows for it.
VERDICTS = {
    "ignored": "irrelevant",
    "session": "irrelevant",
    "unique": "irrelevant",
    "markup": "irrelevant",
    "content": "relevant",
    "item": "relevant",
    "route": "relevant",
    "first": "relevant",
    "default": "value_dependent",
    "only": "value_dependent",
    "page": "value_dependent",
    "fixed": "undecidable",
    "rare": "undecidable",
    "login": "undecidable",
}
EQUAL = {"equal": "irrelevant", "redirect": "irrelevant"}
PATH_KINDS = ("slash", "index", "case", "double_slash")
POOLS = {
    "session": "sid PHPSESSID s zenid osCsid session_id sess token".split(),
    "sort": "sort order orderby o sortby".split(),
    "page": "page p pg pageno".split(),
    "view": "view mode layout display".split(),
    "colour": "color colour variant shade".split(),
    "currency": "currency cur curr".split(),
    "lang": "lang language l hl".split(),
    "count": "per_page limit n show".split(),
    "buster": "_ ts rnd nocache".split(),
    "size": "size sz fit".split(),
}
COLOURS = "red blue green black white olive".split()
SORTS = "name price price_desc newest".split()
SOURCES = "newsletter search partner social print feed".split()
RATES = {"EUR": 0.9, "GBP": 0.8, "CHF": 0.95}


def seeded(*parts):
    """Chance that depends on nothing but the parts."""
    return random.Random("/".join(map(str, parts)))


@dataclasses.dataclass(frozen=True)
class Param:
    """A parameter of a template: what it does, what the crawler sees of it."""

    name: str
    act: str
    values: tuple = ()
    rate: float = 0.3
    default: str = ""
    # How a value shows: text, small, items, order, reverse, count, price, language, page, view,
    # alt.
    look: str = "text"
    # The parameter without which a link never has this one.
    needs: str = ""
    # Share of the values that the shop has nothing for.
    unknown: float = 0.0
    # How often the crawler meets it in all.
    limit: int = 0
    is_in_path: bool = False
    note: str = ""

    def effect(self, value):
        """What of the value counts; an empty text is as good as no parameter."""
        if value is None or VERDICTS[self.act] == "irrelevant" or self.act in ("fixed", "rare"):
            return ""
        if self.act == "default" and value == self.default:
            return ""
        return "" if self.act == "only" and value not in self.default.split() else value


@dataclasses.dataclass(frozen=True)
class Template:
    """One kind of path of a host."""

    pattern: str
    kind: str
    params: tuple
    # Share of the host's URLs, number of items, share of items that are gone.
    share: float
    items: int
    gone: float = 0.0
    # Per kind of path variant what the server does: equal, redirect, missing, other.
    habits: tuple = ()
    index: str = "index.html"
    # The parameter whose presence is answered by a redirect to the URL without it.
    strips: str = ""
    past_end: str = "last"


@dataclasses.dataclass(frozen=True)
class Request:
    """A URL, before it is written."""

    template: Template
    item: int
    params: tuple
    variant: str = ""

    def value(self, wanted):
        """The value of a parameter."""
        return next((value for param, value in self.params if param.name == wanted), None)


@dataclasses.dataclass
class Core:
    """What a page says, whatever surrounds it."""

    title: str
    paragraphs: list
    items: list
    kind: str = "page"

    def digest(self):
        """Short name of exactly this text."""
        said = repr((self.title, self.paragraphs, self.items)).encode()
        return hashlib.sha256(said).hexdigest()[:16]


@dataclasses.dataclass
class Row:
    """A URL with its answer."""

    url: str
    request: Request
    status: int
    redirect: str
    content: str
    kind: str

    def is_known(self):
        """Whether there is a page of its own at the end of the URL."""
        return "/sink-" not in self.content and "/missing-" not in self.content


def product_name(rng):
    """Three words and a name."""
    return f"{rng.choice(ADJECTIVES).title()} {rng.choice(NOUNS)} {name(rng)}"


def price(rng):
    """A price."""
    return rng.randint(300, 30000) / 100


@functools.lru_cache(maxsize=None)
def foreign(language, word):
    """The word in a made-up language."""
    rng = seeded("word", language, word)
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(1, 3)))


def translated(text, language):
    """The text in a made-up language."""
    return " ".join(foreign(language, word.strip(".").lower()) for word in text.split()) + "."


class Host:
    """A shop: its habits, its server and its crawler."""

    def __init__(self, seed, number):
        self.kind = KINDS[number % len(KINDS)]
        self.key = f"{seed}/{number}"
        self.rng = rng = seeded(self.key)
        self.site = name(rng) + rng.choice(SYLLABLES)
        self.host = f"{self.site.lower()}-{number}.example"
        self.names = {}
        for pool, known in POOLS.items():
            self.names[pool] = rng.choice(known)
        self.sessions = [f"{rng.getrandbits(128):032x}" for _ in range(220)]
        self.canonical = {"cart": "clean", "catalog": "clean", "windows": "clean",
                          "ticking": "page_one", "partner": "home"}.get(self.kind, "")
        self.menu = [f"{rng.choice(ADJECTIVES)} {rng.choice(NOUNS)}" for _ in range(6)]
        self.foot = paragraph(rng, 14)
        self.main = rng.choice(["main", "div id='content'", "article"])
        self.sinks = {}
        self.templates = getattr(self, self.kind)()
        self.met = {}
        self.cores = {}

    # Parameters that many shops have, under names of their own.

    def session(self, rate, **more):
        """A session id that the server puts into links."""
        return Param(self.names["session"], "session", rate=rate, **more)

    def named(self, pool, act, values, rate, **more):
        """A parameter from the pools of names."""
        return Param(self.names[pool], act, tuple(values), rate, **more)

    def page(self, rate=0.45):
        """A page number, the first equal to none."""
        return self.named("page", "page", (), rate, look="page", default="1")

    def campaign(self, *names, rate=0.3):
        """Campaign parameters, each but the first only together with the one before."""
        made, before = [], ""
        for one in names:
            made.append(Param(one, "ignored", tuple(SOURCES), 0.5 if before else rate,
                              needs=before))
            before = one
        return tuple(made)

    # The kinds of shops.

    def cart(self):
        utm = (*self.campaign("utm_source", "utm_medium"),
               Param("ref", "ignored", tuple(SOURCES), 0.5, needs="utm_source"))
        per_page = self.named("count", "default", ("16", "8"), 0.2, default="16", look="count")
        listing = (self.named("sort", "content", SORTS, 0.4, look="order"), self.page(), per_page,
                   self.named("view", "markup", ("list", "grid"), 0.2, look="view"))
        add = tuple(str(number) for number in range(300, 380))
        habits = (("slash", "redirect"), ("double_slash", "redirect"))
        return [
            Template("/p", "product", (Param("id", "item"), *utm, self.session(0.4)), 0.55, 900,
                     habits=(("case", "missing"),)),
            Template("/c/*", "listing", (*listing, self.session(0.35)), 0.35, 45, habits=habits),
            Template("/cart", "cart", (Param("add", "content", add, 0.95),
                                       Param("id", "session", rate=0.9)), 0.06, 1),
            Template("/old/*.html", "moved", (), 0.04, 900),
        ]

    def catalog(self):
        tags = (self.named("buster", "unique", (), 0.15),
                Param("beta", "rare", ("1", "2"), 0.5, limit=4, note="only in a few groups"),
                Param("v", "fixed", ("2",), 1.0, note="never varies"))
        habits = (("slash", "equal"), ("double_slash", "equal"), ("case", "missing"))
        colour = self.named("colour", "content", COLOURS, 0.35, look="small")
        listing = (self.named("sort", "ignored", SORTS, 0.45), self.page(),
                   self.named("lang", "default", ("en", "de", "fr"), 0.3, default="en",
                              look="language"), self.session(0.35))
        return [
            Template("/catalog/*/*", "product", (colour, *tags, self.session(0.5)), 0.65, 900,
                     habits=habits),
            Template("/catalog/*", "listing", listing, 0.35, 60, habits=habits),
        ]

    def dispatch(self):
        session = self.session(0.5)
        product, review, category = (Param("route", "route", (value,))
                                     for value in ("product", "review", "category"))
        currency = self.named("currency", "default", ("USD", *RATES), 0.25, default="USD",
                              look="price")
        sort = self.named("sort", "only", ("price", "default", "popular"), 0.4, default="price",
                          look="order")
        brand = Param("brand", "content", tuple(f"b{n}" for n in range(9)), 0.3, look="items",
                      unknown=0.5)
        return [
            Template("/index.php", "product", (
                product, Param("pid", "item"), currency,
                Param("from", "ignored", tuple(SOURCES), 0.25), session), 0.57, 1000, gone=0.42),
            Template("/index.php", "review", (review, Param("pid", "item"), session), 0.1, 1000,
                     gone=0.42),
            Template("/index.php", "listing", (category, Param("cat", "item"), brand, sort,
                                               self.page(), session), 0.33, 60, gone=0.1,
                     past_end="sink"),
        ]

    def sections(self):
        jsession = Param("jsessionid", "session", rate=0.45, is_in_path=True, note="in the path")
        section = tuple(str(n) for n in range(1, 8))
        store = Param("store", "only", tuple(f"s{n}" for n in range(1, 17)), 0.25, default="s7",
                      look="small", note="one value of sixteen counts")
        listing = (self.named("size", "content", ("s", "m", "l", "xl"), 0.3, look="items"),
                   self.named("sort", "default", SORTS, 0.3, default="name", look="order"),
                   self.page(), self.named("view", "markup", ("list", "grid"), 0.2, look="view"))
        return [
            Template("/item/*.html", "product", (
                jsession, Param("sid", "content", section, 0.45, note="selects a shop section"),
                store,
                *self.campaign("from", "utm_source", rate=0.25)), 0.65, 900,
                habits=(("case", "missing"),)),
            Template("/section/*/", "listing", (jsession, *listing), 0.35, 60,
                     habits=(("index", "equal"), ("slash", "redirect"))),
        ]

    def windows(self):
        colour = self.named("colour", "markup", COLOURS, 0.25, look="alt",
                            note="only the text of the picture")
        chain = self.campaign("utm_source", "ref", "aff", rate=0.4)
        gclid = Param("gclid", "unique", rate=0.05, note="answered by a redirect without it")
        sort = self.named("sort", "content", SORTS, 0.45, look="order")
        down = Param("dir", "default", ("asc", "desc"), 0.4, default="asc", look="reverse",
                     needs=sort.name, note="only together with the order")
        listing = (sort, down, self.page(), self.session(0.4))
        habits = (("index", "equal"), ("case", "equal"), ("double_slash", "equal"))
        return [
            Template("/Products/Detail.aspx", "product", (
                Param("ProductID", "item"), colour, *chain, gclid, self.session(0.3)), 0.7, 1100,
                gone=0.42, habits=(("case", "equal"), ("double_slash", "equal")), strips="gclid"),
            Template("/Shop/*/", "listing", listing, 0.3, 60, habits=habits,
                     index="default.aspx"),
        ]

    def ticking(self):
        colour = self.named("colour", "default", COLOURS, 0.35, default="red")
        listing = (self.named("sort", "ignored", SORTS, 0.35), self.page(),
                   self.named("view", "markup", ("list", "grid"), 0.2, look="view"),
                   self.session(0.35))
        return [
            Template("/shop/*/", "product", (colour, *self.campaign("utm_source", "utm_campaign"),
                                             self.session(0.45)), 0.65, 800,
                     habits=(("slash", "equal"),)),
            Template("/shop/list/*", "listing", listing, 0.35, 60),
        ]

    def restless(self):
        colour = self.named("colour", "content", COLOURS, 0.3)
        listing = (self.named("sort", "ignored", SORTS, 0.4), self.page(), self.session(0.4))
        return [
            Template("/v/*", "product", (colour, *self.campaign("utm_source", "utm_medium"),
                                         self.session(0.5)), 0.7, 900,
                     habits=(("slash", "equal"),)),
            Template("/l/*", "listing", listing, 0.3, 60),
        ]

    def partner(self):
        brand, tag = (Param(one, "first", tuple(f"{one[0]}{n}" for n in range(40)), 0.75,
                            look="items", note="the first of brand and tag counts alone")
                      for one in ("brand", "tag"))
        shops = tuple(f"shop{n}" for n in range(1, 13))
        return [
            Template("/i/*", "product", (
                Param("ref", "content", shops, 0.35, note="chooses the partner's page"),
                Param("aff", "ignored", tuple(SOURCES), 0.4), self.session(0.4)), 0.5, 800,
                habits=(("case", "other"), ("slash", "missing"))),
            Template("/search", "listing", (brand, tag, self.page(0.3), self.session(0.4)), 0.26,
                     1),
            Template("/my/*", "login", (
                Param("return", "login", tuple(f"i{n}" for n in range(150)), 0.7),
                self.session(0.6, note="ignored, but only the login is ever seen")), 0.24, 30),
            Template("/", "home", (), 0.004, 1),
        ]

    def tiny(self):
        sort = self.named("sort", "ignored", SORTS, 0.3)
        return [
            Template("/p/*", "product", (self.session(0.4), Param("ref", "ignored",
                                                                   tuple(SOURCES), 0.2)), 0.7, 14),
            Template("/c/*", "listing", (sort, self.page()), 0.3, 3),
        ]

    def content(self):
        made = [Param(one, "content", tuple(f"{one[0]}{n}" for n in range(count)), rate,
                      look="items")
                for one, count, rate in (("cat", 25, 0.85), ("brand", 12, 0.45))]
        made += [self.named("size", "content", ("s", "m", "l", "xl"), 0.35, look="items"),
                 self.named("sort", "content", SORTS, 0.4, look="order"),
                 Param("offset", "content", tuple("12 24 36".split()), 0.3, look="items")]
        view = self.named("view", "content", ("short", "full"), 0.4)
        return [
            Template("/find", "listing", tuple(made), 0.5, 1),
            Template("/guide/*", "product", (
                view, Param("edition", "content", tuple("2023 2024 2025".split()), 0.45)), 0.5,
                900, habits=(("slash", "other"), ("index", "other"), ("double_slash", "missing"))),
        ]

    # The crawler.

    def value(self, param, item):
        """A value as a link has it."""
        rng = self.rng
        if param.act == "item":
            return self.number(item)
        if param.act == "session":
            return rng.choice(self.sessions)
        if param.act == "unique":
            return str(rng.randint(10**12, 10**13))
        if param.act == "page":
            return rng.choice("1112223345678")
        return rng.choice(param.values)

    def number(self, item):
        """The number of an item in URLs."""
        return str(1000 + item * 7)

    def request(self):
        """A link that the crawler follows."""
        rng = self.rng
        template = rng.choices(self.templates, [one.share for one in self.templates])[0]
        item = int(template.items * rng.random() ** 1.6)
        found = {}
        for param in template.params:
            is_always = param.act in ("item", "route", "fixed")
            if param.limit and self.met.get(param.name, 0) >= param.limit:
                continue
            if (param.needs and param.needs not in found) or (
                    not is_always and rng.random() >= param.rate):
                continue
            self.met[param.name] = self.met.get(param.name, 0) + 1
            found[param.name] = (param, self.value(param, item))
        return Request(template, item, tuple(found.values()))

    def variant(self, rows):
        """A variant of a URL that the crawler knows, or none."""
        rng = self.rng
        request = rng.choice(rows).request
        kinds = [kind for kind, _ in request.template.habits]
        asked = [pair for pair in request.params if not pair[0].is_in_path]
        # Mostly of a link without a session, as other sites write it.
        if any(param.act == "session" for param, _ in request.params) and rng.random() < 0.6:
            return None
        if request.variant or request.template.kind == "moved":
            return None
        if len(asked) > 1 and (not kinds or rng.random() < 0.55):
            rng.shuffle(asked)
            in_path = [pair for pair in request.params if pair[0].is_in_path]
            return dataclasses.replace(request, params=(*in_path, *asked))
        return dataclasses.replace(request, variant=rng.choice(kinds)) if kinds else None

    def crawl(self, count):
        """So many URLs."""
        rows, seen = [], {}
        while len(rows) < count:
            request = self.request()
            if len(rows) > 20 and self.rng.random() < 0.18:
                request = self.variant(rows) or request
            wanted = [request]
            target = self.target(request)
            if target and self.rng.random() < 0.9:
                wanted.append(target)
            for one in wanted:
                row = self.answer(one)
                if row.url not in seen:
                    seen[row.url] = row
                    rows.append(row)
        return rows[:count]

    # The server.

    def path(self, template, item, variant=""):
        """The path of an item."""
        rng = seeded(self.key, template.pattern, item, "path")
        words = f"{rng.choice(ADJECTIVES)}-{rng.choice(NOUNS)}-{item}"
        code = "".join(rng.choice("abcdefghkmnpqrstABCDEFGHKMNPQRST") for _ in range(7))
        path = {
            "/catalog/*/*": f"/catalog/{NOUNS[item % 12]}s/{words}",
            "/item/*.html": f"/item/{words}-{self.number(item)}.html",
            "/old/*.html": f"/old/{self.number(item)}.html",
            "/i/*": f"/i/{code}",
        }.get(template.pattern, template.pattern.replace("*", words))
        if template.pattern == "/Shop/*/":
            path = path.title()
        if variant == "slash":
            path = path[:-1] if path.endswith("/") else path + "/"
        elif variant == "index":
            path = path.rstrip("/") + "/" + template.index
        elif variant == "case":
            path = path.swapcase() if template.pattern == "/i/*" else path.upper()
        elif variant == "double_slash":
            path = path.replace("/", "//") if path.count("/") == 1 else (
                "/" + path[1:].replace("/", "//", 1))
        return path

    def url(self, request):
        """The URL of a request."""
        path = self.path(request.template, request.item, request.variant)
        for param, value in request.params:
            path += f";{param.name}={value}" if param.is_in_path else ""
        asked = [f"{param.name}={value}" for param, value in request.params
                 if not param.is_in_path]
        return f"https://{self.host}{path}" + ("?" + "&".join(asked) if asked else "")

    def target(self, request):
        """Where the server redirects to, if it does."""
        template = request.template
        if template.kind == "moved":
            found = self.templates[0]
            return Request(found, request.item, ((found.params[0], self.number(request.item)),))
        if dict(template.habits).get(request.variant) == "redirect":
            return dataclasses.replace(request, variant="")
        if template.strips and request.value(template.strips) is not None:
            kept = tuple(pair for pair in request.params if pair[0].name != template.strips)
            return dataclasses.replace(request, params=kept)
        return None

    def effects(self, request):
        """What of the parameters counts, in an order that does not depend on the request."""
        found, is_decided = [], False
        for param, value in request.params:
            said = param.effect(value)
            if param.act == "first":
                said, is_decided = "" if is_decided else said, True
            if said and param.act not in ("item", "route", "login"):
                found.append((param.name, param.look, said, param.unknown))
        return tuple(sorted(found))

    def answer(self, request):
        """The row of a request, without its page."""
        target, url = self.target(request), self.url(request)
        if target:
            final = self.answer(target)
            while final.kind == "redirect":
                final = self.answer(self.target(final.request))
            return Row(url, request, 301, self.url(target), final.content, "redirect")
        core = self.core(request)
        kind = core.kind
        label = "" if kind == "page" else kind + "-"
        status = 404 if kind == "missing" else 200
        return Row(url, request, status, "", f"{self.host}/{label}{core.digest()}", kind)

    def core(self, request):
        """What the server says to a request."""
        template, habit = request.template, dict(request.template.habits).get(request.variant)
        item = str(request.item)
        if habit == "other":
            item += "~" + request.variant
        effects = self.effects(request)
        key = (template.pattern, template.kind, item, effects, habit == "missing")
        if key not in self.cores:
            self.cores[key] = self.built(template, item, effects, habit)
        return self.cores[key]

    def sink(self, kind, title, words):
        """The same page for all requests of a sort."""
        if title not in self.sinks:
            text = paragraph(seeded(self.key, title), words)
            self.sinks[title] = Core(title, [text], [], kind)
        return self.sinks[title]

    def built(self, template, item, effects, habit):
        """A page from the seed, the item and what counts."""
        rng = seeded(self.key, template.pattern, template.kind, item)
        is_unknown = any(seeded(self.key, item, one, said).random() < share
                         for one, _, said, share in effects)
        if habit == "missing":
            return self.sink("missing", "Not found", 20)
        if template.kind == "login":
            return self.sink("sink", "Please sign in", 70)
        of = "listing" if template.kind == "listing" else "product"
        if is_unknown or seeded(self.key, of, item, "gone").random() < template.gone:
            return self.sink("sink", "Sorry, we do not have this article", 70)
        # A directory beside a page of the same name.
        if template.kind == "listing" or item.endswith("~slash"):
            return self.listing(template, rng, effects)
        looks = {look: said for _, look, said, _ in effects}
        title = product_name(rng)
        if template.kind == "cart":
            title = "Your basket" + "".join(f", article {said}" for *_, said, _ in effects)
        texts = [(one, said) for one, look, said, _ in effects if look == "text"]
        words = rng.randint(150, 200) if self.kind == "ticking" else rng.randint(70, 170)
        paragraphs, cost = [], price(rng)
        if texts:
            rng = seeded(self.key, item, texts)
        while words > 0:
            paragraphs.append(paragraph(rng, min(words, 60)))
            words -= 60
        if "small" in looks:
            extra = seeded(self.key, item, effects)
            paragraphs.append(f"In {looks['small']}, number {extra.randint(1000, 9999)}.")
        paragraphs.append("Price: " + self.cost(cost, looks.get("price", "USD")))
        return Core(title, paragraphs, [])

    def cost(self, value, currency):
        """A price with its currency."""
        return f"{value * RATES.get(currency, 1.0):.2f} {currency}"

    def listing(self, template, rng, effects):
        """A list of articles, filtered, ordered, cut into pages."""
        looks = {look: said for _, look, said, _ in effects}
        title = f"All {rng.choice(ADJECTIVES)} {rng.choice(NOUNS)} articles"
        intro = paragraph(rng, 45)
        filters = [(one, said) for one, look, said, _ in effects if look == "items"]
        pool = seeded(self.key, rng.random(), filters)
        size = 12 if "count" not in looks and self.kind != "cart" else 16
        size = int(looks.get("count", size))
        goods = [(product_name(pool), " ".join(pool.choice(ADJECTIVES) for _ in range(3)),
                  price(pool)) for _ in range(pool.randint(13, 72))]
        order = looks.get("order", "name" if self.kind == "sections" else "")
        keys = {"name": lambda one: one[0], "price": lambda one: one[2],
                "price_desc": lambda one: -one[2], "newest": lambda one: one[1]}
        if order:
            goods.sort(key=keys[order], reverse="reverse" in looks)
        last = (len(goods) + size - 1) // size
        page = int(looks.get("page", "1"))
        if page > last and template.past_end == "sink":
            return self.sink("sink", "Sorry, we do not have this article", 70)
        page = min(page, last)
        shown = goods[(page - 1) * size:page * size]
        if "language" in looks:
            language = looks["language"]
            title, intro = translated(title, language), translated(intro, language)
            shown = [(one, translated(blurb, language), cost) for one, blurb, cost in shown]
        lines = [(one, blurb, self.cost(cost, "USD")) for one, blurb, cost in shown]
        return Core(title, [intro], lines)

    # The page.

    def declared(self, request):
        """The declared canonical, right or wrong."""
        if self.canonical == "home":
            return f"https://{self.host}/"
        known = {one for one, *_ in self.effects(request)}
        if self.canonical == "page_one":
            known -= {self.names["page"]}
        kept = tuple(pair for pair in request.params
                     if pair[0].name in known or pair[0].act in ("item", "route", "fixed"))
        habit = dict(request.template.habits).get(request.variant)
        variant = request.variant if habit == "other" else ""
        return self.url(dataclasses.replace(request, params=kept, variant=variant))

    def changing(self, rng, when):
        """What is another at each fetch: (in the main text, beside it)."""
        if self.kind == "ticking":
            viewed = f"<p>Viewed {rng.randint(100, 99999)} times</p>"
            advice = ", ".join(product_name(rng) for _ in range(3))
            return viewed, (f"<aside><p>{paragraph(rng, 10)}</p><p>See also {advice}</p></aside>"
                            f"<p>Made at {when:%H:%M:%S}</p>")
        if self.kind == "restless":
            return "".join(f"<p>{paragraph(rng, 40)}</p>" for _ in range(2)), ""
        return "", ""

    def html(self, row, when, fetch):
        """The page of a row at one fetch."""
        request, core = row.request, self.core(row.request)
        looks = {param.look: value for param, value in request.params if param.act == "markup"}
        rng = seeded(self.key, row.url, fetch)
        inside, beside = self.changing(rng, when) if core.kind == "page" else ("", "")
        session = next((f"?{param.name}={value}" for param, value in request.params
                        if param.act == "session" and not param.is_in_path), "")
        menu = "".join(f"<li><a href='/{text.replace(' ', '-')}{html.escape(session)}'>{text}</a>"
                       "</li>" for text in self.menu)
        body = "".join(f"<p>{text}</p>" for text in core.paragraphs)
        if core.kind == "page" and request.template.kind == "product":
            alt = html.escape(f"{looks.get('alt', '')} {core.title}".strip())
            body = f"<img src='/img/{request.item}.jpg' alt='{alt}'>" + body
        lines = [f"<a href='/{one.split()[-1].lower()}'>{one}</a> {blurb}, {cost}"
                 for one, blurb, cost in core.items]
        if lines and looks.get("view") == "grid":
            body += "<div class='grid'>" + "".join(f"<div>{one}</div>" for one in lines) + "</div>"
        elif lines:
            body += "<ul>" + "".join(f"<li>{one}</li>" for one in lines) + "</ul>"
        if core.title == "Please sign in":
            body += "<form method='post'><input name='u'><input type='password' name='p'></form>"
        head = ""
        if self.canonical and core.kind == "page":
            head = f"<link rel='canonical' href='{html.escape(self.declared(request))}'>"
        return (
            f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{core.title} - "
            f"{self.site}</title>{head}</head><body><header><b>{self.site}</b><ul>{menu}</ul>"
            f"</header><{self.main}><h1>{core.title}</h1>{body}{inside}</{self.main.split()[0]}>"
            f"{beside}<footer><p>{self.foot} All rights with {self.site}.</p></footer></body>"
            "</html>"
        )


class Shops:
    """The whole crawl with its truth."""

    def __init__(self, seed, urls, hosts):
        self.hosts = [Host(seed, number) for number in range(hosts)]
        tiny = sum(host.kind == "tiny" for host in self.hosts)
        rest = max(1, hosts - tiny)
        share, more = divmod(max(urls - tiny * TINY_URLS, rest), rest)
        self.rows = {}
        for host in self.hosts:
            count = TINY_URLS if host.kind == "tiny" else share + (more > 0)
            more -= host.kind != "tiny"
            self.rows[host.host] = host.crawl(count)

    def fetches(self):
        """The fetches by time: (time, host, row, number of the fetch)."""
        found = []
        for host in self.hosts:
            rng, seconds = seeded(host.key, "times"), 0
            again = rng.uniform(0.035, 0.075)
            for row in self.rows[host.host]:
                seconds += rng.randint(2, 60)
                found.append((seconds, host, row, 0))
                if rng.random() < again:
                    found.append((seconds + rng.randint(3, 20) * 86400, host, row, 1))
        return sorted(found, key=lambda one: (one[0], one[2].url))

    def write(self, path):
        """Writes the crawl and gives the number of fetches."""
        columns = [[], [], [], [], []]
        for seconds, host, row, fetch in self.fetches():
            when = START + datetime.timedelta(seconds=seconds)
            page = None if row.kind == "redirect" else host.html(row, when, fetch)
            made = (row.url, when, row.status, row.redirect or None, page)
            for column, value in zip(columns, made):
                column.append(value)
        table = pyarrow.table({
            "url": pyarrow.array(columns[0], pyarrow.string()),
            "fetch_time": pyarrow.array(columns[1], pyarrow.timestamp("us", "UTC")),
            "fetch_status": pyarrow.array(columns[2], pyarrow.int32()),
            "fetch_redirect": pyarrow.array(columns[3], pyarrow.string()),
            "html": pyarrow.array(columns[4], pyarrow.string()),
        })
        pyarrow.parquet.write_table(table, path, compression="zstd", row_group_size=10000)
        return table.num_rows

    def pages(self):
        """Rows of the pages file."""
        return [(row.url, row.content, row.kind) for host in self.hosts
                for row in self.rows[host.host]]

    def truth(self):
        """Rows of the truth file."""
        return [one for host in self.hosts for one in Truth(host, self.rows[host.host]).rows()]


class Truth:
    """What is true of a host, with the groups that can show it."""

    def __init__(self, host, rows):
        self.host = host
        self.by_pattern = {}
        for row in rows:
            self.by_pattern.setdefault(row.request.template.pattern, []).append(row)
        self.params = {}
        for template in host.templates:
            for param in template.params:
                self.params.setdefault((template.pattern, param.name), []).append(param)

    def verdict(self, pattern, wanted):
        """What the server does with a parameter."""
        (found,) = {VERDICTS[param.act] for param in self.params[pattern, wanted]}
        return found

    def groups(self, pattern, wanted, is_reduced, is_ordered=False):
        """URLs without the parameter: the contents by value of each, sinks left out."""
        found = {}
        for row in self.by_pattern.get(pattern, []):
            if row.request.variant or not row.is_known():
                continue
            rest = [(param.name, value) for param, value in row.request.params
                    if param.name != wanted and not (
                        is_reduced and self.verdict(pattern, param.name) == "irrelevant")]
            path = self.host.path(row.request.template, row.request.item)
            key = (path, tuple(rest if is_ordered else sorted(rest)))
            value = row.request.value(wanted)
            found.setdefault(key, {}).setdefault(value, set()).add(row.content)
        return [one for one in found.values() if len(one) > 1]

    def shared(self, pattern, keyed):
        """Groups of rows with more than one spelling: `keyed` gives (key, spelling) or None."""
        found = {}
        for row in self.by_pattern.get(pattern, []):
            said = keyed(row)
            if said:
                found.setdefault(said[0], {})[said[1]] = row.content
        return [one for one in found.values() if len(one) > 1]

    def by_order(self, pattern):
        """Groups of rows that differ in the order of parameters."""
        def keyed(row):
            asked = tuple((param.name, value) for param, value in row.request.params)
            path = self.host.path(row.request.template, row.request.item)
            is_fit = not row.request.variant and row.kind == "page" and len(asked) > 1
            return ((path, tuple(sorted(asked))), asked) if is_fit else None
        return self.shared(pattern, keyed)

    def by_variant(self, pattern, kind):
        """Groups of rows that differ in one variant of the path."""
        def keyed(row):
            asked = tuple((param.name, value) for param, value in row.request.params)
            path = self.host.path(row.request.template, row.request.item)
            is_fit = row.request.variant in ("", kind) and row.kind != "sink"
            return ((path, asked), row.request.variant) if is_fit else None
        return self.shared(pattern, keyed)

    def row(self, pattern, kind, wanted, value, verdict, notes, groups, groups_first=None):
        """A row of the file; what cannot be shown is undecidable."""
        told = [note for note in notes if note]
        if self.host.kind in ("restless", "tiny") and verdict != "undecidable":
            told.append(f"the server: {verdict}; " + (
                "pages differ at each fetch" if self.host.kind == "restless" else "few URLs"))
            verdict = "undecidable"
        fewest = 1 if verdict == "relevant" else FEWEST_GROUPS
        if verdict != "undecidable" and groups < fewest:
            told.append(f"the server: {verdict}; few groups")
            verdict = "undecidable"
        first = groups if groups_first is None else groups_first
        return (self.host.host, pattern, kind, wanted, value, verdict, "; ".join(told), groups,
                first)

    def rows(self):
        """All truths of the host."""
        for (pattern, wanted), params in self.params.items():
            groups = self.groups(pattern, wanted, True)
            first = len(self.groups(pattern, wanted, False))
            verdict, notes = self.verdict(pattern, wanted), [params[0].note]
            if any(one.kind == "login" and one.pattern == pattern for one in self.host.templates):
                verdict = "undecidable"
                notes.append("" if params[0].note else "only the login is ever seen")
            if params[0].act in ("markup", "unique", "session"):
                notes.append(params[0].act)
            yield self.row(pattern, "param", wanted, "", verdict, notes, len(groups), first)
            if verdict == "value_dependent":
                yield from self.value_rows(pattern, params[0], groups)
        for pattern in sorted(self.by_pattern):
            yield from self.habit_rows(pattern)

    def value_rows(self, pattern, param, groups):
        """Whether each value equals the absent parameter."""
        for value in ("1", "2") if param.act == "page" else param.values:
            pairs = [one for one in groups if value in one and None in one]
            verdict = "relevant" if param.effect(value) not in ("", param.default) or (
                param.act == "only" and param.effect(value)) else "irrelevant"
            yield self.row(pattern, "param", param.name, value, verdict, ["beside absent"],
                           len(pairs))

    def habit_rows(self, pattern):
        """Order of parameters and variants of paths."""
        groups = self.by_order(pattern)
        is_first = any(param.act == "first" for (one, _), params in self.params.items()
                       for param in params if one == pattern)
        if groups:
            verdict = "relevant" if is_first else "irrelevant"
            yield self.row(pattern, "order", "", "", verdict,
                           ["between brand and tag" if is_first else ""], len(groups))
        habits = {kind: habit for one in self.host.templates if one.pattern == pattern
                  for kind, habit in one.habits}
        for kind in PATH_KINDS:
            if kind in habits:
                note = {"redirect": "variants answer 301", "missing": "variants answer 404",
                        "other": "another page"}.get(habits[kind], "")
                yield self.row(pattern, kind, "", "", EQUAL.get(habits[kind], "relevant"), [note],
                               len(self.by_variant(pattern, kind)))


class Check(unittest.TestCase):
    """That the truth holds of the pages. `seed` is set by --check."""

    seed = SEEDS[0]

    @classmethod
    def setUpClass(cls):
        cls.shops = Shops(cls.seed, 50000, 10)
        cls.rows = cls.shops.truth()
        cls.hosts = {host.kind: host for host in cls.shops.hosts}

    def of(self, kind):
        """The URLs of a kind of host."""
        return self.shops.rows[self.hosts[kind].host]

    def truths(self):
        """Each host's truth with its file rows."""
        for host in self.shops.hosts:
            truth = Truth(host, self.shops.rows[host.host])
            yield truth, [row for row in self.rows if row[0] == host.host]

    def test_same_seed_gives_same_bytes(self):
        made = []
        with tempfile.TemporaryDirectory() as folder:
            for number in range(2):
                path = os.path.join(folder, f"{number}.parquet")
                Shops(self.seed, 2000, 10).write(path)
                with open(path, "rb") as file:
                    made.append(file.read())
        self.assertEqual(made[0], made[1])
        self.assertNotEqual(Shops(self.seed + 1, 2000, 10).pages(),
                            Shops(self.seed, 2000, 10).pages())

    def test_urls_are_many_and_distinct(self):
        urls = [url for url, *_ in self.shops.pages()]
        self.assertEqual(len(urls), 50000)
        self.assertEqual(len(set(urls)), 50000)

    def test_irrelevant_parameters_never_change_the_content(self):
        for truth, rows in self.truths():
            for _, pattern, kind, wanted, value, verdict, *_ in rows:
                if (kind, value, verdict) != ("param", "", "irrelevant"):
                    continue
                for group in truth.groups(pattern, wanted, True, is_ordered=True):
                    self.assertEqual(len(set().union(*group.values())), 1, (pattern, wanted))

    def test_relevant_parameters_change_it_somewhere(self):
        for truth, rows in self.truths():
            for _, pattern, kind, wanted, value, verdict, *_ in rows:
                if kind == "param" and not value and verdict in ("relevant", "value_dependent"):
                    groups = truth.groups(pattern, wanted, True)
                    differ = [one for one in groups if len(set().union(*one.values())) > 1]
                    self.assertTrue(differ, (pattern, wanted))
                    if verdict == "relevant":
                        # The second of two filters counts only where it stands first.
                        fewest = 0.15 if wanted in ("brand", "tag") else 0.8
                        self.assertGreater(len(differ) / len(groups), fewest, (pattern, wanted))

    def test_values_equal_the_absent_parameter_or_do_not(self):
        for truth, rows in self.truths():
            for _, pattern, kind, wanted, value, verdict, *_ in rows:
                if kind != "param" or not value or verdict == "undecidable":
                    continue
                groups = truth.groups(pattern, wanted, True, is_ordered=True)
                pairs = [one for one in groups if value in one and None in one]
                equal = [one for one in pairs if one[value] == one[None]]
                want = len(pairs) if verdict == "irrelevant" else 0
                self.assertLessEqual(abs(len(equal) - want), 0.1 * len(pairs) * (want == 0),
                                     (pattern, wanted, value))

    def test_order_and_paths_do_as_told(self):
        seen = set()
        for truth, rows in self.truths():
            for _, pattern, kind, _, _, verdict, *_ in rows:
                if kind == "param" or verdict == "undecidable":
                    continue
                groups = (truth.by_order(pattern) if kind == "order"
                          else truth.by_variant(pattern, kind))
                differ = [one for one in groups if len(set(one.values())) > 1]
                seen.add((kind, verdict))
                if verdict == "irrelevant":
                    self.assertFalse(differ, (pattern, kind))
                else:
                    self.assertGreater(len(differ), 0.15 * len(groups), (pattern, kind))
        both = {(kind, verdict) for kind in ("order", *PATH_KINDS)
                for verdict in ("irrelevant", "relevant")}
        self.assertEqual(seen, both)

    def test_sinks_cover_a_fifth_where_they_should(self):
        for kind in KINDS:
            rows = self.of(kind)
            share = sum(row.kind == "sink" for row in rows) / len(rows)
            if kind in ("dispatch", "windows", "partner"):
                self.assertGreater(share, 0.2, kind)
            else:
                self.assertEqual(share, 0, kind)

    def test_second_fetches_are_the_control_group(self):
        fetches = self.shops.fetches()
        for kind, host in self.hosts.items():
            again = [one for one in fetches if one[1] is host and one[3]]
            share = len(again) / len(self.of(kind))
            if kind != "tiny":
                self.assertTrue(0.03 < share < 0.08, (kind, share))
        agree = {kind: self.agreement(kind) for kind in KINDS if kind != "tiny"}
        self.assertGreater(agree.pop("ticking"), 0.85)
        self.assertLess(agree.pop("restless"), 0.6)
        self.assertEqual(set(agree.values()), {1.0})

    def agreement(self, kind):
        """Mean resemblance of the main texts of two fetches, without what stands beside them."""
        host, found = self.hosts[kind], []
        for row in [one for one in self.of(kind) if one.kind == "page"][:60]:
            texts = []
            for fetch in (0, 1):
                page = host.html(row, START, fetch)
                page = page.split("<h1>")[1].split("<aside>")[0].split("<footer>")[0]
                texts.append(shingles(page.replace("<", " <").replace(">", "> ")))
            found.append(resemblance(*texts))
        return sum(found) / len(found)

    def test_different_contents_are_different_texts(self):
        for kind in ("cart", "sections", "ticking", "partner"):
            host, cores = self.hosts[kind], {}
            for row in self.of(kind):
                if row.kind == "page" and row.request.template.kind == "product":
                    cores[row.request.item] = " ".join(host.core(row.request).paragraphs)
            made = [shingles(text) for text in list(cores.values())[:80]]
            highest = max(resemblance(left, right) for at, left in enumerate(made)
                          for right in made[:at])
            self.assertLess(highest, 0.5, kind)

    def test_pages_have_an_ordinary_size(self):
        for host in self.shops.hosts:
            rows = [row for row in self.shops.rows[host.host] if row.kind == "page"][:300]
            sizes = sorted(len(host.html(row, START, 0)) for row in rows)
            self.assertGreater(sizes[0], 900, host.kind)
            self.assertLess(sizes[len(sizes) // 2], 2500, host.kind)

    def test_one_round_is_not_enough(self):
        chained = [row for row in self.rows if row[3] in ("ref", "aff", "utm_medium")
                   and row[5] == "irrelevant" and row[0] != self.hosts["partner"].host]
        self.assertEqual(len(chained), 4)
        for row in chained:
            self.assertLess(row[8], row[7] / 2, row)

    def test_nothing_but_the_told_is_undecidable(self):
        told = {row[3] for row in self.rows if row[5] == "undecidable" and not row[4]
                and row[0] not in (self.hosts["restless"].host, self.hosts["tiny"].host)}
        session = self.hosts["partner"].names["session"]
        self.assertEqual(told, {"beta", "v", "return", session})


def shingles(text):
    """The set of five words in a row."""
    words = text.split()
    return {tuple(words[at:at + 5]) for at in range(max(1, len(words) - 4))}


def resemblance(left, right):
    """Share of common shingles."""
    return len(left & right) / len(left | right)


def written(path, header, rows):
    """Writes a CSV file."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def main():
    """Makes the crawl, or checks it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", nargs="?")
    parser.add_argument("--seed", type=int, default=SEEDS[0])
    parser.add_argument("--truth")
    parser.add_argument("--pages")
    parser.add_argument("--urls", type=int, default=50000)
    parser.add_argument("--hosts", type=int, default=10)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    if given.check:
        Check.seed = given.seed
        unittest.main(argv=sys.argv[:1])
    if not given.out:
        parser.error("needs a file to write, or --check")
    shops = Shops(given.seed, given.urls, given.hosts)
    fetches = shops.write(given.out)
    if given.truth:
        written(given.truth, ["host", "template", "kind", "name", "value", "verdict", "note",
                              "groups", "groups_first"], shops.truth())
    if given.pages:
        written(given.pages, ["url", "content", "class"], shops.pages())
    urls = sum(map(len, shops.rows.values()))
    print(f"{fetches} fetches of {urls} URLs on {given.hosts} hosts in {given.out}",
          file=sys.stderr)


if __name__ == "__main__":
    main()
