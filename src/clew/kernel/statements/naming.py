"""What attribute a value has, by its own words and those beside it (a linear reader; weights are policy)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from clew.kernel.read.linear import bucket, pieces, weighted_sums, word_buckets
from clew.policy.reader import ReaderPolicy

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]")
# How much a piece counts: of the value and beside it, a little further off, anywhere in the message.
_NEAR, _FAR, _ANYWHERE = 5, 3, 2
_BEFORE, _AFTER, _BESIDE = 6, 5, 2
# Only so much of a long message can say anything about one value.
_REACH = 200


def span_pieces(text: str, start: int, end: int) -> dict[int, int]:
    """Buckets with their weights; words count by where they stand."""
    text, start, end = _around(text, start, end)
    found = dict.fromkeys(pieces(text), _ANYWHERE)
    before, value, after = _words(text[:start])[-_BEFORE:], _words(text[start:end]), _words(text[end:])[:_AFTER]
    for word in value:
        found |= dict.fromkeys(word_buckets(word, "v"), _NEAR)
    for marks, words in (("Ll", reversed(before)), ("Rr", after)):
        for i, word in enumerate(words):
            mark, weight = (marks[0], _NEAR) if i < _BESIDE else (marks[1], _FAR)
            found |= dict.fromkeys(word_buckets(word, mark), weight)
    for mark, row in (("v2", value), ("l2", before), ("r2", after), ("lv", [*before[-1:], *value[:1]])):
        found |= {bucket(f"{mark}{a}_{b}"): _NEAR for a, b in pairwise(row)}
    return found


def _around(text: str, start: int, end: int) -> tuple[str, int, int]:
    first = max(0, start - _REACH)
    return text[first : end + _REACH], start - first, end - first


def _words(text: str) -> list[str]:
    return [w.lower().replace("’", "'") for w in _WORD.findall(text)]


def attribute_sums(
    text: str, start: int, end: int, vector: Sequence[float], policy: ReaderPolicy
) -> Mapping[str, float]:
    """Log-odds of each attribute for the value from `start` to `end`."""
    return weighted_sums(span_pieces(text, start, end), vector, policy.named, policy.named_sha256)
