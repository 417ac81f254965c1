"""Train the reader of everyday situations (kernel/compose/everyday.py).

    OMP_NUM_THREADS=1 python bench/train/everyday.py [--check]

Learns from messages of our own, bench/train/data/everyday_<language>*.txt: a line "# name" opens each situation. One
softmax for each language over the vector of the default embedder, four bits a weight.
What tells no situation is learned from sentences of the other readers, each with little weight. `--check` fits on all
files of a language but one and prints how often the one left out is read right, by how sure the reader is.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from occasions import BATCH, GAIN
from sklearn.linear_model import LogisticRegression

from clew.adapters.embeddings.use import default as embedder
from clew.policy import default as policy

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[1] / "src" / "clew" / "policy"
LANGUAGES = ("en", "ko")
STRENGTH = 3.0
LEVELS = 7
# What the other languages tell of the same situations: vectors of one meaning are close in all of them.
OTHERS_WEIGHT = 0.3
NONE, NONE_FILES, NONE_EVERY, NONE_WEIGHT = "", "??_[abde].jsonl", 6, 0.1


class Row(NamedTuple):
    language: str
    hand: str
    name: str
    text: str


def told() -> Iterator[Row]:
    for file in sorted((HERE / "data").glob("everyday_*.txt")):
        name = ""
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("# "):
                name = line[2:].strip()
            elif line.strip():
                yield Row(file.stem.removeprefix("everyday_")[:2], file.stem, name, line.strip())


def nothing() -> Iterator[Row]:
    for file in sorted((HERE / "data" / "reader").glob(NONE_FILES)):
        for line in file.read_text(encoding="utf-8").splitlines()[::NONE_EVERY]:
            row = json.loads(line)
            yield Row(row["lang"], "", NONE, row["text"])


def weight_of(row: Row, language: str) -> float:
    return NONE_WEIGHT if row.name == NONE else 1.0 if row.language == language else OTHERS_WEIGHT


def fitted(x: np.ndarray, rows: list[Row], use: np.ndarray, language: str) -> LogisticRegression:
    weight = np.array([weight_of(row, language) for row in rows])
    names = np.array([row.name for row in rows])
    return LogisticRegression(C=STRENGTH, max_iter=400).fit(x[use], names[use], sample_weight=weight[use])


def packed(reader: LogisticRegression) -> bytes:
    """Four bits a weight, one scale a situation."""
    part = reader.coef_.T
    scale = np.maximum(np.abs(part).max(axis=0), 1e-6) / LEVELS
    out = io.BytesIO()
    np.savez_compressed(
        out,
        names=np.array(reader.classes_),
        bias=reader.intercept_.astype(np.float32),
        vector=np.clip(np.rint(part / scale), -LEVELS, LEVELS).astype(np.int8),
        vector_s=(scale * GAIN).astype(np.float32),
    )
    return out.getvalue()


def check(x: np.ndarray, rows: list[Row], language: str) -> None:
    hands, names = np.array([row.hand for row in rows]), np.array([row.name for row in rows])
    for hand in sorted({row.hand for row in rows if row.language == language and row.hand}):
        reader = fitted(x, rows, hands != hand, language)
        asked = (hands == hand) & np.isin(names, reader.classes_)
        chances = reader.predict_proba(x[asked])
        read, top, wanted = reader.classes_[chances.argmax(1)], chances.max(1), names[asked]
        for least in (0.0, 0.2, 0.3, 0.4, 0.5):
            sure = (top >= least) & (read != NONE)
            print(f"{hand}: from {least}: read {sure.mean():.2f}, right {(read == wanted)[sure].mean():.3f}")
        other = np.array([row.language == language and row.name == NONE for row in rows])
        chances = reader.predict_proba(x[other])
        away = (reader.classes_[chances.argmax(1)] != NONE) & (chances.max(1) >= 0.3)
        print(f"{hand}: other sentences read as a situation, from 0.3: {away.mean():.3f}")


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--check", action="store_true")
    checks = asked.parse_args().check
    rows = [*told(), *nothing()]
    texts = [row.text for row in rows]
    vectors = np.concatenate([embedder().matrix(texts[i : i + BATCH]) for i in range(0, len(texts), BATCH)])
    for language in LANGUAGES:
        names = set(policy().everyday.languages[language].situations)
        use = np.array([row.language == language or row.name in names for row in rows])
        mine = [row for row, used in zip(rows, use, strict=True) if used]
        x = vectors[use] * GAIN
        if checks:
            check(x, mine, language)
            continue
        data = packed(fitted(x, mine, np.ones(len(mine), dtype=bool), language))
        (PACKAGE / "weights" / f"everyday_{language}.npz").write_bytes(data)
        table = PACKAGE / "data" / "everyday.toml"
        said, digest = table.read_text(encoding="utf-8"), hashlib.sha256(data).hexdigest()
        head, mark, rest = said.partition("[weights_sha256]")
        rest = re.sub(rf'(?m)^{language} = ".*"', f'{language} = "{digest}"', rest, count=1)
        table.write_text(head + mark + rest, encoding="utf-8")
        print(language, f"{len(mine)} sentences, {len({row.name for row in mine}) - 1} situations, {len(data)} bytes")


if __name__ == "__main__":
    main()
