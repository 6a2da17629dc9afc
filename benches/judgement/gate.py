#!/usr/bin/env python3
"""What the gate caught of labelled pages, by class and language.

    python3 benches/judgement/gate.py LABELS.csv RUN [--crawl CRAWL.parquet] [--listed 20]

LABELS.csv has url, class (or label) and maybe language; class is a class of the gate, or `ok` or
`good` for a page that may be compared. With --crawl, the language that a page states replaces a
missing one. Printed are the share of pages with another gate than ok (caught), the share
with the very class of the label, good pages that the gate refused, and clusters that hold a
refused page or a page labelled so. Exit code 1 when a cluster holds a page that the gate refused.
"""

import argparse
import collections
import csv
import re
import sys

import common

GOOD = {"ok", "good"}
LANGUAGE = re.compile(r"<html[^>]*?\slang=[\"']?([A-Za-z-]+)")


def read_labels(path, crawl):
    """Class and language of each URL; without a language the one that its page states."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    stated = languages(crawl) if crawl else {}
    return {row["url"]: (row.get("class") or row["label"],
                         row.get("language") or stated.get(row["url"], "")) for row in rows}


def languages(crawl):
    """The language that each page of a crawl states."""
    table = common.read_files(crawl, ["url", "html"])
    found = {}
    for url, page in zip(table["url"].to_pylist(), table["html"].to_pylist()):
        match = LANGUAGE.search((page or "")[:4096])
        found[url] = match.group(1) if match else ""
    return found


def tally(labels, pages, group_of):
    """Pages, absent ones, caught ones and those of the right class, a group."""
    counts = collections.defaultdict(collections.Counter)
    for url, label in labels.items():
        found = counts[group_of(label)]
        gates = pages.gates(url)
        found["pages"] += 1
        found["absent"] += not gates
        found["caught"] += any(gate != "ok" for gate in gates)
        found["class"] += label[0] in gates
        found[("gates", ", ".join(gates) or "absent")] += 1
    return counts


def print_tally(name, counts):
    """Prints the caught share of each group."""
    body = []
    for group, found in sorted(counts.items()):
        seen = found["pages"] - found["absent"]
        gates = sorted(key[1] for key in found if isinstance(key, tuple))
        told = ", ".join(f"{gate} {found[('gates', gate)]}" for gate in gates)
        body.append([group, found["pages"], found["absent"], common.share(found["caught"], seen),
                     common.share(found["class"], seen), told])
    common.print_table([name, "pages", "absent", "caught", "right class", "gates"], body)


def print_wrong(labels, pages, listed):
    """Lists the first missed pages and the first good pages that were refused."""
    for title, wrong in (
        ("refused pages that passed", lambda label, gates: label not in GOOD and gates == ["ok"]),
        ("good pages that were refused",
         lambda label, gates: label in GOOD and any(gate != "ok" for gate in gates)),
    ):
        found = [[url, *label, ", ".join(pages.gates(url))]
                 for url, label in sorted(labels.items()) if wrong(label[0], pages.gates(url))]
        print(f"{title}: {len(found)}\n")
        if found and listed:
            common.print_table(["url", "class", "language", "gate"], found[:listed])


def print_clusters(labels, pages):
    """Prints how many clusters hold refused pages; returns those the gate itself refused."""
    refused = {page for page, gate in pages.gate.items() if gate != "ok"}
    labelled = {page for url, label in labels.items() if label[0] not in GOOD
                for page in pages.by_url.get(url, ())}
    members = pages.members()
    held = sum(any(page in refused for page in group) for group in members.values())
    several = [group for group in members.values()
               if len(group) > 1 and any(page in labelled for page in group)]
    print(f"clusters that hold a page the gate refused: {held} (must be 0)")
    print(f"clusters of several pages that hold one labelled as refused: {len(several)}\n")
    several.sort(key=lambda group: (-len(group), pages.url.get(group[0]) or ""))
    for group in several[:20]:
        urls = ", ".join(pages.url.get(page) or "" for page in group[:4])
        print(f"- {len(group)} pages: {urls}")
    return held


def main():
    """Prints the tables; the exit code says whether a cluster holds a refused page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("labels")
    parser.add_argument("run")
    parser.add_argument("--crawl", help="Parquet files with url and html, for languages")
    parser.add_argument("--listed", type=int, default=20, help="wrong pages to list")
    options = parser.parse_args()
    labels = read_labels(options.labels, options.crawl)
    pages = common.Pages(common.run_tables(options.run))
    bad = {url: label for url, label in labels.items() if label[0] not in GOOD}
    good = {url: label for url, label in labels.items() if label[0] in GOOD}
    print("## Pages to refuse\n")
    print_tally("class", tally(bad, pages, lambda label: label[0]))
    print_tally("language", tally(bad, pages, lambda label: label[1]))
    print_tally("all", tally(bad, pages, lambda label: "all"))
    print("## Good pages\n")
    print_tally("language", tally(good, pages, lambda label: label[1]))
    print_tally("all", tally(good, pages, lambda label: "all"))
    print_wrong(labels, pages, options.listed)
    sys.exit(1 if print_clusters(labels, pages) else 0)


if __name__ == "__main__":
    main()
