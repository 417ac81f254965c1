"""Rules over what the learned readers propose: drop what says nothing, complete what a plain shape tells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from clew.kernel.language.packs import pack
from clew.kernel.statements.features import Mention, lexicon, mentions
from clew.kernel.statements.subjects import subject_of
from clew.model.memory import SELF
from clew.model.utterance import Act, Ask, Sentence, Statement, Status
from clew.policy import Policy
from clew.policy.checks import CheckWords
from clew.policy.language import Shape

_SOMEONE = "person:any"
_NAME_MOST = 4
_EDGE = " .,!?;:'\"’”~()"


def checked_statements(
    text: str, language: str, sentences: Sequence[Sentence], found: Sequence[Statement], policy: Policy
) -> tuple[Statement, ...]:
    """The statements that say something, each with its status; a name the user gives is added."""
    words = policy.checks.languages.get(language)
    if words is None:
        return tuple(found)
    whole = _renamed(found, [_whole(text, s, language, policy) for s in found])
    meant = [m for s in whole if (m := _meant(s, words)) is not None]
    kept = [_timed(text, s, words, policy) for s in meant if _says_something(text, s, words, policy)]
    called = [*_called(text, sentences, kept, words, policy), *_stated(text, sentences, words, policy)]
    kept = [s for s in kept if not any(_gives_way(s, c) for c in called)]
    return (*_introduced(text, sentences, [*called, *kept], words), *called, *kept)


def checked_asks(text: str, language: str, asks: Sequence[Ask], policy: Policy) -> tuple[Ask, ...]:
    """A question for somebody by name keeps the name; one of a plain shape asks for what its shape says."""
    words = policy.checks.languages.get(language)
    asks = _asked(text, language, asks, words, policy) if words else asks
    name = _named(text, words.who) if words else None
    if name is None:
        return tuple(asks)
    if not any(a.attribute == "who" for a in asks):
        return (Ask(SELF, "who", name), *asks)
    return tuple(replace(a, name=name) if a.attribute == "who" and not a.name else a for a in asks)


def _asked(
    text: str, language: str, asks: Sequence[Ask], words: CheckWords, policy: Policy
) -> Sequence[Ask]:
    """What plain shapes ask for, of whomever the question names; what is over stays asked for beside it."""
    shapes = zip(words.asked.values(), _compiled(tuple(words.asked.values())), strict=True)
    found = [a for row, shape in shapes if shape.search(text) for a in row.attributes]
    if not found:
        return asks
    people = mentions(text, policy.reader)
    subject = asks[0].subject if asks else people[0].subject if people else SELF
    name = asks[0].name if asks else _topic(text, language, people, policy)
    subject = _SOMEONE if name and subject == SELF else subject
    over = [a for a in asks if a.attribute == "history"]
    return [*(Ask(subject, a, name) for a in dict.fromkeys(found)), *over]


def _topic(text: str, language: str, people: Sequence[Mention], policy: Policy) -> str | None:
    """민준이 뭐 좋아하죠?: the name that the question opens with, if it is no other word."""
    spoken = pack(language)
    name = spoken.topic(text) if spoken and language == "ko" and not people else None
    words = policy.attributes.languages.get(language)
    if name is None or words is None or name in (*policy.reader.not_names, *policy.reader.speakers):
        return None
    labels = {label for asked in words.asked.values() for label in asked}
    return None if name in labels or not 2 <= len(name) <= _NAME_MOST else name


def _whole(text: str, told: Statement, language: str, policy: Policy) -> Statement:
    """The value as whole words, without what its language hangs behind them."""
    spoken = pack(language)
    if spoken is None or not told.value or text[told.start : told.end] != told.value:
        return told
    end = spoken.value_end(text, told.start, told.end, policy)
    value = text[told.start : end]
    if told.attribute == "plan":
        value = spoken.plan(value, policy)
    if told.attribute == "name" and told.subject != SELF:
        value = spoken.bare_name(value)
    start = text.find(value, told.start)
    return told if value == told.value else replace(told, value=value, start=start, end=start + len(value))


def _renamed(found: Sequence[Statement], whole: Sequence[Statement]) -> list[Statement]:
    """A name that was cut is put right wherever it stands."""
    right = {f.value: w.value for f, w in zip(found, whole, strict=True) if f.attribute == "name"}
    return [replace(s, name=right.get(s.name, s.name)) if s.name else s for s in whole]


def _gives_way(learned: Statement, shaped: Statement) -> bool:
    """What a shape states stands for its words, and for its attribute in its sentence."""
    if learned.start < shaped.end and shaped.start < learned.end:
        return True
    return learned.sentence == shaped.sentence and learned.attribute == shaped.attribute


def _meant(told: Statement, words: CheckWords) -> Statement | None:
    """The statement under the attribute that its sentence means; None where it says nothing."""
    sentence = told.sentence.replace(told.value, "<>", 1)
    for row, shape in zip(words.instead.values(), _compiled(tuple(words.instead.values())), strict=True):
        if (row.read and told.attribute not in row.read) or not shape.search(sentence):
            continue
        if not row.means:
            return None
        stance = row.stance or ({"like": "like", "dislike": "dislike"}.get(row.means))
        return replace(told, attribute=row.means, status=row.status or told.status, stance=stance)
    return told


def _stated(text: str, sentences: Sequence[Sentence], words: CheckWords, policy: Policy) -> list[Statement]:
    """What plain shapes state, of whoever the sentence speaks of."""
    out: list[Statement] = []
    people = mentions(text, policy.reader) if words.states else ()
    for sentence in sentences or (Sentence(0, len(text), text),):
        if sentence.act is not Act.STATEMENT or sentence.text.rstrip().endswith(("?", "？")):
            continue
        for row, shape in zip(words.states.values(), _compiled(tuple(words.states.values())), strict=True):
            match = shape.search(sentence.text)
            if match is None:
                continue
            group = "value" if match.groupdict().get("value") else 0
            start, end = sentence.start + match.start(group), sentence.start + match.end(group)
            if any(s.start < end and start < s.end for s in out) or match[group] in words.empty:
                continue
            if "who" in match.groupdict():
                at = sentence.start + match.start("who"), sentence.start + match.end("who")
                named = [m.subject for m in people if m.start < at[1] and at[0] < m.end]
                whose = named[-1] if named else None
                if whose is None:
                    continue
            else:
                within = sentence.start, sentence.end
                whose = subject_of(text, start, end, within, people, (SELF, 1.0), policy.reader)
            for attribute in row.attributes:
                stance = row.stance or {"like": "like", "dislike": "dislike"}.get(attribute)
                status = row.status or Status.IS
                out.append(
                    Statement(whose or SELF, attribute, match[group], sentence.text, start, end, stance, status)
                )
    return out


def _called(
    text: str, sentences: Sequence[Sentence], found: Sequence[Statement], words: CheckWords, policy: Policy
) -> list[Statement]:
    """ "룸메 이름은 지우", "민수는 내 친구야": what one of the user's people is called, read by its shape."""
    if not words.their:
        return []
    out: list[Statement] = []
    for sentence in sentences or (Sentence(0, len(text), text),):
        if sentence.act is not Act.STATEMENT:
            continue
        for shape in _compiled(tuple(words.their.values())):
            match = shape.search(sentence.text)
            if match is None:
                continue
            at = sentence.start + match.start("relation"), sentence.start + match.end("relation")
            people = [m for m in mentions(text, policy.reader) if m.start < at[1] and at[0] < m.end]
            start = sentence.start + match.start("name")
            name = match["name"]
            known = any(s.attribute == "name" and s.value == name for s in found)
            if not people or known or name in policy.reader.not_names or name in words.empty:
                continue
            subject = people[-1].subject
            out.append(
                Statement(subject, "name", name, sentence.text, start, start + len(name), name=name)
            )
            break
    return out


