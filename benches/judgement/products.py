#!/usr/bin/env python3
"""Labelled pairs of offers as pages of shops, and what a run made of them.

    python3 benches/judgement/products.py PAIRS.csv.gz OUT.parquet [--without-ids]
    python3 benches/judgement/products.py PAIRS.csv.gz --score RUN [RUN ...]

PAIRS.csv.gz has dataset, split, left, right, same_product, token_jaccard; an offer is
`COL name VAL ... COL price VAL ...`. Every distinct offer becomes one page, on a host for its data
set and the side on which it is first seen. Pages of a host share a menu, a notice and a footer.

Half of the pages carry name, brand, description, price and identifier as JSON-LD, half as
microdata. The data has no identifiers, so they are taken from titles: tokens that look like a
model number (a letter and a digit, five characters or more, no size, speed or standard; or two
numbers with a hyphen, as makers of shoes write them), and numbers of 12 to 14 digits with a right
check digit, which become gtin. Others are mpn or sku, by the identifier. Offers of one product
whose titles share such a token, directly or through a third, get the same identifier. A token
that an offer of a different product shows too, by the labels, identifies nothing and is not used.
With --without-ids there is no structured data at all, only the visible text.
"""

import argparse
import collections
import csv
import gzip
import hashlib
import html
import json
import re

import pyarrow as pa
import pyarrow.parquet as pq

import common

FIELD = re.compile(r"COL (\w+) VAL ?(.*?)(?= COL \w+ VAL|$)", re.S)
NOISE = re.compile(r'"?@[a-z]{2}(-[A-Za-z]{2})?\b')
QUOTED = re.compile(r'"([^"]*)"')
TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9/#+.\-]*[A-Za-z0-9]")
# Letters with digits that name a size, a speed, a count or a standard and not a product.
MEASURE = re.compile(
    r"^[\d.x*/\-]+(k|m|g|t|kb|mb|gb|tb|mbps|gbps|gbe|hz|khz|mhz|ghz|w|kw|v|va|ah|mah|wh|mm|cm|in|"
    r"inch|ft|oz|lb|lbs|kg|ml|l|p|i|x|bit|pin|port|pack|pk|pc|pcs|user|users|core|way|rpm|ms|nm|"
    r"dpi|fps|mp|megapixel|st|nd|rd|th|rack|u|k rpm|g sfp|ghz/|go|to|mo|year|yr|client)$"
    r"|^(ddr|pc|usb|sata|cat|mp|win|office|windows|rj|pci|pcie|core|raid|hdmi|wifi|gen)\d"
    r"|\d(ghz|mhz|gb|tb)/|hdmi|gddr|^(lga|users)\d"
    r"|^802\.?11|^\d+x\d+|^mpeg|^(rs|iso|ieee)\d+|^x(86|64)|^\d{4}/\w+$"
)
CODE = re.compile(r"^\d{4,7}-\d{2,3}$")
FOUND_MIN = 0.8  # resemblance from which two texts are near


