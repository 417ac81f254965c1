"""Train the reader of statements (kernel/statements/tagger.py) from the sentences in bench/train/data.

    python bench/train/reader.py [--out FOLDER] [--part N] --only linear|asks|forgets
    python bench/train/patient.py OUT.npz; python bench/train/reader.py --only statements --trained OUT.npz

The whole way of the network (design/0045-a-patient-pupil.md):

1. `lines.py` gathers our lines, marked and unmarked, and varies them.
2. `teacher.py` tunes a large language model on the marked messages and lets it mark all lines: data/marked. Nobody needs to do
   this again: the marked lines are in the repository, and all that follows needs them alone.
3. `patient.py` teaches the network from the messages (marked by people) and the lines (marked by the model) together:
   minutes with a graphics card.
4. `reader.py --only statements --trained OUT.npz` packs what it has written, a byte for each weight.

On plain cores, with new messages of a few hundred or thousand, go on from the shipped weights instead:

    python bench/train/reader.py --pack FILE
    python bench/train/network.py FILE OUT.npz --begin src/clew/policy/weights/statements.npz --new NAME --epochs 2
    python bench/train/reader.py --only statements --trained OUT.npz

A message whose hash falls on 0 of ten is never read here: bench/readers.py measures on those. `--part N` holds back
another tenth while choosing.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import pickle
import re
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from clew.adapters.embeddings.use import default as embedder
from clew.adapters.embeddings.use import pieces_of
from clew.kernel.statements.features import BUCKETS, SIGNS, Word, bags, lexicon, mentions, signs, words_of
from clew.policy import default as policy

HERE = Path(__file__).resolve().parent
DATA = HERE / "data" / "reader"
WEIGHTS = HERE.parents[1] / "src/clew/policy/weights"
KINDS = ("self", "person", "pet")
STATUS = ("is", "not", "ended", "future", "past")
STANCE = (None, "like", "dislike")
# A sentence's vector travels as bytes; no number of it is larger than a third.
VECTOR = 380


def tenth(text: str) -> int:
    return int(hashlib.sha256(("split" + text).encode()).hexdigest()[:8], 16) % 10


def rows(pattern: str = "??_*.jsonl") -> list[dict]:
    return [
        {**json.loads(line), "file": file.stem}
        for file in sorted(DATA.glob(pattern))
        for line in file.read_text(encoding="utf-8").splitlines()
        if line
    ]


def whose(subject: str) -> str:
    """The subject as our words for people name it: "person:younger son" is a son, "person:kids" a child, "person:?" unknown."""
    kind, _, label = subject.partition(":")
    if not label or label == "?":
        return label or kind
    people, pets, _ = lexicon(policy().reader)
    table = people if kind == "person" else pets
    last = label.split()[-1]
    found = table.get(label) or (label if label in table.values() else None) or table.get(last) or last
    return f"{kind}:{found}"


def places(row: dict) -> list[tuple[int, int, dict]]:
    """Where each value stands: as it is marked, or where its words are found."""
    out, used = [], set()
    for memory in row["memories"]:
        if "at" in memory:
            out.append((*memory["at"], memory))
            continue
        found = [m.start() for m in re.finditer(re.escape(memory["value"]), row["text"])]
        place = next((p for p in found if (p, memory["attribute"]) not in used), found[0])
        used.add((place, memory["attribute"]))
        out.append((place, place + len(memory["value"]), memory))
    return out


def example(row: dict, text: str, names: list[str]) -> tuple | None:
    """One message in one spelling: tokens, pieces of words and signs by token, the values in it, and its people."""
    spans, ids = pieces_of(text, embedder()._load()._model.sp)
    if not ids:
        return None
    words = words_of(text)
    people = mentions(text, policy().reader)
    grams, marks = bags(words), signs(text, words, people, policy().reader)
    at, k = [], 0
    for start, _ in spans:
        while k < len(words) - 1 and words[k].end <= start:
            k += 1
        at.append(k)
    gold, whole = [], []
    for place, end, memory in places(row):
        tokens = [i for i, (s, e) in enumerate(spans) if s < end and e > place]
        if tokens:
            soft = memory.get("soft")
            gold.append((
                tokens[0], tokens[-1] + 1, names.index(memory["attribute"]),
                KINDS.index(memory["subject"].split(":")[0]), STATUS.index(memory["status"]),
                STANCE.index(memory["stance"]), whose(memory["subject"]),
                soft and tuple((names.index(name), share) for name, share in soft.items()),
            ))  # fmt: skip
            whole.append(whole_words(text, place, end, at, words) if words else None)
    if not words:
        grams, marks = [(0,)], [(0,) * SIGNS]
    spoken = []
    for m in people:
        tokens = [i for i, (s, e) in enumerate(spans) if s < m.end and e > m.start]
        if tokens:
            spoken.append((tokens[0], tokens[-1] + 1, m.subject))
    return ids, [grams[k] for k in at], [marks[k] for k in at], gold, whole, spoken


def whole_words(text: str, start: int, end: int, at: list[int], words: list[Word]) -> tuple[int, int, str] | None:
    """The tokens of the words a value stands in, and what hangs on to it there: where another value may stand."""
    held = [k for k, word in enumerate(words) if word.start < end and word.end > start]
    tokens = [i for i, k in enumerate(at) if held and held[0] <= k <= held[-1]]
    if not tokens:
        return None
    edges = f"{text[words[held[0]].start : start]}|{text[end : words[held[-1]].end]}"
    return tokens[0], tokens[-1] + 1, edges.lower()


def examples(data: list[dict], names: list[str]) -> list[dict]:
    vectors = embedder().matrix([row["text"] for row in data])
    out = []
    for row, vector in zip(data, vectors, strict=True):
        texts = [row["text"]]
        lower = row["text"].lower()
        if row["lang"] == "en" and lower != row["text"] and len(lower) == len(row["text"]) and "told" not in row:
            texts.append(lower)
        made = [e for text in texts if (e := example(row, text, names))]
        if made:
            out.append({
                "spellings": made, "vector": np.rint(vector * VECTOR).astype(np.int8), "lang": row["lang"], "why": row.get("why"),
                "file": row["file"], "tenth": tenth(row["text"]), "told": row.get("told"),
            })  # fmt: skip
    return out


def bytes_of(ids: np.ndarray) -> dict[str, np.ndarray]:
    """The encoder's rows for these tokens, as small as the encoder has them (network.py: rows_of)."""
    model = embedder()._load()._model
    chunk = ids % model.scale.shape[0]
    return {"bytes": model.table[ids].astype(np.uint8), "scale": model.scale[chunk], "low": model.lo[chunk]}


