"""Train how likely a proposed statement is right (kernel/statements/belief.py).

    python bench/train/belief.py [--check] [--cases FILE]

It learns from messages that the tagger has not learned from: the tenth of the sentences in bench/train/data/reader that
reader.py leaves out, and later_*.jsonl; from what the rules leave of the tagger's proposals and from what they drop. To be
done anew whenever the tagger's weights or its rules have changed: about ten minutes on two cores. `--check` prints the curve
of facts held against messages of nothing stored, by language and mark, on messages left out in turn; `--cases` keeps what
was read for the next run.
"""

from __future__ import annotations

import argparse
import io
import pickle
import sys
from collections import Counter
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from reader import WEIGHTS, rows, tenth, write
from trees import grown

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.read import utterance
from clew.kernel.read.trees import LEAF
from clew.kernel.statements.belief import Beliefs, beside, dropped, features, settled
from clew.model.utterance import Sentence, Statement
from clew.policy import default
from unread_marks import Told, holds, notes, told

TREES = {"max_iter": 160, "learning_rate": 0.06, "max_leaf_nodes": 12, "min_samples_leaf": 15, "l2_regularization": 4.0}
COMMON, SEEN = 60, 25
# Marks that are tried: of the tagger, of what stays, of what comes back.
AT, KEPT, BACK = (0.72, 0.76, 0.8, 0.85, 0.9), (0.15, 0.2, 0.25), (0.25, 0.3, 0.5)
EMPTY = ("feature", "at", "left", "right", "leaf", "roots")


@dataclass
class Case:
    """A message, what was proposed of it, which of that is right, and what should have been found.

    ruled: so many of `told` went through the rules, the others were dropped by them.
    """

    group: str
    language: str
    text: str
    sentences: tuple[Sentence, ...]
    told: tuple[Statement, ...]
    ruled: int
    right: list[bool]
    memories: list[dict]
    hits: list[list[int]]


def messages() -> list[dict]:
    found = [r for r in rows() if tenth(r["text"]) == 0]
    return found + [{**row, "file": f"{row['file']} {number}"} for number, row in enumerate(rows("later_*.jsonl"))]


def told_of(s: Statement) -> Told:
    return told({"subject": s.subject, "attribute": s.attribute, "value": f"{s.value} {s.name or ''}".strip()})


def collected() -> list[Case]:
    policy, out = default(), []
    seen: list[tuple[Statement, ...]] = []

    def looked(text: str, sentences: object, told: tuple[Statement, ...], policy: object, proposed: tuple[Statement, ...] = ()
               ) -> tuple[Statement, ...]:  # fmt: skip
        seen.append((told, dropped(told, proposed)))
        return told

    utterance.believed = looked
    for row in messages():
        vector = embedder().matrix([row["text"]])[0].tolist()
        seen.clear()
        heard = utterance.read(row["text"], policy, vector=vector, tokens=embedder().tokens(row["text"]))
        told, others = seen[-1] if seen else ((), ())
        if not heard.statements:  # a question, whatever was read in it
            told = others = ()
        both = (*told, *others)
        found = [told_of(s) for s in both]
        right = [any(holds(m, t) or notes(m, t) for m in row["memories"]) for t in found]
        hits = [[i for i, t in enumerate(found) if holds(m, t)] for m in row["memories"]]
        out.append(Case(row["file"], row["lang"], row["text"], heard.sentences, both, len(told), right, row["memories"], hits))
    return out


def words_of(cases: list[Case]) -> dict[str, np.ndarray]:
    pairs = [(c.text, s) for c in cases for s in c.told]
    before = Counter(beside(text, s)[0] for text, s in pairs)
    behind = Counter(beside(text, s)[1] for text, s in pairs)
    attributes = Counter(s.attribute for _, s in pairs)
    return {
        "attributes": np.array(sorted(a for a, n in attributes.items() if n >= SEEN)),
        "before": np.array(sorted(w for w, n in before.most_common(COMMON) if n >= SEEN)),
        "behind": np.array(sorted(w for w, n in behind.most_common(COMMON) if n >= SEEN)),
    }


def check(cases: list[Case], made: list[np.ndarray], words: dict[str, np.ndarray]) -> None:
    chances: list[np.ndarray] = [np.zeros(0)] * len(cases)
    groups = {g: i % 6 for i, g in enumerate(sorted({c.group for c in cases}))}
    fold_of = [groups[c.group] if " " in c.group else hash(c.text.encode()[:1]) % 6 for c in cases]
    fold_of = [f if " " in c.group else int(tenth(c.text[::-1])) % 6 for f, c in zip(fold_of, cases, strict=True)]
    for fold in range(6):
        use = [i for i in range(len(cases)) if fold_of[i] != fold and len(made[i])]
        trees = Beliefs({**words, **grown([made[i] for i in use], [np.array(cases[i].right) for i in use], TREES)})
        for i in range(len(cases)):
            if fold_of[i] == fold and len(made[i]):
                chances[i] = 1 / (1 + np.exp(-np.array(trees.sums(made[i])) / LEAF))
    for language in ("en", "ko"):
        own = [(c, p) for c, p in zip(cases, chances, strict=True) if c.language == language]
        facts = sum(len(c.memories) for c, _ in own)
        nothing = sum(not c.memories for c, _ in own)
        for at, lower, upper in product(AT, KEPT, BACK):
            marks = replace(default().reader, believed_at=lower, restored_at=upper)
            held = stored = wrong = idle = 0
            for c, p in own:
                sure = [s.evidence is None or s.certainty >= at for s in c.told]
                told = [s for s, is_sure in zip(c.told[: c.ruled], sure, strict=False) if is_sure]
                others = [s for s in c.told[c.ruled :] if s.certainty >= at - marks.proposed_below]
                kept = settled(told, others, dict(zip(c.told, p.tolist(), strict=True)), marks)
                right = dict(zip(c.told, c.right, strict=True))
                held += sum(any(c.told[i] in kept for i in hit) for hit in c.hits)
                stored += len(kept)
                wrong += sum(not right[s] for s in kept)
                idle += bool(kept) and not c.memories
            print(f"{language} told from {at:.2f}, kept from {lower:.2f}, back from {upper:.2f}: facts held {held / facts:.3f}, "
                  f"stored {stored}, wrong {wrong / max(1, stored):.3f}, for nothing {idle / nothing:.3f}")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--cases", type=Path)
    args = parser.parse_args()
    if args.cases and args.cases.exists():
        cases = pickle.loads(args.cases.read_bytes())
    else:
        cases = collected()
        if args.cases:
            args.cases.write_bytes(pickle.dumps(cases))
    words = words_of(cases)
    none = np.zeros(1, np.int32)
    bare = Beliefs({**words, **dict.fromkeys(EMPTY, none), "bias": none[0], "depth": none[0]})
    made = [
        features(c.text, c.sentences, c.told, default(), bare, c.ruled) if c.told else np.zeros((0, 1)) for c in cases
    ]
    if args.check:
        check(cases, made, words)
        return
    fit(cases, made, words)


def fit(cases: list[Case], made: list[np.ndarray], words: dict[str, np.ndarray]) -> None:
    use = [i for i, rows_ in enumerate(made) if len(rows_)]
    out = io.BytesIO()
    np.savez_compressed(out, **words, **grown([made[i] for i in use], [np.array(cases[i].right) for i in use], TREES))
    write(out.getvalue(), "belief", WEIGHTS)


if __name__ == "__main__":
    main()
