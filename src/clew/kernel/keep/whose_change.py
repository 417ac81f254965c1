"""Whose life a message changes: what becomes of one of the user's people says nothing of another."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.keep.change_signs import shared_words
from clew.kernel.keep.keys import bare_value, row_of
from clew.kernel.read.change_words import named_by, says, says_change, says_over, tells_change, without_common
from clew.kernel.statements.features import mentions
from clew.kernel.text.slug import slug
from clew.kernel.text.tokens import digits
from clew.model.key import Key
from clew.model.memory import SELF, MemoryRecord
from clew.model.utterance import Statement, Status, Utterance
from clew.policy import Policy

# Who is born to somebody else.
_BORN = frozenset({"person:child", "person:son", "person:daughter"})

# Kept as it was told; what lies ahead, or may be about anything.
_NOTE = "note"
_KEPT = ("event", _NOTE)
_MEASURED = "body"
_AHEAD = ("event", "plan", "note", "goal")
# What one does until one gives it up.
_QUIT = ("employer", "job", "school", "routine", "hobby", "sport", "game", "work_hours", "project", "medication")


def naming(record: MemoryRecord, message: Utterance, policy: Policy) -> str:
    """The sentences that call somebody by name: "Nelson died. Maureen hasn't noticed" says nothing over of Maureen."""
    said = (s.text for s in message.sentences)
    return " ".join(s for s in said if shared_words(record.memory_value, s, policy)) or message.text


def another(told: Statement, record: MemoryRecord, policy: Policy) -> bool:
    """Two sons are two people."""
    key = Key.parse(record.memory_key)
    return bool(key and key.name and told.name and slug(told.name, policy.text) != key.name)


def of_another(told: Sequence[Statement], record: MemoryRecord, said: str, policy: Policy) -> bool:
    """All that is told of such people is told of another one by name, and this one is not named."""
    alike = [s for s in told if s.subject == record.subject and s.name]
    key = Key.parse(record.memory_key)
    if not alike or not key or not key.name or not all(another(s, record, policy) for s in alike):
        return False
    return not shared_words(key.name.replace("_", " "), said, policy)


def not_spoken_of(record: MemoryRecord, message: Utterance, policy: Policy) -> bool:
    """Neither by name nor by the word for who they are; and by no "she" that the message tells anything of.

    Where a language leaves out whom it speaks of, nothing says that they are not meant.
    """
    said, told = message.text, message.statements
    key = Key.parse(record.memory_key)
    if key is not None and key.name and shared_words(key.name.replace("_", " "), said, policy):
        return False
    if any(m.subject == record.subject for m in mentions(said, policy.reader)):
        return False
    if any(s.subject == record.subject for s in told):
        return False
    if told and all(s.subject == SELF for s in told):
        return True  # what is told of oneself alone says nothing of them
    words = said.lower().replace("’", "'").replace("'", " ").split()
    meant = any(word.strip(".,!?") in policy.reader.pronouns for word in words)
    return bool(policy.reader.pronouns) and (bool(told) or not meant) and names_its_people(message, policy)


def names_its_people(message: Utterance, policy: Policy) -> bool:
    """Does the language of the message say of whom it tells?"""
    words = policy.checks.languages.get(message.language)
    return words is not None and words.names_its_people


def same_matter(record: MemoryRecord, text: str, policy: Policy) -> bool:
    """More is shared than the word for somebody: "my sister's kids are three", "I've one sister"."""
    said = record.statement or record.memory_value
    people = {said[m.start : m.end].lower() for m in mentions(said, policy.reader)}
    for who in people:
        said, text = (re.sub(rf"{re.escape(who)}\w*", " ", part, flags=re.I) for part in (said, text))
    had, now = (without_common(words, policy.changes.common) for words in (said, text))
    return shared_words(had, now, policy) > 0


def another_is_over(
    told: Sequence[Statement], record: MemoryRecord, attribute: str | None, policy: Policy
) -> bool:
    """The message says by name what is over: something of another kind, that takes nothing with it and is not this."""
    over = [s for s in told if s.status is Status.ENDED]
    if not over or any(s.attribute == attribute or attribute in row_of(s.attribute, policy).ends for s in over):
        return False
    return not any(shared_words(s.value, bare_value(record.memory_value), policy) for s in over)


def told_again(near: Sequence[Statement], record: MemoryRecord, policy: Policy) -> bool:
    """The message says this very thing itself: "I came to Jeju in 2019" ends nobody's living there."""
    held = bare_value(record.memory_value).lower()
    return any(s.status is Status.IS and s.certainty == 1 and s.value.lower() == held for s in near)


