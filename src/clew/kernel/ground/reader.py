"""The small learned reader of acts: what a follow-up does, in the light of what was just said and shown.

It advises. Its scores are sums of small integers, so that the same message gives the same bytes on every machine.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from clew.kernel.ground.acts import Reading, read_act
from clew.kernel.ground.cards import Card, card, fit
from clew.kernel.ground.clause import Kind
from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.pointed import Pointed
from clew.kernel.language.scripts import is_spaced
from clew.kernel.read.follow_up import follow_up
from clew.kernel.text.normalize import normalize
from clew.model.evidence import Said
from clew.policy.ground import ActsPolicy, GroundPolicy

ACTS = tuple(Said)
_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[?!]")
_MANY = 3


@dataclass(frozen=True, slots=True)
class ActsRead:
    """The acts in order, and how far each possible first act stands behind the best."""

    acts: tuple[Said, ...]
    scores: tuple[int, ...]

    def of(self, *acts: Said) -> int:
        return max(self.scores[ACTS.index(a)] for a in acts)

    def lead(self, *acts: Said) -> int:
        """How far the best of these stands above the best of all others; negative when behind."""
        others = [s for a, s in zip(ACTS, self.scores, strict=True) if a not in acts]
        return self.of(*acts) - max(others)


@lru_cache(maxsize=4)
def _weights(policy: ActsPolicy) -> npt.NDArray[np.int32]:
    raw = zlib.decompress(base64.b85decode(policy.weights))
    table = np.frombuffer(raw, dtype=np.int8).astype(np.int32)
    return table.reshape(policy.buckets, -1)


def read_acts(names: Sequence[str], policy: ActsPolicy) -> ActsRead:
    """The acts that these features of a message speak for."""
    table = _weights(policy)
    total = table[sorted(buckets(names, policy.buckets))].sum(axis=0)
    first = tuple(int(s) for s in total[: len(ACTS)])
    second = total[len(ACTS) :]
    best = ACTS[max(range(len(ACTS)), key=lambda i: (first[i], -i))]
    # The first of the second head says that there is no second act.
    follows = max(range(len(second)), key=lambda i: (int(second[i]), -i))
    acts = (best,) if follows == 0 or ACTS[follows - 1] is best else (best, ACTS[follows - 1])
    return ActsRead(acts, first)


def buckets(names: Sequence[str], size: int) -> set[int]:
    return {zlib.crc32(name.encode()) % size for name in names}


def features(
    text: str,
    options: OptionSet,
    offered: int | None,
    assistant: str | None,
    pointed: Pointed,
    reading: Reading,
    policy: GroundPolicy,
) -> list[str]:
    """Words with things of the list masked, endings, openings of sentences, and how it stands to list and offer."""
    if pointed.chosen:
        # "tram, I get sick on buses": read what chooses.
        text, reading = pointed.chosen, read_act(pointed.chosen, policy)
    said = follow_up(text)
    raw = list(said.asked_words)
    polite = _requests(reading)
    if polite:
        raw = [t for t in raw if t != "?"]
    masked = _mask(raw, options, policy)
    has = "o" if offered is not None else "n"
    out = ["bias", f"has:{has}", f"length:{min(len(raw), 9)}", f"length:{has}{min(len(raw), 5)}"]
    out += [f"w:{t}" for t in masked] + [f"wo:{has}{t}" for t in masked]
    padded = ["^", *masked, "$"]
    out += [f"b:{a} {b}" for a, b in pairwise(padded)]
    out += [f"t:{a} {b} {c}" for a, b, c in zip(padded, padded[1:], padded[2:], strict=False)]
    for token in raw:
        if not is_spaced(token):
            out += [f"e:{token[-n:]}" for n in (1, 2, 3)] + [
                f"g:{token[i : i + 2]}" for i in range(len(token) - 1)
            ]
    words = [t for t in masked if t not in "?!"]
    if words:
        last = words[-1]
        out += [
            f"first:{words[0]}",
            f"first:{has}{words[0]}",
            f"last:{last}",
            f"last:{has}{last}",
            f"end:{last[-2:]}",
            f"end:{has}{last[-2:]}",
        ]
        if len(words) <= _MANY:
            out += [f"all:{' '.join(words)}", f"all:{has}{' '.join(words)}"]
    out.append(f"sentences:{min(len(said.openings), 3)}")
    for i, start in enumerate(said.openings):
        out += [f"s{min(i, 1)}:{' '.join(start[:n])}" for n in (1, 2)]
    mark = "?" if "?" in said.text and not polite else "-"
    out += [f"q:{mark}", f"q:{mark}{has}"]
    out += _standing(options, offered, pointed, has, mark, len(words))
    out += [f"rule:{reading.rule}", f"rule:{has}{reading.rule}", f"act:{reading.act}{pointed.how}{has}"]
    kinds = [c.kind.value for c in reading.clauses]
    out += [
        f"clauses:{' '.join(kinds[:3])}",
        f"clause:{has}{kinds[0] if kinds else ''}",
        *(f"kind:{k}" for k in kinds),
    ]
    return out + _asked(assistant, has, words, pointed)


def _requests(reading: Reading) -> bool:
    """ "could you read me the plan?" asks nothing (ruling G13): its question mark is manners."""
    return bool(reading.clauses) and all(c.kind in (Kind.TAKE, Kind.ACCEPT) for c in reading.clauses)


def _standing(
    options: OptionSet, offered: int | None, pointed: Pointed, has: str, mark: str, size: int
) -> list[str]:
    at = "none"
    if pointed.positions:
        at = "several" if pointed.several else "many" if len(pointed.positions) > 1 else "one"
        if pointed.winner is not None and pointed.winner == offered:
            at = "offer"
    foreign = min(len(pointed.foreign), 4)
    share = min(3, 4 * len(pointed.foreign) // max(1, size))
    count = min(len(options.candidates), 6)
    return [
        f"at:{at}", f"at:{at}{has}", f"at:{at}{mark}", f"how:{pointed.how}", f"how:{pointed.how}{at}{has}",
        f"foreign:{foreign}", f"foreign:{at}{foreign}", f"foreign:{at}{share}{mark}", f"foreign:{has}{foreign}{mark}",
        f"strength:{at}{pointed.strength}", f"gone:{bool(pointed.excluded)}{at}", f"count:{count}",
        f"gone:{offered in pointed.excluded}",
    ]  # fmt: skip


def _asked(assistant: str | None, has: str, words: list[str], pointed: Pointed) -> list[str]:
    """What the assistant's last sentence asks for."""
    if not assistant:
        return ["heard:no"]
    sentences = [s for s in re.split(r"(?<=[.!?:])\s+", normalize(assistant)) if s]
    last = sentences[-1] if sentences else ""
    tokens = _TOKEN.findall(last)
    kind = "asks" if last.endswith("?") else "lists" if last.endswith(":") else "tells"
    opening = " ".join(tokens[:2])
    out = [f"heard:{kind}", f"heard:{kind}{has}", f"heard:{opening}", f"heard:{kind}{has}{pointed.how}"]
    if words:
        out += [f"heard:{kind}{has}{words[0]}", f"heard:{kind}{has}{words[-1]}"]
    out += [f"told:{t}" for t in tokens[-2:]] + [f"tolds:{tokens[-1] if tokens else ''}{has}"]
    said = frozenset(t for t in _TOKEN.findall(normalize(assistant)) if len(t) > 2)
    out.append(f"echo:{min(2, sum(w in said for w in words))}")
    return out


def _mask(raw: list[str], options: OptionSet, policy: GroundPolicy) -> list[str]:
    """A word of the list is an item, whatever it is called; numbers are numbers."""
    pointing = policy.pointing
    cards: tuple[Card, ...] = ()
    if len(options.candidates) <= pointing.close_reading:
        cards = tuple(card(c, pointing) for c in options.candidates)
    empty = frozenset(pointing.empty)
    out: list[str] = []
    for token in raw:
        if token in "?!" or token in empty:
            out.append(token)
        elif any(fit(token, own, pointing) >= 2 for own in cards):
            tail = next((p for p in pointing.item_tails if token.endswith(p)), "")
            out.append(f"<item>{tail}")
        elif token.isdigit():
            out.append("<number>")
        else:
            out.append(token)
    return out
