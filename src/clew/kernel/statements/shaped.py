"""What plain shapes of a language state by themselves, and what the words of a value mean in their sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.kernel.language.packs import writer
from clew.kernel.language.scripts import has_syllables
from clew.kernel.statements.clause_owners import as_owned, own_part, whose_job
from clew.kernel.statements.features import Mention, lexicon, mentions
from clew.kernel.statements.patterns import compiled as _compiled
from clew.kernel.statements.patterns import one
from clew.kernel.statements.people import Called, with_names
from clew.kernel.statements.subjects import subject_of
from clew.kernel.statements.values import grown
from clew.kernel.statements.whole_values import at_words, from_noun
from clew.model.memory import SELF
from clew.model.utterance import Act, Sentence, Statement, Status
from clew.policy import Policy
from clew.policy.check_rows import Instead, Stated
from clew.policy.checks import CheckWords

_OF_PEOPLE = ("exists", "relationship", "note", "job")
_PASTIMES = ("hobby", "sport", "routine")
NAME = "name"
_TOWARD = ("allergy", "fear", "like", "dislike")  # the user, a kind of them


def whole_words(
    text: str,
    language: str,
    found: Sequence[Statement],
    words: CheckWords,
    policy: Policy,
    called: Sequence[Called] = (),
) -> list[Statement]:
    """Each value as whole words, under the attribute that its sentence means; a word for a person is no value."""
    own = [own_part(text, s, words.joints, policy, called) for s in found]
    whole = at_words(text, language, own, words, policy)
    right = [m for s in whole if (m := meant(text, s, words)) is not None]
    named = {**lexicon(policy.reader)[0], **lexicon(policy.reader)[1]}
    # A poodle is no name, and nobody's mother is her own illness; but a teacher may be a job, and cats an allergy.
    kept = [s for s in right if s.value not in named or s.attribute in (*_OF_PEOPLE, *(_TOWARD * (s.subject == SELF)))]
    # "my brother in law works": what begins within a word for somebody was cut wrongly, and begins behind it.
    people = [m for m in mentions(text, policy.reader) if not text[m.start : m.end].isalpha()]
    kept = [said for s in kept if (said := _behind(text, s, people)) is not None]
    return [grown(text, whose_job(text, s, policy), one(words.plan_goes_on)) for s in kept]


def _behind(text: str, told: Statement, people: Sequence[Mention]) -> Statement | None:
    """ "mother-in-|law lives with us"."""
    end = next((m.end for m in people if m.start < told.start < m.end), told.start)
    if end == told.start:
        return told
    value = text[end : told.end].strip()
    return replace(told, value=value, start=told.end - len(value)) if value and told.attribute != NAME else None


def stated_by_shape(
    text: str,
    sentences: Sequence[Sentence],
    found: Sequence[Statement],
    words: CheckWords,
    policy: Policy,
    called: Sequence[Called] = (),
) -> list[Statement]:
    """What shapes tell by themselves; what a learned reader found in the same words gives way.

    called: everybody in the text, also those known by their names.
    """
    named = [c for c in called if c.start >= 0]
    before = [c for c in called if c.start < 0]
    by_shape = with_names(_stated(text, sentences, words, policy, [*before, *named]), named)
    by_shape = tuple(s for s in by_shape if not _says_nothing(text, s, words))
    by_shape = tuple(own_part(text, from_noun(text, s, policy), words.joints, policy, named) for s in by_shape)
    owned = [as_owned(text, s, found, named, words.joints, policy) for s in by_shape]
    stated = _as_read(owned, found, policy)
    told = [*_called(text, sentences, found, words, policy), *stated]
    names = [s for s in found if s.attribute == "name"]
    right = {s.value: t.value for s in names for t in told if t.attribute == "name" and _overlap(s, t)}
    kept = [s for s in found if not any(_gives_way(s, t, policy) for t in told)]
    # 수지고 간호사야: what the reader told of a name that it cut wrongly is told of the right one.
    return [*told, *(replace(s, name=right.get(s.name, s.name)) if s.name else s for s in kept)]


def _as_read(stated: Sequence[Statement], found: Sequence[Statement], policy: Policy) -> list[Statement]:
    """ "간호사 때려치고", "gave up meat": a pastime that is over is whatever the reader took its words for."""
    out: list[Statement] = []
    for s in stated:
        known = [f for f in found if _overlap(f, s) and f.attribute in (*policy.checks.ends, *policy.checks.ended)]
        if s.status is not Status.ENDED or s.attribute not in _PASTIMES or not known:
            out.append(s)
        elif not any(_overlap(s, t) for t in out):
            out.append(replace(s, attribute=known[0].attribute))
    return out


def _gives_way(learned: Statement, shaped: Statement, policy: Policy) -> bool:
    """What a shape states stands for its words, and in its sentence for its attribute where one has only one.

    Where one lived before, and what one left, take nothing from how it is now.
    """
    if learned.start < shaped.end and shaped.start < learned.end:
        return True
    if shaped.status in (Status.PAST, Status.ENDED):
        return False
    if learned.name and shaped.name and learned.name != shaped.name:
        return False
    if learned.subject != shaped.subject:
        return False  # what the husband does and what the user does are told in one sentence
    alike = learned.sentence == shaped.sentence and learned.attribute == shaped.attribute
    return alike and learned.attribute in policy.checks.single


def meant(text: str, told: Statement, words: CheckWords, *, plainly: bool = False) -> Statement | None:
    """The statement under the attribute that its sentence means; None where it says nothing.

    plainly: only as a shape says plainly; no likelihood overrules that.
    """
    for row in _meanings(text, told, words):
        if (row.read and told.attribute not in row.read) or (plainly and not row.plain):
            continue
        if not row.means:
            return None
        stance = row.stance or ({"like": "like", "dislike": "dislike"}.get(row.means))
        seen = None if row.plain else told.evidence
        return replace(told, attribute=row.means, status=row.status or told.status, stance=stance, evidence=seen)
    return told


def _marked(text: str, told: Statement) -> tuple[str, str]:
    """The sentence with a mark in place of the value, and with marks around it."""
    at = told.start - text.find(told.sentence)
    if told.sentence[at : at + len(told.value)] != told.value or at < 0:
        at = told.sentence.find(told.value)
    if at < 0:
        return told.sentence, told.sentence
    before, behind = told.sentence[:at], told.sentence[at + len(told.value) :]
    return f"{before}<>{behind}", f"{before}<{told.value}>{behind}"


def _meanings(text: str, told: Statement, words: CheckWords) -> Iterator[Instead]:
    """The rows whose shape the sentence has around the value."""
    said, rows = _marked(text, told), tuple(words.means.values())
    shapes = _compiled(rows)
    for place in sorted({place for part in said for place in shapes.rows(part)}):
        if any(shapes.pattern(place).search(part) for part in said):
            yield rows[place]


def _says_nothing(text: str, told: Statement, words: CheckWords) -> bool:
    """A shape took words that its sentence shows to mean nothing of the kind."""
    return any(row.shaped and told.attribute in row.read for row in _meanings(text, told, words))


def _stated(
    text: str, sentences: Sequence[Sentence], words: CheckWords, policy: Policy, called: Sequence[Called]
) -> list[Statement]:
    """What plain shapes state, of whoever the sentence speaks of."""
    out: list[Statement] = []
    everybody = [*called, *(Called(m.start, m.end, m.subject) for m in mentions(text, policy.reader))]
    # Whoever was spoken of before is there for who says "she".
    for sentence in sentences or (Sentence(0, len(text), text),):
        if sentence.act is not Act.STATEMENT or sentence.text.rstrip().endswith(("?", "？")):
            continue
        rows = tuple(words.states.values())
        shapes = _compiled(rows)
        for place in shapes.rows(sentence.text):
            row = rows[place]
            whose: set[tuple[str, str | None]] = set()
            for match in shapes.pattern(place).finditer(sentence.text):
                told = _stated_once(text, sentence, match, row, everybody, policy)
                if told and _matched(match) not in words.empty and not any(_overlap(s, told[0]) for s in out):
                    # 모카는 다섯 살이고 라떼는 두 살: one of each, where each is of another.
                    of = with_names(told[:1], everybody)[0]
                    if "who" not in match.groupdict() and whose and (of.subject, of.name) in (*whose, (SELF, None)):
                        break
                    whose.add((of.subject, of.name))
                    out += told
    return out


def _matched(match: re.Match[str]) -> str:
    """The words of the value, or the whole match where the shape marks none."""
    return match["value"] if match.groupdict().get("value") else match[0]


def _stated_once(
    text: str,
    sentence: Sentence,
    match: re.Match[str],
    row: Stated,
    everybody: Sequence[Called],
    policy: Policy,
) -> list[Statement]:
    """One match of a shape, under each attribute of its row; nothing where it is nobody's."""
    group = "value" if match.groupdict().get("value") else 0
    start, end = sentence.start + match.start(group), sentence.start + match.end(group)
    label = match["label"] if "label" in match.groupdict() else None
    if row.mine:
        whose = SELF
    elif "who" in match.groupdict():
        at = sentence.start + match.start("who"), sentence.start + match.end("who")
        there = [c for c in everybody if c.start < at[1] and at[0] < c.end]
        if not (known := [c for c in there if c.name] or there):
            return []
        whose, label = known[-1].subject, known[-1].name or label
    elif "they" in match.groupdict():
        if not (last := [c for c in everybody if c.start < 0]):
            return []
        whose, label = last[-1].subject, last[-1].name
    else:
        # Whoever stands inside the value is not the one it is told of: she is expecting our second child; cat hair.
        beside = (c for c in everybody if c.start >= 0 and not start <= c.start < c.end <= end)
        people = sorted({c.mention for c in beside}, key=lambda m: (m.start, -m.end))
        whose = subject_of(text, start, end, (sentence.start, sentence.end), people, (SELF, 0.0), policy.reader) or SELF
    status = row.status or Status.IS
    if NAME in row.attributes and has_syllables(match[group]):
        end = start + len(writer(match[group]).bare_name(match[group]))  # 버터고요 is 버터
    return [
        Statement(
            whose, attribute, text[start:end], sentence.text, start, end,
            row.stance or {"like": "like", "dislike": "dislike"}.get(attribute), status, label,
        )
        for attribute in row.attributes
    ]  # fmt: skip


