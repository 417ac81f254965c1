"""Which hard thing a message tells: work lost, money, illness, loneliness, harm (ruling S5).

Told in so many words, it is told. Else a small learned reader says how likely each kind is; a kind is named only where
a word of it stands in the sentence, and where none does no hardship is told. What is over, laughed at or otherwise
harmless by the rules of need is none either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from clew.kernel.read.linear import shares
from clew.pattern_table import NamedPatterns
from clew.policy import Policy
from clew.policy.listen import NeedWords

HARDSHIP = "listen.need.hardship"
# A hardship was told in one of the last messages.
AMID_HARDSHIP = "listen.need.amid_hardship"
Vectors = Mapping[str, Sequence[float]]


class Hardship(NamedTuple):
    """kind: "" where no word tells one. chance: that any hardship is told."""

    kind: str
    chance: float


_NONE = Hardship("", 0.0)


def hardship_of(
    text: str,
    language: str,
    sentences: Sequence[str],
    vector: Sequence[float] | None,
    policy: Policy,
    vectors: Vectors | None = None,
    *,
    cares: bool = False,
) -> Hardship:
    """The likeliest that has a name, of the whole message or of one of its sentences; without a vector none is read.

    cares: it is known to need care, so that less of a kind names it.
    """
    table, words = policy.listen.hardship, policy.listen.languages.get(language)
    file = table.weights.get(language, "")
    if vector is None or not file or words is None:
        return _NONE
    if plain := next(_shapes(words, "hardship_plain").names(text), ""):
        return Hardship(plain, 1.0)
    found = _NONE
    for said, own in _told(text, sentences, vector, vectors or {}):
        if kinds := tuple(_shapes(words, "hardship").names(said)):
            one = _of(shares(said, own, file, table.weights_sha256[language]), kinds, policy, cares=cares)
            found = max(found, one, key=lambda one: (one.kind != "", one.chance))
    return found


def tells_hardship(hard: Hardship, language: str, policy: Policy, *, amid: bool = False) -> bool:
    """Surely enough to be met with care; soon after another one, less of it tells."""
    table = policy.listen.hardship
    least = (table.amid if amid else table.care).get(language, 1)
    if not amid and hard.kind in table.common:
        least = max(least, table.common_care)
    return hard.kind != "" and hard.chance >= least


def open_kind(told: Sequence[tuple[str, bool]], policy: Policy) -> str:
    """Of the kinds that the last messages told ("" for none), the newest first, the one that is still open.

    Each with whether that message speaks of other things. What ordinary talk is full of is open until the talk has
    gone on; other kinds stay open whatever is told next, one that lasts before all.
    """
    stays, open_ones = True, []
    for kind, leaves in told:
        if kind and (stays or kind not in policy.listen.hardship.common):
            open_ones.append(kind)
        stays = stays and (bool(kind) or not leaves)
    return next((kind for kind in open_ones if kind in policy.care.lasting), next(iter(open_ones), ""))


def _told(
    text: str, sentences: Sequence[str], vector: Sequence[float], vectors: Vectors
) -> Iterator[tuple[str, Sequence[float]]]:
    yield text, vector
    if len(sentences) > 1:
        yield from ((said, vectors[said]) for said in sentences if said in vectors)


def _of(chances: Mapping[str, float], kinds: Sequence[str], policy: Policy, *, cares: bool) -> Hardship:
    table = policy.listen.hardship
    named = {kind: chances[kind] for kind in kinds if kind in chances}
    if not named:
        return _NONE
    kind = max(named, key=lambda one: named[one])
    least = table.named_caring if cares else table.named
    return Hardship(kind if named[kind] >= least else "", round(1 - chances[table.none], 5))


@lru_cache(maxsize=8)
def _shapes(words: NeedWords, table: str) -> NamedPatterns:
    return NamedPatterns({name: row.pattern for name, row in getattr(words, table).items()})
