"""What the runners share: parameters, tokeniser, corpus, and clusters out of pairs.

Every runner is called as RUNNER.py CORPUS RESULT and writes RESULT, a Parquet file with one row
`(id, cluster)` a document that has a near-duplicate; `cluster` is the least position of a member.
"""

import re
import sys

import pyarrow as pa
import pyarrow.parquet as pq

WIDTH = 5  # words in a shingle
BANDS = 14
SLOTS_PER_BAND = 8
SLOTS = BANDS * SLOTS_PER_BAND
RESEMBLANCE_MIN = 0.8

WORD = re.compile(r"\w+")


def arguments():
    """The folder of the corpus and the path of the result."""
    if len(sys.argv) != 3:
        sys.exit("wanted: CORPUS RESULT")
    return sys.argv[1], sys.argv[2]


def corpus(folder):
    """Ids and texts of the corpus, as Arrow columns."""
    table = pq.read_table(f"{folder}/corpus.parquet", columns=["id", "text"])
    return table["id"], table["text"]


def shingles(text):
    """The word 5-grams of a text; a shorter text is one shingle, an empty one has none."""
    words = WORD.findall(text.lower())
    if len(words) < WIDTH:
        return [" ".join(words)] if words else []
    return [" ".join(gram) for gram in zip(*(words[start:] for start in range(WIDTH)))]


def leaders(pairs):
    """For each position that occurs in a pair, the least position that it is joined with."""
    parent = {}

    def root(node):
        parent.setdefault(node, node)
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for left, right in pairs:
        left, right = root(left), root(right)
        if left != right:
            parent[max(left, right)] = min(left, right)
    return {node: root(node) for node in parent}


def write(result, ids, cluster):
    """Writes the result; `cluster` is what `leaders` returns."""
    positions = sorted(cluster)
    names = ids.take(pa.array(positions, pa.int64()))
    leads = pa.array([cluster[position] for position in positions], pa.int64())
    pq.write_table(pa.table({"id": names, "cluster": leads}), result)
