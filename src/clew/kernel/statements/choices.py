"""Whose a value is and what it tells, chosen among what the tagger and the words of the message leave open.

Small learned trees look at each possible owner (the user, everybody named in the message) and at each of the tagger's
likeliest attributes, and say how likely it is the right one (weights are policy). Without weights nothing changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from clew.kernel.read.trees import UNIT, Trees
from clew.kernel.statements.features import Mention
from clew.kernel.statements.tagger import KINDS, STANCE, STATUS, Span
from clew.model.memory import SELF
from clew.policy.reader import ReaderPolicy, weights

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_BREAK = re.compile(r"[,;.!?\n()]|\b(?:and|but|so|because|cos|who|which|while)\b|(?:는데|지만|니까|거든|어서|아서|고)(?= )")
_FAR = 200


class Choices(Trees):
    """The trees, with the attributes and the words that they know."""

    def __init__(self, arrays: Any) -> None:
        super().__init__(arrays)
        self.attributes = tuple(arrays["attributes"].tolist())
        self.behind = tuple(arrays["behind"].tolist())


def chosen_subject(
    text: str,
    place: tuple[int, int],
    span: Span,
    sentence: tuple[int, int],
    found: Sequence[Mention],
    ruled: str | None,
    policy: ReaderPolicy,
) -> str | None:
    """`ruled`: whose it is by rule; another is chosen only where the trees are surer of them by a margin."""
    trees = loaded(policy.whose, policy.whose_sha256)
    if trees is None or not found:
        return ruled
    everybody = owners(found)
    chances = trees.chances(whole([owner_row(text, place, span, sentence, found, s, ruled, policy, trees) for s in everybody]))
    best = max(range(len(everybody)), key=lambda i: (chances[i], -i))
    held = chances[everybody.index(ruled)] if ruled in everybody else 0.0
    return everybody[best] if chances[best] >= held + policy.whose_margin else ruled


def chosen_attribute(
    text: str, place: tuple[int, int], span: Span, subject: str, policy: ReaderPolicy
) -> tuple[str, float]:
    """The attribute, and the tagger's own chance for it."""
    trees = loaded(policy.kinds, policy.kinds_sha256)
    if trees is None or len(span.attributes) < 2:
        return span.attributes[0]
    rows = [attribute_row(text, place, span, subject, i, policy, trees) for i in range(len(span.attributes))]
    chances = trees.chances(whole(rows))
    best = max(range(len(rows)), key=lambda i: (chances[i], -i))
    return span.attributes[best if chances[best] >= chances[0] + policy.kinds_margin else 0]


def owners(found: Sequence[Mention]) -> list[str]:
    return list(dict.fromkeys((SELF, *(m.subject for m in found))))


def whole(rows: Sequence[Iterator[float]]) -> Any:
    import numpy as np

    return np.rint(np.array([tuple(row) for row in rows], dtype=np.float64) * UNIT).astype(np.int64)


