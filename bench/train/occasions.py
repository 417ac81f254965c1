"""Train the reader of occasions: what kind of everyday message this is (kernel/compose/occasions.py).

    OMP_NUM_THREADS=1 python bench/train/occasions.py [--check]

Learns from sentences of our own, bench/train/data/occasions_<language>.txt: a line "# name" opens each kind. One
softmax over the vector of the default embedder, eight bits a weight. `--check` prints how often a sentence left out
in turn is read right, and its mood. What only goes on with a story, or states a plain fact, is "more": sentences of the
reader of statements (bench/train/data/reader) stand for the latter, each with little weight.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from clew.adapters.embeddings.use import default as embedder
from clew.policy import default as policy

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[1] / "src" / "clew" / "policy"
FILE = "occasions.npz"
GAIN, STRENGTH, FOLDS, BATCH = 4.0, 2.0, 5, 64
PLAIN, PLAIN_FILES, PLAIN_EVERY, PLAIN_WEIGHT = "more", "??_[abde].jsonl", 4, 0.25


def sentences() -> Iterator[tuple[str, str, str]]:
    for file in sorted((HERE / "data").glob("occasions_*.txt")):
        name = ""
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("# "):
                name = line[2:].strip()
            elif line.strip():
                yield file.stem.removeprefix("occasions_")[:2], name, line.strip()


def plain() -> Iterator[tuple[str, str, str]]:
    """Statements of fact, every fourth of a few files."""
    for file in sorted((HERE / "data" / "reader").glob(PLAIN_FILES)):
        for line in file.read_text(encoding="utf-8").splitlines()[::PLAIN_EVERY]:
            row = json.loads(line)
            yield row["lang"], PLAIN, row["text"]


def model() -> LogisticRegression:
    return LogisticRegression(C=STRENGTH, max_iter=1000)


def check(x: np.ndarray, y: np.ndarray, spoken: np.ndarray, weight: np.ndarray) -> None:
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    given = {"sample_weight": weight}
    chances = cross_val_predict(model(), x, y, cv=folds, method="predict_proba", params=given)
    names = np.array(sorted(set(y)))
    read, top, moods = names[chances.argmax(1)], chances.max(1), policy().occasions.moods
    same_mood = np.array([moods[a] == moods[b] for a, b in zip(read, y, strict=True)])
    for language in sorted(set(spoken)):
        own = (spoken == language) & (weight == 1)
        for least in (0.0, 0.3, 0.4, 0.5):
            use = own & (top >= least) & (read != PLAIN)
            print(language, least, f"read {use.sum() / own.sum():.2f}, right {(read == y)[use].mean():.3f},",
                  f"mood {same_mood[use].mean():.3f}")


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--check", action="store_true")
    ours, facts = list(sentences()), list(plain())
    rows = ours + facts
    weight = np.array([1.0] * len(ours) + [PLAIN_WEIGHT] * len(facts))
    texts = [text for _, _, text in rows]
    vectors = np.concatenate([embedder().matrix(texts[i : i + BATCH]) for i in range(0, len(texts), BATCH)])
    y, spoken = np.array([name for _, name, _ in rows]), np.array([language for language, _, _ in rows])
    if asked.parse_args().check:
        check(vectors * GAIN, y, spoken, weight)
        return
    fitted = model().fit(vectors * GAIN, y, sample_weight=weight)
    weights = fitted.coef_.T * GAIN
    scale = np.maximum(np.abs(weights).max(axis=0), 1e-6) / 127
    out = io.BytesIO()
    np.savez(out, names=np.array(fitted.classes_), bias=fitted.intercept_.astype(np.float32),
             vector=np.clip(np.rint(weights / scale), -127, 127).astype(np.int8), vector_s=scale.astype(np.float32))
    (PACKAGE / "weights" / FILE).write_bytes(out.getvalue())
    table = PACKAGE / "data" / "occasions.toml"
    digest = hashlib.sha256(out.getvalue()).hexdigest()
    said = table.read_text(encoding="utf-8")
    table.write_text(re.sub(r'weights_sha256 = ".*"', f'weights_sha256 = "{digest}"', said), encoding="utf-8")
    print(f"{len(rows)} sentences, {len(fitted.classes_)} occasions, {len(out.getvalue())} bytes")


if __name__ == "__main__":
    main()