def windows() -> dict[str, np.ndarray]:
    """The encoder's own layers over neighbouring tokens, where the network begins."""
    model = embedder()._load()._model
    out = {"proj": model.proj_W, "proj_b": model.proj_b, "near_g": model.ln_g_all, "near_b": model.ln_b_all,
           "far_g": model.ln_g, "far_b": model.ln_b, "eps": np.array(model.eps)}  # fmt: skip
    for i, size in enumerate((2, 3, 5)):
        out |= {f"one{size}": model.w1[i], f"one{size}_b": model.b1[i]}
        out |= {f"two{size}": model.w2[i], f"two{size}_b": model.b2[i]}
    return out


def pack(data: list[dict], names: list[str], file: Path) -> None:
    """Everything the training needs, without the encoder: network.py may run on another machine."""
    made = examples(data, names)
    ids = sorted({i for row in made for e in row["spellings"] for i in e[0]})
    place = {token: k for k, token in enumerate(ids)}
    for row in made:
        row["spellings"] = [([place[i] for i in e[0]], *e[1:]) for e in row["spellings"]]
    held = {"rows": made, "names": names, "table": bytes_of(np.array(ids)), "windows": windows(),
            "vector": VECTOR, "buckets": BUCKETS, "signs": SIGNS}  # fmt: skip
    file.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(file, "wb", compresslevel=5) as out:
        pickle.dump(held, out, protocol=4)
    print(len(made), "messages,", sum(len(r["spellings"][0][0]) for r in made), "tokens in", file)