def owner_row(
    text: str,
    place: tuple[int, int],
    span: Span,
    sentence: tuple[int, int],
    found: Sequence[Mention],
    subject: str,
    ruled: str | None,
    policy: ReaderPolicy,
    known: Choices,
) -> Iterator[float]:
    """What speaks for `subject` as the owner of the value at `place`."""
    start, end = place
    mine = [m for m in found if m.subject == subject]
    here = [m for m in found if sentence[0] <= m.start < sentence[1]]
    kind = KINDS.index(SELF if subject == SELF else subject.split(":")[0])
    yield from (text.isascii(), subject == SELF, kind == 2, subject == ruled, ruled == SELF, ruled is None)
    yield from (span.kinds[kind], span.kinds[0], max(span.kinds), len(owners(found)), len(here), len(mine))
    ahead = [m for m in found if m.end <= start and m.start >= sentence[0]]
    own = [m for m in mine if m.end <= start and m.start >= sentence[0]]
    back = [m for m in mine if m.start < sentence[0]]
    after = [m for m in mine if end <= m.start < sentence[1]]
    yield from (len(ahead), len(own), len(back), len(after))
    yield bool(ahead) and ahead[-1].subject == subject
    yield bool(ahead) and ahead[0].subject == subject
    before = [m for m in found if m.start < sentence[0]]
    yield bool(before) and before[-1].subject == subject
    yield any(m.start < end and m.end > start for m in mine)
    yield any(m.start < end and m.end > start for m in found)
    near = own[-1] if own else None
    between = text[near.end : start] if near else text[sentence[0] : start]
    yield from (near is not None, min(_FAR, len(between)), len(_BREAK.findall(between)), len(_WORD.findall(between)))
    yield min(_FAR, after[0].start - end) if after else _FAR
    yield min(_FAR, sentence[0] - back[-1].end) if back else _FAR
    said = text[sentence[0] : sentence[1]]
    clause = _BREAK.split(text[sentence[0] : start])[-1]
    behind = text[end : min(sentence[1], end + 30)]
    for words in (policy.speakers, policy.they):
        yield from (_count(part, words) for part in (between, clause, behind, said, text))
    yield from (_owned(text, near or (mine[0] if mine else None)), _named(text, near or (mine[0] if mine else None)))
    yield from (start - sentence[0], sentence[1] - end, end - start, sentence[0])
    top = {name: chance for name, chance in span.attributes}
    yield from (top.get(name, 0.0) for name in known.attributes)
    yield from (span.status == status for status in STATUS)
    follows = _follows(text, near or (mine[-1] if mine else None))
    yield from (follows == word for word in known.behind)


def attribute_row(
    text: str, place: tuple[int, int], span: Span, subject: str, which: int, policy: ReaderPolicy, known: Choices
) -> Iterator[float]:
    """What speaks for the tagger's attribute number `which`."""
    start, end = place
    name, chance = span.attributes[which]
    value = text[start:end]
    yield from (text.isascii(), which, chance, span.attributes[0][1], span.attributes[0][1] - chance)
    yield from (span.told, span.inside, subject == SELF, subject.startswith("pet:"), *span.kinds)
    yield from (name == known_name for known_name in known.attributes)
    top = {other: odds for other, odds in span.attributes}
    yield from (top.get(known_name, 0.0) for known_name in known.attributes)
    yield from (span.status == status for status in STATUS)
    yield from (span.stance == stance for stance in STANCE)
    yield from (len(value), len(value.split()), value[:1].isupper(), any(c.isdigit() for c in value))
    yield from (value.istitle(), len(text), start, len(text) - end)
    follows = (_WORD.findall(text[end : end + 24].lower()) or ["$"])[0]
    yield from (follows == word for word in known.behind)


def _owned(text: str, mention: Mention | None) -> bool:
    """ "my sister", 우리 누나: a word of one's own stands before."""
    return mention is not None and bool(re.search(r"(?i)(?:\bmy|\bour|우리|울|내|제|저희)\s*$", text[: mention.start]))


def _named(text: str, mention: Mention | None) -> bool:
    return mention is not None and bool(re.match(r",? [A-Z][a-z]", text[mention.end : mention.end + 5]))


def _follows(text: str, mention: Mention | None) -> str:
    """What hangs on to the word for somebody, or, with a space, the word behind it."""
    if mention is None:
        return "$"
    behind = text[mention.end : mention.end + 24].lower()
    if behind[:1].isalnum() or behind[:1] in ("'", "’"):
        return re.split(r"[\s.,!?;:~]", behind)[0]
    following = _WORD.findall(behind)
    stopped = behind.lstrip(" ")[:1]
    return stopped if stopped and not stopped.isalnum() else " " + following[0] if following else "$"


@lru_cache(maxsize=16)
def _listed(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(words)


def _count(text: str, words: tuple[str, ...]) -> int:
    held = _listed(words)
    return sum(word in held for word in text.lower().replace("’", "'").split())


@lru_cache(maxsize=4)
def loaded(name: str, sha256: str) -> Choices | None:
    arrays = weights(name, sha256)
    return None if arrays is None else Choices(arrays)
