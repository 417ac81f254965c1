"""Messages for the network of follow-ups that can be said beside any list, filled in from the lists of others.

    python bench/train/ground_frames.py        # some of them, to read

A message that nobody may act on is the same whatever the list holds ("i'll skip both", 내가 직접 할게), and so is the rule
that what several fit is not yet a choice ("something blue" beside two blue ones). `data/frames.toml` holds the words; each
list of the hands that are learned from lends its names and what is told of them.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
Row = dict[str, Any]
# So many messages a list.
EACH = 7
# A longer name is not said whole.
LONGEST = 28
CAPITALS = 0.4
_APART = re.compile(r"\s*[,;·|]\s*")


def rows() -> list[tuple[Row, str]]:
    """Each message with the hand whose list it stands beside."""
    frames = tomllib.loads((HERE / "data" / "frames.toml").read_text(encoding="utf-8"))
    files = [f for f in sorted((HERE / "data" / "follow").glob("*.jsonl")) if not f.stem.endswith("_test")]
    scenes = [(f.stem, json.loads(line)) for f in files for line in f.read_text(encoding="utf-8").splitlines()]
    labels = {lang: [c["label"] for h, s in scenes if h[:2] == lang for c in s["candidates"]] for lang in frames}
    out = []
    for hand, scene in scenes:
        own = json.dumps(scene, ensure_ascii=False, sort_keys=True).encode()
        by = random.Random(hashlib.sha256(own).hexdigest())
        made = beside(scene, frames[hand[:2]], labels[hand[:2]], by)
        out += [({**row, "lang": hand[:2]}, hand) for row in by.sample(made, min(EACH, len(made)))]
    return out


def beside(scene: Row, frames: dict[str, list[str]], labels: list[str], by: random.Random) -> list[Row]:
    """All kinds of messages once beside one list; kinds that take nothing twice."""
    listed = scene["candidates"]
    ids, names = [c["id"] for c in listed], {c["id"]: c["label"] for c in listed if len(c["label"]) <= LONGEST}
    told = attributes(listed)
    alone = [(a, i) for a, i in told.items() if len(i) == 1]
    shared = [(a, i) for a, i in told.items() if 1 < len(i) < len(ids)]
    every = list(told) or [""]
    out: list[Row] = []

    def add(kind: str, act: str, meant: list[str], **words: str) -> None:
        text = by.choice([f for f in frames[kind] if "{attribute}" not in f or words.get("attribute")])
        act = "accept" if act == "choose" and meant == [scene["offered"]] else act
        row = {k: scene[k] for k in ("assistant", "candidates", "offered")}
        said = text.format(**words)
        # Most people type without capitals.
        said = said if by.random() < CAPITALS else said.lower()
        out.append({**row, "user": said, "acts": [{"act": act, "ids": meant}]})

    pair = by.sample(list(names), 2) if len(names) > 1 else None
    for _ in range(2):
        add("refuse", "reject", [])
        add("close", "close", [])
        if pair:
            add("remark", "unclear", [], name=names[pair[0]], other=names[pair[1]], attribute=by.choice(every))
        if shared:
            add("several_fit", "unclear", [], attribute=by.choice(shared)[0])
    if len(ids) == 2:
        add("refuse_two", "reject", [])
        add("refuse_two", "reject", [])
        add("remark_two", "unclear", [])
        add("both", "choose", ids)
    else:
        add("all", "choose", ids)
        if pair:
            add("refuse_one", "reject", [pair[0]], name=names[pair[0]])
            add("two", "choose", pair, name=names[pair[0]], other=names[pair[1]])
    if pair:
        add("named", "choose", pair[:1], name=names[pair[0]])
        add("ask", "ask", pair[1:], name=names[pair[1]])
    if alone:
        what, meant = by.choice(alone)
        add("one_fits", "choose", list(meant), attribute=what)
    if two := [(a, i) for a, i in shared if len(i) == 2]:
        what, meant = by.choice(two)
        add("all_fitting", "choose", list(meant), attribute=what)
    add("stranger", "unclear", [], stranger=by.choice(labels))
    return out


def attributes(listed: list[Row]) -> dict[str, tuple[str, ...]]:
    """What is told of the candidates, piece by piece, with those it is told of; names are none of it."""
    held: dict[str, list[str]] = {}
    for one in listed:
        for piece in dict.fromkeys(_APART.split(one.get("sublabel") or "")):
            if 1 < len(piece) <= LONGEST:
                held.setdefault(piece.lower(), []).append(one["id"])
    words = Counter(w for c in listed for w in c["label"].lower().split())
    return {a: tuple(i) for a, i in held.items() if not any(w in words for w in a.split())}


if __name__ == "__main__":
    some = rows()
    print(len(some), "messages;", Counter(r["acts"][0]["act"] for r, _ in some))
    for row, hand in random.Random(3).sample(some, 60):
        print(hand, row["user"], "|", [(a["act"], a["ids"]) for a in row["acts"]], "|", [c["label"] for c in row["candidates"]])
