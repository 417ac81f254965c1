"""Likes and dislikes an experience tells: something done in free time, and words that lean one way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from clew.kernel.language.packs import house
from clew.kernel.statements.categories import category_of, is_known
from clew.kernel.statements.items import Item, Liking
from clew.kernel.statements.patterns import alternatives, pattern
from clew.kernel.text.normalize import normal
from clew.policy import Policy
from clew.policy.remember import SayPolicy
from clew.programs import program


@lru_cache(maxsize=8)
def _cues(say: SayPolicy) -> tuple[re.Pattern[str], frozenset[str], frozenset[str]]:
    both = alternatives((*say.pleased, *say.displeased, *say.contrast))
    return program(rf"(?<![\w'-])(?:{both})(?![\w'-])"), frozenset(say.pleased), frozenset(say.contrast)


def lean(statements: Sequence[str], policy: Policy) -> tuple[int, int]:
    """Weights for and against. The opening sentences say what the rest only colours,
    and within a sentence what follows a contrast is what is meant."""
    say = policy.remember.say
    pattern, pleased, contrast = _cues(say)
    good = bad = 0
    for place, sentence in enumerate(statements):
        text = normal(sentence).norm
        cues: list[bool] = []
        turn: int | None = None
        for match in pattern.finditer(text):
            cue = match.group()
            if cue in contrast and cue not in say.displeased:
                turn = len(cues)
                continue
            before = text[: match.start()].split()[-3:]
            cues.append((cue in pleased) != any(w.strip(",.") in say.negators for w in before))
        base = say.lean_places[min(place, len(say.lean_places) - 1)]
        for number, positive in enumerate(cues):
            weight = say.lean_plain if turn is None else say.lean_after if number >= turn else say.lean_before
            good, bad = (good + base * weight, bad) if positive else (good, bad + base * weight)
    return good, bad


def stance_of_lean(good: int, bad: int, policy: Policy) -> str | None:
    say = policy.remember.say
    total = good + bad
    if max(good, bad) < say.lean_least:
        return None
    if good * say.lean_share.denominator >= total * say.lean_share.numerator:
        return "like"
    if bad * say.lean_share.denominator >= total * say.lean_share.numerator:
        return "dislike"
    return None


def experienced(statements: Sequence[str], policy: Policy) -> Iterator[Liking]:
    """The first pastime a short message tells of, with the leaning of its words; long ones are accounts."""
    stance = stance_of_lean(*lean(statements, policy), policy)
    if stance is None or sum(len(s.split()) for s in statements) >= policy.remember.say.account_words:
        return
    if not any(pattern("evaluated_verdict", policy).search(s) for s in statements):
        return
    for sentence in statements:
        for start, item in house().rules.pastimes(sentence, policy):
            yield Liking(stance, item, start)
            return


def subject_of(statements: Sequence[str], policy: Policy) -> Item | None:
    """What a long account keeps coming back to: known things, earlier and longer ones first."""
    say = policy.remember.say
    if sum(len(s.split()) for s in statements) < say.account_words:
        return None
    if max(lean(statements, policy)) < say.account_lean:
        return None
    scores: dict[str, int] = {}
    for place, sentence in enumerate(statements):
        words = normal(sentence).no_punct.split()
        for size in (3, 2, 1):
            for start in range(len(words) - size + 1):
                name = " ".join(words[start : start + size])
                if is_known(name, policy):
                    base = say.lean_places[min(place, len(say.lean_places) - 1)]
                    scores[name] = scores.get(name, 0) + base * size
    if not scores:
        return None
    best = max(scores, key=lambda n: (scores[n], len(n)))
    category = category_of(best, policy)
    return Item(category, best) if category else None
