"""Tests of the scripts on small made-up tables.

    python3 -m unittest discover -s benches/judgement
"""

import contextlib
import csv
import gzip
import io
import json
import os
import stat
import sys
import tempfile
import unittest
from unittest import mock

import pyarrow as pa
import pyarrow.parquet as pq

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import ablation  # noqa: E402
import common  # noqa: E402
import docpairs  # noqa: E402
import gate  # noqa: E402
import mirrors  # noqa: E402
import products  # noqa: E402
import sample_changed  # noqa: E402
import template_kit  # noqa: E402

BINARY = pa.binary()


def write_run(folder, pages, edges=(), split=1, grouped=()):
    """Writes tables of a run and its JSON; a page is (url, cluster, gate, digest)."""
    def ids(texts):
        return pa.array([text and text.encode() for text in texts], BINARY)

    urls, clusters, gates, digests = (list(column) for column in zip(*pages))
    nothing = pa.nulls(len(pages), pa.string())
    found = {
        "cluster": pa.table({
            "page_id": ids(urls), "url": urls, "id": nothing, "cluster": ids(clusters),
            "medoid_page_id": ids(urls), "is_representative": [True] * len(urls),
            "reason": ["best"] * len(urls), "resemblance_medoid": [0.9] * len(urls)}),
        "member": pa.table({"page_id": ids(urls), "url": urls, "id": nothing}),
        "fingerprint": pa.table({
            "page_id": ids(urls), "kind": ["main"] * len(urls), "gate": gates,
            "text_digest": ids(digests)}),
        "page_fact": pa.table({"page_id": ids(urls), "title": ["Title of " + u for u in urls]}),
    }
    if edges:
        names = ["left_page_id", "right_page_id", "kind", "resemblance", "outcome", "guard"]
        columns = [list(column) for column in zip(*edges)]
        columns[:2] = ids(columns[0]), ids(columns[1])
        found["document_edge"] = pa.table(dict(zip(names, columns)))
    if grouped:
        tiers = ["group" if url in grouped else "merge" for url in urls]
        found["cluster"] = found["cluster"].append_column("tier", pa.array(tiers))
    tables = {}
    for name, table in found.items():
        os.makedirs(os.path.join(folder, name))
        half = max(1, table.num_rows // split)
        for at in range(0, table.num_rows, half):
            pq.write_table(table.slice(at, half), os.path.join(folder, name, f"{at:04}.parquet"))
        tables[name] = os.path.join(folder, name, "*.parquet")
    path = os.path.join(folder, "run.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write("a line before\n" + json.dumps({"tables": tables}) + "\n")
    return path


def write_csv(path, head, body, opened=open):
    """Writes a table of values."""
    with opened(path, "wt", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *body])
    return path


def printed(main, *arguments):
    """What a script prints, and its exit code."""
    out, code = io.StringIO(), 0
    with mock.patch.object(sys, "argv", ["script", *arguments]), contextlib.redirect_stdout(out):
        try:
            main()
        except SystemExit as stop:
            code = stop.code
    return out.getvalue(), code


class Scripts(unittest.TestCase):
    """Each script on tables of a few pages."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, *names):
        """A path below the folder of the test."""
        return os.path.join(self.folder, *names)

    def test_docpairs(self):
        pages = [("a", "1", "ok", "x"), ("b", "1", "ok", "y"), ("c", "2", "ok", "z"),
                 ("d", "3", "ok", "w"), ("e", "2", "ok", "z"), ("f", None, "empty", "v")]
        edges = [("a", "b", "resemblance", 0.85, "accepted", None),
                 ("a", "c", "resemblance", 0.81, "refused", "digits")]
        run = write_run(self.path("run"), pages, edges, split=2)
        head = ["relation", "variant_kind", "url_a", "url_b", "jaccard5", "text_equal"]
        other = "different_doc_same_template"
        path = write_csv(self.path("pairs.csv"), head, [
            [other, "single", "a", "b", "0.86", "0"],
            ["same_path", "version", "e", "a", "0.8", "0"],
            ["same_path", "version", "b", "d", "0.4999", "0"],
            ["same_path", "version", "a", "f", "1.0", "1"],
            ["same_path", "version", "a", "missing", "0.99", "0"]])
        out, _ = printed(docpairs.main, path, run)
        self.assertIn(f"| {other} | single | .8-.9 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | accepted 1 |", out)
        # e has the text of c, whose edge to a was refused.
        self.assertIn("| same_path | version | .8-.9 | 1 | 0 | 0 | 1 | 0 | 0 | 0 "
                      "| refused (digits) 1 |", out)
        self.assertIn("| same_path | version | < .5 | 1 | 0 | 0 | 0 | 1 | 0 | 0 |", out)
        self.assertIn("| same_path | version | text_equal | 1 | 0 | 0 | 0 | 0 | 1 | 0 |", out)
        self.assertIn("| same_path | version | .95-< 1 | 1 | 0 | 0 | 0 | 0 | 0 | 1 |", out)
        self.assertIn("visible texts not equal: 1, of which the main texts are equal: 0", out)

    def test_a_group_is_no_merge(self):
        pages = [("a", "1", "ok", "x"), ("b", "1", "ok", "y"), ("c", "1", "ok", "y"),
                 ("d", "1", "ok", "z"), ("e", "2", "ok", "v")]
        run = write_run(self.path("run"), pages, grouped="bcd")
        found = common.Pages(common.run_tables(run))
        self.assertEqual([found.relation(*two) for two in ("ab", "bc", "bd", "ae", "ag")],
                         ["grouped", "merged", "grouped", "apart", "absent"])
        head = ["url", "site", "template", "content", "part"]
        path = write_csv(self.path("truth.csv"), head,
                         [[url, "s", "t", url, "one"] for url in "abd"])
        out, _ = printed(template_kit.main, path, run)
        self.assertIn("| one | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 3 |", out)
        before = write_run(self.path("old"), pages)
        self.assertEqual(ablation.joined_pairs(common.Pages(common.run_tables(before)), found), 5)

    def test_docpairs_words(self):
        run = write_run(self.path("run"), [("a", "1", "ok", "x"), ("b", "1", "ok", "y")])
        head = ["relation", "variant_kind", "url_a", "url_b", "jaccard5", "text_equal"]
        path = write_csv(self.path("pairs.csv"), head,
                         [[docpairs.TEMPLATE, "single", "a", "b", "0.9", "0"]])
        pq.write_table(pa.table({"url": ["a", "b"], "html": [
            "<p>one red door<script>no</script>", "<p>one blue door"]}), self.path("c.parquet"))
        out, _ = printed(docpairs.main, path, run, "--crawl", self.path("c.parquet"))
        self.assertIn("| merged | a | b | 0.9 | through others | differ | red | blue |", out)

    def test_template_kit(self):
        run = write_run(self.path("run"), [
            ("a", "1", "ok", "x"), ("b", "1", "ok", "y"), ("c", "1", "ok", "z"),
            ("d", "2", "ok", "w"), ("e", None, "empty", "v")])
        head = ["url", "site", "template", "content", "part"]
        path = write_csv(self.path("truth.csv"), head, [
            ["a", "s", "t", "p", "one"], ["b", "s", "t", "p", "one"], ["d", "s", "t", "p", "one"],
            ["c", "s", "t", "q", "two"], ["e", "s", "t", "r", "two"]])
        for where in (run, self.path("run", "cluster")):
            out, _ = printed(template_kit.main, path, where)
            self.assertIn("| one | 3 | 0 | 0 | 3 | 1 | 2 | 0 | 0 |", out)
            self.assertIn("| two | 2 | 0 | 1 | 0 | 0 | 0 | 0 | 0 |", out)
            self.assertIn("| across | 0 | 0 | 0 | 0 | 0 | 0 | 2 | 0 |", out)

    def test_gate(self):
        pages = [("a", None, "soft404", "x"), ("b", None, "login_wall", "y"), ("c", "1", "ok", "z"),
                 ("d", "1", "ok", "w"), ("e", None, "soft404", "v")]
        run = write_run(self.path("run"), pages)
        path = write_csv(self.path("labels.csv"), ["url", "class", "language"], [
            ["a", "soft404", "en"], ["b", "soft404", "de"], ["c", "soft404", "de"],
            ["d", "good", "en"], ["e", "good", "en"], ["g", "good", "en"]])
        out, code = printed(gate.main, path, run)
        self.assertIn("| soft404 | 3 | 0 | 0.667 | 0.333 |", out)
        self.assertIn("| de | 2 | 0 | 0.500 | 0.000 | login_wall 1, ok 1 |", out)
        self.assertIn("| en | 3 | 1 | 0.500 |", out)
        self.assertIn("the gate refused: 0 (must be 0)", out)
        self.assertIn("- 2 pages: c, d", out)
        self.assertEqual(code, 0)
        pages[4] = ("e", "1", "soft404", "v")
        _, code = printed(gate.main, path, write_run(self.path("bad"), pages))
        self.assertEqual(code, 1)

    def test_gate_without_languages(self):
        pages = [("a", None, "soft404", "x"), ("b", "1", "ok", "y")]
        path = write_csv(self.path("l.csv"), ["url", "label"], [["a", "soft404"], ["b", "ok"]])
        pq.write_table(pa.table({"url": ["a", "b"], "html": [
            "<!DOCTYPE html><html class='x' lang=\"vi\">", "<html xml:lang='de'>"]}),
            self.path("c.parquet"))
        out, _ = printed(gate.main, path, write_run(self.path("run"), pages), "--crawl",
                         self.path("c.parquet"))
        self.assertIn("| vi | 1 | 0 | 1.000 | 1.000 | soft404 1 |", out)
        self.assertIn("good pages that were refused: 0", out)

    def test_sample_changed(self):
        old = write_run(self.path("old"), [
            ("a", "1", "ok", "x"), ("b", "1", "ok", "y"), ("c", "2", "ok", "z"),
            ("d", "3", "ok", "w"), ("e", "3", "ok", "w")])
        new = write_run(self.path("new"), [
            ("a", "7", "ok", "x"), ("b", "8", "ok", "y"), ("c", "8", "ok", "z"),
            ("d", "9", "ok", "w"), ("e", "9", "ok", "w")],
            [("a", "b", "resemblance", 0.85, "refused", "title")])
        out, _ = printed(sample_changed.main, old, new, "--clusters", "20")
        self.assertIn("# 1 of 1 changed groups", out)
        self.assertIn("1. 3 pages: 2 old clusters, 2 new", out)
        self.assertIn("| A | B | b | Title of b |", out)
        self.assertIn("- refused (title), 0.850: a and b", out)
        self.assertIn("kept apart before:\n\n- no edge: b and c", out)

    def test_ablation(self):
        on = write_run(self.path("on"), [("a", "1", "ok", "x"), ("b", "2", "ok", "y"),
                                         ("c", "2", "ok", "z")],
                       [("a", "b", "resemblance", 0.85, "refused", "title")])
        off = write_run(self.path("off"), [("a", "1", "ok", "x"), ("b", "1", "ok", "y"),
                                           ("c", "2", "ok", "z")],
                        [("a", "b", "resemblance", 0.85, "accepted", None)])
        program = self.path("program")
        with open(program, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho \"$@\" >&2\ncase \"$*\" in *guard.title=false*) "
                       f"cat {off} ;; *) cat {on} ;; esac\n")
        os.chmod(program, stat.S_IRWXU)
        out, _ = printed(ablation.main, program, "job.toml", "--guards", "title,price",
                         "--out", self.path("out"), "--", "--set", "engine.threads=1")
        self.assertIn("| all guards on | 0 | 1 | title 1 | 2 | 2 | 0 | 0 |", out)
        self.assertIn("| without title | 1 | 0 |  | 2 | 2 | 1 | 1 |", out)
        self.assertIn("| without price | 0 | 1 | title 1 | 2 | 2 | 0 | 0 |", out)
        self.assertIn("merged without `title`, apart with all guards:\n\n- a\n  b", out)
        self.assertIn("apart without `title`, merged with all guards:\n\n- b\n  c", out)
        with open(self.path("out", "title.log"), encoding="utf-8") as file:
            self.assertIn("run job.toml --set engine.threads=1 --set output.root=", file.read())

    def test_products(self):
        head = ["dataset", "split", "left", "right", "same_product", "token_jaccard"]
        one, two = ("COL name VAL door dx-4821w COL description VAL red, 4 <kg> COL price VAL 12.5",
                    "COL name VAL the door dx4821w COL description VAL  COL price VAL")
        other = "COL name VAL door dx4822 COL description VAL  COL price VAL 12.5"
        path = write_csv(self.path("pairs.csv.gz"), head, [
            ["shop", "test", one, two, "1", "0.81"], ["shop", "test", one, other, "0", "0.5"],
            ["shop", "test", two, other, "0", "0.9"]], gzip.open)
        out, _ = printed(products.main, path, self.path("pages.parquet"))
        self.assertIn("| shop | 3 | 3 | 1 | 0 | 0 | 2 |", out)
        pages = pq.read_table(self.path("pages.parquet"))
        urls, htmls = pages["url"].to_pylist(), pages["html"].to_pylist()
        self.assertEqual(sum("DX4821W" in page for page in htmls), 2)
        self.assertTrue(all(("ld+json" in page) != ("itemprop" in page) for page in htmls))
        printed(products.main, path, self.path("plain.parquet"), "--without-ids")
        plain = pq.read_table(self.path("plain.parquet"))["html"].to_pylist()
        self.assertFalse(any("ld+json" in page or "itemprop" in page or "DX4821W" in page
                             for page in plain))
        run = write_run(self.path("run"), [
            (urls[0], "1", "ok", "x"), (urls[1], "1", "ok", "y"), (urls[2], "1", "ok", "z")])
        out, _ = printed(products.main, path, "--score", run)
        self.assertIn("| shop | different | 2 | 1 | 2 | 1.000 | 0 | 0 | 0 | 0 |", out)
        self.assertIn("| shop | same | 1 | 1 | 1 | 1.000 | 0 | 0 | 0 | 0 |", out)
        self.assertIn("merges of different products: 2", out)

    def test_newest_generation_of_a_root(self):
        write_run(self.path("root", "_stage"), [("a", "1", "ok", "x")])
        os.rename(self.path("root", "_stage", "cluster"),
                  self.path("root", "_stage", "cluster-0123456789abcdef"))
        os.makedirs(self.path("root", "_manifest"))
        for number, key in ((1, "f" * 64), (2, "0123456789abcdef" + "1" * 48)):
            with open(self.path("root", "_manifest", f"{number:06}.json"), "w") as file:
                json.dump({"tables": [{"table": "cluster", "key": key}]}, file)
        pages = common.Pages(common.run_tables(self.path("root")))
        self.assertEqual(pages.clusters("a"), {b"1"})

    def test_check_digits(self):
        self.assertTrue(products.is_gtin("4718755065736"))
        self.assertFalse(products.is_gtin("4718755065737"))
        self.assertEqual(products.identifiers(
            ("s", "COL title VAL Disk WD60EFRX 6TB 7200rpm 802.11ac shoe 315122-111 usb3.0")),
            {"wd60efrx", "315122111"})


A, B, C, D, E, F, G = (f"https://{name}.example" for name in ("a", "www.a", *"cdefg"))


class Mirrors(unittest.TestCase):
    """A kit of seven hosts and what two runs say of it."""

    def run_of(self, folder, edges, maps):
        """Writes a run of two tables; returns what the script prints of it and its exit code."""
        tables = {}
        edges = [(left, "/", right, "/", *verdict) for left, right, *verdict in edges]
        for (table, names), rows in ((mirrors.EDGE, edges), (mirrors.MIRROR, maps),
                                     (mirrors.HINT, [(F, G, F + "/w")])):
            tables[table] = os.path.join(folder, table + ".parquet")
            columns = [pa.array([row[at] for row in rows], pa.string())
                       for at in range(len(names))]
            pq.write_table(pa.table(columns, names=list(names)), tables[table])
        path = os.path.join(folder, "run.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"tables": tables}, file)
        crawl = os.path.join(folder, "crawl.parquet")
        pq.write_table(pa.table({"url": [
            A + "/x", B + "/x", C + "/docs/y", D + "/y", D + "/legal/z", C + "/docs/legal/z"]}),
            crawl)
        write_csv(os.path.join(folder, "truth.csv"),
                  ["part", "host_a", "host_b", "relation", "note"],
                  [["full", A, B, "mirror", "www"], ["partial", C, D, "partial", ""],
                   ["parked", E, "", "parked", ""], ["few", F, G, "undecided", ""]])
        write_csv(os.path.join(folder, "prefixes.csv"),
                  ["part", "from_host", "from_prefix", "to_host", "to_prefix", "carve_outs"],
                  [["partial", C, "/docs/", D, "/", "/docs/legal/"]])
        return printed(mirrors.main, folder, path, "--crawl", crawl)

    def test_a_run_that_finds_all_has_nothing_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            text, code = self.run_of(
                folder, [(A, B, "mirror", "content"), (C, D, "partial", "content"),
                         (A, C, "not", "translation"), (G, F, "undecided", "few_paths")],
                [(B, "/", A, "/"), (D, "/", C, "/docs"), (D, "/legal", D, "/legal")])
        self.assertEqual(code, 0)
        self.assertIn("| full | mirror | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |", text)
        self.assertIn("| partial | partial | 1 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |", text)
        self.assertIn("- 0 wrong in all", text)
        self.assertIn("Pairs rightly undecided: 1; with URLs to fetch next: 1.", text)
        self.assertIn("| partial | 1 | 1 | 1.000 | 1 | 0 | 1 | 1 |", text)
        # Two URLs of each pair have an equal; one of the two is sent to the other.
        self.assertIn("| full | 2 | 2 | 2 | 1 | 0 |", text)
        self.assertIn("| partial | 4 | 2 | 2 | 1 | 0 |", text)

    def test_missed_and_invented_mirrors_are_told(self):
        with tempfile.TemporaryDirectory() as folder:
            text, code = self.run_of(
                folder, [(A, B, "undecided", "mixed"), (D, C, "partial", "content")],
                [(D, "/", C, "/"), (E, "/", A, "/")])
        self.assertEqual(code, 1)
        self.assertIn(f"- full: {A} and {B} are mirror, said undecided (www)", text)
        self.assertIn(f"- partial: {C} and {D} are partial, said mirror", text)
        self.assertIn(f"- across: {A} and {E} are none, said mirror", text)
        self.assertIn(f"- few: {F} and {G} are undecided, said untested", text)
        self.assertIn("Invented mirrors: 1.", text)
        self.assertIn("| partial | 1 | 0 | 0.000 | 0 | 1 | 1 | 0 |", text)
        self.assertIn(f"- {C}/docs/ = {D}/: said / = /", text)
        self.assertIn(f"- {D}/legal/z is sent to {C}/legal/z", text)
        self.assertIn("| partial | 4 | 2 | 0 | 2 | 2 |", text)

    def test_hosts_of_a_whole_mirror_count_as_one_for_prefixes(self):
        with tempfile.TemporaryDirectory() as folder:
            self.run_of(folder, [], [])
            truth = mirrors.Truth(folder)
        self.assertEqual(mirrors.ends(truth.groups, A, "/m/", C, "/"),
                         mirrors.ends(truth.groups, C, "/", B, "/m/"))


if __name__ == "__main__":
    unittest.main()
