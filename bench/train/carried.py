"""All messages and lines that the statement network learns from, packed for a machine that has torch and numpy alone.

    python bench/train/carried.py PACK [--cores N] [--limit N]

Words, their signs and the encoder's tokens are stored once a message, as small numbers; pieces of words and the vectors of
messages are left out and made anew on the other machine (`Carried`, `Encoder`): packed they would be ten times as large.
The first rows are our marked messages but the tenth that is never read, then the lines that a large reader marked, then what is
measured on: the tenth, and later_*.jsonl.
"""

from __future__ import annotations

import argparse
import io
import lzma
import multiprocessing
import os
import pickle
import sys
from pathlib import Path
from typing import Any
from zlib import crc32

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

CHUNK = 400
# Parts of the pack, in their order: what is learned, and what is measured on.
OWN, LINES, TENTH, LATER = range(4)
# Numbers of the encoder's own marks for the beginning and the end of a text.
EDGES = (1, 2)

Row = dict[str, Any]
# tokens, words, signs of each word, the word of each token, values, where each value's words stand, words for somebody
Spelling = tuple[
    list[int], list[str], list[int], list[int], list[Any], list[Any], list[tuple[int, int, str]]
]


def spelled(row: Row, text: str, names: list[str]) -> Spelling | None:
    """As reader.example reads it, with words in place of their pieces."""
    import reader

    from clew.adapters.embeddings.use import pieces_of
    from clew.kernel.statements.features import mentions, signs, words_of
    from clew.policy import default as policy

    made = reader.example(row, text, names)
    if made is None:
        return None
    spans, ids = pieces_of(text, reader.embedder()._load()._model.sp)
    words = words_of(text)
    marks = signs(text, words, mentions(text, policy().reader), policy().reader)
    at, k = [], 0
    for start, _ in spans:
        while k < len(words) - 1 and words[k].end <= start:
            k += 1
        at.append(k)
    packed = [sum(bit << n for n, bit in enumerate(row)) for row in marks]
    _, _, _, gold, whole, spoken = made
    return list(ids), [w.text for w in words], packed, at, gold, whole, spoken


def read(job: tuple[list[Row], list[str]]) -> list[tuple[Row, list[Spelling], Any]]:
    """Rows with their spellings, and the encoder's numbers of a text, or its vector where the text is cut."""
    import reader

    from clew.adapters.embeddings.use import split

    rows, names = job
    model, out = reader.embedder()._load()._model, []
    for row in rows:
        texts, lower = [row["text"]], row["text"].lower()
        if row["lang"] == "en" and lower != row["text"] and len(lower) == len(row["text"]) and "told" not in row:
            texts.append(lower)
        made = [s for text in texts if (s := spelled(row, text, names))]
        if made:
            pieces = split(row["text"])
            whole = model.sp.encode(pieces[0], add_bos=False, add_eos=False) if len(pieces) == 1 else None
            vector = whole if whole is not None else reader.embedder().matrix([row["text"]])[0].astype(np.float16)
            held = {"lang": row["lang"], "why": row.get("why"), "told": row.get("told"), "file": row["file"]}
            out.append((held, made, vector))
    return out


def numbered(lists: list[list[int]], kind: Any) -> tuple[np.ndarray, np.ndarray]:
    """Lists behind each other, and how long each is."""
    lens = np.array([len(x) for x in lists], np.uint16)
    return np.array([i for x in lists for i in x], kind), lens


