"""Lines for the statement reader to learn from beside the marked messages: gathered, varied, and read back once they are marked.

    python bench/train/lines.py OUT.jsonl.gz

OUT holds the lines that a large reader marks next (teacher.py): our marked messages but the tenth that is never read, our own
unmarked lines (whole talks, needs, questions, changes, pairs, what drafts know, everyday lines and occasions, follow-ups, and
data/lines: 11,800 lines by three hands), and two variations of each, in which words are exchanged for their neighbours in the
encoder's table and at times one is left out. A variation need not make sense: it is a sentence of our shapes with other words.
Nothing that stands in bench/seen, bench/second or bench/unread is taken.

The marked lines are in data/marked, a file for each language, JSON lines packed by xz, a variation behind what it varies:

    [text, told, [[start, end, attribute, subject, status, stance], …]]

`told` is the chance in a hundred that the line tells anything; `start` and `end` are characters; `attribute` is a name, or where
several are likely {name: chance in a hundred}; a subject that is not surely known is "person:?"; `stance` is "" where there is none.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

import reader

from clew.adapters.embeddings.use import default as embedder
from clew.adapters.embeddings.use import pieces_of

DATA = reader.HERE / "data"
MARKED = DATA / "marked"
HELD_BACK = ("seen", "second", "unread")
# Files of rows, and where a user's words stand in a row.
SPOKEN = {
    "reader/need_*": ("text",), "reader/asks*": ("text",), "reader/changes_*": ("held", "message"), "reader/pairs*": ("a", "b"),
    "reader/forget*": ("text",), "reader/seekers*": ("text",), "reader/drafts*": ("known", "user", "message"),
    "replies_*": ("text",), "acts*": ("user",),
}  # fmt: skip
PLAIN = ("lines/*.txt", "everyday_*.txt", "occasions_*.txt")
SHORTEST, LONGEST = 2, 400
# Two variations of a line; how often a word is exchanged, and how often one is left out.
SEED, VARIATIONS, EXCHANGED, LEFT_OUT = 5, 2, 0.3, 0.15
# Words of a language that have neighbours, neighbours of a word, how near they are, and how common a word may be.
WORDS, NEAREST, NEAR, COMMON = {"en": 22_000, "ko": 36_000}, 12, 0.3, 0.02
EDGES = ".,!?~\"'()"

Near = dict[str, dict[str, list[str]]]


def language(text: str) -> str:
    return "ko" if re.search("[가-힣ㄱ-ㅎ]", text) else "en"


def strings(held: Any) -> Iterator[str]:
    if isinstance(held, str):
        yield held
    elif isinstance(held, dict | list):
        for part in held.values() if isinstance(held, dict) else held:
            yield from strings(part)


def bare(text: str) -> str:
    """A text as far as it is compared: letters and digits."""
    return re.sub(r"[\W_]+", " ", text.casefold()).strip()


def held_back() -> set[str]:
    """Every text of the sets that nothing learns from."""
    files = [file for name in HELD_BACK for file in (reader.HERE.parent / name).glob("*.jsonl")]
    lines = (line for file in files for line in file.read_text(encoding="utf-8").splitlines() if line)
    return {bare(text) for line in lines for text in strings(json.loads(line))}


def rows(pattern: str) -> Iterator[dict[str, Any]]:
    for file in sorted(DATA.glob(f"{pattern}.jsonl")):
        yield from (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line)


def unmarked() -> Iterator[str]:
    """What people say in all our other files."""
    for pattern in PLAIN:
        for file in sorted(DATA.glob(pattern)):
            yield from (
                line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
            )
    for row in rows("reader/talks_*"):
        yield from (line if isinstance(line, str) else line["text"] for line in (*row["tell"], *row["ask"]))
    for pattern, keys in SPOKEN.items():
        for row in rows(pattern):
            for key in keys:
                said = row.get(key)
                yield from (
                    text for text in (said if isinstance(said, list) else [said]) if isinstance(text, str)
                )


def gathered() -> list[str]:
    """Every line once, in a fixed order: marked messages first."""
    marked = reader.rows()
    own = [row["text"] for row in marked if reader.tenth(row["text"]) != 0]
    never = held_back()
    left = {row["text"] for row in marked}
    others = (" ".join(line.split("\n")).strip() for line in unmarked())
    more = (line for line in others if SHORTEST <= len(line) <= LONGEST and line not in left)
    return [line for line in dict.fromkeys([*own, *more]) if bare(line) not in never]


def word_of(part: str, lang: str) -> str:
    word = part.strip(EDGES)
    return word.lower() if lang == "en" else word


def neighbours(lines: list[str]) -> Near:
    """Words of these lines with those that stand nearest to them in the encoder's table."""
    model = embedder()._load()._model
    near: Near = {}
    for lang, most in WORDS.items():
        counted = Counter(
            word_of(part, lang) for line in lines if language(line) == lang for part in line.split()
        )
        words = [w for w, n in counted.most_common(most) if n >= 2 and len(w) > 1 and not re.search(r"\d", w)]
        table = np.zeros((len(words), 512), np.float32)
        for k, word in enumerate(words):
            _, found = pieces_of(word, model.sp)
            if found:
                held = reader.bytes_of(np.array(found))
                table[k] = (held["bytes"] * held["scale"][:, None] + held["low"][:, None]).mean(0)
        table -= table.mean(0)
        table /= np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-6)
        near[lang] = {}
        for at in range(0, len(words), 1000):
            fit = table[at : at + 1000] @ table.T
            for row, word in zip(fit, words[at : at + 1000], strict=True):
                best = np.argsort(-row, kind="stable")[: NEAREST + 1]
                others = [words[k] for k in best if words[k] != word and row[k] > NEAR]
                if others and counted[word] < len(lines) * COMMON:
                    near[lang][word] = others
    return near


