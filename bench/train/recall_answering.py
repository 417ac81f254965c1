"""Where the answers to a question lie (policy recall.answering): directions in the space of the default encoder.

    python bench/train/recall_answering.py [--check]

Learned from data/reader/talks_*.jsonl: what a person told over some days, and what they asked then, with the messages
that answer; English and Korean. No history of bench/data is among them. A question's vector is moved so that the
messages that answer it come before the others of its talk, and before those of other talks, which count a tenth: the
question of one person is often answered by another's words too. Five runs from different starts are laid together
and cut to the strongest directions. `--check` leaves out the talks of one hand at a time and prints how often the
first message answers, by the plain vector and by the moved one. No randomness beyond fixed seeds.
"""

from __future__ import annotations

import argparse
import json
from base64 import b85encode
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from clew import policy as policies
from clew.adapters.embeddings import use
from clew.kernel.recall.turns.vocabulary import basis

HERE = Path(__file__).resolve().parent
DATA = HERE / "data" / "reader"
TABLE = HERE.parents[1] / "src" / "clew" / "policy" / "data" / "recall.answering.toml"
RANK, SEEDS, STEPS, RATE, SHARPNESS, OTHERS, PENALTY = 32, 5, 600, 4e-3, 12.0, 0.1, 1e-4
TALKS, QUESTIONS, ROUNDS = 24, 96, 4


class Talk(NamedTuple):
    hand: str
    language: str
    told: list[int]
    asked: list[tuple[int, list[int]]]  # a question, and which of the messages told answer it


class Group(NamedTuple):
    """Questions and messages of several talks, in the main directions."""

    asked: np.ndarray
    told: np.ndarray
    plain: np.ndarray  # cosines
    right: np.ndarray
    own: np.ndarray  # of the same talk


def talks() -> tuple[list[Talk], np.ndarray]:
    texts: dict[str, int] = {}
    out = []
    for file in sorted(DATA.glob("talks_*.jsonl")):
        for row in file.read_text(encoding="utf-8").splitlines():
            item = json.loads(row)
            said = [one if isinstance(one, str) else one["text"] for one in item["tell"]]
            told = [texts.setdefault(text, len(texts)) for text in said]
            asked = [
                (texts.setdefault(one["text"], len(texts)), [place for place in one["from"] if place < len(told)])
                for one in item["ask"]
                if one.get("from")
            ]
            out.append(Talk(file.stem, item["lang"], told, [a for a in asked if a[1]]))
    return out, np.asarray(use.default().matrix(list(texts)), np.float64)


def groups(some: list[Talk], vectors: np.ndarray, directions: np.ndarray) -> list[Group]:
    """Talks of one language side by side, in several orders."""
    order = np.random.default_rng(0)
    out = []
    for language in ("en", "ko"):
        here = [talk for talk in some if talk.language == language]
        for _ in range(ROUNDS):
            places = order.permutation(len(here))
            for first in range(0, len(places), TALKS):
                out.append(_group([here[p] for p in places[first : first + TALKS]], vectors, directions))
    return out


def _group(some: list[Talk], vectors: np.ndarray, directions: np.ndarray) -> Group:
    told = [message for talk in some for message in talk.told]
    asked = [question for talk in some for question, _ in talk.asked]
    right, own = np.zeros((2, len(asked), len(told)), bool)
    row = start = 0
    for talk in some:
        for _, answers in talk.asked:
            own[row, start : start + len(talk.told)] = True
            right[row, [start + place for place in answers]] = True
            row += 1
        start += len(talk.told)
    questions, messages = vectors[asked], vectors[told]
    return Group(questions @ directions, messages @ directions, questions @ messages.T, right, own)


