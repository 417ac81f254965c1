"""Read the messages that the network of follow-ups learns from, with everything that does not depend on its weights.

    python bench/train/ground_pack.py OUT [--cores N] [--data DIR] [--only HAND …]

bench/train/ground_acts.py names most of the messages; data/follow/ holds those of more hands, scene by scene;
data/follow/*_test.jsonl are of two hands that are never learned from. Most messages are read again beside other
lists (`variations`), where the label stays right: with candidates of another scene, without some that are not meant,
and, with nothing to take, beside a list of something else or without the one that was meant. Numbers are rounded to
a grid, so that the pack is small enough to be carried to another machine (ground_network.py).
"""

from __future__ import annotations

import argparse
import json
import lzma
import multiprocessing
import os
import pickle
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from ground_acts import learned_rows, lines, number, strays
from ground_choices import beside

from clew.adapters.embeddings.use import default as embedder
from clew.adapters.embeddings.use import pieces_of
from clew.kernel.ground.cards import card
from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.point import point
from clew.kernel.ground.pointed import Pointed
from clew.kernel.ground.rules import by_rules
from clew.kernel.ground.traits import of_candidates, of_meaning, of_message, of_words, shown
from clew.kernel.ground.turn import Turn
from clew.kernel.read.follow_up import follow_up
from clew.model.continuity import ContinuityState, Scope
from clew.model.evidence import Candidate
from clew.model.fields import Fields
from clew.policy import default
from grounding import unrelated

HERE = Path(__file__).resolve().parent
Row = dict[str, Any]
ACTS = ("accept", "choose", "reject", "ask", "more", "new", "close", "correct", "unclear")
TAKING = ("accept", "choose", "correct")
# So many tokens of the message, of the assistant's last words and of a candidate are read.
SAID, HEARD, SHOWN = 48, 28, 18
STRAYS = 3000
# Signs are kept in sixtieths; vectors on a grid, along the directions in which they differ most.
SIGN, GIST_STEP, TABLE_STEP = 60.0, 0.022, 0.25
# Where the list counts as such, another list has another answer.
COUNTS = re.compile(
    r"\b(last|first|second|third|fourth|fifth|other|others|rest|both|all|neither|either|none|any|top|bottom|middle|most|least|"
    r"half|two|three|former|latter|next|between|than|\w+est|\w+er one|less|more|only|[1-9](?:st|nd|rd|th)?)\b|"
    r"제일|가장|마지막|나머지|다른|둘|셋|넷|전부|모두|[가-힣]+째|[1-9] ?번|끝|위에|아래|맨|중간|말고|빼고|더 |덜|보다|유일|하나|"
    r"첫|두 ?개|세 ?개|다 |아무"
)
SCOPE = Scope("chat", "bench")


def scenes_of(row: Row) -> tuple[Any, ...]:
    return row["assistant"], row["offered"], tuple(c["label"] for c in row["candidates"])


def meant(row: Row) -> set[str]:
    return {i for a in row["acts"] if a["act"] in TAKING for i in a["ids"]}


def pointed_at(row: Row) -> tuple[OptionSet, Pointed]:
    options = OptionSet(tuple(Candidate.read(Fields(c)) for c in row["candidates"]))
    offered = options.position.get(row["offered"]) if row["offered"] else None
    return options, point(row["user"], options, offered, default().ground, row["assistant"])


def variations(row: Row, others: list[Row], by: random.Random) -> Iterator[Row]:
    """The same message beside other lists; `others` holds scenes of the same language."""
    takes, acts = meant(row), {a["act"] for a in row["acts"]}
    if len(takes) > 1 or COUNTS.search(row["user"].lower()):
        return
    options, at = pointed_at(row)
    if at.how not in (None, "", "name", "words", "near") and at.positions and at.how in ("place", "measure", "left", "other", "all"):
        return
    ids = [c["id"] for c in row["candidates"]]
    held = takes | {i for a in row["acts"] for i in a["ids"]} | {ids[p] for p in at.positions} | {row["offered"]}
    free = [i for i in ids if i not in held]
    if by.random() < 0.75:
        listed = list(row["candidates"])
        if free and len(ids) > 2 and not acts & {"unclear", "ask", "more"} and by.random() < 0.5:
            gone = set(by.sample(free, min(len(ids) - 2, by.randint(1, len(free)))))
            listed = [c for c in listed if c["id"] not in gone]
        if len(listed) == len(ids) or by.random() < 0.4:
            scene = by.choice(others)
            some = by.sample(scene["candidates"], min(len(scene["candidates"]), by.randint(1, 3)))
            labels = {c["label"] for c in listed}
            listed += [{**c, "id": f"more{k}"} for k, c in enumerate(some) if c["label"] not in labels]
        by.shuffle(listed)
        made = {**row, "candidates": listed, "kind": "list"}
        if same(made, at, options):
            yield made
    if not takes or not acts <= {"choose", "correct", "accept"}:
        return
    none = {"acts": [{"act": "unclear", "ids": []}], "acts_unknown": True, "weight": 0.6 * row.get("weight", 1.0)}
    if by.random() < 0.35 and acts == {"choose"} and not takes & {row["offered"]} and len(row["user"].split()) > 2:
        scene = by.choice(others)
        made = {**row, **{k: scene[k] for k in ("assistant", "candidates", "offered")}, **none, "kind": "elsewhere"}
        if nothing_fits(made):
            yield made
    if by.random() < 0.35 and len(ids) > 2 and not takes & {row["offered"]}:
        made = {**row, "candidates": [c for c in row["candidates"] if c["id"] not in takes], **none, "kind": "gone"}
        if nothing_fits(made):
            yield made