def write(out: Path, cores: int, limit: int | None) -> None:
    import lines
    import reader

    def few(data: list[Row]) -> list[Row]:
        return data[:: max(1, len(data) // limit)] if limit else data

    messages = reader.rows()
    own = [row for row in messages if reader.tenth(row["text"]) != 0]
    names = sorted({m["attribute"] for row in own for m in row["memories"]})
    whys = sorted({row["why"] for row in own if row.get("why")})
    parts = [own, list(lines.marked()), [r for r in messages if reader.tenth(r["text"]) == 0], reader.rows("later_*.jsonl")]
    reader.embedder().matrix(["once, before the others are started"])
    rows: list[tuple[int, Any, Any, bool, float | None]] = []
    spellings: list[Spelling] = []
    given: list[Any] = []
    counts: list[int] = []
    with multiprocessing.get_context("fork").Pool(cores) as pool:
        for part, data in enumerate(parts):
            some = few(data)
            jobs = [(some[i : i + CHUNK], names) for i in range(0, len(some), CHUNK)]
            for done, found in enumerate(pool.imap(read, jobs), start=1):
                for row, made, vector in found:
                    why = 0 if row["why"] is None else 1 + whys.index(row["why"])
                    rows.append((part, row["lang"] == "ko", why, row["told"] is None, row["told"] or 0.0))
                    counts.append(len(made))
                    spellings += made
                    given.append(vector)
                if done % 100 == 0:
                    print(f"part {part}: {done * CHUNK:,} of {len(some):,} read", flush=True)
    model = reader.embedder()._load()._model
    ids = sorted({i for s in spellings for i in s[0]} | {i for g in given if isinstance(g, list) for i in g} | set(EDGES))
    number = {token: k for k, token in enumerate(ids)}
    words = sorted({w for s in spellings for w in s[1]})
    place = {w: k for k, w in enumerate(words)}
    held: dict[str, Any] = {"counts": np.array(counts, np.uint8)}
    for name, kind, column in zip(("part", "ko", "why", "marked", "told"), ("u1", "u1", "u1", "u1", "f4"), zip(*rows, strict=True), strict=True):
        held[name] = np.array(column, kind)
    held["ids"], held["ids_n"] = numbered([[number[i] for i in s[0]] for s in spellings], np.uint32)
    held["words"], held["words_n"] = numbered([[place[w] for w in s[1]] for s in spellings], np.uint32)
    held["signs"] = np.array([i for s in spellings for i in s[2]], np.uint16)
    held["at"] = np.array([i for s in spellings for i in np.diff(s[3], prepend=0).tolist()], np.uint8)
    # The encoder reads pieces that cover a blank alone, too: only where they stand is kept.
    blanks = [k for k, (g, first) in enumerate(zip(given, np.cumsum(counts) - counts, strict=True))
              if isinstance(g, list) and g != spellings[first][0]]  # fmt: skip
    held["other"] = np.array(blanks, np.uint32)
    held["other_ids"], held["other_n"] = numbered([[number[i] for i in given[k]] for k in blanks], np.uint32)
    cut = [k for k, g in enumerate(given) if not isinstance(g, list)]
    held["cut"], held["cut_vectors"] = np.array(cut, np.uint32), np.array([given[k] for k in cut], np.float16).reshape(-1, 512)
    flat = np.array(ids)
    held["table"] = model.table[flat].astype(np.uint8)
    chunk = flat % model.scale.shape[0]
    held["scale"], held["low"], held["edges"] = model.scale[chunk], model.lo[chunk], np.array([number[i] for i in EDGES])
    for name in ("cnn_W", "cnn_b", "d0", "d1", "d2", "d3", "p1", "p3"):
        held[f"encoder_{name}"] = getattr(model, name)
    held |= {f"window_{name}": value for name, value in reader.windows().items()}
    found = [(s[4], s[5], s[6]) for s in spellings]
    file = io.BytesIO()
    np.savez(file, **held)
    texts = pickle.dumps({"words": words, "names": names, "whys": whys, "found": found,
                          "buckets": reader.BUCKETS, "signs": reader.SIGNS, "unit": reader.VECTOR}, protocol=4)  # fmt: skip
    for name, data in (("arrays", file.getvalue()), ("texts", texts)):
        packed = lzma.compress(data, preset=6)
        out.with_suffix(f".{name}.xz").write_bytes(packed)
        print(f"{name}: {len(data) / 1e6:.1f} MB, packed {len(packed) / 1e6:.1f} MB", flush=True)
    print(f"{len(rows):,} rows, {len(spellings):,} spellings, {len(ids):,} tokens, {len(words):,} words")


def bucket(piece: str, buckets: int) -> int:
    return crc32(piece.encode("utf-8", "replace")) % buckets


def pieces(word: str, buckets: int) -> list[int]:
    """As kernel/statements/features.py makes them."""
    edged = f"<{word[:40]}>"
    found = ["=" + word]
    for size in (2, 3, 4):
        found += [edged[i : i + size] for i in range(len(edged) - size + 1)]
    return list(dict.fromkeys(bucket(piece, buckets) for piece in found))


def starts(lens: np.ndarray) -> list[int]:
    """Where each stretch begins, and where the last one ends."""
    out: list[int] = np.concatenate([np.zeros(1, np.int64), np.cumsum(lens, dtype=np.int64)]).tolist()
    return out


class Carried:
    """The pack, opened: a row is put together when it is asked for."""

    def __init__(self, file: Path) -> None:
        with lzma.open(file.with_suffix(".arrays.xz")) as stream, np.load(io.BytesIO(stream.read())) as held:
            self.held = {name: held[name] for name in held.files}
        with lzma.open(file.with_suffix(".texts.xz")) as stream:
            told = pickle.load(stream)
        self.vocabulary, self.names, self.whys, self.found = (told[k] for k in ("words", "names", "whys", "found"))
        self.buckets, self.signs, self.unit = told["buckets"], told["signs"], told["unit"]
        h = self.held
        self.first = starts(h["counts"])
        self.from_id = starts(h["ids_n"])
        self.from_word = starts(h["words_n"])
        self.pieces = [pieces(word, self.buckets) for word in self.vocabulary]
        self.table = h["table"].astype(np.float32) * h["scale"][:, None] + h["low"][:, None]

    def __len__(self) -> int:
        return len(self.held["counts"])

    def part(self, *parts: int) -> list[int]:
        return np.flatnonzero(np.isin(self.held["part"], parts)).tolist()

    def tokens(self, s: int, a: int = 0, b: int | None = None) -> tuple[list[int], list[list[int]], list[int]]:
        """Of a spelling's tokens from a to b: their numbers, the pieces of each one's word, and its signs as bits."""
        h = self.held
        here, until = self.from_id[s], self.from_id[s + 1]
        w0, w1 = self.from_word[s], self.from_word[s + 1]
        at = np.cumsum(h["at"][here:until])[a:b].tolist()
        ids = h["ids"][here:until][a:b].tolist()
        if w0 == w1:
            return ids, [[0]] * len(ids), [0] * len(ids)
        words = h["words"][w0:w1].tolist()
        marks = h["signs"][w0:w1].tolist()
        bags = {}
        for k in set(at):
            word, before = self.vocabulary[words[k]], self.vocabulary[words[k - 1]] if k else "^"
            bags[k] = [
                *self.pieces[words[k]],
                bucket(f"{before}_{word}", self.buckets),
                bucket(f"{before[:2]}~{word[-2:]}", self.buckets),
            ]
        return ids, [bags[k] for k in at], [marks[k] for k in at]

    def for_encoder(self) -> list[list[int]]:
        """What the encoder reads of each row: its tokens between the marks of beginning and end."""
        h = self.held
        begin, end = h["edges"].tolist()
        out = [[begin, *h["ids"][self.from_id[s] : self.from_id[s + 1]].tolist(), end] for s in self.first[:-1]]
        at = starts(h["other_n"])
        for k, row in enumerate(h["other"].tolist()):
            out[row] = [begin, *h["other_ids"][at[k] : at[k + 1]].tolist(), end]
        return out


def vectors(carried: Carried, device: str, size: int = 512) -> np.ndarray:
    """The encoder's vector of every row, a byte for each number."""
    import torch
    import torch.nn.functional as F

    h = carried.held
    p = {k: torch.tensor(v.astype(np.float32), device=device) for k, v in h.items() if k.startswith(("window_", "encoder_"))}
    eps, table = float(h["window_eps"]), torch.tensor(carried.table, device=device)
    given = carried.for_encoder()
    out = np.zeros((len(given), 512), np.int8)
    order = sorted(range(len(given)), key=lambda k: len(given[k]))
    for start in range(0, len(order), size):
        some = order[start : start + size]
        long = max(len(given[k]) for k in some)
        ids = torch.zeros(len(some), long, dtype=torch.long)
        lens = torch.tensor([len(given[k]) for k in some], device=device, dtype=torch.float32)
        for j, k in enumerate(some):
            ids[j, : len(given[k])] = torch.tensor(given[k])
        mask = (torch.arange(long, device=device)[None] < lens[:, None]).float()[..., None]
        x = table[ids.to(device)] * mask
        y = F.layer_norm(x @ p["window_proj"] + p["window_proj_b"], (768,), p["window_near_g"], p["window_near_b"], eps) * mask
        parts = [x]
        for i, (wide, left) in enumerate(((2, 0), (3, 1), (5, 2))):
            z = y[..., i * 256 : (i + 1) * 256]
            for layer in ("one", "two"):
                padded = F.pad(z, (0, 0, left, wide - 1 - left))
                seen = torch.cat([padded[:, k : k + long] for k in range(wide)], -1)
                z = (F.relu(seen @ p[f"window_{layer}{wide}"] + p[f"window_{layer}{wide}_b"]) + z) * mask
            parts.append(z)
        x = F.layer_norm(torch.cat(parts, -1), (1280,), p["window_far_g"], p["window_far_b"], eps) * mask
        mean = (x.sum(1) @ p["encoder_cnn_W"] + lens[:, None] * p["encoder_cnn_b"]) / lens.sqrt()[:, None]
        y0 = F.relu(mean @ p["encoder_d0"])
        y1 = F.relu(mean @ p["encoder_p1"] + y0 @ p["encoder_d1"])
        z = torch.tanh(y1 @ p["encoder_p3"] + F.relu(y1 @ p["encoder_d2"]) @ p["encoder_d3"])
        out[some] = torch.round(F.normalize(z, dim=1) * carried.unit).to(torch.int8).cpu().numpy()
    cut = h["cut_vectors"].astype(np.float32)
    out[h["cut"]] = np.rint(cut * carried.unit).astype(np.int8)
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--limit", type=int, help="take only so many of each part")
    args = parser.parse_args()
    write(args.out, args.cores, args.limit)


if __name__ == "__main__":
    main()
