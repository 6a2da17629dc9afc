"""The check of mirror_kit.py: whether a kit is what it says.

It is made a second time and has to give the same bytes; each mirror has to show enough that is
equal, each other pair enough that is not, each prefix has to be the longest that holds; sampled
contents of a part have to differ. Texts are taken as they were made, not out of the markup.
"""

import collections
import filecmp
import math
import os
import random
import tempfile

from mirror_kit import FILES, host_of, roots


def shingles(doc):
    """Word 5-grams of the main text."""
    found = doc.words()
    return set(zip(*(found[at:] for at in range(5)))) or {tuple(found)}


def resemblance(left, right):
    """Share of shingles of either text that both have."""
    left, right = shingles(left), shingles(right)
    return len(left & right) / len(left | right)


def wilson(same, compared):
    """Lower bound of a share at 95 %."""
    if not compared:
        return 0.0
    z, share = 1.96, same / compared
    middle = share + z * z / (2 * compared)
    spread = z * math.sqrt(share * (1 - share) / compared + z * z / (4 * compared ** 2))
    return (middle - spread) / (1 + z * z / compared)


class Checker:
    """Measures what the kit promises of its pairs of hosts."""

    def __init__(self, kit):
        self.kit = kit
        self.paths = collections.defaultdict(set)
        self.moved = collections.defaultdict(dict)
        for url in [*kit.docs, *kit.errors]:
            self.paths[host_of(url)].add(url.removeprefix(host_of(url)))
        for url, target in kit.redirects.items():
            self.moved[host_of(url)][url] = target

    def compared(self, left, right, prefixes=("/", "/"), carved=()):
        """Pages equal and compared below two prefixes; failed pages count as different."""
        same = compared = 0
        for path in self.paths[left]:
            is_out = any(path.startswith(one) for one in carved)
            if not path.startswith(prefixes[0]) or is_out:
                continue
            here = left + path
            there = right + prefixes[1] + path.removeprefix(prefixes[0])
            docs = self.kit.docs.get(here), self.kit.docs.get(there)
            if there in self.kit.errors or (here in self.kit.errors and docs[1]):
                compared += 1
            elif all(docs) and all(len(doc.words()) >= 50 for doc in docs):
                compared += 1
                same += resemblance(*docs) >= 0.9
        return same, compared

    def is_moved(self, left, right):
        """Whether a host redirects, path by path, to the other or to what the other is."""
        kept = [target for url, target in self.moved[left].items()
                if url.removeprefix(left) == target.removeprefix(host_of(target))]
        hosts = {host_of(target) for target in kept}
        return len(kept) >= 0.9 * len(self.moved[left]) and len(kept) >= 5 and bool(hosts)


def problems(kit):
    """What the kit promises and does not hold."""
    check, found = Checker(kit), []
    for part, left, right, relation, note in kit.truth:
        if not right or part == "real":
            continue
        same, compared = check.compared(left, right)
        bound = wilson(same, compared)
        is_moved = check.is_moved(left, right) or check.is_moved(right, left)
        if relation == "mirror" and not is_moved and (bound < 0.75 or compared < 12):
            found.append(f"{left} {right}: mirror, {same} of {compared} equal")
        if relation in ("none", "translation", "partial") and bound >= 0.6:
            found.append(f"{left} {right}: {relation}, {same} of {compared} equal")
        if relation == "undecided" and (same != compared or not 3 <= compared <= 8):
            found.append(f"{left} {right}: undecided, {same} of {compared} equal")
    for part, left, start, right, to, carved, note in kit.prefixes:
        if part == "real":
            continue
        shorter = tuple(roots(start, to))
        same, compared = check.compared(left, right, shorter)
        if shorter != (start, to) and wilson(same, compared) >= 0.7:
            found.append(f"{left}{start} {right}{to}: not the longest, {same} of {compared} equal")
        for outs in ((), carved.split()):
            same, compared = check.compared(left, right, (start, to), outs)
            is_enough = outs or note != "carved_big"
            if is_enough and (wilson(same, compared) < 0.75 or compared < 12):
                found.append(f"{left}{start} {right}{to}: {same} of {compared} equal, {outs}")
    return found


def sampled_resemblance(kit, count=3000):
    """Per part the greatest resemblance of sampled different contents of the part."""
    rng, by_part, most = random.Random(1), collections.defaultdict(list), {}
    for site in kit.sites:
        by_part[site.part] += [kit.docs[site.base + path] for path in site.known
                               if site.base + path in kit.docs]
    for part, docs in by_part.items():
        values = [0.0]
        for _ in range(count if len(docs) > 1 else 0):
            left, right = rng.sample(docs, 2)
            # Contents that are copies or edits of each other share a paragraph or the title.
            if left.title != right.title and not set(left.texts) & set(right.texts):
                values.append(resemblance(left, right))
        most[part] = max(values)
    return most


def checked(kit, again, folder):
    """Tests the kit; returns whether it holds."""
    with tempfile.TemporaryDirectory() as other:
        again().write(other)
        bad = [f"{one}: differs when made again" for one in FILES
               if not filecmp.cmp(os.path.join(folder, one), os.path.join(other, one), False)]
    urls = [(row[0], row[1]) for row in kit.crawl]
    bad += ["a URL is fetched twice at one time"] if len(set(urls)) < len(urls) else []
    bad += problems(kit)
    if kit.docs:
        for part, value in sampled_resemblance(kit).items():
            print(f"{part}: different contents resemble each other up to {value:.2f}")
            bad += [f"{part}: too alike"] if value >= 0.3 and part != "real" else []
    for line in bad:
        print("wrong: " + line)
    return not bad
