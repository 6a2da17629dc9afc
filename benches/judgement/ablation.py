#!/usr/bin/env python3
"""One job with each guard in turn switched off: what every guard keeps apart.

    python3 benches/judgement/ablation.py BIN JOB.toml --guards product,price,digits --out DIR \\
        [--key guard.{}] [--one-root] -- [--set key=value ...]

BIN is the program. A run with all guards comes first, then one a guard with `--set KEY=false`,
where KEY is --key with the name of the guard for `{}`. What follows `--` goes to every run. Each
run has its own folder below DIR; with --one-root all are generations of one, so that what does
not depend on guards is computed once. DIR also receives the last line of each run as NAME.json;
a run whose NAME.json is there is not repeated unless --fresh is given.
"""

import argparse
import collections
import json
import os
import subprocess
import sys

import common

EXAMPLES = 5
ALL = "all guards on"


def arguments(words):
    """Options of this script, and those of the runs, which stand behind `--`."""
    cut = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin")
    parser.add_argument("job")
    parser.add_argument("--guards", required=True, help="names, with commas between")
    parser.add_argument("--out", required=True, help="folder of the runs")
    parser.add_argument("--key", default="guard.{}", help="setting of a guard")
    parser.add_argument("--one-root", action="store_true")
    parser.add_argument("--fresh", action="store_true", help="repeat runs that are there")
    return parser.parse_args(words[:cut]), words[cut + 1:]


def run(options, guard, rest):
    """Runs the job without one guard, or with all for None; the path of its last line."""
    name = guard or "all"
    kept = os.path.join(options.out, name + ".json")
    if os.path.exists(kept) and not options.fresh:
        return kept
    root = os.path.join(options.out, "root" if options.one_root else name)
    sets = ["--set", f"output.root={json.dumps(root)}"]
    if guard:
        sets += ["--set", options.key.format(guard) + "=false"]
    command = [options.bin, "run", options.job, *rest, *sets]
    with open(os.path.join(options.out, name + ".log"), "wb") as log:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=log, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}, see {log.name}")
    with open(kept + ".part", "wb") as file:
        file.write(done.stdout.strip().splitlines()[-1] + b"\n")
    os.replace(kept + ".part", kept)
    return kept


def edge_figures(tables):
    """How many edges were accepted, and refused by which guard."""
    accepted, refused = 0, collections.Counter()
    for outcome, guard in common.rows(tables, "document_edge", ["outcome", "guard"]):
        accepted += outcome == "accepted"
        if outcome != "accepted":
            refused[guard or "no guard"] += 1
    return accepted, refused


def joined_pairs(pages, other):
    """How many pairs are merged here and not there, over pages that both runs compare."""
    both = [page for page in pages.cluster
            if pages.merged(page) is not None and other.merged(page) is not None]
    here = collections.Counter(pages.merged(page) for page in both)
    kept = collections.Counter((pages.merged(page), other.merged(page)) for page in both)
    return common.pair_count(here.values()) - common.pair_count(kept.values())


def examples(pages, other):
    """Pairs that are merged here and not there: at most one a cluster, by URL."""
    groups = collections.defaultdict(list)
    for group in pages.members().values():
        for page in group:
            if other.merged(page) is not None:
                groups[pages.merged(page)].append(page)
    found = []
    for group in groups.values():
        apart = [page for page in group if other.merged(page) != other.merged(group[0])]
        if apart:
            found.append((pages.url.get(group[0]) or "", pages.url.get(apart[0]) or ""))
    return sorted(found)[:EXAMPLES]


def figures(name, tables, pages, base):
    """The row of one run."""
    accepted, refused = edge_figures(tables)
    members = pages.members()
    several = sum(len(group) for group in members.values() if len(group) > 1)
    told = ", ".join(f"{guard} {count}" for guard, count in sorted(refused.items()))
    return [name, accepted, sum(refused.values()), told, len(members), several,
            joined_pairs(pages, base), joined_pairs(base, pages)]


def print_examples(title, found):
    """Prints pairs of URLs under a title."""
    print(f"{title}:\n")
    for left, right in found:
        print(f"- {left}\n  {right}")
    print()


def main():
    """Runs what is missing and prints the table and the examples."""
    options, rest = arguments(sys.argv[1:])
    os.makedirs(options.out, exist_ok=True)
    guards = [name for name in options.guards.split(",") if name]
    tables = common.run_tables(run(options, None, rest))
    base = common.Pages(tables)
    body, shown = [figures(ALL, tables, base, base)], []
    for guard in guards:
        tables = common.run_tables(run(options, guard, rest))
        pages = common.Pages(tables)
        body.append(figures(f"without {guard}", tables, pages, base))
        shown += [(f"merged without `{guard}`, apart with all guards", examples(pages, base)),
                  (f"apart without `{guard}`, merged with all guards", examples(base, pages))]
    common.print_table(["run", "edges accepted", "edges refused", "refused by", "clusters",
                        "pages in clusters > 1", "pairs merged anew", "pairs no longer merged"],
                       body)
    for title, found in shown:
        if found:
            print_examples(title, found)


if __name__ == "__main__":
    main()
