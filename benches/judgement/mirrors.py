#!/usr/bin/env python3
"""Mirrors that a run found, missed and invented over the mirror kit.

    python3 testdata/mirror_kit.py --seed 1 out/mirror-kit
    python3 benches/judgement/mirrors.py out/mirror-kit RUN [--crawl out/mirror-kit/crawl.parquet]

RUN is the JSON that a run prints last or a folder of generations; the kit's folder holds
truth.csv and prefixes.csv. What a run says of a pair of hosts is, in this order: `mirror` if rows
of the table `mirror` with both prefixes `/` join them, directly or by others; `partial` if a row
with another prefix does; else the verdict of `mirror_edge` on the whole hosts, or on prefixes where
there is no other; else `untested`. A verdict `not` is told by its reason. A pair is wrong if
it is called mirror or partial and is not that, or is mirror, partial or undecided and called
something else. Invented are pairs called mirror or partial that the truth knows as neither,
within a part or across parts. Prefixes are compared without direction, hosts of one whole mirror
as one; a slash is added where a prefix has none at its end. With --crawl each fetched URL is sent
through the table by longest prefix: right if what it becomes is the same page by the truth.
Exit code 1 means that a mirror was invented.
"""

import argparse
import collections
import csv
import os
import sys

import common

# The names that this script relies on, in one place.
EDGE = ("mirror_edge", ("left_host", "left_prefix", "right_host", "right_prefix", "verdict",
                        "reason"))
MIRROR = ("mirror", ("from_host", "from_prefix", "to_host", "to_prefix"))
HINT = ("fetch_hint", ("left_host", "right_host", "url"))
# The verdict against a pair, and the reasons for it in the words of the truth; others are `none`.
NOT = "not"
REASONS = {"translation": "translation", "regional": "regional", "few_texts": "parked"}
SAME = ("mirror", "partial")
SHOWN = 20  # pairs of each list


class Groups:
    """Sets of hosts that are joined step by step."""

    def __init__(self):
        self.parent = {}

    def of(self, host):
        """The name of the set of a host: its least member."""
        while self.parent.get(host, host) != host:
            host = self.parent[host]
        return host

    def join(self, left, right):
        """Makes one set of two."""
        least, other = sorted((self.of(left), self.of(right)))
        self.parent[other] = least
        self.parent.setdefault(least, least)

    def pairs(self):
        """All pairs of hosts of one set."""
        members = collections.defaultdict(list)
        for host in sorted(self.parent):
            members[self.of(host)].append(host)
        for hosts in members.values():
            for at, left in enumerate(hosts):
                for right in hosts[at + 1:]:
                    yield left, right


def slashed(prefix):
    """A prefix with a slash at both ends."""
    return "/" + (prefix or "").strip("/") + "/" if (prefix or "").strip("/") else "/"


class Truth:
    """Relations of pairs and of parts, and the prefixes."""

    def __init__(self, folder):
        self.rows = read_csv(os.path.join(folder, "truth.csv"))
        self.pairs, self.alone, self.part, self.groups = {}, {}, {}, Groups()
        for row in self.rows:
            left, right = row["host_a"], row["host_b"]
            for host in filter(None, (left, right)):
                self.part[host] = row["part"]
            if right:
                self.pairs[common.pair(left, right)] = row["relation"]
            else:
                self.alone[left] = row["relation"]
            if row["relation"] == "mirror":
                self.groups.join(left, right)
        self.prefixes = [
            (row["part"], row["from_host"], slashed(row["from_prefix"]), row["to_host"],
             slashed(row["to_prefix"]), tuple(map(slashed, row["carve_outs"].split())))
            for row in read_csv(os.path.join(folder, "prefixes.csv"))]

    def relation(self, left, right):
        """What two hosts are; `none` if nobody says."""
        found = self.pairs.get(common.pair(left, right))
        if found is None and self.part.get(left) == self.part.get(right):
            found = self.alone.get(left)
        return found or "none"

    def where(self, left, right):
        """The part of a pair."""
        parts = {self.part.get(left, "unknown host"), self.part.get(right, "unknown host")}
        return parts.pop() if len(parts) == 1 else "across"


