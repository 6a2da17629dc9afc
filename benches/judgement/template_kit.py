#!/usr/bin/env python3
"""False and missed merges of a run over the template kit.

    python3 testdata/template_kit.py --seed 1 out/template-kit
    python3 benches/judgement/template_kit.py out/template-kit/truth.csv CLUSTER [CLUSTER ...]
    python3 benches/judgement/template_kit.py out/template-kit/truth.csv \\
        --crawl out/template-kit/crawl.parquet

CLUSTER is a folder or pattern of the files of the table `cluster`, a folder of generations, or the
JSON that a run prints last. A false merge is a pair of pages of different content that are merged;
a false group is one that shares a cluster where either is of tier `group`; a missed one is a pair
of one content that no cluster holds. Pairs of two parts of the kit count as `across`.
With --crawl, printed first is the resemblance of pairs of pages by all their visible text, which
is what the template makes alike; needs selectolax.
"""

import argparse
import collections
import csv
import os
import random

import common

ACROSS = "across"
SAMPLE = 4000  # pairs a row of the measurement


def read_truth(path):
    """Content and part of each URL."""
    with open(path, encoding="utf-8", newline="") as file:
        return {row["url"]: (row["content"], row["part"]) for row in csv.DictReader(file)}


def cluster_files(where):
    """The pattern of the files of the table `cluster`."""
    is_run = os.path.isdir(os.path.join(where, "_manifest"))
    if not is_run and os.path.isfile(where) and not where.endswith(".parquet"):
        is_run = True
    return common.run_tables(where)["cluster"] if is_run else where


def clusters(where):
    """The cluster of each URL, None where the page is not compared; and what is only grouped."""
    table = common.read_files(cluster_files(where), ["url", "cluster", "tier"])
    columns = [table[name].to_pylist() for name in ("url", "cluster", "tier")]
    return ({url: cluster for url, cluster, _ in zip(*columns)},
            {url for url, _, tier in zip(*columns) if tier == "group"})


def grouped(keys):
    """Pairs within equal keys."""
    return common.pair_count(collections.Counter(keys).values())


def figures(truth, cluster, grouped_urls, part):
    """Pages, absent and uncompared ones, and pairs of one part; of all parts for None."""
    urls = [url for url, (_, where) in truth.items() if part in (None, where)]
    seen = [url for url in urls if url in cluster]
    compared = [url for url in seen if cluster[url] is not None]
    both = grouped((cluster[url], truth[url][0]) for url in compared)
    false = grouped(cluster[url] for url in compared) - both
    merged = [url for url in compared if url not in grouped_urls]
    false_merges = (grouped(cluster[url] for url in merged)
                    - grouped((cluster[url], truth[url][0]) for url in merged))
    return {
        "pages": len(urls),
        "absent": len(urls) - len(seen),
        "not compared": len(seen) - len(compared),
        "pairs of one content": grouped(truth[url][0] for url in urls),
        "found": both,
        "false merges": false_merges,
        "false groups": false - false_merges,
    }


def print_run(truth, where):
    """Prints the table of one run; contents never span parts, so `across` is what is left."""
    cluster, grouped_urls = clusters(where)
    parts = list(dict.fromkeys(part for _, part in truth.values()))
    found = {part: figures(truth, cluster, grouped_urls, part) for part in parts}
    found[ACROSS] = collections.Counter(figures(truth, cluster, grouped_urls, None))
    for part in parts:
        found[ACROSS].subtract(found[part])
    head = ["part", "pages", "absent", "not compared", "pairs of one content", "found", "missed",
            "false merges", "false groups"]
    body = []
    for part, one in found.items():
        missed = one["pairs of one content"] - one["found"]
        body.append([part, *(one[name] for name in head[1:6]), missed,
                     one["false merges"], one["false groups"]])
    print(f"## {where}\n")
    common.print_table(head, body)
    print_examples(truth, cluster)


def print_examples(truth, cluster):
    """Prints one false merge of each of the five clusters with most contents."""
    groups = collections.defaultdict(dict)
    for url, (content, _) in sorted(truth.items()):
        if cluster.get(url) is not None:
            groups[cluster[url]].setdefault(content, url)
    false = [list(group.values()) for group in groups.values() if len(group) > 1]
    for urls in sorted(false, key=lambda urls: (-len(urls), urls))[:5]:
        print(f"- {len(urls)} contents in one cluster: {urls[0]} and {urls[1]}")
    print()


def visible(html):
    """Word 5-grams of all visible text of a page."""
    from selectolax.lexbor import LexborHTMLParser

    body = LexborHTMLParser(html).body
    return common.shingles(body.text(separator=" ") if body else "")


def sampled_pairs(rng, truth, part, is_same):
    """Pairs of pages of a part that have one content, or different ones, in a random order."""
    urls = [url for url, (_, where) in truth.items() if where == part]
    by_content = collections.defaultdict(list)
    for url in urls:
        by_content[truth[url][0]].append(url)
    if is_same and all(len(group) < 2 for group in by_content.values()):
        return
    for _ in range(20 * SAMPLE):
        left = rng.choice(urls)
        right = rng.choice(by_content[truth[left][0]] if is_same else urls)
        if left != right and (truth[left][0] == truth[right][0]) == is_same:
            yield left, right


def print_resemblance(truth, crawl, seed):
    """Prints how alike pairs of pages are by all visible text, by part and by truth."""
    table = common.read_files(crawl, ["url", "html"])
    sets = {url: visible(page) for url, page in
            zip(table["url"].to_pylist(), table["html"].to_pylist()) if url in truth}
    rng, body = random.Random(seed), []
    for part in dict.fromkeys(part for _, part in truth.values()):
        for is_same in (False, True):
            pairs = sampled_pairs(rng, truth, part, is_same)
            values = sorted(common.resemblance(sets[left], sets[right])
                            for _, (left, right) in zip(range(SAMPLE), pairs))
            if values:
                near = sum(value >= 0.8 for value in values)
                body.append([part, "one content" if is_same else "different", len(values),
                             f"{values[len(values) // 2]:.3f}", common.share(near, len(values))])
    common.print_table(["part", "pairs", "sampled", "median resemblance", "share >= .8"], body)


def main():
    """Prints a table a run, or the measurement."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("truth")
    parser.add_argument("clusters", nargs="*", metavar="CLUSTER")
    parser.add_argument("--crawl", help="measure the pages themselves")
    parser.add_argument("--seed", type=int, default=1, help="of the pairs that are measured")
    options = parser.parse_args()
    truth = read_truth(options.truth)
    if options.crawl:
        print_resemblance(truth, options.crawl, options.seed)
    for where in options.clusters:
        print_run(truth, where)


if __name__ == "__main__":
    main()
