"""Causal links on human text: reply links, question to answer, a game's episodes, and speed.

    python bench/links.py [--data DIR] [--million]

Reads the development sets (default: ../shared/data) and skips, with a word, what is not there.
The weights of profile `best` are coarse and set by hand while looking at every second file;
both halves are printed, so that fitting would show.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import resource
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from clew.kernel.door import call
from clew.kernel.link.extract import extract
from clew.model.link import Exclusion, Strength
from clew.model.transcript import Line
from clew.policy import default

HERE = Path(__file__).parent
POLICY = default()
Pairs = set[tuple[int, int]]
_SAID = re.compile(r"\[\d\d:\d\d\]\s+(?:<([^>]+)>|\*\s+(\S+))\s?(.*)")
_FIRST_LABELLED = 1000


def links_of(lines: list[dict[str, Any]], **params: Any) -> Pairs:
    answer = call("links", {"session_id": "bench", "lines": lines, "params": params}, policy=POLICY)
    return {(x["intent_anchor_index"], x["consequence_anchor_index"]) for x in answer["links"] if x["claimed"]}


def f1(right: int, found: int, wanted: int) -> str:
    precision, recall = right / max(found, 1), right / max(wanted, 1)
    both = 2 * precision * recall / max(precision + recall, 1e-9)
    return f"F1 {both:.3f} (precision {precision:.3f}, recall {recall:.3f})"


def irc(folder: Path) -> Iterator[tuple[list[dict[str, Any]], Pairs]]:
    for path in sorted(folder.glob("*.ascii.txt")):
        lines = []
        for index, row in enumerate(path.read_text(encoding="utf-8", errors="replace").split("\n")):
            if said := _SAID.match(row):
                lines.append({"index": index, "speaker": said[1] or said[2], "text": said[3]})
        labels = path.with_name(path.name.replace(".ascii.", ".annotation.")).read_text(encoding="utf-8")
        rows = [sorted(map(int, row.split()[:2])) for row in labels.split("\n") if row.strip()]
        yield lines, {(a, b) for a, b in rows}


def measure_irc(folder: Path) -> None:
    files = list(irc(folder))
    print("IRC reply links (a message that replies, and what it replies to)")
    for name, part in (("looked at", files[0::2]), ("not looked at", files[1::2]), ("all", files)):
        for label, predict in (
            ("previous message", previous_message),
            ("specified", lambda lines: links_of(lines)),
            ("best", lambda lines: links_of(lines, profile="best")),
            ("best, k_local 8", lambda lines: links_of(lines, profile="best", k_local=8)),
        ):
            right = found = wanted = 0
            for lines, gold in part:
                labelled = {b for _, b in gold if b >= _FIRST_LABELLED}
                real = {(a, b) for a, b in gold if a != b}
                guess = {(a, b) for a, b in predict(lines) if b in labelled}
                right, found, wanted = right + len(guess & real), found + len(guess), wanted + len(real)
            print(f"  {name:14} {label:18} {f1(right, found, wanted)}")


def previous_message(lines: list[dict[str, Any]]) -> Pairs:
    return {(a["index"], b["index"]) for a, b in pairwise(lines)}


def measure_molweni(path: Path) -> None:
    talks = json.loads(path.read_text(encoding="utf-8"))
    print("Molweni question -> answer (share of labelled pairs that are linked)")
    for name, part in (("looked at", talks[0::2]), ("not looked at", talks[1::2]), ("all", talks)):
        right, total = Counter[str](), 0
        precision = Counter[str]()
        for talk in part:
            lines = [{"index": i, "speaker": u["speaker"], "text": u["text"]} for i, u in enumerate(talk["edus"])]
            gold = {(r["x"], r["y"]) for r in talk["relations"] if r["type"] == "QAP"}
            every = {(r["x"], r["y"]) for r in talk["relations"]}
            total += len(gold)
            right["next other speaker"] += len(gold & next_other(lines))
            for profile in ("specified", "best"):
                guess = links_of(lines, profile=profile)
                right[profile] += len(gold & guess)
                precision[profile + " right"] += len(every & guess)
                precision[profile + " found"] += len(guess)
        shares = ", ".join(f"{k} {n / total:.3f}" for k, n in right.items())
        any_type = precision["best right"] / max(1, precision["best found"])
        print(f"  {name:14} {shares}; links of best that carry any label: {any_type:.3f}")


def next_other(lines: list[dict[str, Any]]) -> Pairs:
    out: Pairs = set()
    for n, line in enumerate(lines):
        after = (later["index"] for later in lines[n + 1 :] if later["speaker"] != line["speaker"])
        if (found := next(after, None)) is not None:
            out.add((line["index"], found))
    return out


def episodes(folder: Path) -> Iterator[tuple[str, list[Line]]]:
    for path in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            rows = [json.loads(row) for row in file]
        yield path.name.split(".")[0], [Line(i, r["names"][0], r["text"]) for i, r in enumerate(rows)]


def measure_game(folder: Path) -> list[Line]:
    print("A game's episodes (CRD3, game master MATT)")
    every: list[Line] = []
    for profile in ("specified", "best"):
        distances, by_type = Counter[int](), Counter[str]()
        claimed, strong, strong_claimed, total, lines_total = 0, 0, 0, 0, 0
        excluded = Counter[str]()
        for name, lines in episodes(folder):
            found = extract(name, lines, POLICY.link, dm=["MATT"], params={"profile": profile})
            check(found)
            every += lines if profile == "specified" else []
            lines_total += len(lines)
            total += len(found.links)
            excluded.update(found.metrics["excluded_by_reason"])
            for link in found.links:
                by_type[link.intent_type.value] += 1
                claimed += link.claimed
                strong += link.intent_strength is Strength.STRONG
                strong_claimed += link.claimed and link.intent_strength is Strength.STRONG
                if link.distance is not None:
                    distances[link.distance] += 1
        print(f"  {profile}: {lines_total} lines, {total} links, claimed {claimed / total:.3f}")
        print(f"    strong share {strong / total:.3f}, strong claimed {strong_claimed / strong:.3f}, invariants hold")
        print(f"    types {dict(by_type.most_common())}; distances {dict(sorted(distances.items()))}")
        print(f"    excluded {dict(excluded.most_common())}")
    return every


def check(found: Any) -> None:
    """The invariants of links, on human text."""
    reach = found.params.scoring.k_local
    walls = [r for r in found.mask.excluded_ranges if r.reason is not Exclusion.NOISE]
    owners: set[int] = set()
    for link in found.links:
        start, end = link.intent_anchor_index, link.consequence_anchor_index
        assert found.mask.is_line_eligible(start)
        if end is None:
            continue
        assert 1 <= end - start == link.distance <= reach and found.mask.is_line_eligible(end)
        assert not any(start < r.end_index and r.start_index < end for r in walls)
        if link.intent_strength is Strength.STRONG:
            assert end not in owners
            owners.add(end)


def measure_speed(lines: Iterable[Line], million: bool) -> None:
    said = list(lines)
    print("Speed of the specified profile, one core (lines from memory to links in memory)")
    for wanted in (len(said), 100_000, *((300_000, 1_000_000) if million else ())):
        rows = [Line(i, said[i % len(said)].speaker, said[i % len(said)].text) for i in range(wanted)]
        best = 0.0
        for _ in range(3 if wanted < 200_000 else 1):
            start = time.process_time()
            found = extract("speed", rows, POLICY.link, dm=["MATT"])
            best = max(best, wanted / (time.process_time() - start))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"  {wanted:>9,} lines: {best:>9,.0f} lines/s, {len(found.links):,} links, peak {peak} MB")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--data", type=Path, default=HERE.parent.parent / "shared" / "data")
    options.add_argument("--million", action="store_true", help="also time up to a million lines")
    given = options.parse_args()
    for folder, work in (("irc_dev", measure_irc), ("molweni_dev", lambda p: measure_molweni(p / "dev.json"))):
        if (given.data / folder).is_dir():
            work(given.data / folder)
        else:
            print(f"{folder}: not in {given.data}, skipped")
    game = given.data / "crd3_dev"
    if game.is_dir():
        measure_speed(measure_game(game), given.million)
    else:
        print(f"crd3_dev: not in {given.data}, skipped")


if __name__ == "__main__":
    main()
