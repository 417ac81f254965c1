"""A bare answer to what the user asked just before: "how old am I?" – "27" tells an age.

Whether we knew it or not, nobody gives the value without a sentence unless the question stands before it.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.statements.features import mentions
from clew.kernel.statements.patterns import compiled, one
from clew.model.memory import SELF
from clew.model.utterance import Ask
from clew.policy import Policy
from clew.policy.check_rows import BareAnswer


def may_answer(text: str, language: str, policy: Policy) -> bool:
    """The words could be an answer to something."""
    words = policy.checks.languages.get(language)
    rows = tuple(words.further.told.values()) if words else ()
    return compiled(rows).any(text)


def told_bare(text: str, language: str, asked: str, asks: Sequence[Ask], policy: Policy) -> str | None:
    """The sentence that the words stand for; None where they answer nothing that was asked. asked: the question."""
    words = policy.checks.languages.get(language)
    if words is None:
        return None
    for ask in asks:
        row = words.further.told.get(ask.attribute)
        found = one(row.pattern).search(text) if row is not None else None
        if row is None or found is None:
            continue
        if sentence := _sentence(row, ask, asked, words.further.whose, policy):
            return sentence.replace("{value}", text[found.start("value") :].strip())
    return None


def _sentence(row: BareAnswer, ask: Ask, asked: str, whose: str, policy: Policy) -> str:
    if ask.subject == SELF:
        return row.own
    mention = next((m for m in mentions(asked, policy.reader) if m.subject == ask.subject), None)
    who = ask.name or (whose.replace("{who}", asked[mention.start : mention.end]) if mention else "")
    return row.theirs.replace("{who}", who) if who else ""