def _says_something(text: str, told: Statement, words: CheckWords, policy: Policy) -> bool:
    tokens = [t.strip(_EDGE).lower().replace("’", "'") for t in told.value.split()]
    if all(t in words.empty or not t for t in tokens):
        return False
    # "since March" dates something else; it is no plan of its own.
    bare = told.attribute in ("plan", "event") and len(tokens) == 1
    people, pets, _ = lexicon(policy.reader)
    # A poodle is no name, and nobody's mother is her own illness.
    if told.attribute not in ("exists", "relationship", "note") and told.value in {**people, **pets}:
        return False
    return not (bare and _stands_behind(text, told, words.since, policy))


def _timed(text: str, told: Statement, words: CheckWords, policy: Policy) -> Statement:
    """ "before that Utrecht" was so, and is not any more."""
    current = told.status is Status.IS and told.attribute in policy.checks.ended and told.subject == SELF
    if current and _stands_behind(text, told, words.before, policy):
        return replace(told, status=Status.ENDED)
    return told


def _stands_behind(text: str, told: Statement, shapes: Mapping[str, Shape], policy: Policy) -> bool:
    before = text[max(0, told.start - policy.checks.reach) : told.start]
    return any(shape.search(before) for shape in _compiled(tuple(shapes.values())))


def _introduced(
    text: str, sentences: Sequence[Sentence], found: Sequence[Statement], words: CheckWords
) -> list[Statement]:
    """ "hi, I'm Noor": read by its shape when no reader found a name."""
    if any(s.attribute in ("name", "called") and s.subject == SELF for s in found):
        return []
    for sentence in sentences or (Sentence(0, len(text), text),):
        if sentence.act is not Act.STATEMENT:
            continue
        for shape in _compiled(tuple(words.name.values())):
            match = shape.search(sentence.text)
            if match is None or match["name"].split()[0].lower() in words.adjectives:
                continue
            if any(s.start <= sentence.start + match.start("name") < s.end for s in found):
                continue
            start = sentence.start + match.start("name")
            value = match["name"]
            return [Statement(SELF, "name", value, sentence.text, start, start + len(value))]
    return []


def _named(text: str, shapes: Mapping[str, Shape]) -> str | None:
    for shape in _compiled(tuple(shapes.values())):
        if match := shape.search(text.strip()):
            return match["name"].strip(_EDGE)
    return None


@lru_cache(maxsize=32)
def _compiled(shapes: tuple[Shape, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(shape.pattern, re.I) for shape in shapes)
