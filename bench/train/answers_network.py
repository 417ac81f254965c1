"""The network of answers (kernel/recall/network.py runs it in whole numbers): what it learns from, and its weights.

    python bench/train/answers.py --cases CASES
    python bench/train/answers_network.py pack PACK CASES … [--shipped]
    python bench/train/answers_patient.py PACK FITTED
    python bench/train/answers_network.py ship FITTED

It learns from what bench/train/answers.py saw of the engine: a question, everything that might answer it, and what
does. `pack` adds what the trees make of it, each talk by trees that have not seen it, and writes what answers_patient.py needs on
another machine, with `--shipped` by the trees as they are; `ship` writes the weights. answers_further.py goes on from the shipped
ones. A file of cases for each hand lets the training leave a hand out.
"""

from __future__ import annotations

import argparse
import io
import lzma
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import shipped

FOLDS = 5
# So many tokens of the question, of what may answer it and of what was said before that are read, and so many answers.
ASKED, TOLD, BEFORE, LOOKED_AT = 32, 40, 12, 20
# What a token of a candidate is.
WORD, VALUE, EARLIER, PAD = range(4)
KINDS = ("answer", "none", "told", "talk")
LANGUAGES = ("en", "ko")
# A text's vector travels as bytes, in steps of this part of one.
UNIT = 160


