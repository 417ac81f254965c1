"""What plain shapes of a language ask for by themselves, and what a question's own words narrow it to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.language.packs import pack
from clew.kernel.statements.features import Mention, mentions
from clew.kernel.statements.patterns import compiled as _compiled
from clew.kernel.statements.patterns import one
from clew.model.memory import SELF
from clew.model.utterance import Ask
from clew.policy import Policy
from clew.policy.check_rows import Joints
from clew.policy.checks import CheckWords

_SOMEONE = "person:any"
_NAME_MOST = 4
# Words for these stand in a question for everything.
_WHOLE = ("note", "exists", "rule", "event")
# How many words a question that only names whose and what has at most.
_BARE_MOST = 4


def asked_by_shape(
    text: str, language: str, asks: Sequence[Ask], words: CheckWords, policy: Policy
) -> Sequence[Ask]:
    """What plain shapes ask for, of whomever the question names; what is over stays asked for beside it."""
    rows = tuple(words.asked.values())
    found = [a for place, _ in _compiled(rows).matches(text) for a in rows[place].attributes]
    found = found or [a for a in (asked_by_name(text, language, policy),) if a]
    if not found:
        return asks
    people = mentions(text, policy.reader)
    subject = asks[0].subject if asks else people[0].subject if people else SELF
    name = asks[0].name if asks else _topic(text, language, people, policy)
    subject = _SOMEONE if name and subject == SELF else subject
    over = [a for a in asks if a.attribute == "history"]
    return [*(Ask(subject, a, name) for a in dict.fromkeys(found)), *over]


def asked_by_name(text: str, language: str, policy: Policy) -> str | None:
    """ "남편 직업", "my sister's birthday": whose and what, and nothing said of it, asks for it."""
    table, spoken = policy.attributes.languages.get(language), policy.checks.languages.get(language)
    people = mentions(text, policy.reader)
    if table is None or spoken is None or len(people) > 1:
        return None
    of = one(spoken.joints.of)
    left = text if not people else f"{text[: people[0].start]} {of.sub(' ', text[people[0].end :], count=1)}"
    words = [w for w in re.split(r"[^\w]+", left.lower()) if w]
    mine = [w for w in words if w in table.value_mine]
    label = " ".join(w for w in words if w not in table.value_mine)
    if not label or not (mine or people) or len(words) > _BARE_MOST:
        return None
    asked = policy.checks.asked_of_others if people else policy.checks.asked_of_oneself
    return next((a for a in asked if label in table.asked.get(a, ())), None)


def narrowed(text: str, language: str, ask: Ask, policy: Policy) -> Ask:
    """ "What did I tell you about my job?" asks for the job, not for everything."""
    table, words = policy.attributes.languages.get(language), policy.checks.languages.get(language)
    if ask.attribute != "any" or ask.name or table is None:
        return ask
    behind = (words.joints if words else Joints()).label
    low = f" {text.lower()} "
    named = [
        (len(label), attribute)
        for attribute, labels in table.asked.items()
        for label in labels
        if attribute not in _WHOLE
        and label in low
        and re.search(rf"\W{re.escape(label)}{behind}", low)
    ]
    return replace(ask, attribute=max(named)[1]) if named else ask


def _topic(text: str, language: str, people: Sequence[Mention], policy: Policy) -> str | None:
    """민준이 뭐 좋아하죠?: the name that the question opens with, if it is no other word."""
    spoken, checks = pack(language), policy.checks.languages.get(language)
    name = spoken.topic(text) if spoken and checks and checks.joints.opens and not people else None
    words = policy.attributes.languages.get(language)
    if name is None or words is None or name in (*policy.reader.not_names, *policy.reader.speakers):
        return None
    labels = {label for asked in words.asked.values() for label in asked}
    return None if name in labels or not 2 <= len(name) <= _NAME_MOST else name