class Run:
    """What a run says of pairs of hosts."""

    def __init__(self, where):
        tables = common.run_tables(where)
        for name, _ in (EDGE, MIRROR):
            if name not in tables:
                sys.exit(f"{where}: no table `{name}`")
        self.verdicts = {}
        whole = set()
        for left, start, right, to, verdict, reason in common.rows(
                tables, EDGE[0], list(EDGE[1])):
            key, word = common.pair(left, right), verdict
            if verdict == NOT:
                word = REASONS.get(reason, "none")
            if slashed(start) == slashed(to) == "/":
                whole.add(key)
                self.verdicts[key] = word
            elif key not in whole:
                self.verdicts.setdefault(key, word)
        self.hints = collections.defaultdict(set)
        for left, right, url in common.rows(tables, HINT[0], list(HINT[1])):
            self.hints[common.pair(left, right)].add(url)
        self.groups, self.maps, self.partial = Groups(), collections.defaultdict(dict), {}
        self.kept = collections.defaultdict(set)
        for host, start, other, to in common.rows(tables, MIRROR[0], list(MIRROR[1])):
            start, to = slashed(start), slashed(to)
            if other is None or (other == host and start == to):
                # A prefix that stays where it is: what is carved out of a longer map.
                self.kept[host].add(start)
                self.maps[host][start] = (host, start)
                continue
            self.maps[host][start] = (other, to)
            if start == to == "/":
                self.groups.join(host, other)
            else:
                self.partial.setdefault(common.pair(host, other), []).append(
                    (host, start, other, to))
        self.joined = {common.pair(self.groups.of(left), self.groups.of(right))
                       for left, right in self.partial}

    def says(self, left, right):
        """The word for a pair."""
        groups = self.groups.of(left), self.groups.of(right)
        if groups[0] == groups[1]:
            return "mirror"
        if common.pair(*groups) in self.joined:
            return "partial"
        return self.verdicts.get(common.pair(left, right), "untested")

    def same(self):
        """All pairs of hosts that are joined by the table `mirror`, in whole or in part."""
        return sorted(set(self.groups.pairs()) | set(self.partial))

    def sent(self, host, path):
        """Where the table sends a URL by longest prefix."""
        maps = self.maps.get(host, {})
        fit = [start for start in maps if path.startswith(start) or path + "/" == start]
        if not fit:
            return host + path
        start = max(fit, key=len)
        other, to = maps[start]
        return other + to + path[len(start):]


