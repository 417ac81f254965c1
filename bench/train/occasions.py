"""Train the reader of occasions: what kind of everyday message this is (kernel/compose/occasions.py).

    OMP_NUM_THREADS=1 python bench/train/occasions.py [--check]

Learns from sentences of our own, bench/train/data/occasions_<language>.txt: a line "# name" opens each kind. One
softmax for each language over the vector of the default embedder, in Korean with pieces of words, eight bits a weight. `--check` prints how often a sentence left out
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
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.read.linear import pieces
from clew.policy import default as policy

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[1] / "src" / "clew" / "policy"
# Languages in which pieces of words are read too, and how much they count.
WORDS = {"ko": 6.0}
VECTOR, BUCKETS = 512, 4096
GAIN, STRENGTH, FOLDS, BATCH = 4.0, 2.0, 5, 64
PLAIN, PLAIN_FILES, PLAIN_EVERY, PLAIN_WEIGHT = "more", "??_[abde].jsonl", 4, 0.05


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


def features(texts: list[str], vectors: np.ndarray, spoken: np.ndarray, language: str) -> csr_matrix:
    """Vectors of all sentences; in a language whose vectors say little, the pieces of its words too."""
    if language not in WORDS:
        return csr_matrix(vectors * GAIN)
    own = [sorted({p % BUCKETS for p in pieces(t)}) if s == language else [] for t, s in zip(texts, spoken, strict=True)]
    worth = np.concatenate([np.full(len(r), 1 / np.sqrt(max(1, len(r)))) for r in own])
    places = np.concatenate([np.array(r, dtype=int) for r in own])
    words = csr_matrix((worth, places, np.cumsum([0, *map(len, own)])), shape=(len(texts), BUCKETS))
    return hstack([csr_matrix(vectors * GAIN), words * WORDS[language]]).tocsr()


def check(x: csr_matrix, y: np.ndarray, own: np.ndarray, weight: np.ndarray, language: str) -> None:
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    given = {"sample_weight": weight}
    chances = cross_val_predict(model(), x, y, cv=folds, method="predict_proba", params=given)
    names = np.array(sorted(set(y)))
    read, top, moods = names[chances.argmax(1)], chances.max(1), policy().occasions.moods
    same_mood = np.array([moods[a] == moods[b] for a, b in zip(read, y, strict=True)])
    for least in (0.0, 0.3, 0.4, 0.5):
        use = own & (top >= least) & (read != PLAIN)
        print(language, least, f"read {use.sum() / own.sum():.2f}, right {(read == y)[use].mean():.3f},",
              f"mood {same_mood[use].mean():.3f}")


def packed(fitted: LogisticRegression) -> bytes:
    """Eight bits a weight, one scale a kind."""
    arrays = {"names": np.array(fitted.classes_), "bias": fitted.intercept_.astype(np.float32)}
    for key, part, gain in (("vector", fitted.coef_.T[:VECTOR], GAIN), ("words", fitted.coef_.T[VECTOR:], 0.0)):
        if len(part):
            gain = gain or next(iter(WORDS.values()))
            scale = np.maximum(np.abs(part).max(axis=0), 1e-6) / 127
            arrays[key] = np.clip(np.rint(part / scale), -127, 127).astype(np.int8)
            arrays[f"{key}_s"] = (scale * gain).astype(np.float32)
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--check", action="store_true")
    checks = asked.parse_args().check
    ours, facts = list(sentences()), list(plain())
    rows = ours + facts
    weight = np.array([1.0] * len(ours) + [PLAIN_WEIGHT] * len(facts))
    texts = [text for _, _, text in rows]
    vectors = np.concatenate([embedder().matrix(texts[i : i + BATCH]) for i in range(0, len(texts), BATCH)])
    y, spoken = np.array([name for _, name, _ in rows]), np.array([language for language, _, _ in rows])
    for language in sorted(set(spoken)):
        x = features(texts, vectors, spoken, language)
        if checks:
            check(x, y, (spoken == language) & (weight == 1), weight, language)
            continue
        data = packed(model().fit(x, y, sample_weight=weight))
        (PACKAGE / "weights" / f"occasions_{language}.npz").write_bytes(data)
        table = PACKAGE / "data" / "occasions.toml"
        said, digest = table.read_text(encoding="utf-8"), hashlib.sha256(data).hexdigest()
        head, mark, rest = said.partition("[weights_sha256]")
        rest = re.sub(rf'(?m)^{language} = ".*"', f'{language} = "{digest}"', rest, count=1)
        table.write_text(head + mark + rest, encoding="utf-8")
        print(language, f"{len(rows)} sentences, {len(set(y))} occasions, {len(data)} bytes")


if __name__ == "__main__":
    main()
