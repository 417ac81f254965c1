"""Which topics a text touches (rulings P3, P6–P9, P12, P13)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from clew.kernel.text.match import Lexicon, longest_first
from clew.kernel.text.normalize import Normal, normal
from clew.model.topic import TopicId, TopicMatch
from clew.policy import Policy
from clew.policy.listen import ListenPolicy

_ONE = Fraction(1)
_ORDER = tuple(TopicId)


@lru_cache(maxsize=8)
def _lexicon(policy: Policy) -> tuple[Lexicon, dict[str, Lexicon]]:
    company = {
        keyword: Lexicon({keyword: phrases}, policy.text)
        for keyword, phrases in policy.listen.needs_company.items()
    }
    return Lexicon(policy.listen.topics, policy.text), company


@lru_cache(maxsize=256)
def confidence(hits: int, policy: ListenPolicy) -> Fraction:
    """No hit, no topic (ruling P8)."""
    return min(_ONE, policy.topic_base + policy.topic_step * hits) if hits else Fraction(0)


def topics(text: Normal | str, policy: Policy) -> tuple[TopicMatch, ...]:
    """Topics with at least one distinct keyword, in the canonical order of TopicId."""
    return _topics(normal(text) if isinstance(text, str) else text, policy)


@lru_cache(maxsize=1024)
def _topics(read: Normal, policy: Policy) -> tuple[TopicMatch, ...]:
    lexicon, company = _lexicon(policy)
    hits = lexicon.hits(read)
    if not hits:
        return ()
    found: dict[str, dict[str, None]] = {}
    for hit in longest_first(hits) if len(hits) > 1 else hits:
        found.setdefault(hit.label, {})[hit.phrase] = None
    out: list[TopicMatch] = []
    for topic in _ORDER:
        if topic not in found:
            continue
        phrases = _counted(tuple(found[topic]), read, company)
        if phrases:
            out.append(TopicMatch(topic, confidence(len(phrases), policy.listen), phrases))
    return tuple(out)


def _counted(phrases: tuple[str, ...], read: Normal, company: dict[str, Lexicon]) -> tuple[str, ...]:
    """"cut" and 드립 are everyday words: alone they say nothing."""
    if len(phrases) != 1 or phrases[0] not in company:
        return phrases
    return phrases if company[phrases[0]].any(read) else ()


def initiated(found: Sequence[TopicMatch], policy: ListenPolicy) -> tuple[TopicId, ...]:
    return tuple(m.topic for m in found if m.confidence >= policy.initiated_at) if found else ()


def mentioned(
    found: Sequence[TopicMatch], previous: Sequence[str], policy: Policy
) -> tuple[TopicId, ...]:
    """At least one hit now or in the previous two user messages (ruling P9)."""
    seen = {m.topic for m in found}
    window = policy.listen.mention_window
    for text in previous[-window:] if window else ():
        seen.update(m.topic for m in topics(text, policy))
    return tuple(t for t in _ORDER if t in seen) if seen else ()



