#!/usr/bin/env python3
"""Texts for the kernel benchmarks out of Debian's documentation packages: one file a language.

    pip install selectolax==1.0.2
    python3 benches/inputs.py FOLDER [LANGUAGE ...]

Wants a Debian or Ubuntu machine with apt; nothing is installed, the archives stay in
FOLDER/archives. A document is the visible text of an HTML page, or of a page of GNOME's help, one
paragraph a line; a page is cut at the first end of a paragraph after 4,500 bytes, so that
documents have the size of web pages: 3.0 KB in the mean in English, 1.8 to 3.9 KB elsewhere.
What is left shorter than 200 bytes is dropped, and so is every repeat of an earlier document of
the same file. Documents stand in the order of package and path, and each ends with one zero byte;
the text itself has none.

Printed is one row a file: bytes, documents, share of bytes above 127, BLAKE2b-128 of the file.
Equal digests are equal inputs: Debian 12 with its updates of 2026-12-01 gave those of the page
that quotes them, another release gives other files.
"""

import gzip
import hashlib
import multiprocessing
import os
import re
import subprocess
import sys
import tarfile

from selectolax.lexbor import LexborHTMLParser

PIECE_BYTES = 4_500
DOCUMENT_BYTES_MIN = 200

# PACKAGE:PART stands for the pages with PART in their path, PACKAGE:!PART for those without.
LANGUAGES = {
    "english": """
        apache2-doc:/en/ aptitude-doc-en cppreference-doc-en-html debian-edu-doc-en
        debian-handbook:/en-US/ debian-policy debian-reference-en developers-reference
        doublecmd-help-en erlang-doc fp-docs-3.2.2 gap-doc gimp-help-en git-doc glibc-doc
        gnome-user-docs:/C/ gnucash-docs:-en/ installation-guide-amd64:/en/ kicad-doc-en
        libboost1.81-doc libglib2.0-doc libgtk-3-doc libgtk-4-doc libreoffice-help-en-us
        lilypond-doc-html linux-doc-6.1:!/translations/ linuxcnc-doc-en maint-guide maxima-doc
        nodejs-doc octave-doc openjdk-17-doc pari-doc perl-doc petsc3.18-doc postgresql-doc-15
        python-astropy-doc python-django-doc python-pandas-doc python-scipy-doc python-sklearn-doc
        python-statsmodels-doc python-sympy-doc python3.11-doc qtbase5-doc-html
        qtdeclarative5-doc-html r-doc-html racket-doc rust-doc sagemath-doc:/en/ scilab-doc
        sqlite3-doc sumo-doc twisted-doc wx3.2-doc
    """,
    "russian": """
        aptitude-doc-ru debian-faq-ru debian-handbook:/ru-RU/ developers-reference-ru
        doublecmd-help-ru gimp-help-ru gnome-user-docs:/ru/ installation-guide-amd64:/ru/
        instead-doc-ru kicad-doc-ru libreoffice-help-ru maint-guide-ru sagemath-doc:/ru/
        ubuntu-packaging-guide-html-ru
    """,
    "vietnamese": """
        debian-handbook:/vi-VN/ gnome-user-docs:/vi/ installation-guide-amd64:/vi/
        libreoffice-help-vi maint-guide-vi
    """,
    "chinese": """
        apache2-doc:/zh-cn/ debian-edu-doc-legacy-zh-cn debian-edu-doc-zh-cn debian-faq-zh-cn
        debian-handbook:/zh-CN/ debian-handbook:/zh-TW/ debian-reference-zh-cn
        debian-reference-zh-tw gimp-help-zh-cn gnome-user-docs:/zh_CN/
        installation-guide-amd64:/zh_CN/ installation-guide-amd64:/zh_TW/ kicad-doc-zh
        libreoffice-help-zh-cn libreoffice-help-zh-tw lilypond-doc-html-zh linux-doc-6.1:/zh_CN/
        linux-doc-6.1:/zh_TW/ linuxcnc-doc-zh-cn maint-guide-zh-cn maint-guide-zh-tw
    """,
    "german": """
        debian-edu-doc-de debian-faq-de debian-handbook:/de-DE/ debian-reference-de
        developers-reference-de gimp-help-de gnome-user-docs:/de/ gnucash-docs:-de/
        installation-guide-amd64:/de/ kicad-doc-de libreoffice-help-de lilypond-doc-html-de
        linuxcnc-doc-de maint-guide-de ubuntu-packaging-guide-html-de
    """,
    "japanese": """
        aptitude-doc-ja debian-edu-doc-ja debian-edu-doc-legacy-ja debian-faq-ja
        debian-handbook:/ja-JP/ debian-reference-ja developers-reference-ja gimp-help-ja
        gnome-user-docs:/ja/ gnucash-docs:-ja/ installation-guide-amd64:/ja/ kicad-doc-ja
        libreoffice-help-ja lilypond-doc-html-ja maint-guide-ja scilab-doc-ja
    """,
    "korean": """
        debian-faq-ko debian-handbook:/ko-KR/ gimp-help-ko gnome-user-docs:/ko/
        installation-guide-amd64:/ko/ libreoffice-help-ko
    """,
    "greek": """
        debian-handbook:/el-GR/ gimp-help-el gnome-user-docs:/el/ installation-guide-amd64:/el/
        libreoffice-help-el
    """,
    "arabic": "debian-handbook:/ar-MA/",
    "persian": "debian-handbook:/fa-IR/ gimp-help-fa gnome-user-docs:/fa/",
    "hindi": "gnome-user-docs:/hi/ libreoffice-help-hi",
    "khmer": "libreoffice-help-km",
    "dzongkha": "libreoffice-help-dz",
}

