"""What a question leaves out because the question before it said it: of whom it asks, or what it asks for.

"동생은 어디서 일해?" – "이름은?" asks for the brother's name, "나는?" for where the speaker works.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.read.questions import is_question
from clew.kernel.statements.asked import asked_by_shape
from clew.kernel.statements.features import mentions
from clew.kernel.statements.patterns import compiled
from clew.kernel.statements.people import Called, Known
from clew.kernel.text.normalize import normal
from clew.model.memory import SELF
from clew.model.utterance import Ask
from clew.policy import Policy
from clew.policy.checks import CheckWords

_WORD = re.compile(r"[\w'’]+")
# These ask for what no question before has to lead to.
_ALSO = ("condition", "death", "relationship", "sport")
_WHOLE = ("any", "who", "episode", "history")


def carried(
    text: str,
    language: str,
    asks: Sequence[Ask],
    previous: Sequence[str],
    called: Sequence[Called],
    known: Known,
    policy: Policy,
) -> tuple[Ask, ...]:
    """The asks, completed from the question just before; as they are where there was none."""
    words = policy.checks.languages.get(language)
    before = previous[-1] if previous else ""
    if words is None or not words.only_whom or not before or not _asked(before, language, policy):
        return tuple(asks)
    mine = _says_own(text, language, policy)
    here = [c for c in called if c.start >= 0]
    if any(shape.search(text) for shape in compiled(tuple(words.only_whom.values()))) and (mine or here):
        return _of_another(before, language, asks, here, words, policy) or tuple(asks)
    others = known.last is not None and not _says_own(before, language, policy)
    short = len(_WORD.findall(text)) <= words.follow_words
    if mine or here or not short or not others or mentions(text, policy.reader) or known.last is None:
        return tuple(asks)
    if any(row.alone and re.search(row.pattern, text, re.I) for row in words.needs.values()):
        return tuple(asks)  # what to eat is asked for oneself
    subject, name = known.last
    return tuple(
        replace(a, subject=subject, name=name)
        if a.subject == SELF and not a.name and a.attribute in (*policy.checks.asked_of_others, *_ALSO)
        else a
        for a in asks
    )


def _of_another(
    before: str, language: str, asks: Sequence[Ask], here: Sequence[Called], words: CheckWords, policy: Policy
) -> tuple[Ask, ...]:
    """나는?: what was asked of somebody, of whoever is named now."""
    asked = asked_by_shape(before, language, (), words, policy)
    subject, name = (here[-1].subject, here[-1].name) if here else (SELF, None)
    return tuple(Ask(subject, a.attribute, name) for a in asked if a.attribute not in _WHOLE)


def _asked(text: str, language: str, policy: Policy) -> bool:
    words = policy.checks.languages[language]
    return is_question(normal(text), policy) or bool(asked_by_shape(text, language, (), words, policy))


def _says_own(text: str, language: str, policy: Policy) -> bool:
    own = policy.reader.own.get(language, ())
    return any(word.lower() in own for word in _WORD.findall(text))