def _come_true(record: MemoryRecord, attribute: str | None, said: str, policy: Policy) -> bool:
    """Where somebody was to live by a day that was told, and is named again: "they've moved, Kiel is lovely"."""
    announced = attribute in policy.changes.places and record.when_text is not None
    return announced and shared_words(bare_value(record.memory_value), said, policy) > 0 and not says_over(said, policy)


def of_something_else(
    message: Utterance,
    near: Sequence[Statement],
    record: MemoryRecord,
    attribute: str | None,
    policy: Policy,
    *,
    ends: bool,
) -> bool:
    """The message is not about this memory, or says it again. near: what it tells of the same side of the same life.

    A walk in the park ends nobody's job; who gave up coffee while expecting still expects.
    """
    told = message.statements
    other = any(s.value.lower() != bare_value(record.memory_value).lower() for s in near)
    if not ends and not other and _come_true(record, attribute, message.text, policy):
        return True
    if record.subject != SELF and not_spoken_of(record, message, policy):
        return True
    if ends and another_is_over(told, record, attribute, policy):
        return True
    return of_another(told, record, message.text, policy) or told_again(near, record, policy)


def says_no_more(message: Utterance, policy: Policy) -> bool:
    """ "I'm a nurse": a few words of the user's that tell one thing and nothing else mean it."""
    words = message.text.lower().replace("’", "'").split()
    own = bool(words) and words[0] in policy.reader.speakers and len(words) <= policy.changes.no_more_words
    return own and len(message.statements) == 1 and len(message.sentences) == 1


def moved_out(record: MemoryRecord, text: str, policy: Policy) -> bool:
    """ "Karin moved out": who lived with her does so no more."""
    left = {who.lower() for who in named_by(text, "moves_out", policy)}
    return bool(left & set(record.memory_value.lower().split()))


def given_up(record: MemoryRecord, attribute: str | None, message: Utterance, policy: Policy) -> bool:
    """ "Quit the café": what the user says to have quit is quit, however the rest is told."""
    if record.subject != SELF or attribute not in _QUIT or message.of_others:
        return False
    what = named_by(message.text, "given_up", policy)
    return any(shared_words(one, record.memory_value, policy) for one in what)


def left_alone(
    record: MemoryRecord,
    attribute: str | None,
    near: Sequence[Statement],
    message: Utterance,
    policy: Policy,
    *,
    apart: bool,
    ends: bool,
) -> bool:
    """The message does not speak of it: nothing of its side is told, nor any word of change; or it is told again.

    near: what the message tells of the same side of the same life. A sentence that was kept as it stands, and what
    happened once, must be spoken of beside a word of change.
    """
    text = message.text
    held, over = bare_value(record.memory_value).lower(), says_over(text, policy)
    if not over and any(s.status is Status.IS and s.value.lower() == held for s in near):
        return True  # "sprained my ankle at badminton" ends no badminton
    if attribute == _NOTE and not same_matter(record, text, policy):
        return True  # a sentence that was kept as it stands is undone by nothing but what speaks of it
    if near:
        return False
    few = attribute == _MEASURED or len(text.split()) <= policy.changes.no_more_words
    if few and digits(held) and digits(text):
        return False  # "88 today": one number takes the place of another without a word of change
    quit_else = bool(named_by(text, "given_up", policy)) and apart
    changes = (tells_change(text, policy) and not quit_else) or says(text, "shifted", policy)
    if attribute in _KEPT:
        return not changes or not same_matter(record, text, policy)
    return not changes and (apart or (ends and attribute not in _AHEAD and not over))


def delivered(record: MemoryRecord, message: Utterance, policy: Policy) -> bool:
    """Whoever was expecting is not any more: the child is born, or was lost."""
    said = bare_value(record.memory_value).lower()
    if not any(word in said for word in policy.changes.passing) or not says(message.text, "delivered", policy):
        return False
    people = {m.subject for m in mentions(message.text, policy.reader)} - _BORN
    return record.subject in people or (not people and not message.of_others)


def unsaid(record: MemoryRecord, text: str, replaces_lasting: bool, policy: Policy) -> bool:
    """No word of the message says that something changed; of a job or a home, what takes its place must be told.

    One weight takes the place of another without such a word.
    """
    if digits(record.memory_value) and digits(text):
        return False
    return replaces_lasting or not says_change(text, policy)


def works_there(record: MemoryRecord, told: Sequence[Statement], text: str, policy: Policy) -> bool:
    """ "Part time at a phone shop in Westfield" moves nobody who said where they live."""
    town = next((s for s in told if s.attribute == "city" and s.subject == record.subject == SELF), None)
    if town is None or not says(record.statement or "", "dwells", policy) or says(text, "dwells", policy):
        return False
    work = (*policy.checks.work, "work_hours")
    beside = any(s.attribute in work and s.subject == SELF and s.sentence == town.sentence for s in told)
    return beside and not says_change(text, policy)
