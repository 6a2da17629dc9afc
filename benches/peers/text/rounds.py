#!/usr/bin/env python3
"""Selfsame, Daft, rensa and gaoya over one corpus, in turn, each run a process of its own.

    python rounds.py CORPUS OUT --selfsame target/release/selfsame [--rounds 3] [--only NAME,...]

CORPUS is a folder with corpus.parquet, columns id, url, text. A run counts from start to exit,
with reading the corpus and writing the result. OUT receives NAME.parquet, `(id, cluster)` of the
last round, NAME.log, selfsame's own report of each round with its stages as selfsame.N.json, and
runs.jsonl, one line a run. Linux only: peak memory is what the kernel reports for the process.
"""

import argparse
import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from common import BANDS, RESEMBLANCE_MIN, SLOTS, WIDTH

HERE = os.path.dirname(os.path.abspath(__file__))
JOB = os.path.join(HERE, "..", "..", "..", "jobs", "comparison.toml")
PEERS = ["daft", "rensa", "gaoya"]
# Equal slots of a kept candidate: four standard errors below the least resemblance.
DEVIATION = (SLOTS * RESEMBLANCE_MIN * (1 - RESEMBLANCE_MIN)) ** 0.5
EQUAL_SLOTS_MIN = round(SLOTS * RESEMBLANCE_MIN - 4 * DEVIATION)


def selfsame_command(options):
    """The comparison job with the common parameters; the output folder is emptied first."""
    root = os.path.join(options.out, "selfsame")
    shutil.rmtree(root, ignore_errors=True)
    values = {
        "input.paths": json.dumps([os.path.join(options.corpus, "corpus.parquet")]),
        "output.root": json.dumps(root),
        "fingerprint.width": WIDTH,
        "fingerprint.slots": SLOTS,
        "fingerprint.bands": BANDS,
        "candidate.equal_slots_min": EQUAL_SLOTS_MIN,
        "edge.resemblance_min_milli": round(1000 * RESEMBLANCE_MIN),
    }
    sets = [word for key, value in values.items() for word in ("--set", f"{key}={value}")]
    return [options.selfsame, "run", options.job, *sets]


def keep_selfsame(options, number):
    """Keeps the report of the run and turns its table of clusters into `(id, cluster)`."""
    with open(os.path.join(options.out, "selfsame.out"), encoding="utf-8") as file:
        report = json.loads(file.read().splitlines()[-1])
    figures = os.path.join(report["root"], "_run", f"{report['generation']:06}.json")
    with open(figures, encoding="utf-8") as file:
        report["stages"] = json.load(file)
    with open(os.path.join(options.out, f"selfsame.{number}.json"), "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
    paths = glob.glob(report["tables"]["cluster"])
    table = pq.read_table(sorted(paths), columns=["id", "cluster"])
    table = table.filter(pc.is_valid(table["cluster"]))
    codes = table["cluster"].combine_chunks().dictionary_encode().indices.cast(pa.int64())
    result = pa.table({"id": table["id"], "cluster": codes})
    pq.write_table(result, os.path.join(options.out, "selfsame.parquet"))


def run(name, options, number):
    """Runs one program and returns its figures; processor time is that of the whole process."""
    result = os.path.join(options.out, name + ".parquet")
    if name == "selfsame":
        command = selfsame_command(options)
    else:
        script = os.path.join(HERE, f"run_{name}.py")
        command = [sys.executable, script, options.corpus, result]
    with (
        open(os.path.join(options.out, name + ".out"), "wb") as out,
        open(os.path.join(options.out, name + ".log"), "wb") as log,
    ):
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=log)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{name} ends with {process.returncode}; see {log.name}")
    if name == "selfsame":
        keep_selfsame(options, number)
    return {
        "round": number,
        "program": name,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "wall_seconds": wall,
        "peak_mib": usage.ru_maxrss / 1024,
    }


def table(runs):
    """One row a program, in the order of their first runs."""
    names = list(dict.fromkeys(entry["program"] for entry in runs))
    by_name = {
        name: {
            key: [entry[key] for entry in runs if entry["program"] == name]
            for key in ("cpu_seconds", "wall_seconds", "peak_mib")
        }
        for name in names
    }
    base = by_name.get("selfsame")
    yield (
        f"{'program':<10} {'runs':>4} {'CPU s min':>10} {'median':>8} {'wall s min':>11} "
        f"{'median':>8} {'peak MiB':>9} {'CPU ratio':>10} {'wall ratio':>11}"
    )
    for name, figures in by_name.items():
        cpu, wall = figures["cpu_seconds"], figures["wall_seconds"]
        ratios = ["", ""]
        if base:
            ratios = [
                f"{statistics.median(figures[key]) / statistics.median(base[key]):.2f}"
                for key in ("cpu_seconds", "wall_seconds")
            ]
        yield (
            f"{name:<10} {len(cpu):>4} {min(cpu):>10.1f} {statistics.median(cpu):>8.1f} "
            f"{min(wall):>11.1f} {statistics.median(wall):>8.1f} "
            f"{max(figures['peak_mib']):>9.0f} {ratios[0]:>10} {ratios[1]:>11}"
        )


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", help="folder with corpus.parquet")
    parser.add_argument("out", help="folder of results")
    parser.add_argument("--selfsame", help="release binary", default="target/release/selfsame")
    parser.add_argument("--job", help="job file of selfsame", default=os.path.normpath(JOB))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", help="programs, by comma", default=",".join(["selfsame", *PEERS]))
    options = parser.parse_args()
    options.programs = options.only.split(",")
    for name in options.programs:
        if name not in ["selfsame", *PEERS]:
            parser.error(f"unknown program {name}; known are selfsame, {', '.join(PEERS)}")
    return options


def main():
    options = arguments()
    os.makedirs(options.out, exist_ok=True)
    runs = []
    with open(os.path.join(options.out, "runs.jsonl"), "w", encoding="utf-8") as file:
        for number in range(1, options.rounds + 1):
            for name in options.programs:
                runs.append(run(name, options, number))
                print(json.dumps(runs[-1]), file=file, flush=True)
                print(f"round {number}: {name} {runs[-1]['cpu_seconds']:.1f} CPU s", flush=True)
    print(*table(runs), sep="\n")


if __name__ == "__main__":
    main()
