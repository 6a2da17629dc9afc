"""w3lib and courlan on the same list, in processor time: peers.py FILE [URLS]"""
import sys
import time

from courlan import clean_url, normalize_url
from w3lib.url import canonicalize_url

ROUNDS = 3


def rate(work, urls):
    fastest = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for url in urls:
            try:
                work(url)
            except ValueError:
                pass
        fastest = min(fastest, time.process_time() - start)
    return len(urls) / fastest


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60_000
    with open(sys.argv[1], encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        urls = [line.rstrip("\n") for line in file][:count]
    print(f"{len(urls)} URLs")
    for name, work in [
        ("w3lib canonicalize_url", canonicalize_url),
        ("courlan normalize_url", normalize_url),
        ("courlan clean_url", clean_url),
    ]:
        print(f"{name:<24} {rate(work, urls) / 1e6:7.3f} million URLs/s")


main()
