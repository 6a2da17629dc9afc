#!/usr/bin/env python3
"""A real crawl out of Debian's documentation packages: about 100,000 HTML pages.

    python3 testdata/debian_docs.py out/debian-docs-crawl [PACKAGE ...]
    selfsame run jobs/debian-docs.toml

Wants a Debian or Ubuntu machine with apt and Python 3, nothing else; nothing is installed.
A package becomes a host, a file becomes a fetch with the bytes that the package ships, its
modification time as the time of the fetch, and no header. A file that is a symbolic link becomes
a permanent redirect to what it points at. Written are JSON Lines, one file a package.
Packages of another release hold other pages: results differ between machines, not between runs.
"""

import base64
import datetime
import gzip
import json
import os
import re
import subprocess
import sys
import urllib.parse

PACKAGES = """
apt-doc cmake-doc cppreference-doc-en-html debian-faq debian-faq-de debian-faq-fr debian-faq-it
debian-faq-ja debian-faq-nl debian-faq-ru debian-faq-zh-cn debian-policy debmake-doc
developers-reference developers-reference-de developers-reference-fr developers-reference-it
developers-reference-ja developers-reference-ru erlang-doc fp-docs-3.2.2 git-doc
installation-guide-amd64 installation-guide-arm64 installation-guide-armel
installation-guide-armhf installation-guide-i386 installation-guide-mips64el
installation-guide-ppc64el installation-guide-s390x libboost1.74-doc libboost1.81-doc
libglib2.0-doc libgtk-3-doc libgtk-4-doc libgtk2.0-doc libstdc++-11-doc libstdc++-12-doc
llvm-13-doc llvm-14-doc llvm-15-doc llvm-16-doc llvm-19-doc maint-guide maint-guide-de
maint-guide-es maint-guide-fr maint-guide-it maint-guide-ja maint-guide-ru maint-guide-zh-cn
nodejs-doc openjdk-17-doc python-pandas-doc python3.11-doc qtdeclarative5-doc-html rust-doc
sqlite3-doc
""".split()

PAGE = re.compile(r"\.x?html?(\.[A-Za-z]{2}([-_.][A-Za-z0-9]+)?)?(\.gz)?$")


def unpacked(package, folder):
    """The folder that holds the files of the package; None where apt does not know it."""
    target = os.path.join(folder, package)
    if os.path.isdir(target):
        return target
    got = subprocess.run(["apt-get", "-q", "download", package], cwd=folder, capture_output=True)
    names = [name for name in os.listdir(folder) if name.startswith(package + "_")]
    if got.returncode or not names:
        return None
    archive = os.path.join(folder, sorted(names)[-1])
    subprocess.run(["dpkg-deb", "-x", archive, target + ".part"], check=True)
    os.rename(target + ".part", target)
    os.remove(archive)
    return target


def pages(root):
    """Every HTML file and link below the folder, in order of its path."""
    found = []
    for folder, _, names in os.walk(root):
        found += [os.path.join(folder, name) for name in names if PAGE.search(name)]
    return sorted(found)


def address(host, base, path):
    """The address of a file: its path below the folder that all pages of the package share."""
    path = os.path.relpath(path, base).removesuffix(".gz")
    return f"https://{host}/{urllib.parse.quote(path)}"


def fetch(host, base, path):
    """The row of one file; None for a link that leads out of the package, or a broken file."""
    url = address(host, base, path)
    if os.path.islink(path):
        target = os.path.realpath(path)
        if not target.startswith(os.path.realpath(base) + os.sep) or not PAGE.search(target):
            return None
        to = address(host, os.path.realpath(base), target)
        return {"url": url, "fetch_status": 301, "fetch_redirect": to} if to != url else None
    with open(path, "rb") as file:
        body = file.read()
    if path.endswith(".gz"):
        try:
            body = gzip.decompress(body)
        except (OSError, EOFError):
            return None
    seen = datetime.datetime.fromtimestamp(int(os.path.getmtime(path)), datetime.timezone.utc)
    kind = "application/xhtml+xml" if ".xhtml" in os.path.basename(path) else "text/html"
    return {
        "url": url,
        "fetch_time": seen.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "fetch_status": 200,
        "content_type": kind,
        "html_base64": base64.b64encode(body).decode("ascii"),
    }


def write(package, root, out):
    """Writes the pages of one package; returns how many there are."""
    found = pages(root)
    if not found:
        return 0
    base = os.path.commonpath([os.path.dirname(path) for path in found])
    host = re.sub(r"[^a-z0-9-]", "-", package.lower()) + ".example"
    name = os.path.join(out, package + ".jsonl.gz")
    count = 0
    with open(name + ".part", "wb") as raw, gzip.GzipFile("", "wb", 1, raw, 0) as file:
        for path in found:
            row = fetch(host, base, path)
            if row:
                file.write(json.dumps(row).encode("ascii") + b"\n")
                count += 1
    os.replace(name + ".part", name)
    return count


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    out, packages = sys.argv[1], sys.argv[2:] or PACKAGES
    folder = os.path.join(out, "unpacked")
    os.makedirs(folder, exist_ok=True)
    total = 0
    for package in packages:
        root = unpacked(package, folder)
        count = write(package, root, out) if root else 0
        total += count
        print(f"{package}\t{count if root else 'not known to apt'}", flush=True)
    print(f"{total} fetches in {out}")


if __name__ == "__main__":
    main()
