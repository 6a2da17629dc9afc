"""What the scripts share: tables of a run, pages by URL, pairs in clusters, tables in Markdown.

A run is named by the JSON that it prints last, kept in a file (what stands before the last line
is passed over), or by the folder of its generations, of which the newest is read.
"""

import collections
import glob
import json
import os
import re
import sys

import pyarrow as pa
import pyarrow.parquet as pq

WORD = re.compile(r"\w+")
KEY_CHARACTERS = 16  # of a stage key in the name of its folder


def run_tables(run):
    """For each published table of a run, the pattern of its files."""
    if os.path.isdir(run):
        return newest_generation(run)
    with open(run, encoding="utf-8") as file:
        text = file.read().strip()
    try:
        report = json.loads(text)
    except ValueError:
        report = json.loads(text.splitlines()[-1])
    if "tables" not in report:
        sys.exit(f"{run}: no object with the key `tables`, as a run prints it last")
    return report["tables"]


def newest_generation(root):
    """The tables of the newest manifest below a folder of generations."""
    found = sorted(glob.glob(os.path.join(glob.escape(root), "_manifest", "*.json")))
    if not found:
        sys.exit(f"{root}: holds no generation")
    with open(found[-1], encoding="utf-8") as file:
        manifest = json.load(file)
    folders = {one["table"]: f"{one['table']}-{one['key'][:KEY_CHARACTERS]}"
               for one in manifest["tables"]}
    return {table: os.path.join(glob.escape(root), "_stage", folder, "*.parquet")
            for table, folder in folders.items()}


def parquet_files(where):
    """The Parquet files of a file, a folder or a pattern, in order."""
    if os.path.isdir(where):
        where = os.path.join(glob.escape(where), "*.parquet")
    found = sorted(glob.glob(where)) or ([where] if os.path.isfile(where) else [])
    if not found:
        sys.exit(f"{where}: no Parquet files")
    return found


def read_files(where, columns):
    """Rows of these columns; a column that the files do not have is all NULL."""
    parts = []
    for name in parquet_files(where):
        with pq.ParquetFile(name) as file:
            have = [column for column in columns if column in file.schema_arrow.names]
            parts.append(file.read(columns=have))
    table = pa.concat_tables(parts, promote_options="permissive")
    for column in columns:
        if column not in table.column_names:
            table = table.append_column(column, pa.nulls(table.num_rows))
    return table.select(columns)


def rows(tables, table, columns):
    """Rows of a published table as tuples, in order of the columns; none if there is no table."""
    if table not in tables:
        return []
    read = read_files(tables[table], columns)
    return zip(*(read[column].to_pylist() for column in columns))