def learned(some: list[Group], width: int, seed: int) -> np.ndarray:
    """Adam on two narrow matrices whose product is added to the cosine."""
    chance = np.random.default_rng(seed)
    sides = [chance.normal(0, 0.04, (width, RANK)) for _ in range(2)]
    means, squares = [np.zeros((width, RANK)) for _ in range(2)], [np.zeros((width, RANK)) for _ in range(2)]
    for step in range(1, STEPS + 1):
        group = some[chance.integers(len(some))]
        few = chance.permutation(len(group.asked))[:QUESTIONS]
        asked, right = group.asked[few], group.right[few]
        left, far = asked @ sides[0], group.told @ sides[1]
        score = SHARPNESS * (group.plain[few] + left @ far.T) + np.where(group.own[few], 0, np.log(OTHERS))
        share = np.exp(score - score.max(axis=1, keepdims=True))
        share /= share.sum(axis=1, keepdims=True)
        meant = np.where(right, share, 0)
        meant /= meant.sum(axis=1, keepdims=True) + 1e-9
        wrong = SHARPNESS * (share - meant) / len(few)
        slopes = asked.T @ (wrong @ far), group.told.T @ (wrong.T @ left)
        rate = RATE * min(1, step / 50) * (1 - step / STEPS)
        for side in range(2):
            slope = slopes[side] + PENALTY * sides[side]
            means[side] = 0.9 * means[side] + 0.1 * slope
            squares[side] = 0.99 * squares[side] + 0.01 * slope * slope
            size = np.sqrt(squares[side] / (1 - 0.99**step)) + 1e-8
            sides[side] -= rate * means[side] / (1 - 0.9**step) / size
    return sides[0] @ sides[1].T


def laid_together(some: list[Talk], vectors: np.ndarray, directions: np.ndarray) -> tuple[Any, Any, Any]:
    made = groups(some, vectors, directions)
    whole = sum(learned(made, directions.shape[1], seed) for seed in range(SEEDS)) / SEEDS
    asked, strength, told = np.linalg.svd(whole)
    return asked[:, :RANK], strength[:RANK], told[:RANK].T


def check(some: list[Talk], vectors: np.ndarray, directions: np.ndarray) -> None:
    print("| left out | questions | plain | moved |\n|---|---:|---:|---:|")
    for hand in sorted({talk.hand for talk in some}):
        asked, strength, told = laid_together([t for t in some if t.hand != hand], vectors, directions)
        plain = moved = count = 0
        for talk in (t for t in some if t.hand == hand):
            messages = vectors[talk.told]
            for question, answers in talk.asked:
                cosine = messages @ vectors[question]
                more = (messages @ directions @ told) @ (strength * (vectors[question] @ directions @ asked))
                plain += int(np.argmax(cosine)) in answers
                moved += int(np.argmax(cosine + more)) in answers
                count += 1
        print(f"| {hand} | {count} | {plain / count:.3f} | {moved / count:.3f} |", flush=True)


def packed(matrix: np.ndarray) -> str:
    grid = np.round(matrix / np.abs(matrix).max(axis=0) * 127).astype(np.int8)
    text = b85encode(grid.tobytes()).decode()
    return "\n".join(text[i : i + 110] for i in range(0, len(text), 110))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="leave out one hand at a time; write nothing")
    options = parser.parse_args()
    embedder = use.default()
    directions = basis(policies.default(), embedder.space, embedder.dimensions)
    assert directions is not None
    some, vectors = talks()
    directions = directions.astype(np.float64)
    if options.check:
        check(some, vectors, directions)
        return
    asked, strength, told = laid_together(some, vectors, directions)
    TABLE.write_text(
        "# Where the answers to a question lie, in the directions of recall.space.toml: one column of each matrix for each\n"
        "# strength (bench/train/recall_answering.py).\n"
        f'strength = "{" ".join(f"{size:.3f}" for size in strength)}"\n'
        f"asked_matrix = '''\n{packed(asked)}'''\ntold_matrix = '''\n{packed(told)}'''\n",
        encoding="utf-8",
    )
    print(f"{sum(len(t.asked) for t in some)} questions, {len(some)} talks, {TABLE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
