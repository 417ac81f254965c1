"""What follow-ups to shown lists are grounded to, in a file of scenes.

    python bench/follow.py FILE … [--half first|second] [--show N]

A scene is a list that was shown, with what the assistant said and its follow-ups, as in bench/train/data/follow. Measured as in
bench/unread.py, through the kernel door with vectors filled as `clew kernel` fills them. Who mends by reading misses reads those
of one half, and of the other only the totals. The language is told by the name of the file.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from unread_doors import measured
from unread_marks import Result

Row = dict[str, Any]


def rows_of(file: Path, half: str | None) -> list[Row]:
    """A row for each follow-up, with what was shown."""
    scenes = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    middle = len(scenes) // 2
    some = {"first": scenes[:middle], "second": scenes[middle:], None: scenes}[half]
    return [{k: v for k, v in scene.items() if k != "followups"} | one for scene in some for one in scene["followups"]]


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("files", type=Path, nargs="+")
    ask.add_argument("--half", choices=("first", "second"))
    ask.add_argument("--show", type=int, default=0, metavar="N", help="print so many misses of each file")
    given = ask.parse_args()
    for file in given.files:
        result: Result = measured(rows_of(file, given.half))
        print(f"\n## {file.stem}\n\n| what | count | of | % |\n|---|---:|---:|---:|")
        for row in result.rows:
            print(f"| {row.what} | {row.count} | {row.of} | {100 * row.count / max(1, row.of):.1f} |")
        for line in result.misses[: given.show]:
            print(f"  {line}")


if __name__ == "__main__":
    main()
