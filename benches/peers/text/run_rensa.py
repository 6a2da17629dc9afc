"""rensa: shingles in Python, RMinHash and its LSH; a candidate counts from an estimate of 0.8.

rensa takes tokens, so that the shingles are cut here, by the common tokeniser.
"""

from rensa import RMinHash, RMinHashLSH

from common import BANDS, RESEMBLANCE_MIN, SLOTS, arguments, corpus, leaders, shingles, write

BATCH = 2_000  # documents whose shingles are held at a time


def signatures(texts):
    """Position and signature of every text that has a shingle."""
    signed = []
    for start in range(0, len(texts), BATCH):
        sets = [shingles(text) for text in texts.slice(start, BATCH).to_pylist()]
        batch = RMinHash.from_token_sets(sets, num_perm=SLOTS, seed=42)
        signed += [(start + at, batch[at]) for at, found in enumerate(sets) if found]
    return signed


def pairs(signed):
    """Every pair that shares a band and is estimated to be near enough."""
    index = RMinHashLSH(threshold=RESEMBLANCE_MIN, num_perm=SLOTS, num_bands=BANDS)
    index.insert_pairs(signed)
    by_position = dict(signed)
    found = index.query_all([signature for _, signature in signed])
    for (left, signature), others in zip(signed, found):
        for right in others:
            if left < right and signature.jaccard(by_position[right]) >= RESEMBLANCE_MIN:
                yield left, right


def main():
    folder, result = arguments()
    ids, texts = corpus(folder)
    write(result, ids, leaders(pairs(signatures(texts))))


main()
