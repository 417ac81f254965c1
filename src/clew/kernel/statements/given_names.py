"""Names that a message gives: of the user, and of people beside the word for who they are (ruling M2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from clew.kernel.language.scripts import has_syllables
from clew.kernel.statements.patterns import compiled as _compiled
from clew.kernel.statements.people import Called, introduced
from clew.model.memory import SELF
from clew.model.utterance import Act, Sentence, Statement
from clew.policy import Policy
from clew.policy.checks import CheckWords

# What a bare name is taken for.
_NO_NAMES = ("note", "trait", "origin", "city", "job", "school", "relationship")


def names_told(
    text: str, language: str, sentences: Sequence[Sentence], found: Sequence[Statement], policy: Policy
) -> list[Statement]:
    """A name told beside a relation, as a statement of its own where no reader made one.

    A small word behind the relation in a question is none: "where does mum come from".
    """
    held = {(s.subject, s.value.lower()) for s in found if s.attribute == "name"}
    out = []
    for c in introduced(text, language, policy):
        if c.name is None or (c.subject, c.name.lower()) in held or _tells_another(c, found, policy):
            continue
        if any(of == c.subject and c.name.lower() in longer.split() for of, longer in held):
            continue  # Sir Hops is not Sir
        said = next((s for s in reversed(sentences) if s.start <= c.start), None)
        if said is not None and said.act is Act.QUESTION and c.name.islower():
            continue
        held.add((c.subject, c.name.lower()))
        sentence = said.text if said is not None else text
        out.append(Statement(c.subject, "name", c.name, sentence, c.start, c.end, name=c.name))
    return out


def confirmed(text: str, language: str, found: Sequence[Statement], policy: Policy) -> list[Statement]:
    """A name that stands where names stand, beside a relation or behind "I'm", needs no second look."""
    given = {(c.subject, c.name.lower()) for c in introduced(text, language, policy) if c.name}
    words = policy.checks.languages.get(language)
    if words:
        given |= {(SELF, match["name"].lower()) for _, match in _compiled(tuple(words.name.values())).matches(text)}
    given |= _in_a_row(text, found, words)
    return [
        replace(s, evidence=None) if s.attribute == "name" and (s.subject, s.value.lower()) in given else s
        for s in found
    ]


def _in_a_row(text: str, found: Sequence[Statement], words: CheckWords | None) -> set[tuple[str, str]]:
    """ "Wyatt, June and little Beau": names that stand in one row are names together."""
    names = sorted((s for s in found if s.attribute == "name" and s.subject != SELF), key=lambda s: s.start)
    out: set[tuple[str, str]] = set()
    for a, b in pairwise(names):
        spelt = a.subject == b.subject and a.value[:1].isupper() and b.value[:1].isupper()
        if words and spelt and re.fullmatch(words.name_row, text[a.end : b.start], re.I):
            out |= {(s.subject, s.value.lower()) for s in (a, b)}
    return out


def _tells_another(c: Called, found: Sequence[Statement], policy: Policy) -> bool:
    """ "my wife is Pirates": the reader is sure that the word tells something else than a name."""
    return any(
        s.evidence is not None and s.evidence.named >= policy.checks.fragment_at and s.subject == c.subject
        for s in found
        if s.attribute != "name" and s.start <= c.start < s.end and s.value == c.name
    )


def own_name_told(
    text: str, sentences: Sequence[Sentence], found: Sequence[Statement], words: CheckWords
) -> list[Statement]:
    """ "hi, I'm Noor": read by its shape when no reader found a name."""
    if any(s.attribute in ("name", "called") and s.subject == SELF for s in found):
        return []
    for sentence in sentences or (Sentence(0, len(text), text),):
        for _, asked in _compiled(tuple(words.call_me.values())).matches(sentence.text):
            start = sentence.start + asked.start("name")
            return [Statement(SELF, "called", asked["name"], sentence.text, start, start + len(asked["name"]))]
        if sentence.act is not Act.STATEMENT:
            continue
        for _, match in _compiled(tuple(words.name.values())).matches(sentence.text):
            if match["name"].split()[0].lower() in words.adjectives:
                continue
            # A sentence kept as it stands says no more than the name, and a job has an article; "I'm INTJ" is a
            # trait, 지훈 is none.
            weak = ("note", "job") if not has_syllables(match["name"]) else _NO_NAMES
            # The learned reader gives a name to whoever is spoken of; who introduces themself says whose it is.
            other = [s for s in found if s.attribute not in weak and not (s.attribute == "name" and s.evidence)]
            if any(s.start <= sentence.start + match.start("name") < s.end for s in other):
                continue
            start = sentence.start + match.start("name")
            value = match["name"]
            return [Statement(SELF, "name", value, sentence.text, start, start + len(value))]
    return []


def of_their_row(text: str, found: Sequence[Statement], words: CheckWords) -> list[Statement]:
    """ "Theo, Jonno and Sam": who stands in one row with others is one of them, and not the user."""
    out = list(found)
    names = sorted((s for s in found if s.attribute == "name"), key=lambda s: s.start)
    for a, b in reversed(list(pairwise(names))):
        row = re.fullmatch(words.name_row, text[a.end : b.start], re.I) is not None
        there = next((s for s in out if (s.start, s.attribute) == (b.start, "name")), b)
        if row and a.subject == SELF and there.subject != SELF:
            out = [replace(s, subject=there.subject, name=s.value) if s == a else s for s in out]
    return out


def of_those_named(text: str, told: Sequence[Statement], words: CheckWords) -> list[Statement]:
    """ "two little ones, Poppy and Jack": the names behind those who are there are theirs."""
    out = list(told)
    for there in (s for s in told if s.attribute == "exists" and s.subject != SELF):
        end = there.end
        for s in sorted((s for s in out if s.attribute == "name" and s.start >= there.end), key=lambda s: s.start):
            between = text[end : s.start]
            row = re.fullmatch(words.name_row, between, re.I) is not None
            if not row and between.strip() not in (",", ":", "-", "–", "("):
                break
            out = [replace(o, subject=there.subject) if o == s else o for o in out]
            end = s.end
    return out
