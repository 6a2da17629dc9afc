#!/usr/bin/env python3
"""Signatures alone: rensa and gaoya on the texts of the kernel bench, and that bench, in turn.

    python signature.py TEXTS [--megabytes 8] [--rounds 3] [-- COMMAND ...]

TEXTS is a file of benches/inputs.py. rensa gets the word 5-grams of each text as ready-made
strings, so its time is that of hashing and signing them; gaoya gets the text and does what its
index does with it. COMMAND, for instance `cargo bench --bench kernels -- TEXTS`, is run after each
round. Time is that of the processor, of this thread.
"""

import argparse
import re
import subprocess
import sys
import time

from gaoya.minhash import MinHashStringIndex
from rensa import RMinHash

WIDTH = 5


def texts(path, megabytes):
    with open(path, "rb") as file:
        data = file.read(megabytes * 1_000_000)
    return data[: data.rfind(b"\0")].decode().split("\0")


def shingles(text):
    words = re.findall(r"\w+", text.lower())
    return [" ".join(words[at : at + WIDTH]) for at in range(len(words) - WIDTH + 1)]


def rensa(sets, slots):
    for shingles_of_text in sets:
        signature = RMinHash(num_perm=slots, seed=42)
        signature.update(shingles_of_text)
        signature.digest()


def gaoya(documents, slots):
    index = MinHashStringIndex(
        hash_size=32,
        jaccard_threshold=0.8,
        num_bands=slots // 8,
        band_size=8,
        num_hashes=slots,
        analyzer="word",
        lowercase=True,
        ngram_range=(WIDTH, WIDTH),
        id_container="smallvec",
    )
    for number, document in enumerate(documents):
        index.insert_document(number, document)


def timed(step):
    start = time.thread_time()
    step()
    return time.thread_time() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts")
    parser.add_argument("--megabytes", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    own, command = sys.argv[1:], []
    if "--" in own:
        own, command = own[: own.index("--")], own[own.index("--") + 1 :]
    options = parser.parse_args(own)
    documents = texts(options.texts, options.megabytes)
    sets = [shingles(document) for document in documents]
    count = sum(map(len, sets))
    size = sum(len(document.encode()) for document in documents)
    print(f"{len(documents)} texts, {size / 1e6:.1f} MB, {count} shingles")
    for number in range(1, options.rounds + 1):
        for name, step in [
            ("rensa, 128 slots, ready-made strings", lambda: rensa(sets, 128)),
            ("gaoya, 128 slots, whole texts", lambda: gaoya(documents, 128)),
        ]:
            seconds = timed(step)
            rate = f"{seconds * 1e9 / count:.1f} ns/shingle, {size / 1e6 / seconds:.0f} MB/s"
            print(f"round {number}: {name}: {rate}", flush=True)
        if command:
            subprocess.run(command, check=True)


main()