def varied(text: str, near: Near, by: random.Random) -> str:
    """The same sentence with some words exchanged, at times without one."""
    lang, parts = language(text), re.split(r"(\s+)", text)
    for i in range(0, len(parts), 2):
        word = word_of(parts[i], lang)
        others = near[lang].get(word)
        if others and by.random() < EXCHANGED:
            new, at = by.choice(others), parts[i].lower().find(word.lower())
            if lang == "en" and parts[i][:1].isupper():
                new = new[:1].upper() + new[1:]
            parts[i] = parts[i][:at] + new + parts[i][at + len(word) :]
    if by.random() < LEFT_OUT and len(parts) > 5:
        i = by.randrange(0, len(parts), 2)
        del parts[i : i + 2]
    return "".join(parts).strip()


def with_variations(lines: list[str], near: Near) -> Iterator[str]:
    by, seen, never = random.Random(SEED), set(lines), held_back()
    for line in lines:
        yield line
        for _ in range(VARIATIONS):
            new = varied(line, near, by)
            if new not in seen and len(new) > SHORTEST + 1 and bare(new) not in never:
                seen.add(new)
                yield new


def marked(folder: Path = MARKED) -> Iterator[dict[str, Any]]:
    """The marked lines as rows of the reader: `told` is a chance, `at` the place of a value, `soft` the chances of its names."""
    for file in sorted(folder.glob("*.jsonl.xz")):
        with lzma.open(file, "rt", encoding="utf-8") as stream:
            for line in stream:
                text, told, found = json.loads(line)
                memories = []
                for start, end, named, subject, status, stance in found:
                    soft = named if isinstance(named, dict) else {named: 100}
                    total = sum(soft.values())
                    memories.append({
                        "at": (start, end), "attribute": max(soft, key=lambda name: soft[name]), "subject": subject,
                        "soft": {name: n / total for name, n in soft.items()}, "status": status, "stance": stance or None,
                    })  # fmt: skip
                yield {
                    "text": text,
                    "lang": file.name[:2],
                    "memories": memories,
                    "told": told / 100,
                    "file": "marked",
                }


def write_marked(found: Iterable[list[Any]], folder: Path = MARKED) -> None:
    """Rows as data/marked has them, each behind the other in its language's file."""
    folder.mkdir(parents=True, exist_ok=True)
    by_language: dict[str, list[str]] = {lang: [] for lang in WORDS}
    for row in found:
        by_language[language(row[0])].append(json.dumps(row, ensure_ascii=False, separators=(",", ":")))
    for lang, lines in by_language.items():
        data = lzma.compress(("\n".join(lines) + "\n").encode(), preset=9 | lzma.PRESET_EXTREME)
        (folder / f"{lang}.jsonl.xz").write_bytes(data)
        print(f"{lang}: {len(lines):,} lines, {len(data) / 1e6:.2f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--limit", type=int, help="vary and write only so many lines")
    args = parser.parse_args()
    lines = gathered()
    near = neighbours(lines)
    made = list(with_variations(lines[: args.limit], near))
    with gzip.open(args.out, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in made)
    print(f"{len(lines):,} lines of our own, {len(made):,} written")


if __name__ == "__main__":
    main()
