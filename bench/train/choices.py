"""Train whose a value is and which attribute it has (kernel/statements/choices.py).

    python bench/train/choices.py [--check] [--cases FILE]

It learns from the messages that belief.py learns from: the tagger has not seen them. `--check` prints figures on
messages left out in turn.
"""

from __future__ import annotations

import argparse
import io
import pickle
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from belief import messages
from reader import WEIGHTS, tenth, write
from trees import grown

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.read.trees import LEAF
from clew.kernel.read.utterance import sentences_of
from clew.kernel.statements.choices import Choices, _follows, attribute_row, owner_row, owners, whole
from clew.kernel.statements.features import Mention
from clew.kernel.statements.people import Known, spoken_of
from clew.kernel.statements.reader import breaks
from clew.kernel.statements.subjects import subject_of
from clew.kernel.statements.tagger import Span, tag
from clew.kernel.statements.values import whole_words
from clew.policy import default
from unread_marks import Told, _subject, near, of_subject, overlap

TREES = {"max_iter": 140, "learning_rate": 0.06, "max_leaf_nodes": 12, "min_samples_leaf": 15, "l2_regularization": 4.0}
COMMON, SEEN = 50, 25
EMPTY = ("feature", "at", "left", "right", "leaf", "roots")
FOLDS = 5


@dataclass
class Case:
    """A value that was found, and what was told of it."""

    text: str
    language: str
    place: tuple[int, int]
    span: Span
    sentence: tuple[int, int]
    found: tuple[Mention, ...]
    ruled: str | None
    memory: dict


def collected() -> list[Case]:
    policy = default()
    table = policy.reader
    out = []
    for row in messages():
        text = row["text"]
        vector, tokens = embedder().matrix([text])[0].tolist(), embedder().tokens(text)
        sentences = sentences_of(text, row["lang"], policy)
        if not sentences or not row["memories"] or not len(tokens.spans):
            continue
        tagged = tag(text, vector, tokens, table, breaks(tokens, sentences, table))
        others = [c.mention for c in spoken_of(text, row["lang"], Known(), policy) if c.name or c.start < 0]
        found = tuple(sorted({*tagged.mentions, *others}, key=lambda m: (m.start, -m.end)))
        for span in tagged.spans:
            start, end = whole_words(text, span.start, span.end)
            inside = next((s for s in sentences if s.start <= start < s.end), sentences[-1])
            meant = [m for m in row["memories"] if overlap(m["value"], text[start:end])]
            if len(meant) != 1:
                continue
            around, guess = (inside.start, inside.end), (span.kind, span.kind_score)
            ruled = subject_of(text, start, end, around, found, guess, table)
            out.append(Case(text, row["lang"], (start, end), span, around, found, ruled, meant[0]))
    return out


def theirs(memory: dict, subject: str) -> bool:
    return of_subject(memory, Told(*_subject(subject), "", "", None))


def words_of(cases: list[Case], behind: Counter[str]) -> dict[str, np.ndarray]:
    attributes = Counter(name for c in cases for name, chance in c.span.attributes[:2])
    return {
        "attributes": np.array(sorted(a for a, n in attributes.items() if n >= SEEN)),
        "behind": np.array(sorted(w for w, n in behind.most_common(COMMON) if n >= SEEN)),
    }


def bare(words: dict[str, np.ndarray]) -> Choices:
    none = np.zeros(1, np.int32)
    return Choices({**words, **dict.fromkeys(EMPTY, none), "bias": none[0], "depth": none[0]})


def of_owners(cases: list[Case]) -> tuple[dict[str, np.ndarray], list[np.ndarray], list[np.ndarray]]:
    table = default().reader
    words = words_of(cases, Counter(_follows(c.text, m) for c in cases for m in c.found))
    known = bare(words)
    made, right = [], []
    for c in cases:
        made.append(whole([owner_row(c.text, c.place, c.span, c.sentence, c.found, s, c.ruled, table, known) for s in owners(c.found)]))
        right.append(np.array([theirs(c.memory, s) for s in owners(c.found)]))
    return words, made, right


def of_attributes(cases: list[Case]) -> tuple[dict[str, np.ndarray], list[np.ndarray], list[np.ndarray]]:
    table = default().reader
    behind = Counter((c.text[c.place[1] : c.place[1] + 24].lower().split() or ["$"])[0].strip(".,!?") for c in cases)
    words = words_of(cases, behind)
    known = bare(words)
    made, right = [], []
    for c in cases:
        subject = c.memory["subject"]
        rows = [attribute_row(c.text, c.place, c.span, subject, i, table, known) for i in range(len(c.span.attributes))]
        made.append(whole(rows))
        right.append(np.array([near(c.memory["attribute"], name) for name, _ in c.span.attributes]))
    return words, made, right


def check(cases: list[Case], words: dict, made: list, right: list, first: list[int]) -> None:
    """`first`: which one stands without the trees."""
    fold_of = [tenth(c.text[::-1]) % FOLDS for c in cases]
    chances: list[np.ndarray] = [np.zeros(0)] * len(cases)
    for fold in range(FOLDS):
        use = [i for i in range(len(cases)) if fold_of[i] != fold]
        trees = Choices({**words, **grown([made[i] for i in use], [right[i] for i in use], TREES)})
        for i in range(len(cases)):
            if fold_of[i] == fold:
                chances[i] = 1 / (1 + np.exp(-np.array(trees.sums(made[i])) / LEAF))
    for language in ("en", "ko"):
        own = [i for i, c in enumerate(cases) if c.language == language]
        stood = sum(bool(first[i] >= 0 and right[i][first[i]]) for i in own)
        line = f"{language} {len(own)}: as it stands {stood / len(own):.3f}"
        for margin in (0.0, 0.05, 0.1, 0.2, 0.3):
            hits = 0
            for i in own:
                best = int(chances[i].argmax())
                held = chances[i][first[i]] if first[i] >= 0 else 0.0
                pick = best if chances[i][best] >= held + margin else first[i]
                hits += bool(pick >= 0 and right[i][pick])
            line += f", by {margin} {hits / len(own):.3f}"
        print(line)


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
    shared = [c for c in cases if c.found]
    for name, own, made_of in (("whose", shared, of_owners), ("kinds", cases, of_attributes)):
        words, made, right = made_of(own)
        if args.check:
            people = [owners(c.found) for c in own]
            stands = [p.index(c.ruled) if c.ruled in p else -1 for c, p in zip(own, people, strict=True)]
            print(name)
            check(own, words, made, right, stands if name == "whose" else [0] * len(own))
            continue
        out = io.BytesIO()
        np.savez_compressed(out, **words, **grown(made, right, TREES))
        write(out.getvalue(), name, WEIGHTS)


if __name__ == "__main__":
    main()
