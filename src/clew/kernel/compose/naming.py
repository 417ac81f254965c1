"""Names and values as they can stand inside a sentence of ours; what cannot be put right is not quoted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from clew.kernel.compose.choosing import Choice
from clew.kernel.keep.telling import words_of
from clew.kernel.language.pack import HOUSE
from clew.kernel.language.scripts import has_syllables
from clew.model.key import KeyKind, relation_of
from clew.model.plan import ResponsePlan
from clew.policy import Policy
from clew.policy.compose import ComposeWords

_MARKS = " .!?,;:\"'"
_ANYONE = "person:any"
_JOINING = ("of", "de", "la", "the", "van", "upon", "on", "al", "del")


def quotable(value: str, language: str, policy: Policy) -> str:
    """The value turned towards the user; "" for one that is long, a whole clause, or speaks as "I"."""
    said = _without_tails(value.replace("_", " ").strip(_MARKS), policy)
    words = policy.compose.languages.get(language) or policy.compose.languages[HOUSE]
    said = turned(said, words)
    spoken = bool(words.speaks_as_i) and bool(_shape(words.speaks_as_i).search(said))
    clause = " " in said and bool(words.clause_end) and bool(_shape(words.clause_end).search(said))
    broken = spoken or clause or said.partition(" ")[0].lower() in policy.compose.no_values
    long = len(said) > policy.compose.told_characters or len(said.split()) > policy.compose.told_words
    return "" if long or broken or not re.search(r"\w", said) else said


def turned(value: str, words: ComposeWords) -> str:
    """my red bike → your red bike; without the words that only lead up to it."""
    bare = _shape(words.before_value).sub("", value) if words.before_value else value
    return _shape(words.of_mine).sub(words.of_yours, bare) if words.of_mine else bare


@lru_cache(maxsize=64)
def _shape(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.I)


def _without_tails(said: str, policy: Policy) -> str:
    """shellfish by the way → shellfish."""
    low = said.lower()
    for tail in policy.compose.tails:
        if low.endswith(f" {tail}"):
            return _without_tails(said[: -len(tail)].strip(_MARKS), policy)
    return said


def proper(value: str, text: str, policy: Policy) -> bool:
    """A name of somebody or somewhere: capital letters, unless the user writes none; no word that is no name."""
    tokens = value.split()
    if has_syllables(value):
        return len(tokens) <= policy.compose.name_words and not any(c.isdigit() for c in value)
    plain = not any(c.isupper() for c in text.replace("I", ""))
    capital = all(t[:1].isupper() or t.lower() in _JOINING for t in tokens)
    odd = "'" in value or any(c.isdigit() for c in value)
    return len(tokens) <= policy.compose.name_words and not odd and (capital or (plain and len(tokens) == 1))


def who_is(subject: str, choice: Choice, policy: Policy, told: str = "") -> str:
    """your sister, 언니; nobody when it is the user. told: what is told of them, where it stands in the message."""
    other = relation_of(subject)
    if other is None:
        return ""
    kind, relation = other
    words = words_of(choice.language, policy)
    table = words.pets if kind is KeyKind.PET else words.relations
    spoken = table.get(relation)
    if spoken is None:
        return ""
    said = choice.values.get("said", "")
    # 누나 stays 누나, mum stays mum: the user's own word, where the message holds one.
    here = [way for way in spoken if _names(way, said)]
    at = said.lower().find(told.lower()) if told else -1
    # 큰애는 중학생이고 둘째는 일곱 살: of two, the one named last before it.
    own = max(here, key=lambda way: (said.lower().rfind(way.lower(), 0, max(at, 0)), len(way)), default=spoken[0])
    return words.your.format(relation=own)


def _names(way: str, said: str) -> bool:
    """As a word of its own; where words have endings, at the beginning of one."""
    return bool(re.search(rf"(?<!\w){re.escape(way)}" + (r"(?!\w)" if not has_syllables(way) else ""), said, re.I))


def joined(items: Sequence[str], words: ComposeWords) -> str:
    """a, b and c."""
    named = list(dict.fromkeys(items))
    if len(named) < 2:
        return "".join(named)
    return f"{', '.join(named[:-1])}{words.joiner}{named[-1]}"


def stranger_asked(plan: ResponsePlan, words: ComposeWords, choice: Choice) -> str:
    """ "Who is Ana?", "what does Ana do?", of somebody who was never mentioned."""
    asks = plan.utterance.asks if plan.utterance else ()
    named = next((a.name for a in asks if a.name and (a.attribute == "who" or a.subject == _ANYONE)), None)
    unknown = all(f.source == "none" for f in plan.findings)
    return choice.pick(words.unknown["who"], "who", {"who": named}) if named and unknown else ""