class Pages:
    """Pages of a run: which a URL shows, and cluster, gate and digest of each.

    A page that is compared has a cluster, alone in it or not; one that is not has None. A member
    of tier `group` stands beside the medoid for display and is not merged with it.
    """

    def __init__(self, tables):
        self.by_url = collections.defaultdict(set)
        self.url = {}
        self.cluster = {}
        self.tier = {}
        columns = ["page_id", "url", "id", "cluster", "tier"]
        for page, url, name, cluster, tier in rows(tables, "cluster", columns):
            self.place(page, url if url is not None else name)
            self.cluster[page] = cluster
            self.tier[page] = tier
        for page, url, name in rows(tables, "member", ["page_id", "url", "id"]):
            self.place(page, url if url is not None else name)
        self.gate = {}
        self.digest = {}
        columns = ["page_id", "kind", "gate", "text_digest"]
        for page, kind, gate, digest in rows(tables, "fingerprint", columns):
            self.gate[page] = gate if self.gate.get(page, "ok") == "ok" else self.gate[page]
            if kind == "main":
                self.digest[page] = digest

    def place(self, page, url):
        """Notes that the URL shows the page; the least URL names a page of several."""
        self.by_url[url].add(page)
        if url is not None:
            self.url[page] = min(self.url.get(page, url), url)

    def clusters(self, url):
        """Clusters of the pages that a URL shows."""
        found = {self.cluster.get(page) for page in self.by_url.get(url, ())}
        return found - {None}

    def merged(self, page):
        """A value that a page shares with those it is merged with; None if it is not compared.

        Members of tier `group` are merged with equal texts alone.
        """
        cluster = self.cluster.get(page)
        if cluster is None or self.tier.get(page) != "group":
            return cluster
        return cluster, self.digest.get(page) or page

    def relation(self, left, right):
        """What two URLs are: absent, gated, merged, grouped or apart."""
        if not self.by_url.get(left) or not self.by_url.get(right):
            return "absent"
        if not self.clusters(left) or not self.clusters(right):
            return "gated"
        values = [{self.merged(page) for page in self.by_url[url]} - {None}
                  for url in (left, right)]
        if values[0] & values[1]:
            return "merged"
        return "grouped" if self.clusters(left) & self.clusters(right) else "apart"

    def gates(self, url):
        """Gates of the pages that a URL shows, in order."""
        return sorted({self.gate.get(page) or "unknown" for page in self.by_url.get(url, ())})

    def members(self):
        """Pages of each cluster, in order of URL."""
        found = collections.defaultdict(list)
        for page, cluster in self.cluster.items():
            if cluster is not None:
                found[cluster].append(page)
        return {cluster: sorted(pages, key=lambda page: (self.url.get(page) or "", page))
                for cluster, pages in found.items()}


class Edges:
    """Document edges of a run, found by two pages or by pages that have their texts."""

    def __init__(self, tables, pages):
        self.digest = pages.digest
        self.by_page = {}
        self.by_text = {}
        columns = ["left_page_id", "right_page_id", "kind", "resemblance", "outcome", "guard",
                   "tier", "class"]
        for row in rows(tables, "document_edge", columns):
            edge = dict(zip(columns, row))
            left, right = row[0], row[1]
            self.by_page[pair(left, right)] = edge
            self.by_text.setdefault(self.texts(left, right), edge)

    def texts(self, left, right):
        """The pair of the digests of two pages; of the pages where a digest is not known."""
        return pair(self.digest.get(left, left), self.digest.get(right, right))

    def between(self, lefts, rights):
        """The edge between pages of two sets, the accepted first; None if there is none."""
        found = []
        for left in sorted(lefts):
            for right in sorted(rights):
                edge = self.by_page.get(pair(left, right))
                edge = edge or self.by_text.get(self.texts(left, right))
                found += [edge] if edge and left != right else []
        return min(found, key=lambda edge: edge["outcome"] != "accepted", default=None)


def pair(left, right):
    """Two values in order, as the key of their pair."""
    return (left, right) if left <= right else (right, left)


def verdict(edge):
    """Tier and guard of an edge in words; of a run without tiers its outcome."""
    name = edge["tier"] or edge["outcome"]
    return f"{name} ({edge['guard']})" if edge["guard"] else name


def pair_count(counts):
    """Pairs within groups of these sizes."""
    return sum(count * (count - 1) // 2 for count in counts)


def words(text):
    """Lower-case words of a text."""
    return WORD.findall(text.lower())


def shingles(text, width=5):
    """The set of word 5-grams of a text; of a shorter text its words as one."""
    found = words(text)
    if len(found) < width:
        return {tuple(found)} if found else set()
    return set(zip(*(found[start:] for start in range(width))))


def resemblance(left, right):
    """Share of shingles of either set that both have; 0 for two empty sets."""
    joined = len(left | right)
    return len(left & right) / joined if joined else 0.0


def share(part, whole):
    """A share with three decimals; a dash where there is nothing to take it of."""
    return f"{part / whole:.3f}" if whole else "-"


def cell(value):
    """A value as a cell of Markdown."""
    text = "" if value is None else str(value)
    return " ".join(text.split()).replace("|", "\\|")


def print_table(head, body):
    """Prints a table in Markdown."""
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for row in body:
        print("| " + " | ".join(cell(value) for value in row) + " |")
    print()
