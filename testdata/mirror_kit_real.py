"""The part `real` of mirror_kit.py: pages of two real packages under many host names.

Wants FOLDER/NAME.parquet for each package, with columns `url` and `html`; the package is the host
of its URLs. Aliases (`alias_of`) and answers other than 200 (`status`) are passed over where the
crawl has such columns. The pages of the first package are cut in two by path: those of the first
half go to the hosts of mirrors, those of the second to the shops of the cities, so that a page
with prices never stands against the same page without. With A and B the names of the packages:

https, http, www of A           mirrors, full
A-copy.test                     mirror under a second name, every twenty-fifth page another
http of B                       path-preserving 301 to https of B
shelf.example                   A below /a/ and B below /b/, a folder of B carved out if it has one
same-A.example                  markup, links and paths of A around the words of B
A-ru.example                    every word of A replaced by an invented Cyrillic one
msk., spb., kzn.A-shop.example  the rest of A with the prices and phones of three cities
parked1 to parked12.example     one page at every path of A
"""

import collections
import datetime
import hashlib
import html
import os
import re
import sys

import pyarrow.parquet as pq

TAG = re.compile(r"(<[^>]*>)")
WORD = re.compile(r"[^\W\d_]+")
SILENT = ("script", "style", "title", "head")
LONGEST = 150_000  # characters of a page that is taken
SYLLABLES = "ба ве го ди жу за ки лу ме но па ре со ту фи хо це ша".split()
ENDINGS = ("", "й", "л", "м", "н", "т", "ть", "х")
CITIES = (("msk", "Moscow", "+7 495 555-01", 0), ("spb", "Saint Petersburg", "+7 812 555-01", 37),
          ("kzn", "Kazan", "+7 843 555-01", 81))
FIRST_FETCH = datetime.datetime(2026, 2, 2, tzinfo=datetime.timezone.utc)
# With so few carved out the whole of a prefix passes: 54 of 60 pages have a bound of .80.
CARVED_LEAST, CARVED_SHARE = 5, 0.1


class Host:
    """A host that serves real markup."""

    def __init__(self, kit, base, day=0):
        self.kit, self.base, self.part, self.known = kit, base, "real", []
        self.second = day * 86_400
        self.ip = "198.18.7." + str(1 + len(kit.sites) % 250)
        kit.sites.append(self)

    def add(self, path, page, target=None):
        """A page, or a redirect if there is a target."""
        self.second += 37
        seen = FIRST_FETCH + datetime.timedelta(seconds=self.second)
        status = 301 if target else 200
        self.kit.crawl.append((self.base + path, seen, status, target, self.ip, page))

    def serve(self, pages, prefix="/"):
        """Pages by path without the slash that it begins with."""
        for path, page in pages.items():
            self.add(prefix + path, page)


def read_pages(rng, folder, package, most):
    """Pages of a package by relative path, at most so many, in order of path."""
    file_name = os.path.join(folder, package + ".parquet")
    if not os.path.isfile(file_name):
        sys.exit(f"{file_name}: no such package")
    with pq.ParquetFile(file_name) as file:
        have = file.schema_arrow.names
        columns = [one for one in ("url", "html", "alias_of", "status") if one in have]
        rows = file.read(columns=columns).to_pylist()
    found = {}
    for row in rows:
        page = row["html"]
        is_good = page and row.get("status") in (None, 200) and not row.get("alias_of")
        if is_good and len(page) <= LONGEST and len(visible(page)) >= 80:
            found[row["url"].split("//", 1)[1].partition("/")[2]] = page
    chosen = rng.sample(sorted(found), min(most, len(found)))
    return {path: found[path] for path in sorted(chosen)}


