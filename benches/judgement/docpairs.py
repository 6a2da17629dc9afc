#!/usr/bin/env python3
"""What a run made of labelled pairs of pages, by relation and measured similarity.

    python3 benches/judgement/docpairs.py DOCPAIRS.csv RUN [RUN ...] [--crawl FOLDER]

DOCPAIRS.csv has family, variant_kind, relation, variant_a, variant_b, url_a, url_b, jaccard5 (of
all visible text) and text_equal. A RUN is a folder of generations or the JSON a run prints last.
Below the table stand the pairs of different documents on one template that share a cluster though
their visible texts are not equal; with --crawl each with the words that only one of them has.
"""

import argparse
import collections
import csv

import common

BINS = [(0.5, "< .5"), (0.7, ".5-.7"), (0.8, ".7-.8"), (0.9, ".8-.9"), (0.95, ".9-.95")]
TEMPLATE = "different_doc_same_template"
LISTED_MAX = 200
WORDS_MAX = 12
OUTCOMES = ["merged", "grouped", "edge", "apart", "gated", "absent"]


def similarity_bin(row):
    """The bin of a pair by its measured similarity; equal texts are one of their own."""
    if row["text_equal"] == "1":
        return "text_equal"
    value = float(row["jaccard5"])
    return next((name for limit, name in BINS if value < limit), ".95-< 1")


def outcome(row, pages, edges):
    """What the run says of a pair: one of OUTCOMES, and the edge between its pages or None."""
    found = pages.relation(row["url_a"], row["url_b"])
    if found == "absent":
        return found, None
    edge = edges.between(*(pages.by_url[row[side]] for side in ("url_a", "url_b")))
    return ("edge" if edge and found == "apart" else found), edge


def tally(pairs, pages, edges):
    """Outcomes and verdicts of edges for each relation, kind and bin; joined template pairs."""
    counts = collections.defaultdict(collections.Counter)
    verdicts = collections.defaultdict(collections.Counter)
    merged = []
    for row in pairs:
        group = (row["relation"], row["variant_kind"], similarity_bin(row))
        found, edge = outcome(row, pages, edges)
        counts[group][found] += 1
        if edge and found != "absent":
            verdicts[group][common.verdict(edge)] += 1
        is_false = row["relation"] == TEMPLATE and row["text_equal"] != "1"
        if is_false and found in ("merged", "grouped"):
            merged.append((row, edge, found))
    return counts, verdicts, merged


def order(group):
    """Sorts groups by relation, kind, then similarity."""
    names = [name for _, name in BINS] + [".95-< 1", "text_equal"]
    return group[0], group[1], names.index(group[2])


def print_counts(counts, verdicts):
    """Prints the outcomes of each group."""
    body = []
    for group in sorted(counts, key=order):
        edges = ", ".join(f"{name} {n}" for name, n in sorted(verdicts[group].items()))
        numbers = [counts[group][name] for name in OUTCOMES]
        body.append([*group, counts[group].total(), *numbers, edges])
    head = ["relation", "kind", "similarity", "pairs", *OUTCOMES, "edges by tier and guard"]
    common.print_table(head, body)


def only(left, right):
    """The first words of a text that the other does not have."""
    known, found = set(right), []
    for word in left:
        if word not in known and word not in found:
            found.append(word)
    more = " ..." if len(found) > WORDS_MAX else ""
    return " ".join(found[:WORDS_MAX]) + more


def visible_words(folder, urls):
    """Words of the visible text of these pages, from a crawl with columns url and html."""
    from selectolax.lexbor import LexborHTMLParser

    found = {}
    for name in common.parquet_files(folder):
        table = common.read_files(name, ["url"])
        if not urls.intersection(table["url"].to_pylist()):
            continue
        table = common.read_files(name, ["url", "html"])
        for url, html in zip(table["url"], table["html"]):
            if url.as_py() in urls:
                body = LexborHTMLParser(html.as_py() or "").body
                for gone in body.css("script, style, noscript, template") if body else []:
                    gone.decompose()
                text = body.text(separator=" ") if body else ""
                found[url.as_py()] = common.words(text)
    return found


def print_merged(merged, pages, crawl):
    """Lists different documents in one cluster, those with different main texts first."""
    def is_equal(row):
        digests = [{pages.digest.get(page) for page in pages.by_url[row[side]]}
                   for side in ("url_a", "url_b")]
        return bool((digests[0] & digests[1]) - {None})

    merged = sorted(merged, key=lambda one: (is_equal(one[0]), one[2] != "merged", one[0]["url_a"],
                                             one[0]["url_b"]))
    equal = sum(is_equal(row) for row, _, _ in merged)
    grouped = sum(found == "grouped" for _, _, found in merged)
    print(f"{TEMPLATE} in one cluster, visible texts not equal: {len(merged)}, "
          f"of which the main texts are equal: {equal}, grouped and not merged: {grouped}\n")
    listed = merged[:LISTED_MAX]
    urls = {row[side] for row, _, _ in listed for side in ("url_a", "url_b")}
    texts = visible_words(crawl, urls) if crawl and listed else {}
    body = []
    for row, edge, found in listed:
        left, right = (texts.get(row[side], []) for side in ("url_a", "url_b"))
        measured = f"{edge['resemblance']:.3f}" if edge else "through others"
        body.append([found, row["url_a"], row["url_b"], row["jaccard5"], measured,
                     "equal" if is_equal(row) else "differ", only(left, right), only(right, left)])
    if body:
        common.print_table(["tier", "left", "right", "jaccard5", "resemblance", "main texts",
                            "only left", "only right"], body)


def main():
    """Prints a table a run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("docpairs")
    parser.add_argument("runs", nargs="+", metavar="RUN")
    parser.add_argument("--crawl", help="Parquet files with url and html, for differing words")
    options = parser.parse_args()
    with open(options.docpairs, encoding="utf-8", newline="") as file:
        pairs = list(csv.DictReader(file))
    for run in options.runs:
        tables = common.run_tables(run)
        pages = common.Pages(tables)
        print(f"## {run}\n")
        counts, verdicts, merged = tally(pairs, pages, common.Edges(tables, pages))
        print_counts(counts, verdicts)
        print_merged(merged, pages, options.crawl)


if __name__ == "__main__":
    main()
