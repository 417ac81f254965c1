"""A value from its first word to its last: whole words, without what hangs on to them or only leads to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.language.packs import pack, writer
from clew.kernel.statements.patterns import one
from clew.model.memory import SELF
from clew.model.utterance import Sentence, Statement, Status
from clew.policy import Policy
from clew.policy.check_rows import Joints
from clew.policy.checks import CheckWords
from clew.programs import program


def at_words(
    text: str, language: str, found: Sequence[Statement], words: CheckWords, policy: Policy
) -> list[Statement]:
    """Each value to the end of its word, without what hangs on to it; a name so wherever it stands."""
    return renamed(found, [_whole(text, s, language, words.joints, policy) for s in found])


def _whole(text: str, told: Statement, language: str, joints: Joints, policy: Policy) -> Statement:
    """Widens the value to whole words and cuts the ending off that its language puts behind it."""
    spoken = pack(language)
    if spoken is None or not told.value or text[told.start : told.end] != told.value:
        return told
    told = from_noun(text, told, policy)
    end = spoken.value_end(text, told.start, told.end, policy)
    if told.attribute in policy.reader.phrases and told.attribute not in policy.checks.bare_plans:
        end = max(end, told.end)  # 말씀해주세요, 성격이 급해서: what holds a verb keeps its ending
    value = text[told.start : end]
    if told.attribute == "plan":
        value = spoken.plan(value, policy)
    if told.attribute == "name" and told.subject != SELF:
        value = spoken.bare_name(value)
    if told.attribute == "age" and (unit := one(joints.unit).match(text, end)):
        value = text[told.start : unit.end()]  # 열한| 살
    if told.attribute == "age" and (years := one(joints.years).search(value)):
        value = value[: years.end()]  # 42살 목수
    start = text.find(value, told.start)
    return told if value == told.value else replace(told, value=value, start=start, end=start + len(value))


def from_noun(text: str, told: Statement, policy: Policy) -> Statement:
    """이번에 원장 is 원장: a value that is a noun begins with what belongs to it; a birthday begins with its month."""
    whole = (*policy.reader.phrases, *policy.checks.timed)
    if told.attribute in whole or text[told.start : told.end] != told.value:
        return told
    start = writer(told.value).value_start(text, told.start, told.end, policy)
    return told if start == told.start else replace(told, value=text[start : told.end], start=start)


def planned(text: str, told: Statement, language: str, policy: Policy) -> Statement:
    """A plan of two parts that were joined, without its time: 발표회가 금요일 10시 is 발표회."""
    spoken = pack(language)
    if told.attribute != "plan" or spoken is None or text[told.start : told.end] != told.value:
        return told
    value = spoken.plan(told.value, policy)
    start = text.find(value, told.start)
    return told if value == told.value else replace(told, value=value, start=start, end=start + len(value))


def renamed(found: Sequence[Statement], whole: Sequence[Statement]) -> list[Statement]:
    """A name that was cut is put right wherever it stands."""
    right = {f.value: w.value for f, w in zip(found, whole, strict=True) if f.attribute == "name"}
    return [replace(s, name=right.get(s.name, s.name)) if s.name else s for s in whole]


def with_denials(
    text: str, language: str, sentences: Sequence[Sentence], found: Sequence[Statement], policy: Policy
) -> tuple[Statement, ...]:
    """ "not sleeping well" is no "sleeping well": a phrase with the word right before it that turns it round."""
    words = policy.reader.languages.get(language)
    if words is None:
        return tuple(found)
    return tuple(_with_denial(text, s, sentences, words.denials, policy) for s in found)


def _with_denial(text: str, told: Statement, sentences: Sequence[Sentence], denials: str, policy: Policy) -> Statement:
    if told.attribute not in policy.reader.phrases or told.status in (Status.NOT, Status.ENDED):
        return told
    if text[told.start : told.end] != told.value:
        return told
    since = next((s.start for s in sentences if s.start <= told.start < s.end), 0)
    denial = program(denials).search(text[since : told.start])
    start = told.start if denial is None else since + denial.start()
    return told if denial is None else replace(told, value=text[start : told.end], start=start)