def texts(page):
    """Pieces of a page: (piece, whether it is visible text outside of links)."""
    silent, in_link = None, False
    for piece in TAG.split(page):
        if piece.startswith("<"):
            tag = piece.strip("</>").split()[:1]
            tag = tag[0].lower() if tag else ""
            is_end = piece.startswith("</")
            if silent is None and tag in SILENT and not is_end and not piece.endswith("/>"):
                silent = tag
            elif tag == silent and is_end:
                silent = None
            elif tag == "a":
                in_link = not is_end and "href" in piece
            yield piece, False, False
        else:
            yield piece, silent is None and bool(piece.strip()), in_link


def visible(page):
    """All visible words of a page."""
    return [word for piece, is_text, _ in texts(page) if is_text
            for word in html.unescape(piece).split()]


def repeated(pages):
    """Texts that stand on a third of the pages: what the template says."""
    counts = collections.Counter()
    for page in pages:
        counts.update({piece.strip() for piece, is_text, _ in texts(page) if is_text})
    return {text for text, count in counts.items() if count >= max(3, len(pages) / 3)}


def other_content(page, kept, stream):
    """The page with the words of another; links and repeated texts stay.

    None if less than 80 words or less than two thirds of all are replaced.
    """
    made, changed, left = [], 0, 0
    for piece, is_text, in_link in texts(page):
        if is_text:
            count = len(piece.split())
            if in_link or piece.strip() in kept:
                left += count
            else:
                changed += count
                piece = " " + html.escape(" ".join(next(stream) for _ in range(count))) + " "
        made.append(piece)
    is_enough = changed >= 80 and changed >= 2 * left
    return "".join(made) if is_enough else None


def endless(pages):
    """All words of the pages again and again."""
    found = [word for page in pages for word in visible(page)]
    while True:
        yield from found