def read_pairs(path):
    """The rows of the pairs."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def offers(pairs):
    """For each distinct offer, a data set and a text, the side where it is first seen."""
    found = {}
    for row in pairs:
        for side in ("left", "right"):
            found.setdefault((row["dataset"], row[side]), side)
    return found


def offer_digest(offer):
    """A number that stands for an offer."""
    return hashlib.blake2b("\n".join(offer).encode("utf-8"), digest_size=8).hexdigest()


def offer_url(offer, side):
    """The address of the page of an offer."""
    return f"https://www.{offer[0]}-{side}.example/offer/{offer_digest(offer)}.html"


def tidy(text):
    """A text without marks of language and quotes."""
    return " ".join(NOISE.sub(" ", text).replace('"', " ").replace("Null", " ").split())


def fields(offer):
    """Name, brand, description and price of an offer; a missing one is empty."""
    found = dict(FIELD.findall(offer[1]))
    name = found.get("name") or found.get("title") or ""
    rest = found.get("description", "")
    quoted = [tidy(part) for part in QUOTED.findall(name)]
    first = next((part for part in quoted if part), "")
    if offer[0].startswith("wdc"):
        whole = tidy(name)
        name, rest = first or whole, whole
    return {"name": tidy(name), "brand": tidy(found.get("manufacturer", "")),
            "description": tidy(rest), "price": found.get("price", "").strip()}


def is_gtin(token):
    """Whether a token is 12 to 14 digits with a right check digit."""
    if not (token.isascii() and token.isdigit() and 12 <= len(token) <= 14):
        return False
    digits = [int(digit) for digit in reversed(token)]
    return sum(digit * (3 if at % 2 else 1) for at, digit in enumerate(digits)) % 10 == 0


def identifiers(offer):
    """Tokens of the title that look like identifiers, without hyphens and slashes."""
    found = dict(FIELD.findall(offer[1]))
    title = NOISE.sub(" ", found.get("name") or found.get("title") or "").lower()
    made = set()
    for token in TOKEN.findall(title):
        plain = re.sub(r"[^a-z0-9]", "", token)
        has_both = re.search(r"[a-z]", plain) and re.search(r"\d", plain)
        is_model = has_both and len(plain) >= 5 and not MEASURE.search(token)
        if is_gtin(plain) or is_model and not MEASURE.search(plain) or CODE.match(token):
            made.add(plain)
    return made


def usable_identifiers(pairs):
    """For each offer its tokens that no offer labelled as another product shows."""
    found = {offer: identifiers(offer) for offer in offers(pairs)}
    shared = collections.defaultdict(set)
    for row in pairs:
        if row["same_product"] == "0":
            left, right = (row["dataset"], row["left"]), (row["dataset"], row["right"])
            for token in found[left] & found[right]:
                shared[row["dataset"]].add(token)
    return {offer: tokens - shared[offer[0]] for offer, tokens in found.items()}


def chosen_identifiers(pairs):
    """The identifier of each offer that has one."""
    usable = usable_identifiers(pairs)
    positions = {offer: at for at, offer in enumerate(usable)}
    order = list(usable)
    leads = list(range(len(order)))

    def root(node):
        while leads[node] != node:
            leads[node] = leads[leads[node]]
            node = leads[node]
        return node

    for row in pairs:
        left, right = (row["dataset"], row["left"]), (row["dataset"], row["right"])
        if row["same_product"] == "1" and usable[left] & usable[right]:
            one, two = root(positions[left]), root(positions[right])
            leads[max(one, two)] = min(one, two)
    groups = collections.defaultdict(list)
    for offer, at in positions.items():
        groups[root(at)].append(offer)
    chosen = {}
    for group in groups.values():
        counts = collections.Counter(token for offer in group for token in usable[offer])
        best = min(counts, key=lambda token: (-counts[token], -is_gtin(token), -len(token), token),
                   default=None)
        chosen.update((offer, best) for offer in group if best)
    return chosen


def identifier_kind(identifier):
    """The property of schema.org that holds an identifier; the same for the same identifier."""
    if is_gtin(identifier):
        return f"gtin{len(identifier)}"
    return "sku" if hashlib.blake2b(identifier.encode(), digest_size=1).digest()[0] % 2 else "mpn"


def json_ld(about, identifier):
    """Facts of an offer as JSON-LD."""
    made = {"@context": "https://schema.org", "@type": "Product", "name": about["name"]}
    if about["brand"]:
        made["brand"] = {"@type": "Brand", "name": about["brand"]}
    if about["description"]:
        made["description"] = about["description"]
    if identifier:
        made[identifier_kind(identifier)] = identifier.upper()
    if about["price"]:
        made["offers"] = {"@type": "Offer", "price": about["price"], "priceCurrency": "USD"}
    text = json.dumps(made).replace("</", "<\\/")
    return f'<script type="application/ld+json">{text}</script>'


def visible(about, identifier, is_micro):
    """The visible part of an offer, with microdata or without."""
    def prop(name):
        return f' itemprop="{name}"' if is_micro else ""

    def scope(kind):
        return f' itemscope itemtype="https://schema.org/{kind}"' if is_micro else ""

    text = {name: html.escape(value) for name, value in about.items()}
    made = f"<div class=\"product\"{scope('Product')}><h1{prop('name')}>{text['name']}</h1>"
    if about["brand"]:
        made += f"<p>Brand: <span{prop('brand')}>{text['brand']}</span></p>"
    if about["description"]:
        made += f"<div{prop('description')}><p>{text['description']}</p></div>"
    if identifier:
        shown = html.escape(identifier.upper())
        made += f"<p>Item number: <span{prop(identifier_kind(identifier))}>{shown}</span></p>"
    if about["price"]:
        money = '<meta itemprop="priceCurrency" content="USD">' if is_micro else ""
        made += (f"<p{prop('offers')}{scope('Offer')}>{money}Price: $"
                 f"<span{prop('price')}>{text['price']}</span></p>")
    return made + "</div>"


def page(offer, side, identifier, has_facts):
    """The page of an offer."""
    about = fields(offer)
    shop = f"{offer[0]} {side}"
    is_micro = has_facts and int(offer_digest(offer), 16) % 2 == 1
    facts = json_ld(about, identifier) if has_facts and not is_micro else ""
    menu = "".join(f'<li><a href="/{name}">{name}</a></li>'
                   for name in ("home", "offers", "brands", "delivery", "returns", "basket"))
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{html.escape(about['name'])} - {shop}</title>{facts}</head>\n<body>"
        f"<header><a href=\"/\">{shop}</a><ul>{menu}</ul></header>\n"
        f"<main>{visible(about, identifier, is_micro)}\n"
        "<p>Orders that reach us before noon leave the same day. You may send an item back within "
        "a month, and we refund what you paid for it.</p></main>\n"
        f"<footer><p>{shop} is a shop of many brands. Names of makers belong to the makers."
        "</p></footer></body></html>\n"
    )


def build(pairs, out, has_facts):
    """Writes the pages and prints what they are of."""
    chosen = chosen_identifiers(pairs) if has_facts else {}
    found = offers(pairs)
    table = pa.table({
        "url": [offer_url(offer, side) for offer, side in found.items()],
        "fetch_status": pa.array([200] * len(found), pa.int32()),
        "html": [page(offer, side, chosen.get(offer), has_facts) for offer, side in found.items()],
    })
    pq.write_table(table, out, compression="zstd")
    body = []
    for dataset in sorted({offer[0] for offer in found}):
        rows = [row for row in pairs if row["dataset"] == dataset]
        both = collections.Counter()
        for row in rows:
            ids = [chosen.get((dataset, row[side])) for side in ("left", "right")]
            if all(ids):
                both[row["same_product"], ids[0] == ids[1]] += 1
        inside = [offer for offer in found if offer[0] == dataset]
        body.append([dataset, len(inside), sum(offer in chosen for offer in inside),
                     both["1", True], both["1", False], both["0", True], both["0", False]])
    common.print_table(["data set", "offers", "with identifier", "same product: equal", "unequal",
                        "different product: equal", "unequal"], body)


def distinct_pairs(pairs):
    """Pairs of two offers, each once; a pair labelled in both ways is left out and counted."""
    found = {}
    for row in pairs:
        if row["left"] != row["right"]:
            key = (row["dataset"], *common.pair(row["left"], row["right"]))
            found.setdefault(key, []).append(row)
    kept = [rows[0] for rows in found.values() if len({row["same_product"] for row in rows}) == 1]
    return kept, len(found) - len(kept)


def outcomes(pairs, urls, pages, edges):
    """How pairs of a label came out, the edges of those apart, and the merged ones."""
    counts, guards, merged = collections.Counter(), collections.Counter(), []
    for row in pairs:
        left, right = (urls[(row["dataset"], row[side])] for side in ("left", "right"))
        edge = edges.between(pages.by_url.get(left, set()), pages.by_url.get(right, set()))
        found = pages.relation(left, right)
        counts[found] += 1
        if found == "merged":
            merged.append((row, left, right))
        if found == "apart" and edge:
            guards[common.verdict(edge)] += 1
    return counts, guards, merged


def score(pairs, run):
    """Prints outcomes by data set and label, and merges of different products."""
    tables = common.run_tables(run)
    pages = common.Pages(tables)
    edges = common.Edges(tables, pages)
    urls = {offer: offer_url(offer, side) for offer, side in offers(pairs).items()}
    kept, contrary = distinct_pairs(pairs)
    body, false = [], []
    for dataset in [*sorted({row["dataset"] for row in kept}), "all"]:
        for label, name in (("0", "different"), ("1", "same")):
            rows = [row for row in kept
                    if dataset in (row["dataset"], "all") and row["same_product"] == label]
            counts, guards, merged = outcomes(rows, urls, pages, edges)
            near = sum(float(row["token_jaccard"]) >= FOUND_MIN for row in rows)
            told = ", ".join(f"{guard} {count}" for guard, count in sorted(guards.items()))
            body.append([dataset, name, len(rows), near, counts["merged"],
                         common.share(counts["merged"], len(rows)), counts["grouped"],
                         counts["apart"], counts["gated"], counts["absent"], told])
            if dataset != "all" and label == "0":
                false += merged
    print(f"## {run}\n\npairs of equal offers are left out; pairs with both labels: {contrary}\n")
    common.print_table(["data set", "products", "pairs", "token resemblance >= .8", "merged",
                        "share", "grouped", "apart", "gated", "absent", "apart, with an edge"],
                       body)
    print(f"merges of different products: {len(false)}\n")
    for row, left, right in false[:100]:
        print(f"- {row['token_jaccard']} {left} {right}\n  {row['left'][:200]}\n"
              f"  {row['right'][:200]}")


def main():
    """Builds the pages, or scores runs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs")
    parser.add_argument("out", nargs="?", help="Parquet file of pages to write")
    parser.add_argument("--without-ids", action="store_true", help="visible text alone")
    parser.add_argument("--score", nargs="+", metavar="RUN", default=[])
    options = parser.parse_args()
    if not options.out and not options.score:
        parser.error("wanted: OUT.parquet or --score RUN")
    pairs = read_pairs(options.pairs)
    if options.out:
        build(pairs, options.out, not options.without_ids)
    for run in options.score:
        score(pairs, run)


if __name__ == "__main__":
    main()
