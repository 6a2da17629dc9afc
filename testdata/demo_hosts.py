#!/usr/bin/env python3
"""Rows of the demo that show mirrors of hosts: testdata/demo/hosts.jsonl.

    python3 testdata/demo_hosts.py > testdata/demo/hosts.jsonl

Every pair of hosts has a name that says what it is. The exercise has twenty common paths: five
with one text, one with two texts, and fourteen that only share their long frame, so that full
pages speak for a mirror and main texts against it.
"""

import json
import random

WORDS = {
    "en": (
        "the a small old bright quiet northern wooden copper early garden river harbour engine "
        "market window baker painter sailor carries repairs opens counts measures keeps beside "
        "under behind before after while and with many few seven ropes lamps wheels barrels"
    ).split(),
    "de": (
        "der die das kleine alte helle ruhige hölzerne frühe Garten Fluss Hafen Motor Markt "
        "Fenster Bäcker Maler Seemann trägt repariert öffnet zählt misst neben unter hinter vor "
        "nach während und mit viele wenige sieben Seile Lampen Räder Fässer nicht aber auch"
    ).split(),
}


def text(seed, words, language="en"):
    """So many words, the same for the same seed."""
    dice = random.Random(seed)
    said = [dice.choice(WORDS[language]) for _ in range(words)]
    lines = [" ".join(said[at:at + 11]).capitalize() + "." for at in range(0, words, 11)]
    return " ".join(lines)


def page(title, body, frame, language="en"):
    """A page with a frame of so many words around its article."""
    menu = "".join(f"<li><a href='/m{n}'>{text(f'menu {frame} {n}', 2)}</a></li>" for n in range(8))
    notes = "".join(f"<p>{text(f'frame {frame} {n}', 40)}</p>" for n in range(frame // 40))
    return (
        f"<!doctype html><html lang={language}><head><title>{title}</title></head><body>"
        f"<nav><ul>{menu}</ul></nav><article><h1>{title}</h1><p>{body}</p></article>"
        f"<aside>{notes}</aside></body></html>"
    )


class Crawl:
    """The rows, in order."""

    def __init__(self):
        self.rows = []

    def page(self, url, seed, words=70, frame=80, language="en", tail=""):
        title = text(f"title {seed}", 4, language)
        body = text(seed, words, language) + tail
        self.row(url, html=page(title, body, frame, language))

    def row(self, url, **more):
        name = "host-" + url.split("/")[2].split(".")[0]
        day = 1 + len(self.rows) % 20
        row = {"url": url, "id": name, "fetch_time": f"2026-10-{day:02}T00:00:00Z"}
        self.rows.append(row | more)


def paths(count, site, folder="/"):
    """So many paths in two folders, of one site alone."""
    names = [text(f"{site} {folder} {n}", 3).strip(".").lower() for n in range(count)]
    return [f"{folder}{'news' if n % 2 else 'guide'}/{name.replace(' ', '-')}-{len(site)}{n}.html"
            for n, name in enumerate(names)]


def main():
    crawl = Crawl()
    for n, path in enumerate(paths(20, "exercise")):
        for side in ("left", "right"):
            is_one = n < 5
            words, frame = 70 if n < 6 else 52, 800
            seed = f"exercise {n}" + ("" if is_one else side)
            if n == 5:
                words = 400
            crawl.page(f"https://{side}.exercise.example{path}", seed, words, frame)
    for path in paths(14, "twin"):
        crawl.page(f"https://twin.example{path}", f"twin {path}")
        crawl.page(f"http://twin.example{path}", f"twin {path}")
    for path in paths(8, "moved"):
        crawl.page(f"https://moved-to.example{path}", f"moved {path}")
        crawl.row(f"https://moved-from.example{path}", fetch_status=301,
                  fetch_redirect=f"https://moved-to.example{path}")
    for path in paths(13, "part"):
        crawl.page(f"https://whole.example/docs{path}", f"part {path}")
        crawl.page(f"https://part.example{path}", f"part {path}")
    for path in paths(6, "part", "/blog/"):
        crawl.page(f"https://whole.example{path}", f"whole {path}")
        crawl.page(f"https://part.example{path}", f"other {path}")
    for path in paths(12, "words"):
        crawl.page(f"https://words-en.example{path}", f"words {path}")
        crawl.page(f"https://words-de.example{path}", f"words {path}", language="de")
    for n, path in enumerate(paths(12, "shop")):
        crawl.page(f"https://north.shop.example{path}", f"shop {path}", 90,
                   tail=f" Price {20 + n} EUR, model {1000 + n}.")
        crawl.page(f"https://south.shop.example{path}", f"shop {path}", 90,
                   tail=f" Price {31 + 3 * n} EUR, model {2000 + n}.")
    for n, path in enumerate(paths(9, "few")):
        if n < 5:
            crawl.page(f"https://few.example{path}", f"few {path}")
        crawl.page(f"https://www.few.example{path}", f"few {path}")
    for row in crawl.rows:
        print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()