PAGE = re.compile(r"\.(x?html?|page)(\.[A-Za-z]{2}([-_.][A-Za-z0-9]+)?)?(\.gz)?$")
CHARSET = re.compile(rb"charset=[\"']?([A-Za-z0-9_-]+)")
PREFORMATTED = re.compile(r"<pre\b.*?</pre", re.IGNORECASE | re.DOTALL)
BLOCK = re.compile(
    r"</?(?:address|article|aside|blockquote|br|caption|dd|details|div|dl|dt|fieldset|figcaption"
    r"|figure|footer|form|h[1-6]|header|hr|legend|li|main|nav|ol|option|p|pre|section|summary"
    r"|table|tbody|td|tfoot|th|thead|tr|ul)\b",
    re.IGNORECASE,
)


def archives(packages, folder):
    """The archive of each package by its name, downloaded if need be; not those apt has not."""

    def present():
        return {name.split("_")[0]: os.path.join(folder, name) for name in os.listdir(folder)}

    def download(names):
        if names:
            subprocess.run(["apt-get", "-q", "download", *names], cwd=folder, capture_output=True)

    download(sorted(packages - present().keys()))
    for package in sorted(packages - present().keys()):
        download([package])  # one unknown name makes apt refuse the whole list
    return present()


def decoded(body):
    """The page as text, in UTF-8 or the encoding that it names; None where neither fits."""
    named = CHARSET.search(body[:2_048])
    for encoding in ["utf-8"] + ([named[1].decode("ascii")] if named else []):
        try:
            return body.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return None


def paragraphs(page):
    """The visible text, one paragraph, table cell or line of code an entry.

    A form feed before each tag of a block marks where paragraphs end: HTML counts it as a space,
    so that it moves no element, and no page has one of its own.
    """
    page = page.replace("\f", " ").replace("\0", " ")
    page = PREFORMATTED.sub(lambda found: found[0].replace("\n", "\f"), page)
    tree = LexborHTMLParser(BLOCK.sub(lambda found: "\f" + found[0], page))
    for node in tree.css("script, style, noscript, svg, template, select, textarea"):
        node.decompose()
    text = tree.body.text() if tree.body else ""
    lines = (" ".join(line.split()) for line in text.replace("\0", " ").split("\f"))
    return [line for line in lines if line]


def documents(page):
    """The pieces of a page as bytes: whole paragraphs, cut after the one that fills a piece."""
    pieces, piece, size = [], [], 0
    for line in paragraphs(page):
        line = line.encode("utf-8", "replace")
        piece.append(line)
        size += len(line) + 1
        if size >= PIECE_BYTES:
            pieces.append(b"\n".join(piece))
            piece, size = [], 0
    pieces.append(b"\n".join(piece))
    return [piece for piece in pieces if len(piece) >= DOCUMENT_BYTES_MIN]


def members(path):
    """Path and bytes of every HTML file in an archive; nothing is written."""
    unpack = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", path], stdout=subprocess.PIPE)
    with tarfile.open(fileobj=unpack.stdout, mode="r|") as files:
        for member in files:
            if member.isfile() and PAGE.search(member.name):
                body = files.extractfile(member).read()
                yield member.name, gzip.decompress(body) if member.name.endswith(".gz") else body
    if unpack.wait():
        sys.exit(f"{path}: dpkg-deb ends with {unpack.returncode}")


def pages(job):
    """The pages of one word of LANGUAGES, as lists of documents in the order of their paths."""
    path, part = job
    wanted = not part.startswith("!")
    found = []
    for name, body in members(path):
        page = decoded(body) if (part.lstrip("!") in name) == wanted else None
        if page:
            found.append((name, documents(page)))
    return [pieces for _, pieces in sorted(found)]


def write(language, jobs, out, pool):
    """Writes the file of a language and prints its row."""
    name = os.path.join(out, language + ".txt")
    seen, total, high, digest = set(), 0, 0, hashlib.blake2b(digest_size=16)
    ascii_bytes = bytes(range(128))
    with open(name + ".part", "wb") as file:
        for found in pool.imap(pages, jobs):
            for document in (document for pieces in found for document in pieces):
                key = hashlib.blake2b(document, digest_size=16).digest()
                if key in seen:
                    continue
                seen.add(key)
                record = document + b"\0"
                total += len(record)
                high += len(record.translate(None, ascii_bytes))
                digest.update(record)
                file.write(record)
    os.replace(name + ".part", name)
    share = 100 * high / max(total, 1)
    row = f"{total:>13,}  {len(seen):>9,}  {share:>11.1f}  {digest.hexdigest()}"
    print(f"{language + '.txt':<16}  {row}", flush=True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    out, languages = sys.argv[1], sys.argv[2:] or LANGUAGES
    folder = os.path.join(out, "archives")
    os.makedirs(folder, exist_ok=True)
    words = {
        language: sorted(word.partition(":")[::2] for word in LANGUAGES[language].split())
        for language in languages
    }
    packages = {package for pairs in words.values() for package, _ in pairs}
    paths = archives(packages, folder)
    print(f"{'file':<16}  {'bytes':>13}  {'documents':>9}  {'non-ASCII %':>11}  BLAKE2b-128")
    with multiprocessing.Pool() as pool:
        for language in languages:
            jobs = [(paths[package], part) for package, part in words[language] if package in paths]
            write(language, jobs, out, pool)
    missing = sorted(packages - paths.keys())
    if missing:
        print("not known to apt:", *missing)


if __name__ == "__main__":
    main()
