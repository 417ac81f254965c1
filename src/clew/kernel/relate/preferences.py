"""How many distinct likes and dislikes one message states."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import islice

from clew.kernel.text.match import Hit, Lexicon
from clew.kernel.text.normalize import Normal, normal
from clew.policy import Policy
from clew.policy.relate import RelatePolicy, RelateWords
from clew.programs import program

_SEGMENT = re.compile(r"[.!?;,:\n…]+")


@lru_cache(maxsize=8)
def _triggers(policy: Policy) -> Lexicon:
    return Lexicon({"preference": policy.relate.preference_triggers}, policy.text)


@lru_cache(maxsize=8)
def _joins(words: tuple[str, ...]) -> re.Pattern[str]:
    return program(rf"\s(?:{'|'.join(map(re.escape, words))})\s")


def has_preference(read: Normal, policy: Policy) -> bool:
    """A liking is spoken of, whether or not its thing can be named."""
    return _triggers(policy).any(_without_adverbs(read.norm, policy.relate))


def count_preferences(read: Normal, policy: Policy) -> int:
    """Distinct things, not triggers: "i love sushi, i love sushi" is one."""
    return len({thing for thing, _ in stated_preferences(read, policy)})


def stated_preferences(read: Normal, policy: Policy) -> tuple[tuple[str, bool], ...]:
    """Each thing, and whether it is liked."""
    things: dict[tuple[str, bool], None] = {}
    for segment in _SEGMENT.split(read.norm):
        part = _without_adverbs(segment, policy.relate)
        if not part.no_punct:
            continue
        for item in _after_trigger(part, policy):
            things[item] = None
        for words in policy.relate.languages.values():
            things |= dict.fromkeys(_before_verb(part, words))
    return tuple(things)


def _without_adverbs(segment: str, policy: RelatePolicy) -> Normal:
    """"i really do enjoy" is "i enjoy"."""
    return normal(" ".join(w for w in segment.split() if w not in policy.preference_adverbs))


def _after_trigger(part: Normal, policy: Policy) -> list[tuple[str, bool]]:
    hits = [h for h in _triggers(policy).hits(part) if h.variant == 0]
    hits = _outermost(hits)
    out: list[tuple[str, bool]] = []
    for i, hit in enumerate(hits):
        liked = hit.phrase not in policy.relate.dislike_triggers
        end = hits[i + 1].start if i + 1 < len(hits) else len(part.no_punct)
        rest = part.no_punct[hit.end : end]
        pieces = _joins(policy.relate.preference_joins).split(f"{rest} ")
        first = _thing(pieces[0].split(), policy.relate)
        if not first:
            continue
        out.append((first, liked))
        # "sushi and ramen" names two things; "sushi and then we went home" names one.
        for piece in pieces[1:]:
            words = piece.split()
            thing = _thing(words, policy.relate)
            if thing and len(words) <= 2:
                out.append((thing, liked))
    return out


def _outermost(hits: list[Hit]) -> list[Hit]:
    """Only those that no longer hit holds; a holder begins at most its own length before."""
    ordered = sorted(hits, key=lambda h: h.start)
    places = [h.start for h in ordered]
    reach = max((h.length for h in ordered), default=0)

    def held(hit: Hit) -> bool:
        first, last = bisect_left(places, hit.start - reach), bisect_right(places, hit.start)
        return any(_inside(hit, other) for other in ordered[first:last])

    return [h for h in hits if not held(h)]


def _inside(inner: Hit, outer: Hit) -> bool:
    return outer.length > inner.length and outer.start <= inner.start and inner.end <= outer.end


def _thing(words: list[str], policy: RelatePolicy) -> str:
    while words and words[0] in policy.preference_leads:
        words = words[1:]
    if not words or words[0] in policy.not_preferred:
        return ""
    kept: list[str] = []
    for word in words:
        if word in policy.preference_stops or len(kept) == 3:
            break
        kept.append(word)
    return " ".join(kept)


def _before_verb(part: Normal, spoken: RelateWords) -> list[tuple[str, bool]]:
    """The thing stands before the verb: 초밥이랑 라면 좋아해."""
    out: list[tuple[str, bool]] = []
    words = part.no_punct.split()
    before: list[str] = []
    for i, word in enumerate(words):
        if i and words[i - 1] not in spoken.preference_adverbs:
            before.append(words[i - 1])
        if not before or not word.startswith(spoken.preference_verbs):
            continue
        denied = i > 0 and words[i - 1] in spoken.not_liked
        liked = not denied and not word.startswith(spoken.dislike_verbs)
        last = _bare(before[-1], spoken.preference_particles)
        if last in spoken.not_preferred or before[-1] in spoken.not_preferred:
            continue
        out.append((last, liked))
        for earlier in islice(reversed(before), 1, None):
            joined = _bare(earlier, spoken.preference_joins)
            if joined == earlier or joined in spoken.not_preferred:
                break
            out.append((joined, liked))
    return out


def _bare(word: str, endings: tuple[str, ...]) -> str:
    for ending in endings:
        if word.endswith(ending) and len(word) > len(ending):
            return word[: -len(ending)]
    return word
