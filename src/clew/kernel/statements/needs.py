"""What a good answer needs besides what was asked for: an allergy, where food is in question (ruling M9)."""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.statements.patterns import compiled
from clew.kernel.statements.people import Called
from clew.model.memory import SELF
from clew.model.utterance import Ask
from clew.policy import Policy
from clew.policy.checks import CheckWords

# One who eats: the subject, and the name where it is known.
_Eater = tuple[str, str | None]
_ME: _Eater = (SELF, None)


def with_needs(
    text: str, asks: Sequence[Ask], words: CheckWords, policy: Policy, called: Sequence[Called] = ()
) -> tuple[Ask, ...]:
    """The asks, and before them what is needed, of each whom it is for; not where it is about work."""
    needy = {a.attribute for a in asks} & {*policy.recall.answers_first, "plan", "any"}
    every = tuple(words.needs.values())
    rows = [every[place] for place, _ in compiled(every).matches(text) if every[place].alone or needy]
    if not rows:
        return tuple(asks)
    alone = any(row.alone for row in rows)
    asked = next(((a.subject, a.name) for a in asks if a.subject != SELF), _ME)
    here = _eaters(text, words, called) if alone else ()
    whom = here if here and (asked == _ME or here != (_ME,)) else (asked,)
    had = {(a.subject, a.attribute) for a in asks}
    wanted = dict.fromkeys(name for row in rows for name in row.adds)
    added = [Ask(who, name, called) for who, called in whom for name in wanted if (who, name) not in had]
    own = [a for a in asks if not alone or (a.subject, a.name) in whom or a.subject != SELF]
    return (*added, *own)


def settled_by_needs(text: str, language: str, policy: Policy) -> bool:
    """What is held of allergies and the like is the whole answer."""
    words = policy.checks.languages.get(language)
    rows = tuple(row for row in words.needs.values() if row.settles) if words else ()
    return compiled(rows).any(text)


def _eaters(text: str, words: CheckWords, called: Sequence[Called]) -> tuple[_Eater, ...]:
    """엄마 뭐 사드릴까: for her alone; 준호랑 뭐 먹지: for both; where nobody is named, for the user."""
    here = [c for c in called if c.start >= 0 and c.subject != SELF]
    if not here:
        return (_ME,)
    shapes = compiled(tuple(words.together.values()))
    together = any(shapes.any(text[c.start :]) for c in here)
    them: tuple[_Eater, ...] = tuple(dict.fromkeys((c.subject, c.name) for c in here))
    return (_ME, *them) if together else them