def same(row: Row, before: Pointed, options: OptionSet) -> bool:
    """Rules point at the same things as beside the list it was written for."""
    now, at = pointed_at(row)
    return {now.candidates[p].id for p in at.positions} == {options.candidates[p].id for p in before.positions}


def nothing_fits(row: Row) -> bool:
    _, at = pointed_at(row)
    return not at.positions and not at.fitting


# How two things that are said in one message hang together.
BETWEEN = {"en": (". ", ", ", "! ", "... ", " and ", " oh and ", " btw "), "ko": (". ", ", ", "! ", "~ ", " 그리고 ", " 근데 ", " 아 그리고 ")}


def joined(rows: list[Row], own: list[Row], count: int, by: random.Random) -> Iterator[Row]:
    """Two messages in one: a choice after a remark or a refusal of the same scene, thanks or a request behind a choice."""
    scenes: dict[tuple[Any, ...], list[Row]] = {}
    for r in rows:
        scenes.setdefault(scenes_of(r), []).append(r)
    plain = {lang: [r for r in own if r["lang"] == lang and r["offer"] == "any" and r["acts"] in (["close"], ["new"]) and "{" not in r["user"]]
             for lang in BETWEEN}  # fmt: skip
    every = [some for some in scenes.values() if len(some) > 1]
    for _ in range(count):
        some = by.choice(every)
        first = by.choice([r for r in some if len(r["acts"]) == 1] or some)
        if len(first["acts"]) > 1:
            continue
        lang, act = first["lang"], first["acts"][0]["act"]
        if act == "choose" and len(first["acts"][0]["ids"]) == 1 and by.random() < 0.6:
            before = [r for r in some if [a["act"] for a in r["acts"]] in (["unclear"], ["ask"], ["reject"]) and r is not first]
            before = [r for r in before if not set(r["acts"][0]["ids"]) & meant(first)]
            if before:
                other = by.choice(before)
                texts, acts = [other["user"], first["user"]], [*other["acts"], *first["acts"]]
                if by.random() < 0.25 and acts[0]["act"] != "reject":
                    texts, acts = texts[::-1], acts[::-1]
                yield {**first, "user": together(texts, lang, by), "acts": acts, "kind": "joined"}
                continue
        if not plain[lang] or act in ("new", "close"):
            continue
        other = by.choice(plain[lang])
        acts = [*first["acts"], {"act": other["acts"][0], "ids": []}]
        yield {**first, "user": together([first["user"], other["user"]], lang, by), "acts": acts, "kind": "joined"}


def together(texts: list[str], lang: str, by: random.Random) -> str:
    between = by.choice(BETWEEN[lang])
    ends = texts[0][-1:] in ".!?~"
    return f"{texts[0]} {texts[1]}" if ends else f"{texts[0]}{between}{texts[1]}"


class Work:
    """What the processes beside this one see: they are forked, nothing is sent to them."""

    hands: list[tuple[Row, str, float]]
    scenes: dict[str, list[Row]]


