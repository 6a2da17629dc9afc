"""gaoya: its string index takes whole texts and returns what is estimated to be near enough.

The tokeniser is gaoya's own, words of lower-case text; a query signs its text a second time,
because the index hands no signature out.
"""

from gaoya.minhash import MinHashStringIndex

from common import (
    BANDS,
    RESEMBLANCE_MIN,
    SLOTS,
    SLOTS_PER_BAND,
    WIDTH,
    arguments,
    corpus,
    leaders,
    write,
)

BATCH = 5_000  # documents a call


def pairs(texts):
    """Every pair that the index returns, the later document first."""
    index = MinHashStringIndex(
        hash_size=32,
        jaccard_threshold=RESEMBLANCE_MIN,
        num_bands=BANDS,
        band_size=SLOTS_PER_BAND,
        num_hashes=SLOTS,
        analyzer="word",
        lowercase=True,
        ngram_range=(WIDTH, WIDTH),
        id_container="smallvec",
    )
    batches = range(0, len(texts), BATCH)
    for start in batches:
        batch = texts.slice(start, BATCH).to_pylist()
        index.par_bulk_insert_docs(list(range(start, start + len(batch))), batch)
    for start in batches:
        found = index.par_bulk_query(texts.slice(start, BATCH).to_pylist())
        for at, others in enumerate(found, start):
            yield from ((at, other) for other in others if other < at)


def main():
    folder, result = arguments()
    ids, texts = corpus(folder)
    write(result, ids, leaders(pairs(texts)))


main()
