"""Train the chooser of answers (kernel/recall/chooser.py).

    python bench/train/answers.py [--check] [--cases FILE] [--language LANGUAGE]

Learns which memory, or which of the user's own earlier words, answers a question, or that nothing does, from
data/reader/talks_*.jsonl: what a person told over some days, and what they asked then; from facts_*.jsonl: single things
told, and questions for them; and from changes_w1.jsonl: two messages and a question. Each talk goes through the real engine, so that the chooser sees what the readers really
kept; these talks are not among the sentences that the readers learn from. What is told, questions of the world and ordinary talk are answered by nothing. Where a question
points is learned from the questions and statements of data/reader, by attribute alone. `--check` leaves out a fifth
of the talks at a time and prints what the left-out ones give, beside the rules. `--cases FILE` keeps what the
engine showed, for another run. `--language ko` fits trees for one language from its own talks, beside those that are
shipped: the projections and the other trees stay as they are. No randomness: the same files give the same weights.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import pickle
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from reader import WEIGHTS, write
from trees import grown

from clew import policy as policies
from clew.engine import weighing
from clew.engine.bootstrap import make_embedder
from clew.kernel.read.trees import LEAF
from clew.kernel.recall import chooser
from clew.kernel.recall.chooser import features
from clew.kernel.recall.chooser_weights import Fitting
from clew.kernel.recall.known import MEMORY, Known, Question
from clew.policy import Policy
from clew.testing.fakes import HeldClock
from clew.testing.parts import make_parts, message_id, onboard, say
from unread_marks import found_in

HERE = Path(__file__).resolve().parent
DATA = HERE / "data/reader"
NAME = "answers.npz"
WHERE = {"en": ("GB", "Europe/London"), "ko": ("KR", "Asia/Seoul")}
BESIDE = 3
# So many single facts make one talk.
FACTS = 4
TREES = {"max_iter": 300, "learning_rate": 0.06, "max_leaf_nodes": 20, "min_samples_leaf": 20, "l2_regularization": 5.0}
# Of one language.
OWN_TREES = {**TREES, "max_iter": 130, "learning_rate": 0.12, "max_leaf_nodes": 16}
WHOLE = {"any", "who", "when", "history"}
DIM, ROUNDS, BATCH, SHOWN, RATE, TEMPER = 64, 15, 256, 1024, 2e-3, 10.0


embedder = cache(make_embedder)


class Case(NamedTuple):
    """One message as the engine stood before it, and which of the known things answer it."""

    talk: int
    language: str
    kind: str  # answer, none, told or talk
    question: Question
    known: list[Known]
    right: list[bool]


class Said(NamedTuple):
    text: str
    kind: str
    answer: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()


def lines_of(pattern: str) -> list[dict[str, Any]]:
    files = sorted(DATA.glob(pattern))
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def short_talks() -> list[dict[str, Any]]:
    """Two lines and two questions: what is changed, ended, or stands beside what was; and one for another's life."""
    out = []
    rows = lines_of("changes_w1.jsonl")
    for number, row in enumerate(rows[::2]):
        other = [r["question"] for r in rows[number :: len(rows) // 3] if r["lang"] == row["lang"] and r is not row]
        told = [row["held"], row["message"]]
        where = [i for i, line in enumerate(told) if any(a in line for a in row["answer"])]
        if where and row["question"]:
            ask = {"text": row["question"], "answer": row["answer"], "from": where, "kind": "direct"}
            far = [{"text": text, "answer": [], "from": [], "kind": "direct"} for text in other[:1]]
            out.append({"lang": row["lang"], "tell": told, "ask": [*far, ask]})
    return out


def fact_talks() -> list[dict[str, Any]]:
    """A few single facts of one hand told in a row: what is asked of each, and what is asked near it and was never told."""
    out = []
    for file in sorted(DATA.glob("facts_*.jsonl")):
        rows = lines_of(file.name)
        apart = -(-len(rows) // FACTS)
        for first in range(apart):
            some = rows[first::apart]
            asked = [{**ask, "from": [i]} for i, row in enumerate(some) for ask in row["ask"]]
            near = [{"text": text, "answer": [], "from": []} for row in some for text in row["near"]]
            out.append({"lang": some[0]["lang"], "tell": [row["told"] for row in some], "ask": [*asked, *near]})
    return out


def text_of(line: Any) -> str:
    return str(line["text"]) if isinstance(line, dict) else str(line)


def messages(row: dict[str, Any], number: int, beside: dict[str, list[str]]) -> list[Said]:
    """What is asked, with a few messages that ask nothing of one's own life among it."""
    out = []
    more = beside[row["lang"]]
    for i, ask in enumerate(row["ask"]):
        kind = "answer" if ask["answer"] else "talk" if ask.get("kind") in ("world", "chat") else "none"
        out.append(Said(ask["text"], kind, tuple(ask["answer"]), tuple(ask["from"])))
        if i < BESIDE and len(row["tell"]) > 2:
            out.append(Said(more[(number * BESIDE + i) * 7919 % len(more)], "talk"))
    return out


def seen_by_the_engine(
    row: dict[str, Any], number: int, asked: list[Said], made: Any, policy: Policy
) -> list[Case]:
    caught: list[tuple[Question, list[Known], list[str]]] = []
    beside, real = weighing.put_side_by_side, weighing.likely

    def watched(*args: Any) -> Any:
        question, known, findings = beside(*args)
        caught.append((question, known, [told().told for told in findings]))
        return question, known, findings

    cases: list[Case] = []
    country, zone = WHERE[row["lang"]]
    weighing.put_side_by_side = watched
    weighing.likely = lambda question, known, policy, meanings: tuple(0.0 for _ in known)
    with tempfile.TemporaryDirectory() as folder:
        clock = HeldClock()
        parts = make_parts(f"sqlite:///{folder}/clew.db", clock=clock, embedder=made, policy=policy)
        try:
            about = {"preferred_name": "Wilhelmina", "country_or_region": country, "client_timezone": zone}
            conversation = onboard(parts, **about)
            told = [text_of(line) for line in row["tell"]]
            places = {message_id(count + 1): count for count in range(len(told))}
            for count, said in enumerate([*(Said(text, "told") for text in told), *asked], start=1):
                if count == len(told) + 1:
                    clock.pass_(days=1)
                clock.pass_(minutes=7 if said.kind == "told" else 1)
                caught.clear()
                say(parts, conversation, said.text, count)
                if caught:
                    question, known, shown = caught[-1]
                    right = [holds(k, s, said, told, places) for k, s in zip(known, shown, strict=True)]
                    cases.append(Case(number, row["lang"], said.kind, question, known, right))
                else:
                    MISSED[row["lang"], said.kind] += 1
        finally:
            parts.store.close()
            weighing.put_side_by_side, weighing.likely = beside, real
    return cases


MISSED: Counter[tuple[str, str]] = Counter()


def holds(known: Known, shown: str, said: Said, told: list[str], places: dict[str, int]) -> bool:
    """It says an answer, and comes from a line that does."""
    words = f"{shown} {known.value if known.kind == MEMORY else ''}"
    if not any(found_in(a, words) for a in said.answer):
        return False
    if known.kind != MEMORY:
        return places.get(known.id) in said.lines
    lines = " ".join(told[i] for i in said.lines)
    return known.words.strip(" .!?") in lines or any(found_in(a, known.value) for a in said.answer)


def collected(rows: list[dict[str, Any]]) -> list[Case]:
    nothing = [r for r in lines_of("asks*.jsonl") if not r["asks"]] + [
        r for r in lines_of("??_n.jsonl") if not r["memories"]
    ]
    beside = {lang: [r["text"] for r in nothing if r["lang"] == lang] for lang in WHERE}
    jobs = [(row, number, messages(row, number, beside)) for number, row in enumerate(rows)]
    out = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for cases, missed in pool.map(one_talk, jobs, chunksize=4):
            out += cases
            MISSED.update(missed)
    return out


@cache
def looking() -> Policy:
    """One for all talks: much is remembered by policy."""
    policy = policies.default()
    return replace(policy, reader=replace(policy.reader, answers=NAME))


def one_talk(job: tuple[dict[str, Any], int, list[Said]]) -> tuple[list[Case], Counter[tuple[str, str]]]:
    MISSED.clear()
    return seen_by_the_engine(*job, embedder(), looking()), MISSED


def projections() -> tuple[np.ndarray, np.ndarray]:
    """Two matrices that bring a question near the statements of what it asks for."""
    asks = [(r, {a["attribute"] for a in r["asks"]} - WHOLE) for r in lines_of("asks*.jsonl")]
    told = [(r, {m["attribute"] for m in r["memories"]}) for r in (*lines_of("en_*.jsonl"), *lines_of("ko_*.jsonl"))]
    asks, told = [a for a in asks if a[1]], [t for t in told if t[1]]
    q = embedder().matrix([r["text"] for r, _ in asks]).astype(np.float32)
    s = embedder().matrix([r["text"] for r, _ in told]).astype(np.float32)
    names = sorted(set().union(*(n for _, n in (*asks, *told))))
    of_q = np.array([[n in wanted for n in names] for _, wanted in asks], np.float32)
    of_s = np.array([[n in held for n in names] for _, held in told], np.float32)
    ko_q, ko_s = (np.array([r["lang"] == "ko" for r, _ in rows]) for rows in (asks, told))
    start = np.linalg.svd(s, full_matrices=False)[2][:DIM].T
    both = [start.copy(), start.copy()]
    moved = [[np.zeros_like(start), np.zeros_like(start)] for _ in both]
    rng, step = np.random.default_rng(0), 0
    for _ in range(ROUNDS):
        for at in np.array_split(rng.permutation(len(q)), max(1, len(q) // BATCH)):
            few = rng.choice(len(s), SHOWN, replace=False)
            fits = (of_q[at] @ of_s[few].T > 0) & (ko_q[at][:, None] == ko_s[few][None, :])
            at, fits = at[fits.any(axis=1)], fits[fits.any(axis=1)]
            x, y = q[at] @ both[0], s[few] @ both[1]
            lx, ly = np.linalg.norm(x, axis=1, keepdims=True), np.linalg.norm(y, axis=1, keepdims=True)
            ux, uy = x / lx, y / ly
            e = np.exp(TEMPER * (ux @ uy.T - 1))
            goal = e * fits
            pull = (e / e.sum(axis=1, keepdims=True) - goal / goal.sum(axis=1, keepdims=True)) * TEMPER / len(at)
            gx, gy = pull @ uy, pull.T @ ux
            gx, gy = (gx - (gx * ux).sum(1, keepdims=True) * ux) / lx, (gy - (gy * uy).sum(1, keepdims=True) * uy) / ly
            step += 1
            for w, grad, (m, v) in zip(both, (q[at].T @ gx, s[few].T @ gy), moved, strict=True):
                grad = grad + 1e-4 * w
                m += 0.1 * (grad - m)
                v += 0.001 * (grad**2 - v)
                w -= RATE * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return tuple(np.clip(np.rint(w / np.abs(w).max() * 127), -127, 127).astype(np.int8) for w in both)  # type: ignore[return-value]


def judged(case: Case, chances: np.ndarray, at: float, near: float) -> str:
    best = chances.max(initial=0.0)
    if best < at:
        return "silent" if case.kind == "answer" else "rightly silent"
    if case.kind != "answer":
        return "answered for nothing"
    kept = [i for i, c in enumerate(chances) if c >= max(at, best - near)]
    return "right" if any(case.right[i] for i in kept) else "wrong"


def by_rule(case: Case) -> str:
    """The mark to beat: what the rules find by place in the table, the surest alone."""
    named = np.array([k.named for k in case.known])
    return judged(case, named, 0.1, 0.0)


def check(cases: list[Case], rows: list[np.ndarray], trees: dict[str, np.ndarray]) -> None:
    chances: list[np.ndarray] = [np.zeros(0)] * len(cases)
    for fold in range(5):
        use = [i for i, c in enumerate(cases) if c.talk % 5 != fold]
        made = Fitting({**trees, **grown([rows[i] for i in use], [np.array(cases[i].right) for i in use], TREES)})
        for i, case in enumerate(cases):
            if case.talk % 5 == fold:
                chances[i] = 1 / (1 + np.exp(-np.array(made.sums(rows[i])) / LEAF))
    for language in WHERE:
        for kind in ("answer", "none", "told", "talk"):
            own = [(c, p) for c, p in zip(cases, chances, strict=True) if (c.language, c.kind) == (language, kind)]
            can = sum(any(c.right) for c, _ in own)
            print(f"{language} {kind}: {len(own)} looked at ({MISSED[language, kind]} not), answer at hand {can}")
            for at in (0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6):
                marks = Counter(judged(c, p, at, 0.15) for c, p in own)
                print(f"   from {at:.2f}: " + ", ".join(f"{k} {n}" for k, n in sorted(marks.items())))
            print("   by rule:   " + ", ".join(f"{k} {n}" for k, n in sorted(Counter(by_rule(c) for c, _ in own).items())))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--cases", type=Path)
    parser.add_argument("--language", choices=tuple(WHERE))
    args = parser.parse_args()
    if args.cases and args.cases.exists():
        cases, missed = pickle.loads(args.cases.read_bytes())
        MISSED.update(missed)
    else:
        cases = collected([*lines_of("talks_*.jsonl"), *short_talks(), *fact_talks()])
        if args.cases:
            args.cases.write_bytes(pickle.dumps((cases, MISSED)))
    cases = [c for c in cases if c.known and args.language in (None, c.language)]
    shipped = dict(np.load(WEIGHTS / NAME)) if args.language else {}
    question, answer = (shipped["question"], shipped["answer"]) if shipped else projections()
    empty = np.zeros(1, np.int32)
    arrays = {"question": question, "answer": answer}
    bare = Fitting({**arrays, **dict.fromkeys(("feature", "at", "left", "right", "leaf", "roots"), empty), "bias": empty[0], "depth": empty[0]})
    chooser._trees = lambda name, sha256: bare  # type: ignore[assignment]
    rows = [features(c.question, c.known, policies.default()) for c in cases]
    if args.check:
        check(cases, rows, arrays)
        return
    out = io.BytesIO()
    made = grown(rows, [np.array(c.right) for c in cases], OWN_TREES if args.language else TREES)
    if args.language:
        made = {**shipped, **{f"{name}_{args.language}": part for name, part in made.items()}}
    np.savez_compressed(out, **{**arrays, **made})
    write(out.getvalue(), "answers", WEIGHTS)


if __name__ == "__main__":
    main()
