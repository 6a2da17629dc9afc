#!/usr/bin/env python3
"""Random clusters that two runs of one input cut differently, as Markdown, to be judged by eye.

    python3 benches/judgement/sample_changed.py OLD NEW --seed 1 --clusters 20

OLD and NEW are runs: the JSON that each printed last, or a folder of generations. A page id
depends on the text, which a method may change, so pages are matched by raw URL, else by id. A
cluster of either run is changed when the other does not have the same members together; a pair of
such clusters that share a member is one entry. Only entries with a cluster of several are drawn.
"""

import argparse
import collections
import random

import common

MEMBERS_MAX = 12


class Side:
    """One run: the cluster of each URL, members, titles and the figures of each URL."""

    def __init__(self, run):
        tables = common.run_tables(run)
        self.cluster, self.told, self.page = {}, {}, {}
        self.members = collections.defaultdict(set)
        columns = ["page_id", "url", "id", "cluster", "reason", "is_representative",
                   "resemblance_medoid", "tier"]
        for row in common.rows(tables, "cluster", columns):
            page, url, name, cluster, reason, leads, near, tier = row
            key = url if url is not None else name
            self.page.setdefault(key, page)
            if key not in self.cluster or self.cluster[key] is None:
                self.cluster[key] = cluster
                self.told[key] = (reason if leads else "", near, tier)
            if cluster is not None:
                self.members[cluster].add(key)
        self.title = dict(common.rows(tables, "page_fact", ["page_id", "title"]))
        self.pages = common.Pages(tables)
        self.edges = common.Edges(tables, self.pages)


def components(old, new):
    """Clusters of both runs that are connected by shared members, where they are not equal."""
    parent = {}

    def root(node):
        parent.setdefault(node, node)
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for key in old.cluster.keys() | new.cluster.keys():
        sides = [(name, side.cluster.get(key)) for name, side in (("old", old), ("new", new))]
        found = [side for side in sides if side[1] is not None]
        if found:
            left, right = root(found[0]), root(found[-1])
            parent[max(left, right)] = min(left, right)
    groups = collections.defaultdict(set)
    for node in list(parent):
        groups[root(node)].add(node)
    return [group for _, group in sorted(groups.items())]


def is_changed(group, old, new):
    """Whether clusters of several pages in the group are not the same set in both runs."""
    sets = {name: {frozenset(side.members[cluster]) for which, cluster in group if which == name}
            for name, side in (("old", old), ("new", new))}
    several = any(len(one) > 1 for found in sets.values() for one in found)
    return several and sets["old"] != sets["new"]


def letter(side, names, key):
    """The name of a URL's cluster within one entry, such as A; a dash where it has none."""
    cluster = side.cluster.get(key)
    if cluster is None:
        gates = side.pages.gates(key)
        return f"- ({', '.join(gates)})" if gates else "absent"
    names.setdefault(cluster, chr(ord("A") + len(names)) if len(names) < 26 else f"#{len(names)}")
    return names[cluster]


def why(side, key):
    """Reason of a representative, tier of a member and its resemblance to the medoid."""
    reason, near, tier = side.told.get(key, ("", None, None))
    figure = f"{near:.3f}" if near is not None else ""
    return ", ".join(part for part in (reason, tier, figure) if part)


def separated(keys, old, new):
    """Edges of the new run between pages it keeps apart that were together in the old one."""
    found = []
    for at, left in enumerate(keys):
        for right in keys[at + 1:]:
            together = old.cluster.get(left) is not None
            together = together and old.cluster.get(left) == old.cluster.get(right)
            if together and new.cluster.get(left) != new.cluster.get(right):
                edge = new.edges.between(new.pages.by_url[left], new.pages.by_url[right])
                told = common.verdict(edge) if edge else "no edge"
                figure = f", {edge['resemblance']:.3f}" if edge else ""
                found.append(f"- {told}{figure}: {left} and {right}")
    return found[:MEMBERS_MAX]


def shown(keys, old, new):
    """Members to list: some of every pair of clusters, in order."""
    groups = collections.defaultdict(list)
    for key in sorted(keys):
        groups[(old.cluster.get(key) or b"", new.cluster.get(key) or b"")].append(key)
    found, depth = [], 0
    while len(found) < min(MEMBERS_MAX, len(keys)):
        found += [group[depth] for _, group in sorted(groups.items()) if depth < len(group)]
        depth += 1
    return sorted(found[:MEMBERS_MAX])


def print_entry(number, group, old, new):
    """Prints one changed group."""
    keys = set().union(*((old if which == "old" else new).members[cluster]
                         for which, cluster in group))
    counts = {name: sum(which == name for which, _ in group) for name in ("old", "new")}
    print(f"### {number}. {len(keys)} pages: {counts['old']} old clusters, {counts['new']} new\n")
    names = {}, {}
    listed = shown(keys, old, new)
    body = []
    for key in listed:
        title = new.title.get(new.page.get(key)) or old.title.get(old.page.get(key))
        body.append([letter(old, names[0], key), letter(new, names[1], key), key, title,
                     why(old, key), why(new, key)])
    common.print_table(["old", "new", "page", "title", "why, old", "why, new"], body)
    if len(keys) > len(listed):
        print(f"and {len(keys) - len(listed)} more\n")
    for title, found in (("kept apart now", separated(listed, old, new)),
                         ("kept apart before", separated(listed, new, old))):
        if found:
            print(f"{title}:\n\n" + "\n".join(found) + "\n")
    print("Judgement:\n")


def main():
    """Draws and prints the changed groups."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clusters", type=int, default=20)
    options = parser.parse_args()
    old, new = Side(options.old), Side(options.new)
    changed = [group for group in components(old, new) if is_changed(group, old, new)]
    drawn = random.Random(options.seed).sample(changed, min(options.clusters, len(changed)))
    print(f"# {len(drawn)} of {len(changed)} changed groups of clusters, seed {options.seed}\n")
    for number, group in enumerate(drawn, 1):
        print_entry(number, group, old, new)


if __name__ == "__main__":
    main()
