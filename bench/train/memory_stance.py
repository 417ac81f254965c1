"""Train which way a long account leans: like or dislike (kernel/statements/long_messages.py).

    python bench/train/memory_stance.py --data DIR [--out FILE]

PersonaMem's development personas (bowen-upenn/PersonaMem, MIT), both lines of each event (see bench/personamem.py).
Prints what leaving one persona out gives, then fits all of them and writes policy/data/remember.stance.toml: a few
weights for words, and one head of 512 small integers for vectors of the default embedder. No randomness.
"""

from __future__ import annotations

import argparse
import base64
import sys
from functools import cache
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.language.en.likes import likings
from clew.kernel.statements.long_messages import features
from clew.kernel.statements.own_words import statements
from clew.policy import default as policy
from clew.policy.listen import Head
from clew.policy.remember import StancePolicy
from personamem import Embed, Row, align, personamem

RIDGE = 2.0
SHIPPED = Path(__file__).resolve().parents[2] / "src/clew/policy/data/remember.stance.toml"


@cache
def words_of(text: str) -> list[float]:
    said = statements(text, policy())
    return [1.0, *features(said, [list(likings(s, policy())) for s in said], policy())]


def fit(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.linalg.solve(x.T @ x + RIDGE * np.eye(x.shape[1]), x.T @ y)


def table_of(words: np.ndarray, vectors: np.ndarray, gold: np.ndarray) -> StancePolicy:
    """What the policy holds, rounded as it is stored."""
    plain, full = fit(words, gold), fit(np.hstack([words, vectors]), gold)
    size = words.shape[1]
    scale = round(float(np.abs(full[size:]).max() / 127), 6)
    data = base64.b85encode(
        np.clip(np.round(full[size:] / scale), -127, 127).astype(np.int8).tobytes()
    ).decode()
    return StancePolicy(
        with_vector=tuple(round(float(w), 3) for w in full[:size]),
        words_only=tuple(round(float(w), 3) for w in plain),
        heads={"stance": Head(0.0, scale, data)},
    )


def without(rows: list[Row], embed: Embed, persona: int | None) -> StancePolicy:
    """Learned from the lines of every persona but one."""
    kept = [r for r in rows if r["persona"] != persona]
    texts = [r[kind] for r in kept for kind in ("said", "stated")]
    gold = np.array([1.0 if r["stance"] == "like" else -1.0 for r in kept for _ in range(2)])
    return table_of(np.array([words_of(t) for t in texts]), embed(texts), gold)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    args = parser.parse_args()

    def embed(texts: list[str]) -> np.ndarray:
        return np.asarray(embedder().matrix(texts))

    rows = personamem(args.data)
    align(rows, args.data, embed)
    lines = [(r["persona"], r[kind], r["stance"], kind) for r in rows for kind in ("said", "stated")]
    persona = np.array([p for p, *_ in lines])
    gold = np.array([1.0 if stance == "like" else -1.0 for _, _, stance, _ in lines])
    words = np.array([words_of(text) for _, text, *_ in lines])
    both = np.hstack([words, embed([text for _, text, *_ in lines])])
    for name, x in (("words", words), ("with vector", both)):
        held = np.zeros(len(gold))
        for one in sorted(set(persona)):
            held[persona == one] = x[persona == one] @ fit(x[persona != one], gold[persona != one])
        for kind in ("said", "stated"):
            mine = np.array([k == kind for *_, k in lines])
            cells = []
            for least in (0.0, 0.2, 0.3, 0.4):
                sure = mine & (abs(held) >= least)
                right = ((held > 0) == (gold > 0))[sure].mean()
                cells.append(f"{least}: {sure[mine].mean():.2f} told, {right:.3f} right")
            print(f"{name:12}{kind:8}" + "   ".join(cells))
    table = without(rows, embed, None)
    head = table.heads["stance"]
    args.out.write_text(
        "# Which way a long account leans; written by bench/train/memory_stance.py from PersonaMem (MIT).\n"
        f"words_only = {list(table.words_only)}\n"
        f"with_vector = {list(table.with_vector)}\n\n"
        f"[heads.stance]\nbias = {head.bias}\nscale = {head.scale}\nweights = '''{head.weights}'''\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