def packed(row: Row, hand: str, weight: float) -> Row:
    policy = default().ground
    encoder = embedder()

    def tokens(text: str) -> tuple[list[tuple[int, int]], list[int]]:
        spans, ids = pieces_of(text, encoder._load()._model.sp)
        return list(spans), list(ids)

    def vectors(texts: list[str]) -> np.ndarray:
        return np.array([vector(t) for t in texts])

    # Every fifth message is read without the assistant's words, as some callers do not give them.
    told = hand.endswith("_test") or number(f"{row['user']}{row['assistant']}") % 5 > 0
    heard = row["assistant"] if told else None
    options = OptionSet(tuple(Candidate.read(Fields(c)) for c in row["candidates"]))
    every = tuple(range(len(options.candidates)))
    offered = options.position.get(row["offered"]) if row["offered"] else None
    turn = Turn(row["user"], options, ContinuityState(option_set_id="set", scope=SCOPE), SCOPE, "set",
                offered=(row["offered"],) if row["offered"] else (), last_assistant_text=heard,
                nothing_offered=row["offered"] is None)  # fmt: skip
    at = point(row["user"], options, offered, policy, heard)
    found = by_rules(turn, policy)
    cards = [card(c, policy.pointing) for c in options.candidates]
    spans, ids = tokens(row["user"])
    said = ids[:SAID], small(of_words(follow_up(row["user"]).standing, spans[:SAID], cards, policy))
    spans, ids = tokens(heard or "")
    before = ids[-HEARD:], small(of_words(follow_up(heard or "").standing, spans[-HEARD:], cards, policy))
    takes = meant(row)
    seen = [shown(c) for c in options.candidates]
    meaning = of_meaning(vectors(follow_up(row["user"]).remarks), vectors(seen), vectors([c.label for c in options.candidates]))
    plain = of_candidates(row["user"], options, every, offered, heard, at, found, policy)
    return {
        "text": row["user"], "texts": seen, "hand": hand, "lang": row["lang"], "weight": weight, "said": said, "heard": before,
        "shown": [tokens(s)[1][:SHOWN] for s in seen],
        "own": small(np.hstack([plain, meaning])),
        "shared": small(of_message(row["user"], options, offered, heard, at, found, policy)),
        "meant": [c["id"] in takes for c in row["candidates"]],
        "acts": [-100] if row.get("acts_unknown") else [ACTS.index(a["act"]) for a in row["acts"]][:2],
        "kind": row.get("kind", ""),
    }  # fmt: skip


_ONCE: dict[str, np.ndarray] = {}


def vector(text: str) -> np.ndarray:
    if text not in _ONCE:
        _ONCE[text] = np.array(embedder().embed([text or " "])[0])
    return _ONCE[text]


def small(values: np.ndarray) -> np.ndarray:
    return np.rint(values * SIGN).astype(np.int16)


def done(part: range) -> list[Row]:
    out = []
    for k in part:
        row, hand, weight = Work.hands[k]
        out.append(packed(row, hand, weight))
        if hand in ("own", "stray") or hand.endswith("_test") or row.get("kind"):
            continue
        by = random.Random(number(f"{row['user']}{row['assistant']}") % 2**32)
        out += [packed(r, hand, r.get("weight", weight)) for r in variations(row, Work.scenes[row["lang"]], by)]
    return out


def rounded(values: np.ndarray, step: float) -> dict[str, Any]:
    """Along the directions in which they differ most, on a grid: what differs little is one number."""
    _, base = np.linalg.eigh(values.T @ values)
    base = base[:, ::-1].astype(np.float16)
    parts = np.clip(np.rint(values @ base.astype(np.float32) / step), -127, 127).astype(np.int8)
    return {"parts": np.ascontiguousarray(parts.T), "base": base, "step": step}


