"""Clew on sentences that nobody who writes its rules or its training sentences has read.

    python bench/unread.py [--set unread|seen|second] [--only NAME …] [--language en|ko] [--show N] [--json FILE]

The sentences are in bench/unread/, written by a hand that saw no rule and no training sentence. Who works on rules
or training data does not open them: `--show` is for whoever judges a finished piece of work, and what it has shown
is no longer unread. bench/seen/ and bench/second/ hold a first and a second set that were unread once and whose misses have
since been read to find causes (never to train on): `--set seen` and `--set second` measure them, and their figures flatter. Everything is measured through public doors: the kernel doors with vectors filled as
`clew kernel` fills them, and turns of a real chat with the built-in writer.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import unread_chat
import unread_doors
from unread_marks import LANGUAGES, SETS, Result, chosen

MEASURES: dict[str, Callable[[str], Result]] = {
    "statements": unread_doors.statements,
    "passing": unread_doors.passing,
    "nothing": unread_doors.nothing,
    "talks": unread_chat.talks,
    "search": unread_chat.search,
    "changes": unread_chat.changes,
    "need": unread_doors.need,
    "drafts": unread_doors.drafts,
    "followups": unread_doors.followups,
    "pairs": unread_doors.pairs,
}
# What bench/second holds besides: a newer hand on need and drafts.
SECOND: dict[str, Callable[[str], Result]] = {
    "need2": partial(unread_doors.need, name="need2"),
    "drafts2": partial(unread_doors.drafts, name="drafts2"),
}
# What bench/seen holds besides: sets of the same kind that were unread at another time.
SEEN: dict[str, Callable[[str], Result]] = {"followups2": unread_doors.followups2}


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--set", choices=SETS, default=SETS[0])
    ask.add_argument("--only", nargs="*", choices=(*MEASURES, *SECOND, *SEEN))
    ask.add_argument("--language", nargs="*", choices=LANGUAGES, default=list(LANGUAGES))
    ask.add_argument("--show", type=int, default=0, metavar="N", help="print so many misses of each measure")
    ask.add_argument("--json", type=Path, metavar="FILE", help="write the counts there too")
    given = ask.parse_args()
    chosen["set"] = given.set
    measures = MEASURES | {"seen": SEEN, "second": SECOND}.get(given.set, {})
    counts: dict[str, dict[str, dict[str, list[int]]]] = {}
    began = time.process_time()
    for language in given.language:
        print(f"\n## {language}\n\n| measure | what | count | of | % |\n|---|---|---:|---:|---:|")
        misses: dict[str, list[str]] = {}
        for name in given.only or measures:
            result = measures[name](language)
            misses[name] = result.misses
            for row in result.rows:
                share = f"{100 * row.count / row.of:.1f}" if row.of else "-"
                print(f"| {name} | {row.what} | {row.count} | {row.of} | {share} |", flush=True)
            told = {row.what.strip(): [row.count, row.of] for row in result.rows}
            counts.setdefault(language, {})[name] = told
        for name, lines in misses.items():
            for line in lines[: given.show]:
                print(f"  {name}: {line}")
    print(f"\n{time.process_time() - began:.0f} s of processor time")
    if given.json:
        given.json.write_text(json.dumps(counts, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
