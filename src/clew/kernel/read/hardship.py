"""Which hard thing a message tells: work lost, money, illness, loneliness, harm (ruling S5).

Told in so many words, it is told. Else a small learned reader says how likely each kind is; a kind is named only where
a word of it stands in the sentence, and where none does no hardship is told. What is over, laughed at or otherwise
harmless by the rules of need is none either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from clew.kernel.read.linear import shares
from clew.kernel.read.questions import is_question
from clew.kernel.statements.features import mentions
from clew.kernel.text.normalize import normal
from clew.pattern_table import NamedPatterns
from clew.policy import Policy
from clew.policy.listen import NeedWords

HARDSHIP = "listen.need.hardship"
_PERSON = "person:"
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
    return found._replace(kind=table.of_another[found.kind]) if _of_another(found, text, policy) else found


def _of_another(found: Hardship, text: str, policy: Policy) -> bool:
    """Somebody of the user's is told of first, and not the user: "my mother's surgery is on the 12th"."""
    if found.kind not in policy.listen.hardship.of_another:
        return False
    person = next(iter(mentions(text, policy.reader)), None)
    if person is None or not person.subject.startswith(_PERSON):
        return False
    before = text[: person.start].lower().replace("’", "'").replace(",", " ").split()
    return not set(policy.reader.speakers) & set(before)


def tells_hardship(hard: Hardship, language: str, policy: Policy, *, amid: bool = False) -> bool:
    """Surely enough to be met with care; soon after another one, less of it tells."""
    table = policy.listen.hardship
    least = (table.amid if amid else table.care).get(language, 1)
    if not amid and hard.kind in table.common:
        least = max(least, table.common_care)
    return hard.kind != "" and hard.chance >= least


class ToldBefore(NamedTuple):
    """What one of the last messages was to a hardship. kind: the one it told, "" for none; leaves: it speaks of other
    things; closes: it says so ("anyway, …")."""

    kind: str
    leaves: bool
    closes: bool


def moves_on(text: str, language: str, policy: Policy) -> bool:
    """ "Anyway, my sister's wedding …"."""
    words = policy.care.languages.get(language)
    return words is not None and re.search(words.moves_on, text, re.I) is not None


def leaves(text: str, policy: Policy) -> bool:
    """A question, or more than a few words: where it tells no hardship, the talk has gone on."""
    few = len(text.split()) <= policy.care.stays_words
    return not few or "?" in text or is_question(normal(text), policy)


def open_kind(told: Sequence[ToldBefore], policy: Policy) -> str:
    """The hardship that is still open, of what the last messages told, the newest first; "" for none.

    All close when the user says that they speak of something else; what ordinary talk is full of, as soon as they do.
    One that lasts comes before others.
    """
    stays, closed, open_ones = True, False, []
    for one in told:
        lasts, common = one.kind in policy.care.lasting, one.kind in policy.listen.hardship.common
        if one.kind and not closed and (lasts or stays or not common):
            open_ones.append(one.kind)
        stays = stays and (bool(one.kind) or not one.leaves)
        closed = closed or one.closes
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