def _overlap(a: Statement, b: Statement) -> bool:
    return a.start < b.end and b.start < a.end


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
        shapes = _compiled(tuple(words.their.values()))
        for place in shapes.rows(sentence.text):
            matches = shapes.pattern(place).finditer(sentence.text)
            read = [_called_once(text, sentence, match, found, words, policy) for match in matches]
            if any(names is not None for names in read):
                out += [name for names in read for name in names or ()]
                break
    return out


def _called_once(
    text: str,
    sentence: Sentence,
    match: re.Match[str],
    found: Sequence[Statement],
    words: CheckWords,
    policy: Policy,
) -> list[Statement] | None:
    """The names of one match, of whoever the word for the relation means; None where it names nobody.

    A name that the reader found is told already: no other shape looks for one.
    """
    at = sentence.start + match.start("relation"), sentence.start + match.end("relation")
    people = [m for m in mentions(text, policy.reader) if m.start < at[1] and at[0] < m.end]
    kinds = {**lexicon(policy.reader)[0], **lexicon(policy.reader)[1]}
    out: list[Statement] = []
    told = False
    for group in ("name", "name2"):
        name = match.groupdict().get(group)
        name = writer(name).bare_name(name) if name else None
        if not name or not people or name in policy.reader.not_names or name in words.empty or name in kinds:
            continue
        told = True
        if any(s.attribute == "name" and s.value == name for s in found):
            continue
        start = sentence.start + match.start(group)
        out.append(Statement(people[-1].subject, "name", name, sentence.text, start, start + len(name), name=name))
    return out if told else None
