"""Threat or danger? Cue scoring with prevention framing as a veto (rulings T1, T2).

A DANGER thread looms and says how it is prevented; what bites in this scene is a threat.
"""

from __future__ import annotations

import re
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.weave.cues import ThreadReading, phrases
from clew.policy.weave import Cues, WeavePolicy


@dataclass(frozen=True, slots=True)
class Cue:
    name: str
    found: str
    weight: int


@dataclass(frozen=True, slots=True)
class Hazard:
    """`immediate` when the cues reach the threshold and nothing in the body prevents it."""

    score: int
    immediate: bool
    cues: tuple[Cue, ...]
    prevention: str | None


@dataclass(frozen=True, slots=True)
class _Patterns:
    strong: re.Pattern[str]
    weak: re.Pattern[str]
    progressive: re.Pattern[str]
    motion: re.Pattern[str]
    states: re.Pattern[str]
    words: re.Pattern[str]
    scene: re.Pattern[str]
    verbs: re.Pattern[str]
    body: re.Pattern[str]
    pairs: re.Pattern[str]
    not_prevention: re.Pattern[str]


@lru_cache(maxsize=4)
def _patterns(cues: Cues) -> _Patterns:
    pairs = "|".join(
        rf"\b{re.escape(verb)}\b.{{1,120}}?\b{re.escape(word)}\b" for verb, word in cues.prevention_pairs
    )
    be = phrases(cues.be_forms).pattern
    motion = phrases(cues.hazard_motion).pattern
    return _Patterns(
        strong=phrases(cues.now_strong),
        weak=phrases(cues.now_weak),
        progressive=phrases(cues.hazard_progressive),
        motion=re.compile(rf"(?:{be})\s+(?:{cues.be_adverbs})?(?:{motion})"),
        states=phrases(cues.hazard_states),
        words=phrases(cues.hazard_words),
        scene=phrases(cues.scene_deixis),
        verbs=phrases(cues.prevention_verbs),
        body=phrases(cues.prevention_body),
        pairs=re.compile(pairs or r"(?!)"),
        not_prevention=phrases(cues.not_prevention),
    )


def prevention(body: str, cues: Cues) -> str | None:
    """The prevention cue in the body; the bare template prefix is none (ruling T1)."""
    p = _patterns(cues)
    clean = p.not_prevention.sub(" ", body)
    found = p.body.search(clean) or p.pairs.search(clean)
    return found.group() if found else None


def prevention_verb(body: str, cues: Cues) -> str | None:
    found = _patterns(cues).verbs.search(body)
    return found.group() if found else None


def hazard(reading: ThreadReading, policy: WeavePolicy) -> Hazard:
    cues, weights = policy.cues, policy.weights
    p = _patterns(cues)
    body = reading.body
    strong = p.strong.search(body)
    wanted = (
        ("now_strong", strong, weights.now_strong),
        # A weak adverb inside a strong one is the same cue ("right now").
        ("now_weak", None if strong else p.weak.search(body), weights.now_weak),
        ("hazard_progressive", p.progressive.search(body) or p.motion.search(body), weights.hazard_progressive),
        ("hazard_state", p.states.search(body), weights.hazard_state),
        ("hazard_word", p.words.search(body), weights.hazard_word),
        ("scene", p.scene.search(body), weights.scene),
    )
    found = [Cue(name, match.group(), weight) for name, match, weight in wanted if match]
    if found and reading.asks:
        found.append(Cue("question", "?", weights.question))
    verb = prevention_verb(body, cues)
    if found and verb:
        found.append(Cue("prevention_verb", verb, weights.prevention_verb))
    score = sum(c.weight for c in found)
    veto = prevention(body, cues)
    return Hazard(score, score >= weights.hazard_at and veto is None, tuple(found), veto)
