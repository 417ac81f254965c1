"""What an everyday message touches, and what shows that it was heard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.everyday import GLAD, HARD
from clew.kernel.compose.moments import tidied
from clew.kernel.compose.occasions import leaning
from clew.model.plan import ResponsePlan
from clew.policy import Policy
from clew.policy.compose import ComposeWords, Scene
from clew.programs import program


@lru_cache(maxsize=8)
def _scenes(words: ComposeWords) -> tuple[tuple[str, re.Pattern[str], Scene], ...]:
    return tuple((name, program(row.pattern, re.I), row) for name, row in words.scenes.items())


def touches(name: str, plan: ResponsePlan, words: ComposeWords) -> bool:
    row = words.scenes.get(name)
    return row is not None and bool(re.search(row.pattern, tidied(plan.user_text, words), re.I))


def scene_of(
    plan: ResponsePlan,
    words: ComposeWords,
    choice: Choice,
    policy: Policy,
    *,
    gentle: bool = False,
    news: bool = False,
    feels: bool = False,
) -> str:
    """The first row that the message touches, in the mood it is told in; of a low one, how it feels comes first.

    gentle: only what suits care; news: only what is taken up before anything else that is told with it; feels: only
    how somebody feels.
    """
    text = tidied(plan.user_text, words)
    own = gentle or not words.speaker or re.search(words.speaker, text, re.I) or len(text.split()) <= words.brief
    rows = _scenes(words) if own else ()
    mood = HARD if gentle else leaning(plan, words, policy)
    if mood == HARD:
        rows = tuple(sorted(rows, key=lambda named: not named[2].feels))
    for name, shape, row in rows:
        if (gentle and not row.gentle) or (news and not row.news) or (feels and not row.feels):
            continue
        if not shape.search(text):
            continue
        if mood == HARD:
            # What is only ever good news has nothing to say to trouble.
            ways = row.bad or (row.any if gentle or row.gentle or row.feels or not row.good else ())
        elif mood == GLAD:
            # "She's not mad at me": what is only ever trouble has nothing to say to good news.
            ways = row.good or (() if row.feels and row.bad else row.any)
        else:
            # A topic alone is no reason to be sure what is meant.
            ways = row.any if row.news or row.feels else ()
        if said := choice.fresh(ways, name):
            return said
    return ""


def scenes_met(plan: ResponsePlan, words: ComposeWords) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Every row that the message touches, in each mood it has words for: good, bad, any."""
    text = tidied(plan.user_text, words)
    for name, shape, row in _scenes(words):
        if shape.search(text):
            yield name, "good", row.good
            yield name, "bad", row.bad
            yield name, "any", row.any