def invented(match):
    """The Cyrillic word that stands for a word; always the same."""
    word = match.group()
    digest = hashlib.sha256(word.lower().encode()).digest()
    size = 1 + min(3, len(word) // 3)
    made = "".join(SYLLABLES[byte % len(SYLLABLES)] for byte in digest[:size])
    made += ENDINGS[digest[9] % len(ENDINGS)]
    return made.capitalize() if word[:1].isupper() else made


def translated(page):
    """The page with all its words replaced; markup and numbers stay."""
    made, in_title = [], False
    for piece, is_text, _ in texts(page):
        if piece.startswith("<"):
            in_title = piece[:6].lower() == "<title" or (in_title and piece[:2] != "</")
            piece = re.sub(r'^<html\b[^>]*>', '<html lang="ru">', piece, flags=re.IGNORECASE)
        elif is_text or in_title:
            piece = WORD.sub(invented, html.unescape(piece))
            piece = html.escape(piece, quote=False)
        made.append(piece)
    return "".join(made)


def priced(page, number, city):
    """The page with a line of price and phone after its first and its third paragraph."""
    _, name, phone, more = city
    pieces = page.split("</p>")
    for at in (1, 3):
        if at < len(pieces):
            price = (number + at) * 100 + more
            line = (f"<p>Price {price}.00 RUB in {name}, call {phone}-{10 + number % 80}, "
                    f"article {4000 + number}.</p>")
            pieces[at] = line + pieces[at]
    return "</p>".join(pieces)


def carved_folder(paths):
    """The folder with five pages and more that has a small share of all; None if none has."""
    counts = collections.Counter(path.split("/")[0] for path in paths if "/" in path)
    good = [(count, folder) for folder, count in counts.items()
            if CARVED_LEAST <= count <= CARVED_SHARE * len(paths)]
    return max(good)[1] if good else None


def label(package):
    """The package as a label of a host."""
    return re.sub(r"[^a-z0-9]+", "-", package.lower()).strip("-")


def mirrors(kit, pages, other, names):
    """Whole mirrors of both packages; returns the first host of each."""
    first = label(names[0])
    bases = [f"https://{first}.example", f"http://{first}.example", f"https://www.{first}.example",
             f"https://{first}-copy.test"]
    spare = endless(list(other.values())[:20])
    for order, base in enumerate(bases):
        served = dict(pages)
        if order == 3:
            for path in list(pages)[7::25]:
                served[path] = other_content(pages[path], set(), spare) or pages[path]
        Host(kit, base, 50 * order).serve(served)
    kit.relate("real", bases, "mirror", "same package")
    second = [f"https://{label(names[1])}.example", f"http://{label(names[1])}.example"]
    Host(kit, second[0]).serve(other)
    moved = Host(kit, second[1], 60)
    for path in other:
        moved.add("/" + path, None, f"{second[0]}/{path}")
    kit.relate("real", second, "mirror", "301 of all paths")
    return bases, second


def shelf(kit, pages, other, groups):
    """Both packages below a prefix each of one host."""
    base = "https://shelf.example"
    host = Host(kit, base, 20)
    host.serve(pages, "/a/")
    carved = carved_folder(other)
    spare = endless(list(pages.values())[:30])
    served = dict(other)
    for path in other:
        if carved and path.startswith(carved + "/"):
            served[path] = other_content(other[path], set(), spare)
    host.serve({path: page for path, page in served.items() if page}, "/b/")
    for prefix, bases in zip(("/a/", "/b/"), groups):
        for one in bases:
            # A host that only redirects is known below its target alone.
            kit.truth.append(("real", base, one, "partial", prefix))
            carve = f"/b/{carved}/" if carved and prefix == "/b/" else ""
            kit.prefixes.append(("real", base, prefix, one, "/", carve, "two packages"))


def likenesses(kit, pages, other, first):
    """Hosts that are like the first package and no mirrors of it."""
    base = first[0]
    name = label(base.split("//")[1].split(".")[0])
    like = f"https://same-{name}.example"
    kept, stream = repeated(list(pages.values())), endless(list(other.values()))
    made = {path: other_content(page, kept, stream) for path, page in pages.items()}
    Host(kit, like, 5).serve({path: page for path, page in made.items() if page})
    tongue = f"https://{name}-ru.example"
    Host(kit, tongue, 6).serve({path: translated(page) for path, page in pages.items()})
    for one in first:
        kit.truth.append(("real", one, like, "none", "same template, other words"))
        kit.truth.append(("real", one, tongue, "translation", "invented words"))
    kit.truth.append(("real", like, tongue, "none", "other words in another language"))


def shops(kit, pages, name):
    """The same pages with the prices of three cities."""
    bases = []
    served = {path: page for path, page in pages.items() if page.count("</p>") >= 2}
    for city in CITIES:
        bases.append(f"https://{city[0]}.{name}-shop.example")
        host = Host(kit, bases[-1], 8)
        host.serve({path: priced(page, number, city)
                    for number, (path, page) in enumerate(served.items())})
    kit.relate("real", bases, "regional", "prices and phones")


def farm(kit, pages, other):
    """Hosts with one page for all paths."""
    words = " ".join(visible(list(other.values())[-1])[:120])
    page = ("<!DOCTYPE html><html><head><title>Welcome</title></head><body><main><h1>Welcome</h1>"
            f"<p>{html.escape(words)}</p></main></body></html>")
    paths = list(pages)[:40]
    bases = [f"http://parked{number}.example" for number in range(1, 13)]
    for base in bases:
        Host(kit, base, 9).serve({path: page for path in paths})
    kit.relate("real", bases, "parked", "one page")


def real(kit, folder, names, most):
    """Adds the part to a kit."""
    rng = kit.dice("real", *names)
    pages, other = (read_pages(rng, folder, name, most) for name in names)
    if min(len(pages), len(other)) < 40:
        sys.exit(f"{names}: {len(pages)} and {len(other)} pages, 40 each are wanted")
    paths = rng.sample(list(pages), len(pages))
    kept = set(paths[:len(paths) * 3 // 5])
    whole = {path: page for path, page in pages.items() if path in kept}
    sold = {path: page for path, page in pages.items() if path not in kept}
    groups = mirrors(kit, whole, other, names)
    shelf(kit, whole, other, groups)
    likenesses(kit, whole, other, groups[0])
    shops(kit, sold, label(names[0]))
    farm(kit, whole, other)
