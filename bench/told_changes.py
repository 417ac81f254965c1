"""What a later message does to something held, through a real chat: told, changed a day later, asked a day after that.

    python bench/told_changes.py [--rows FILE] [--language en|ko] [--every N] [--show N]

The rows in data/told_changes.jsonl are the quarter of one hand's rows that the reader of change was not fitted on
(split by the held statement; the rest is train/data/reader/changes_w3.jsonl). Right: the answer is told, and nothing
that was replaced. Whoever works on rules does not open them: `--show` prints misses, and shown rows are unread no more.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from unread_chat import changed
from unread_marks import LANGUAGES

ROWS = Path(__file__).parent / "data" / "told_changes.jsonl"
KINDS = ("replaces", "coexists", "ends", "none")


def rows_in(file: Path, language: str) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]
    return [
        {**r, "first": r["held"], "second": r["message"], "kind": r["label"]}
        for r in rows
        if r["lang"] == language and r.get("question")
    ]


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--rows", type=Path, default=ROWS)
    ask.add_argument("--language", nargs="*", choices=LANGUAGES, default=list(LANGUAGES))
    ask.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth row")
    ask.add_argument("--show", type=int, default=0, metavar="N", help="print so many misses")
    given = ask.parse_args()
    print("| language | what | right | wrong | silent | of | % right |\n|---|---|---:|---:|---:|---:|---:|")
    for language in given.language:
        seen: Counter[tuple[str, str]] = Counter()
        misses = []
        for row in rows_in(given.rows, language)[:: given.every]:
            mark, reply = changed(row, language)
            seen[row["kind"], mark] += 1
            if mark != "right":
                misses.append(f"[{row['kind']} {mark}] {row['first']} / {row['second']} / {row['question']} → {reply}")
        for kind in KINDS:
            counts = [seen[kind, mark] for mark in ("right", "wrong", "silent")]
            if many := sum(counts):
                told = " | ".join(map(str, (*counts, many, round(100 * counts[0] / many))))
                print(f"| {language} | {kind} | {told} |", flush=True)
        for line in misses[: given.show]:
            print("  ", line)


if __name__ == "__main__":
    main()
