"""What somebody did or said, known by its verb: a reply that takes up whom or what it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from clew.kernel.compose.amid import only_tells
from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.moments import tidied
from clew.kernel.language.scripts import has_syllables
from clew.model.plan import ResponsePlan
from clew.model.utterance import Act
from clew.once import once
from clew.pattern_table import PatternTable
from clew.policy import Policy
from clew.policy.compose import ComposeWords, Deed

_ASKED = re.compile("[?？]")
# The phrase that has no end of its own.
_THING = "thing"


FIRST, LAST = "first", "last"
# The moods that a row has words for.
TELL, HARD = "tell", "hard"


def to_deed(
    plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy, *, rank: str = "", hard: bool = False
) -> str:
    """A word or a question about the last thing that was done; "" where the table knows none of it.

    rank: which rows may speak, `FIRST` before any situation, `LAST` where only words that fit anything are left.
    hard: what is said where there is trouble.
    """
    if not _tells(plan, rank):
        return ""
    last = plan.recent_replies[-1] if plan.recent_replies else ""
    # A question that only fits this message is no form filled in: it waits only for its turn.
    choice = replace(choice, ask=plan.questions and (choice.ask or not _ASKED.search(last)))
    for name, row, found in _told(plan, words, policy):
        if rank != (FIRST if row.first else LAST if row.last else ""):
            continue
        ways = row.hard if hard else row.replies
        if said := choice.fresh(ways, f"deed:{name}", _taken_up(found, words, policy)):
            return said
    return ""


def deeds_met(
    plan: ResponsePlan, words: ComposeWords, policy: Policy
) -> Iterator[tuple[str, str, tuple[str, ...], Mapping[str, str]]]:
    """Every row that fits: to which mood, all it may say, and the user's own words in it."""
    if not _tells(plan, ""):
        return
    for name, row, found in _told(plan, words, policy):
        own = _taken_up(found, words, policy)
        yield name, TELL, row.replies, own
        yield name, HARD, tuple(way for way in row.hard if way not in row.replies), own


def _tells(plan: ResponsePlan, rank: str) -> bool:
    """Nothing is asked; where only the reading says so, the words of a deed speak against it."""
    wishes = plan.utterance is None or any(s.act is Act.REQUEST for s in plan.utterance.sentences)
    marked = bool(_ASKED.search(plan.user_text))
    return only_tells(plan) or (not marked and (rank == FIRST or (not rank and not wishes)))


@once()
def _told(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> tuple[tuple[str, Deed, re.Match[str]], ...]:
    """Rows that fit, the last sentence first: what was said last is what a listener answers."""
    return tuple(_found(plan, words, policy))


def _found(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> Iterator[tuple[str, Deed, re.Match[str]]]:
    sentences = plan.utterance.sentences if plan.utterance is not None else ()
    for sentence in reversed(sentences):
        text = tidied(sentence.text, words).strip()
        if len(text.split()) > policy.compose.deed_words:
            continue  # one verb does not say what a long sentence is about
        shapes, rows = _rows(words)
        for place, found in shapes.matches(text):
            yield *rows[place], found


@lru_cache(maxsize=8)
def _rows(words: ComposeWords) -> tuple[PatternTable, tuple[tuple[str, Deed], ...]]:
    def shape(row: Deed) -> str:
        text = row.pattern
        for name, phrase in words.phrases.items():
            text = text.replace("{" + name + "}", phrase)
        return text

    return PatternTable([shape(row) for row in words.deeds.values()]), tuple(words.deeds.items())


def _taken_up(found: re.Match[str], words: ComposeWords, policy: Policy) -> Mapping[str, str]:
    """The user's own words as they stand in our sentence; a phrase that is too long is left out."""
    told = {name: text for name, text in found.groupdict().items() if text}
    return {name: own for name, text in told.items() if (own := worded(text, words, policy, thing=name == _THING))}


def worded(said: str, words: ComposeWords, policy: Policy, *, thing: bool = False) -> str:
    """Words of a sentence as they stand inside one of ours; "" for a phrase that is too long.

    thing: its end must be found.
    """
    own = _phrase(re.sub(words.thing_ends, "", said, flags=re.I) if thing and words.thing_ends else said, words)
    # A letter alone is a mark at school, and no thing to ask about.
    long = len(own.split()) > policy.compose.phrase_words
    return "" if long or not (has_syllables(own) or max(map(len, own.split()), default=0) > 1) else own


def _phrase(said: str, words: ComposeWords) -> str:
    """my old kayak → your old kayak."""
    first, space, rest = said.strip(" -'").partition(" ")
    return f"{words.first_words.get(first.lower(), first)}{space}{rest}".strip()
