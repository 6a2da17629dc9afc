"""Daft: normalised text, MinHash, bands, groups, then components by alternating stars.

The steps are those of Daft's published example of MinHash deduplication. `normalize` drops
punctuation where the others cut words at it, and a pair counts once it shares a band: the example
verifies nothing.
"""

import os
import sys

os.environ.setdefault("DAFT_PROGRESS_BAR", "0")

import daft
import pyarrow as pa
from daft import col
from daft.functions import chunk, length, list_min, when

from common import BANDS, SLOTS, SLOTS_PER_BAND, WIDTH, arguments, corpus, write

PASSES_MAX = 30  # of the components; more is a fault


@daft.func()
def band_numbers(bands: list[int]) -> list[int]:
    return list(range(len(bands)))


def signatures(texts):
    """Position and signature of every text; position is a whole number from 0."""
    positions = pa.array(range(len(texts)), pa.int64())
    table = daft.from_arrow(pa.table({"position": positions, "text": texts}))
    plain = col("text").normalize(
        remove_punct=True, lowercase=True, nfd_unicode=True, white_space=True
    )
    signed = plain.minhash(num_hashes=SLOTS, ngram_size=WIDTH, seed=42, hash_function="xxhash")
    return table.select(col("position"), signed.alias("signature")).collect()


def edges(signed):
    """The members of each bucket beside its least one, as `(left, right)` with left < right."""
    bands = chunk(col("signature"), SLOTS_PER_BAND)
    rows = signed.select(col("position"), bands.alias("bands"))
    rows = rows.with_column("band", band_numbers(col("bands"))).explode("bands", "band")
    buckets = rows.groupby("band", "bands").agg(col("position").list_agg().alias("members"))
    buckets = buckets.where(length(col("members")) > 1)
    pairs = buckets.with_column("left", list_min(col("members"))).explode("members")
    pairs = pairs.select(col("left"), col("members").alias("right"))
    return pairs.where(col("left") < col("right")).distinct().collect()


def hooked(pairs, larger):
    """One half of a pass: neighbours of a document are hooked to the least of them and itself.

    With `larger` those above the document are hooked, without it the document and those below.
    """
    turned = pairs.select(col("right").alias("left"), col("left").alias("right"))
    both = pairs.union_all(turned) if larger else turned
    lists = both.groupby("left").agg(col("right").list_agg().alias("others"))
    lists = lists.with_column("least", list_min(col("others")))
    rows = lists.explode("others")
    if larger:
        lowest = when(col("least") < col("left"), col("least")).otherwise(col("left"))
        rows = rows.where(col("others") > col("left"))
        hooks = rows.select(lowest.alias("left"), col("others").alias("right"))
    else:
        own = lists.select(col("least").alias("left"), col("left").alias("right"))
        hooks = rows.select(col("least").alias("left"), col("others").alias("right")).union_all(own)
    return hooks.where(col("left") < col("right")).distinct().collect()


def components(pairs):
    """Stars, one a component: each document beside the least of its component."""
    before = None
    for _ in range(PASSES_MAX):
        pairs = hooked(hooked(pairs, larger=True), larger=False)
        columns = pairs.to_pydict()
        now = set(zip(columns["left"], columns["right"]))
        if now == before:
            return now
        before = now
    sys.exit(f"components are not stable after {PASSES_MAX} passes")


def main():
    assert SLOTS == BANDS * SLOTS_PER_BAND
    folder, result = arguments()
    ids, texts = corpus(folder)
    stars = components(edges(signatures(texts)))
    cluster = {right: left for left, right in stars}
    cluster.update({left: left for left, _ in stars})
    write(result, ids, cluster)


main()