def read_csv(path):
    """Rows of a file as dictionaries."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def is_wrong(relation, said):
    """Whether what a run says contradicts the truth."""
    if said in SAME or relation in (*SAME, "undecided"):
        return said != relation
    return False


def counts_by_part(truth, run):
    """For each part and relation, how often the run says what; and the wrong pairs."""
    found, wrong = collections.defaultdict(collections.Counter), []
    for row in truth.rows:
        left, right, key = row["host_a"], row["host_b"], (row["part"], row["relation"])
        if right:
            said = run.says(left, right)
            found[key][said] += 1
            if is_wrong(row["relation"], said):
                wrong.append((*key, left, right, said, row["note"]))
        else:
            found[key]["hosts"] += 1
    seen = set(run.verdicts) | set(run.same())
    for left, right in sorted(seen):
        key = (truth.where(left, right), truth.relation(left, right))
        if common.pair(left, right) in truth.pairs or key[0] == "across":
            continue
        said = run.says(left, right)
        found[key][said] += 1
        if is_wrong(key[1], said):
            wrong.append((*key, left, right, said, ""))
    for counts in found.values():
        hosts = counts.pop("hosts", 0)
        if hosts:
            counts["untested"] = hosts * (hosts - 1) // 2 - sum(counts.values())
    return found, wrong


def print_parts(truth, run):
    """Prints what the run says of the pairs of each part."""
    found, wrong = counts_by_part(truth, run)
    fixed = ["mirror", "partial", "none", "translation", "regional", "parked", "undecided",
             "untested"]
    words = fixed + sorted({word for counts in found.values() for word in counts} - set(fixed))
    faults = collections.Counter(one[:2] for one in wrong)
    body = [[*key, sum(counts.values()), *(counts[word] for word in words), faults[key]]
            for key, counts in found.items()]
    common.print_table(["part", "truth", "pairs", *words, "wrong"], body)
    whole = [row for row in truth.rows if row["relation"] == "mirror"]
    sets = collections.defaultdict(list)
    for row in whole:
        sets[truth.groups.of(row["host_a"])].append(run.says(row["host_a"], row["host_b"]))
    complete = sum(all(said == "mirror" for said in pairs) for pairs in sets.values())
    print(f"Whole mirrors with all hosts found: {complete} of {len(sets)} "
          f"({common.share(complete, len(sets))}).\n")
    for part, relation, left, right, said, note in wrong[:SHOWN]:
        print(f"- {part}: {left} and {right} are {relation}, said {said}"
              + (f" ({note})" if note else ""))
    print(f"- {len(wrong)} wrong in all\n")
    open_pairs = [key for key, relation in truth.pairs.items()
                  if relation == "undecided" and run.says(*key) == "undecided"]
    told = sum(bool(run.hints[key]) for key in open_pairs)
    print(f"Pairs rightly undecided: {len(open_pairs)}; with URLs to fetch next: {told}.\n")


def invented(truth, run):
    """Pairs called one site, in whole or in part, that are neither."""
    return [(truth.where(left, right), truth.relation(left, right), left, right,
             run.says(left, right)) for left, right in run.same()
            if truth.relation(left, right) not in SAME]


def print_invented(found):
    """Prints the invented mirrors."""
    print(f"Invented mirrors: {len(found)}.\n")
    for part, relation, left, right, said in found[:SHOWN]:
        print(f"- {part}: {left} and {right} are {relation}, said {said}")
    if found:
        print()


def ends(groups, left, start, right, to):
    """The two ends of a mapping without direction, hosts of one whole mirror as one."""
    return common.pair((groups.of(left), start), (groups.of(right), to))


def kept_below(run, host, start, other, to):
    """What a run carves out of a mapping, as prefixes below `start` of `host`."""
    found = {one for one in run.kept[host] if one.startswith(start) and one != start}
    return found | {start + one[len(to):] for one in run.kept[other]
                    if one.startswith(to) and one != to}


def print_prefixes(truth, run):
    """Prints how many prefixes are exact, and what stands in the place of the others."""
    said = collections.defaultdict(set)
    for rows in run.partial.values():
        for row in rows:
            key = ends(truth.groups, *row)
            said[common.pair(key[0][0], key[1][0])].add(key)
    expected = {}
    for part, left, start, right, to, carved in truth.prefixes:
        expected.setdefault(ends(truth.groups, left, start, right, to),
                            (part, left, start, right, to, carved))
    counts, lines = collections.defaultdict(collections.Counter), []
    wanted = collections.defaultdict(set)
    for key in expected:
        wanted[common.pair(key[0][0], key[1][0])].add(key)
    for key, (part, left, start, right, to, carved) in expected.items():
        hosts = common.pair(key[0][0], key[1][0])
        is_exact = key in said[hosts]
        counts[part]["prefixes"] += 1
        counts[part]["exact"] += is_exact
        counts[part]["alone"] += is_exact and said[hosts] == wanted[hosts]
        counts[part]["none"] += not said[hosts]
        counts[part]["carved"] += bool(carved)
        counts[part]["carved found"] += is_exact and bool(carved) and set(carved) <= kept_below(
            run, left, start, right, to)
        if not is_exact or said[hosts] != wanted[hosts]:
            other = "; ".join(f"{one[0][1]} = {one[1][1]}" for one in sorted(said[hosts]))
            other = other or {"mirror": "/ = /"}.get(run.says(left, right), "nothing")
            lines.append(f"- {left}{start} = {right}{to}: said {other}")
    body = [[part, one["prefixes"], one["exact"], common.share(one["exact"], one["prefixes"]),
             one["alone"], one["none"], one["carved"], one["carved found"]]
            for part, one in counts.items()]
    common.print_table(["part", "prefixes", "exact", "share", "exact and no other", "none found",
                        "with carve-outs", "of them carved alike"], body)
    for line in lines[:SHOWN]:
        print(line)
    if lines:
        print()


def equals(truth, by_host, host, path):
    """All URLs that show the same page by the truth, with itself."""
    found, queue = {host + path}, [(host, path)]
    while queue:
        host, path = queue.pop()
        near = [(other, path) for other in by_host["whole"][host]]
        for left, start, right, to, carved in by_host["prefix"][host]:
            if path.startswith(start) and not any(path.startswith(one) for one in carved):
                near.append((right, to + path[len(start):]))
        for other in near:
            if "".join(other) not in found:
                found.add("".join(other))
                queue.append(other)
    return found


def neighbours(truth):
    """For each host the hosts and prefixes that it is joined with."""
    whole, prefix = collections.defaultdict(list), collections.defaultdict(list)
    for row in truth.rows:
        if row["relation"] == "mirror":
            whole[row["host_a"]].append(row["host_b"])
            whole[row["host_b"]].append(row["host_a"])
    for _, left, start, right, to, carved in truth.prefixes:
        prefix[left].append((left, start, right, to, carved))
        back = tuple(to + one[len(start):] for one in carved)
        prefix[right].append((right, to, left, start, back))
    return {"whole": whole, "prefix": prefix}


def print_urls(truth, run, crawl):
    """Prints how many fetched URLs the table sends to the same page."""
    urls = sorted(set(common.read_files(crawl, ["url"])["url"].to_pylist()))
    by_host, counts = neighbours(truth), collections.defaultdict(collections.Counter)
    wrong, targets, split = [], collections.defaultdict(set), []
    for url in urls:
        at = (url + "/").index("/", url.index("//") + 2)
        host, path = url[:at], url[at:] or "/"
        same = equals(truth, by_host, host, path)
        sent = run.sent(host, path)
        one = counts[truth.part.get(host, "unknown host")]
        one["urls"] += 1
        one["has equals"] += len(same) > 1
        one["sent"] += sent != host + path
        if sent not in same:
            one["wrong"] += 1
            wrong.append(f"- {url} is sent to {sent}")
        targets[min(same)].add(sent)
        split.append((one, min(same), len(same)))
    for one, key, size in split:
        one["one target"] += size > 1 and len(targets[key]) == 1
    names = ["urls", "has equals", "one target", "sent", "wrong"]
    common.print_table(["part", *names],
                       [[part, *(one[name] for name in names)] for part, one in counts.items()])
    for line in wrong[:SHOWN]:
        print(line)


def main():
    """Prints the tables of each run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kit", help="folder of truth.csv and prefixes.csv")
    parser.add_argument("runs", nargs="+", metavar="RUN")
    parser.add_argument("--crawl", help="send its URLs through the table `mirror`")
    options = parser.parse_args()
    truth, is_bad = Truth(options.kit), False
    for where in options.runs:
        run = Run(where)
        print(f"## {where}\n")
        print_parts(truth, run)
        found = invented(truth, run)
        print_invented(found)
        is_bad |= bool(found)
        print_prefixes(truth, run)
        if options.crawl:
            print_urls(truth, run, options.crawl)
    sys.exit(1 if is_bad else 0)


if __name__ == "__main__":
    main()
