"""Train the readers of drafts (kernel/gate/drafts.py): false memory, false identity, empty promise, hostile, leak.

    OMP_NUM_THREADS=1 python bench/train/drafts.py [--cache FILE]

Reads drafts.jsonl beside this file and in bench/train/data/reader; a tenth of the user messages, chosen by hash, is
held back. A false memory whose draft is put among what is known becomes a good draft, and a good draft whose memory
is taken away becomes a false one. Written: policy/data/gate.draft_scores.toml and policy/weights/draft_*.bin. Printed:
what each score finds in held-out fifths, at several shares of good drafts held back.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, hstack
from scores import VECTOR, WEIGHTS, WORDS, _linear, fit, hashed, held_back, vectors, write_tables

from clew.kernel.gate.grounded import held_words, new_words, shape
from clew.kernel.read.hashed import words_of
from clew.kernel.text.sentences import sentences
from clew.policy import default

HERE = Path(__file__).parent
OUT = WEIGHTS.parent / "data" / "gate.draft_scores.toml"
LABELS = {
    "memory": ("false_memory",), "identity": ("false_identity",), "promise": ("empty_promise",),
    "hostile": ("cruel", "cold"), "leak": ("prompt_leak",),
}  # fmt: skip
POLICY = default()


class Units:
    """Whole drafts and their sentences, each with what it is and what it is made of."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.labels: list[str] = []
        self.shapes: list[list[str]] = []
        self.users: list[str] = []
        self.weights: list[float] = []
        self.whole: list[str] = []

    def add(self, row: dict, text: str, label: str, known: list[str], weight: float, whole: str = "") -> None:
        self.texts.append(text)
        self.labels.append(label)
        self.shapes.append(shape(text, held_words([*known, row["user"]]), row["lang"], POLICY))
        self.users.append(row["user"])
        self.weights.append(weight)
        self.whole.append(whole)

    def draft(self, row: dict, label: str, known: list[str], span: str | None, weight: float, whole: str = "") -> None:
        self.add(row, row["draft"], label, known, weight, whole)
        parts = sentences(row["draft"], POLICY.text)
        for part in parts if len(parts) > 1 else ():
            own, held = set(words_of(part)), set(words_of(span or ""))
            bad = label != "ok" and len(own & held) >= 0.6 * len(own)
            self.add(row, part, label if bad else "ok", known, weight * 0.7)


def units() -> Units:
    made = Units()
    for path in (HERE / "drafts.jsonl", HERE / "data" / "reader" / "drafts.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            label, known = row["verdict"], row["known"]
            made.draft(row, label, known, row["span"], 1.0, row["lang"])
            if label == "false_memory":
                made.draft(row, "ok", [*known, row["draft"]], None, 0.7)
            elif label == "ok" and known:
                user, held = held_words([row["user"]]), held_words([row["user"], *known])
                lost = new_words(row["draft"], user, row["lang"], POLICY)
                if lost - new_words(row["draft"], held, row["lang"], POLICY) >= 2:
                    made.add(row, row["draft"], "false_memory", [], 0.7)
    return made


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--cache", type=Path)
    given = ask.parse_args()
    made = units()
    vector = vectors(made.texts, given.cache)
    plain, shaped = hashed([words_of(t) for t in made.texts]), hashed(made.shapes)
    weight, label = np.array(made.weights), np.array(made.labels)
    held = np.array([held_back(u) for u in made.users])
    fifth = np.array([int(hashlib.sha256(u.encode()).hexdigest()[:8], 16) % 5 for u in made.users])
    tables = {}
    for name, wrong in LABELS.items():
        words = shaped if name == "memory" else plain
        y = np.isin(label, wrong).astype(int)
        _print_fifths(name, hstack([csr_matrix(vector * VECTOR), words * WORDS]).tocsr(), y, weight, fifth, made)
        use = np.where(~held)[0]
        tables[name] = fit(f"draft_{name}", words[use], vector[use], y[use], weight[use])
    write_tables(OUT, "Written by bench/train/drafts.py; do not edit.", tables)


def _print_fifths(
    name: str, x: csr_matrix, y: np.ndarray, weight: np.ndarray, fifth: np.ndarray, made: Units
) -> None:
    scores = np.zeros(len(y))
    for n in range(5):
        rest, part = np.where(fifth != n)[0], np.where(fifth == n)[0]
        scores[part] = _linear(x[rest], y[rest], weight[rest], 4.0).decision_function(x[part])
    for language in ("en", "ko"):
        own = np.array([w == language for w in made.whole])
        good, bad = own & (np.array(made.labels) == "ok"), own & (y == 1)
        found = []
        for share in (0.01, 0.02, 0.04, 0.08):
            mark = np.quantile(scores[good], 1 - share)
            found.append(f"{share:.0%} at {mark:.2f}: {np.mean(scores[bad] >= mark):.2f}")
        print(f"{name} {language} ({int(bad.sum())} of {int(own.sum())}), good held back: found | {' | '.join(found)}")


if __name__ == "__main__":
    main()