def hands_of(data: Path, only: list[str]) -> list[tuple[Row, str, float]]:
    rows, own = learned_rows(), lines("acts_own.jsonl")
    hands: list[tuple[Row, str, float]] = [(r, r["hand"], 1.0) for r in rows]
    for file in sorted((HERE / "data" / "follow").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            scene = json.loads(line)
            for each in scene["followups"]:
                row = {k: scene[k] for k in ("assistant", "candidates", "offered")}
                hands.append(({**row, **each, "lang": file.stem[:2]}, file.stem, 1.0))
    hands += [(r, "own", r["weight"]) for r in beside(own, rows, 2)]
    hands += [(r, "stray", 1.0) for r in strays(unrelated(data, learned=True)[:STRAYS], rows, 1.0)]
    return [h for h in hands if not only or h[1] in only]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, default=HERE.parents[2] / "shared" / "data", help="for unrelated remarks")
    parser.add_argument("--only", nargs="*", default=[], help="hands")
    parser.add_argument("--joined", type=int, default=0, help="so many pairs of messages in one, and nothing else")
    parser.add_argument("--limit", type=int, default=0, help="so many messages, for a trial")
    parser.add_argument("--cores", type=int, default=2)
    args = parser.parse_args()
    every = hands_of(args.data, [])
    Work.scenes = {"en": [], "ko": []}
    for row, _, _ in {scenes_of(h[0]): h for h in every if h[1] not in ("own", "stray") and not h[1].endswith("_test")}.values():
        Work.scenes[row["lang"]].append(row)
    Work.hands = [h for h in every if not args.only or h[1] in args.only]
    if args.joined:
        rows = [{**r, "hand": hand} for r, hand, _ in Work.hands if hand not in ("own", "stray") and not hand.endswith("_test")]
        made_of = joined(rows, lines("acts_own.jsonl"), args.joined, random.Random(7))
        Work.hands = [(r, r["hand"], 1.0) for r in made_of]
    if args.limit:
        Work.hands = random.Random(1).sample(Work.hands, args.limit)
    embedder().embed(["."])
    made: list[Row] = []
    parts = [range(i, min(i + 64, len(Work.hands))) for i in range(0, len(Work.hands), 64)]
    with multiprocessing.get_context("fork").Pool(args.cores) as pool:
        for k, some in enumerate(pool.imap(done, parts)):
            made += some
            if k % 20 == 0:
                print(f"{k * 64:,} of {len(Work.hands):,} messages, {len(made):,} with variations", flush=True)
    write(args.out, made)


def write(out: Path, made: list[Row]) -> None:
    """Arrays one behind another; tokens and texts by their numbers in two tables."""
    kept: dict[int, int] = {}
    texts: dict[str, int] = {}
    for r in made:
        for ids in (r["said"][0], r["heard"][0], *r["shown"]):
            for i in ids:
                kept.setdefault(i, len(kept))
        for t in (r["text"], *r["texts"]):
            texts.setdefault(t, len(texts))
    encoder = embedder()
    model = encoder._load()._model
    flat = np.array(list(kept))
    chunk = flat % model.scale.shape[0]
    table = model.table[flat].astype(np.float32) * model.scale[chunk, None] + model.lo[chunk, None]
    hands = sorted({r["hand"] for r in made})
    number_of = np.vectorize(kept.__getitem__, otypes=[np.uint16])
    flat_ids = lambda lists: number_of(np.concatenate([np.array(x, int) for x in lists]))  # noqa: E731
    held = {
        "hands": hands, "hand": np.array([hands.index(r["hand"]) for r in made], np.uint8),
        "kind": np.array([("", "list", "elsewhere", "gone", "joined").index(r["kind"]) for r in made], np.uint8),
        "lang": np.array([r["lang"] == "ko" for r in made]), "weight": np.array([r["weight"] for r in made], np.float16),
        "said": np.array([len(r["said"][0]) for r in made], np.uint8),
        "heard": np.array([len(r["heard"][0]) for r in made], np.uint8),
        "count": np.array([len(r["meant"]) for r in made], np.uint8),
        "ids": flat_ids(x for r in made for x in (r["heard"][0], r["said"][0])),
        "signs": np.concatenate([r[k][1].reshape(-1, 9) for r in made for k in ("heard", "said")]).astype(np.int8),
        "shown": np.array([len(s) for r in made for s in r["shown"]], np.uint8),
        "shown_ids": flat_ids(s for r in made for s in r["shown"]),
        "own": np.concatenate([r["own"] for r in made]), "shared": np.array([r["shared"] for r in made]),
        "meant": np.array([m for r in made for m in r["meant"]]),
        "first": np.array([r["acts"][0] for r in made], np.int8),
        "second": np.array([-100 if r["acts"][0] < 0 else 1 + r["acts"][1] if len(r["acts"]) > 1 else 0 for r in made], np.int8),
        "gist": np.array([texts[r["text"]] for r in made], np.uint16),
        "gists": np.array([texts[t] for r in made for t in r["texts"]], np.uint16),
        "table": rounded(table, TABLE_STEP), "vectors": rounded(encoder.matrix([t or " " for t in texts]), GIST_STEP), "sign": SIGN,
    }  # fmt: skip
    # Column by column: what is alike stands together.
    for key in ("signs", "own", "shared"):
        held[key] = np.ascontiguousarray(held[key].T)
    for key, value in held.items():
        print(key, f"{len(lzma.compress(pickle.dumps(value), preset=1)):,}")
    with lzma.open(out, "wb", preset=6) as stream:
        pickle.dump(held, stream)
    print(f"{len(made):,} messages, {len(kept):,} tokens, {len(texts):,} texts, {out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
