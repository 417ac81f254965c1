"""Does a change of the code leave every answer as it was? Plays talks through two checkouts and compares all they leave.

    python bench/same.py --against ../other     the same talks in another checkout; prints what differs
    python bench/same.py --keep FILE            writes what this checkout leaves
    python bench/same.py --with FILE            compares with what was kept

Lines of `train/data/reader`, told and asked through the whole turn with the default embedder, each by a
user of its own. Compared are the replies and every row of the database behind them: memories, traces, journal. The
fingerprint of the policy is left out, since words may move between its tables.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]

# Runs in the checkout's own package: one line of JSON for each talk.
PLAYER = r'''
import base64, json, sqlite3, sys, tempfile
from pathlib import Path
from clew import policy as policies
from clew.engine.bootstrap import make_embedder
from clew.testing.parts import make_parts, onboard, say
talks = [json.loads(line) for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]
policy = policies.default()
mark = policy.fingerprint() if callable(policy.fingerprint) else policy.fingerprint
embedder = make_embedder()
# The journal's random salts, and what is computed over them.
DRAWN = ("salt", "digest", "link")
def plain(value):
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value.replace(mark, "policy") if isinstance(value, str) else value
with open(sys.argv[2], "w", encoding="utf-8") as out:
    for talk in talks:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "clew.db"
            parts = make_parts(f"sqlite:///{place}", policy=policy, embedder=embedder)
            conversation = onboard(parts)
            replies = []
            for n, text in enumerate(talk):
                parts.clock.pass_(hours=30 if n % 5 == 4 else 0.05)
                replies.append(repr(say(parts, conversation, text, n + 1)).replace(mark, "policy"))
            parts.store.close()
            rows = {}
            with sqlite3.connect(place) as db:
                for (table,) in db.execute("select name from sqlite_master where type='table' order by name").fetchall():
                    found = db.execute(f'select * from "{table}"')
                    names = [c[0] for c in found.description]
                    kept = [i for i, n in enumerate(names) if n not in DRAWN]
                    rows[table] = sorted(json.dumps([plain(row[i]) for i in kept], ensure_ascii=False) for row in found)
        out.write(json.dumps({"talk": talk, "replies": replies, "rows": rows}, ensure_ascii=False) + "\n")
        out.flush()
'''


def lines(most: int) -> list[list[str]]:
    """Talks of every file in turns, so that few of them already hold both languages and all hands.

    Between them stand a dozen single lines at a time: facts that change, things to forget, needs, long stories.
    """
    folder = ROOT / "bench" / "train" / "data" / "reader"
    read = {file.stem: [json.loads(row) for row in file.open(encoding="utf-8")] for file in sorted(folder.glob("*.jsonl"))}
    sources = [[_said(row["tell"], row["ask"]) for row in rows] for name, rows in read.items() if name.startswith("talks_")]
    changed = [[row[key] for key in ("held", "message", "question") if row.get(key)] for row in read["changes_w1"]]
    other = [[row["text"]] for name in ("forget_w1", "need_w1", "later_en", "later_ko") for row in read[name]]
    for rows in (changed[::7], other[::11]):
        sources.append([[line for row in rows[at : at + 6] for line in row] for at in range(0, len(rows), 6)])
    told: list[list[str]] = []
    for number in range(max(map(len, sources))):
        for talks in sources:
            if number < len(talks) and sum(map(len, told)) < most:
                told.append(talks[number])
    return told


def _said(*parts: list[Any]) -> list[str]:
    return [line if isinstance(line, str) else line["text"] for part in parts for line in part]


def play(checkout: Path, talks: list[list[str]], out: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        said = Path(folder) / "talks.jsonl"
        said.write_text("\n".join(json.dumps(talk) for talk in talks), encoding="utf-8")
        clean = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        clean |= {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(checkout / "src")}
        done = subprocess.run([sys.executable, "-c", PLAYER, str(said), str(out)], cwd=checkout, env=clean, check=False)
    if done.returncode:
        sys.exit(f"{checkout}: the talks could not be played")


def differences(here: dict[str, Any], there: dict[str, Any]) -> list[str]:
    if here["talk"] != there["talk"]:
        return ["another talk was played"]
    found = [
        f"after {text!r}:\n  here  {a}\n  there {b}"
        for text, a, b in zip(here["talk"], here["replies"], there["replies"], strict=True)
        if a != b
    ]
    for table in sorted(here["rows"].keys() | there["rows"].keys()):
        a, b = (set(side["rows"].get(table, [])) for side in (here, there))
        found += [f"{table}, only here: {row}" for row in sorted(a - b)]
        found += [f"{table}, only there: {row}" for row in sorted(b - a)]
    return found


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--against", type=Path)
    ask.add_argument("--keep", type=Path)
    ask.add_argument("--with", type=Path, dest="kept")
    ask.add_argument("--turns", type=int, default=700)
    given = ask.parse_args()
    talks = lines(given.turns)
    with tempfile.TemporaryDirectory() as folder:
        mine = given.keep or Path(folder) / "here.jsonl"
        play(ROOT, talks, mine)
        other = given.kept or Path(folder) / "there.jsonl"
        if given.against:
            play(given.against.resolve(), talks, other)
        turns = sum(map(len, talks))
        if not given.against and not given.kept:
            print(f"{len(talks)} talks, {turns} turns played")
            return
        read = [[json.loads(row) for row in file.read_text(encoding="utf-8").splitlines()] for file in (mine, other)]
    found = [text for a, b in zip(*read, strict=True) for text in differences(a, b)]
    for text in found[:20]:
        print(text[:1500])
    print(f"{len(talks)} talks, {turns} turns: {len(found)} differences")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
