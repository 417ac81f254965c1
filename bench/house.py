"""The house in figures: how often a text is read, who parses a raw text, who knows a language, sizes, and speed.

    python bench/house.py                       this checkout alone
    python bench/house.py --against ../other    beside another one, with its own .venv or with this one

The two are measured in turns, each run a fresh process on one thread, so that a busy machine is busy for both.
CPU seconds of the process, not the wall clock. `--runs 0` leaves the speed out.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.house.figures import (  # noqa: E402
    english_patterns,
    language_knowers,
    pack_openers,
    raw_parsers,
    rooms,
    script_askers,
)

# Runs in the checkout's own interpreter: one conversation; what it cost, and how often each text was read.
PROBE = r'''
import json, sys, tempfile, time
from pathlib import Path
mode = sys.argv[1]
from clew.engine.bootstrap import make_embedder
from clew.testing.parts import make_parts, onboard, say
LINES = (
    "I had a long day at work and my boss kept talking", "what do you think about rainy weekends",
    "I love ramen with extra garlic", "remember when we talked about the trip to Busan", "ok",
    "my exam is next week and I am nervous about it", "오늘 시험 망했어", "커피 마시러 갈까?",
)
# Functions that read a whole text, by the end of their file and their name, in any version of the house;
# where a reading is remembered, what counts is making it.
import clew.kernel.text.sentences as cutting
CUTS = hasattr(cutting, "_cut")
READERS = {
    ("kernel/read/utterance.py", "read"): "reading", ("kernel/listen/signals.py", "hear"): "reading",
    ("kernel/statements/extract.py", "extracted"): "statements by rule",
    ("kernel/statements/reader.py", "read_statements"): "statements by the learned reader",
    ("kernel/remember/detect.py", "extract"): "statements by rule", ("kernel/correct/commands.py", "clauses"): "clauses",
    ("kernel/remember/commands.py", "clauses"): "clauses", ("kernel/read/wording.py", "_cut"): "clauses", ("kernel/text/sentences.py", "_cut" if CUTS else "sentences"): "sentences",
}
with tempfile.TemporaryDirectory() as folder:
    parts = make_parts(f"sqlite:///{Path(folder)}/clew.db", embedder=make_embedder())
    talk = onboard(parts)
    if mode == "speed":
        say(parts, talk, LINES[0], 1)
        first = time.process_time()
        took = []
        for n in range(int(sys.argv[2])):
            # A minute goes by: what a reply told in passing is on the table for the next message, not for all.
            parts.clock.pass_(minutes=1)
            began = time.process_time()
            say(parts, talk, f"{LINES[n % len(LINES)]} {n}", n + 2)
            took.append(time.process_time() - began)
        print(json.dumps({"first": first, "turns": took}))
    else:
        say(parts, talk, "I live in Leeds and I work as a nurse", 1)
        out = {}
        for name, text in (("plain", "I had a long day at work and my sister called"),
                           ("correction", "that's not true, I live in Porto")):
            seen = {}
            def watch(frame, event, arg, text=text, seen=seen):
                if event != "call":
                    return
                code = frame.f_code
                for (file, called), kind in READERS.items():
                    if code.co_name == called and code.co_filename.endswith(file):
                        if frame.f_locals.get(code.co_varnames[0]) == text:
                            seen[kind] = seen.get(kind, 0) + 1
            sys.setprofile(watch)
            say(parts, talk, text, 2 + len(out))
            sys.setprofile(None)
            out[name] = seen
        print(json.dumps(out))
    parts.store.close()
'''


def probe(checkout: Path, *arguments: str) -> Any:
    own = checkout / ".venv" / "bin" / "python"
    python = own if own.exists() else Path(sys.executable)
    clean = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    clean |= {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(checkout / "src")}
    done = subprocess.run(
        [str(python), "-c", PROBE, *arguments], cwd=checkout, env=clean, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{checkout}: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def table(heads: list[str], rows: list[list[str]]) -> None:
    print("| " + " | ".join(heads) + " |")
    print("|---|" + "---:|" * (len(heads) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print(flush=True)


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--against", type=Path)
    ask.add_argument("--runs", type=int, default=5, help="fresh processes of each checkout")
    ask.add_argument("--turns", type=int, default=48, help="turns of each process")
    given = ask.parse_args()
    houses = {"here": ROOT} | ({"there": given.against.resolve()} if given.against else {})
    packages = {name: place / "src" / "clew" for name, place in houses.items()}

    rows = []
    read = {name: probe(place, "readings") for name, place in houses.items()}
    for turn in ("plain", "correction"):
        kinds = sorted({k for found in read.values() for k in found[turn]})
        for kind in kinds:
            rows.append([f"{turn} turn: {kind} of the message", *(str(read[n][turn].get(kind, 0)) for n in houses)])
    for label, count in (
        ("kernel functions that parse a raw text outside reading", raw_parsers),
        ("kernel modules outside packs that know a language", language_knowers),
        ("… that open one language's room or name it in a list or rule id", pack_openers),
        ("… that hold words of letters in a pattern", english_patterns),
        ("… that tell plain letters from all others (isascii)", script_askers),
    ):
        rows.append([label, *(str(len(count(packages[n]))) for n in houses)])
    if given.runs:
        spent: dict[str, list[Any]] = {name: [] for name in houses}
        for _ in range(given.runs):
            for name, place in houses.items():
                spent[name].append(probe(place, "speed", str(given.turns)))
        first = {n: min(r["first"] for r in runs) for n, runs in spent.items()}
        p50 = {n: min(statistics.median(r["turns"]) for r in runs) * 1000 for n, runs in spent.items()}
        rows.append(["CPU s to the first reply, best of the runs", *(f"{first[n]:.2f}" for n in houses)])
        rows.append(["CPU ms of a turn, p50, best of the runs", *(f"{p50[n]:.1f}" for n in houses)])
        if given.against:
            rows.append(["first reply, ratio to there", f"{first['here'] / first['there']:.2f}", "1"])
            rows.append(["turn p50, ratio to there", f"{p50['here'] / p50['there']:.2f}", "1"])
    table(["figure", *houses], rows)

    sizes = {name: rooms(package) for name, package in packages.items()}
    names = sorted({room for found in sizes.values() for room in found})
    told = [[room, *(f"{s[room][0]} / {s[room][1]:,}" if room in s else "–" for s in sizes.values())] for room in names]
    table(["room: modules / lines", *houses], told)


if __name__ == "__main__":
    main()