def packed(p: dict[str, np.ndarray]) -> bytes:
    """Eight bits a weight with one scale for each column."""
    arrays: dict[str, np.ndarray] = {}
    for key, value in p.items():
        if key == "names" or value.ndim < 2:
            arrays[key] = value if key in ("names", "eps") else value.astype(np.float32)
            continue
        scale = np.maximum(np.abs(value).max(axis=0), 1e-6) / 127
        arrays[key] = np.clip(np.rint(value / scale), -127, 127).astype(np.int8)
        arrays[key + "_s"] = scale.astype(np.float32)
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def write(data: bytes, name: str, out: Path) -> None:
    """Weights, and their fingerprint beside the words of the policy."""
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{name}.npz").write_bytes(data)
    words = HERE.parents[1] / "src/clew/policy/data/reader.toml"
    if out == WEIGHTS:
        text = words.read_text(encoding="utf-8")
        line = f'{name} = "{name}.npz"\n{name}_sha256 = "{hashlib.sha256(data).hexdigest()}"\n'
        kept = re.sub(rf'^{name}(_sha256)? = ".*"\n', "", text, flags=re.M)
        head, rest = kept.split("\n", 1)
        words.write_text(f"{head}\n{line}{rest}", encoding="utf-8")
    print(f"{name}: {len(data) / 1e6:.2f} MB")


def forgets(out: Path, part: int | None) -> None:
    """Wishes to forget, beside what is told and asked."""
    import asks

    left = (0, part)
    wishes = [row for row in rows("forget*.jsonl") if tenth(row["text"]) not in left]
    talk = [r for r in (*rows(), *rows("asks*.jsonl")) if r.get("why") != "meta" and tenth(r["text"]) not in left][::3]
    vectors = embedder().matrix([row["text"] for row in wishes + talk])
    write(asks.fit_forgets(wishes, talk, vectors), "forgets", out)


def talked() -> list[tuple[str, bool]]:
    """Messages of whole talks, of every day and to an assistant that shows lists, and whether each asks for anything of one's own life."""
    talks = rows("talks_*.jsonl")
    asked = [(ask["text"], ask.get("kind") not in ("world", "chat")) for row in talks for ask in row["ask"]]
    told = [(line if isinstance(line, str) else line["text"], False) for row in talks for line in row["tell"]]
    files = sorted(DATA.parent.glob("everyday_*.txt"))
    plain = (line.strip() for file in files for line in file.read_text(encoding="utf-8").splitlines())
    ordinary = [line for line in plain if line and not line.startswith("#") and "?" not in line]
    shown = (line for file in sorted(DATA.parent.glob("acts*.jsonl")) for line in file.read_text(encoding="utf-8").splitlines())
    to_assistant = sorted({json.loads(line)["user"] for line in shown})
    return asked + told + [(line, False) for line in (*ordinary, *to_assistant)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--part", type=int, default=None)
    parser.add_argument("--only", choices=("statements", "linear", "asks", "forgets"), default=None)
    parser.add_argument("--pack", type=Path, help="write what the training needs there, and stop")
    parser.add_argument("--trained", type=Path, help="what patient.py or network.py has written")
    args = parser.parse_args()
    data = [row for row in rows() if tenth(row["text"]) not in (0, args.part)]
    names = sorted({m["attribute"] for row in data for m in row["memories"]})
    if args.pack:
        pack(data, names, args.pack)
        return
    if args.only == "forgets":
        forgets(args.out, args.part)
        return
    if args.only != "statements":
        import asks

        asked = [row for row in rows("asks*.jsonl") if tenth(row["text"]) not in (0, args.part)]
        vectors = embedder().matrix([row["text"] for row in asked + data])
        more = talked()
        beside = embedder().matrix([text for text, _ in more])
        write(asks.fit_asks(asked, data, more, np.concatenate([vectors, beside])), "asks", args.out)
        if args.only == "asks":
            return
        write(asks.fit_told(data, vectors[len(asked) :]), "told", args.out)
        write(asks.fit_named(data, vectors[len(asked) :]), "named", args.out)
        forgets(args.out, args.part)
    if args.only == "linear":
        return
    if args.trained is None:
        print("statements: as they are (--trained FILE takes what patient.py or network.py has written)")
        return
    with np.load(args.trained, allow_pickle=False) as found:
        write(packed({k: found[k] for k in found.files}), "statements", args.out)


if __name__ == "__main__":
    main()