def pack(out: Path, files: list[Path], by_shipped: bool = False) -> None:
    from answers import OWN_TREES, Case
    from trees import grown

    from clew import policy as policies
    from clew.adapters.embeddings.use import pieces_of
    from clew.engine.bootstrap import make_embedder
    from clew.kernel.read.trees import LEAF, Trees
    from clew.kernel.recall import chooser
    from clew.kernel.recall.chooser import features
    from clew.kernel.recall.network import parts_of

    policy = policies.default()
    sys.modules["__main__"].Case = Case  # type: ignore[attr-defined]
    cases, hands = [], []
    for file in files:
        found, _ = pickle.loads(file.read_bytes())
        start = 1 + max((c.talk for c in cases), default=-1)
        kept = [c._replace(talk=c.talk + start) for c in found if c.known]
        cases += kept
        hands += [file.stem] * len(kept)
    print(len(cases), "cases", flush=True)
    rows = [features(c.question, c.known, policy) for c in cases]
    sums: list[np.ndarray] = [np.zeros(0)] * len(cases)
    for language in () if by_shipped else LANGUAGES:
        own_talks = [i for i, c in enumerate(cases) if c.language == language]
        for fold in range(FOLDS):
            use = [i for i in own_talks if cases[i].talk % FOLDS != fold]
            made = Trees(grown([rows[i] for i in use], [np.array(cases[i].right) for i in use], OWN_TREES))
            for i in own_talks:
                if cases[i].talk % FOLDS == fold:
                    sums[i] = np.array(made.sums(rows[i])) / LEAF
        print(language, flush=True)
    if by_shipped:
        trees = chooser._trees(policy.reader.answers, policy.reader.answers_sha256)
        sums = [np.array(trees.of(c.language).sums(row)) / LEAF for c, row in zip(cases, rows, strict=True)]
    model = make_embedder()._load()._model
    vocabulary: dict[int, int] = {}

    def number(ids: list[int]) -> list[int]:
        return [vocabulary.setdefault(i, len(vocabulary)) for i in ids]

    def tokens(text: str) -> tuple[Any, list[int]]:
        spans, ids = pieces_of(text, model.sp)
        return spans, number(list(ids))

    vectors: dict[bytes, int] = {}
    vectors_held: list[np.ndarray] = []

    def gist(vector: Any) -> int:
        short = np.zeros(512, np.float16) if vector is None else np.array(vector, np.float16)
        key = short.tobytes()
        if key not in vectors:
            vectors[key] = len(vectors_held)
            vectors_held.append(short)
        return vectors[key]

    held: dict[str, list[Any]] = {name: [] for name in (
        "lang", "kind", "hand", "gist", "any", "asked", "asked_n", "many", "text", "gists", "right", "own", "sums",
        "texts", "marks", "texts_n")}  # fmt: skip
    names = sorted(set(hands))
    seen: dict[tuple[tuple[int, int], ...], int] = {}
    for c, row, own, hand in zip(cases, rows, sums, hands, strict=True):
        order = sorted(range(len(own)), key=lambda i: (-own[i], i))[:LOOKED_AT]
        for i in order:
            early: list[tuple[int, int]] = []
            here: list[tuple[int, int]] = []
            for text, kind, value in parts_of(c.known[i]):
                spans, ids = tokens(text)
                for (a, b), t in zip(spans, ids, strict=True):
                    inside = value is not None and a < value[1] and b > value[0]
                    (early if kind == EARLIER else here).append((t, VALUE if inside else kind))
            shown = (*early[-BEFORE:], *here[:TOLD])
            if shown not in seen:
                seen[shown] = len(seen)
                held["texts"] += [t for t, _ in shown]
                held["marks"] += [kind for _, kind in shown]
                held["texts_n"].append(len(shown))
            held["text"].append(seen[shown])
            held["gists"].append(gist(c.known[i].vector))
        asked = tokens(c.question.text)[1][:ASKED]
        held["asked"] += asked
        held["right"] += [c.right[i] for i in order]
        held["own"].append(row[order])
        held["sums"].append(own[order])
        one = {"lang": LANGUAGES.index(c.language), "kind": KINDS.index(c.kind), "hand": names.index(hand),
               "gist": gist(c.question.vector), "any": any(c.right), "asked_n": len(asked), "many": len(order)}  # fmt: skip
        for name, value in one.items():
            held[name].append(value)
    kinds = {"lang": "u1", "kind": "u1", "hand": "u1", "any": "u1", "right": "u1", "marks": "u1", "many": "u1",
             "asked_n": "u1", "texts_n": "u1", "asked": "u4", "texts": "u4", "text": "u4", "gist": "u4", "gists": "u4"}  # fmt: skip
    arrays: dict[str, Any] = {name: np.array(held[name], kind) for name, kind in kinds.items()}
    # Column by column, so that it packs well.
    arrays["own"] = np.concatenate(held["own"]).astype(np.int32).T.copy()
    arrays["sums"], arrays["hands"] = np.concatenate(held["sums"]).astype(np.float32), np.array(names)
    flat = np.array(list(vocabulary))
    chunk = flat % model.scale.shape[0]
    arrays |= {"table": model.table[flat].astype(np.uint8), "scale": model.scale[chunk], "low": model.lo[chunk]}
    arrays |= {"vectors": np.rint(np.array(vectors_held) * UNIT).astype(np.int8), "unit": np.array(UNIT)}
    file = io.BytesIO()
    np.savez(file, **arrays)
    out.write_bytes(lzma.compress(file.getvalue(), preset=6))
    print(f"{len(cases)} cases, {len(seen)} texts, {len(flat)} tokens, {len(vectors_held)} vectors, {out.stat().st_size / 1e6:.1f} MB")


def ship(states: list[dict[str, Any]], scale: tuple[np.ndarray, np.ndarray]) -> None:
    held = {"nets": np.array(float(len(states))), "own_mean": scale[0], "own_spread": scale[1]}
    for n, state in enumerate(states):
        held |= shipped.arrays(state, f"{n}_", ("mark",), ("score",))
    what = "The network of answers; written by bench/train/answers_network.py."
    shipped.ship(held, "answering.npz", "recall.answers_network.toml", what)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("pack", "ship"))
    parser.add_argument("file", type=Path)
    parser.add_argument("more", type=Path, nargs="*")
    parser.add_argument("--shipped", action="store_true", help="what the shipped trees make of each; they may have seen it")
    args = parser.parse_args()
    if args.what == "pack":
        pack(args.file, args.more, args.shipped)
        return
    import torch

    ship(*torch.load(args.file, map_location="cpu", weights_only=False))


if __name__ == "__main__":
    main()
