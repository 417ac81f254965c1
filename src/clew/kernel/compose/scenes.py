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
from clew.pattern_table import NamedPatterns
from clew.policy import Policy
from clew.policy.compose import ComposeWords, Scene


@lru_cache(maxsize=8)
def _shapes(words: ComposeWords) -> NamedPatterns:
    return NamedPatterns({name: row.pattern for name, row in words.scenes.items()})


def _told(plan: ResponsePlan, words: ComposeWords) -> str:
    """Without the end of a mere thing: a van that died is nobody's loss."""
    text = tidied(plan.user_text, words)
    return re.sub(words.thing_died, " ", text, flags=re.I) if words.thing_died else text


def _touched(plan: ResponsePlan, words: ComposeWords) -> Iterator[tuple[str, Scene]]:
    return ((name, words.scenes[name]) for name in _shapes(words).names(_told(plan, words)))


def touches(name: str, plan: ResponsePlan, words: ComposeWords) -> bool:
    return _shapes(words).has(name, _told(plan, words))


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
    rows = list(_touched(plan, words)) if own else []
    if not rows:
        return ""
    mood = HARD if gentle else leaning(plan, words, policy)
    if mood == HARD:
        rows.sort(key=lambda named: not named[1].feels)
    for name, row in rows:
        if (gentle and not row.gentle) or (news and not row.news) or (feels and not row.feels):
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
    for name, row in _touched(plan, words):
        yield name, "good", row.good
        yield name, "bad", row.bad
        yield name, "any", row.any
