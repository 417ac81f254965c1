"""Whose a value is by the clause it stands in, where the learned reader gave it to somebody else or to nobody."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from re import Pattern

from clew.kernel.statements.features import mentions
from clew.kernel.statements.patterns import one
from clew.kernel.statements.people import Called
from clew.kernel.statements.subjects import speaks
from clew.model.memory import SELF
from clew.model.utterance import Statement
from clew.policy import Policy
from clew.policy.check_rows import Joints
from clew.policy.checks import CheckWords

_WED = "relationship"
# What somebody is: told in the next clause too of whoever the sentence is about.
_IS = ("job", "employer", "school", "major", "grade", "age", "birthday", "nationality")


def own_part(text: str, told: Statement, joints: Joints, policy: Policy, called: Sequence[Called]) -> Statement:
    """엄마는 대구에 계시고 아빠는 돌아가셨어: from whoever is named last as the subject, what follows is theirs.

    지호는 중2고 민호: where nothing follows, the value ends before that one.
    """
    behind, own = one(joints.subject), one(joints.own)
    everybody = [*(Called(m.start, m.end, m.subject) for m in mentions(text, policy.reader)), *called]
    inside = sorted((c for c in everybody if told.start <= c.start < c.end < told.end), key=lambda c: c.start)
    before = [c for c in called if c.name and 0 <= c.start < told.start and behind.match(text, c.end)]
    last = before[-1] if before and not own.search(text, before[-1].end, told.start) else None
    if last is not None and one(joints.relative).match(text[last.end : told.start]) and own.search(text, 0, last.start):
        return replace(told, subject=SELF, name=None)  # 나 보라가 시킨 새우버거는 못 먹어: not what Bora eats
    # 민혁이는: another one begins.
    if last is not None and not behind.match(text, told.end) and _anew(told, last, everybody, policy):
        # 모찌는 치즈냥이고: whoever is called by a name is described by what follows, not named anew.
        told = replace(told, subject=last.subject, name=last.name, attribute="note")
    elif last is not None and _is_theirs(text, told, last, everybody):
        told = replace(told, subject=last.subject, name=last.name)
    if told.subject == SELF and told.attribute == _WED:
        told = _whose_wedding(text, told, everybody, behind, own, policy)
    told = _of_the_topic(text, told, everybody, joints)
    if not inside or text[told.start : told.end] != told.value:
        return told
    if told.attribute == "exists":
        # Whoever is there is the value itself: the grandchildren are not the wife's who is named before them.
        return replace(told, subject=inside[-1].subject, name=inside[-1].name) if told.subject != SELF else told
    last = inside[-1]
    if head := behind.match(text, last.end):
        if head.end() < told.end:
            value = text[head.end() : told.end]
            return replace(told, subject=last.subject, name=last.name, value=value, start=head.end())
        value = one(joints.joined).sub("", text[told.start : last.start].rstrip())
        return replace(told, value=value, end=told.start + len(value)) if value else told
    return told


def of_last_named(
    text: str, language: str, told: Sequence[Statement], called: Sequence[Called], policy: Policy
) -> tuple[Statement, ...]:
    """ "Marco's a plumber, Luis is at uni": of two sons, what follows a clause that opens with a name is that one's."""
    words = policy.checks.languages.get(language)
    if words is None:
        return tuple(told)
    opening = [
        c
        for c in called
        if c.name
        and c.start >= 0
        and re.search(words.before_subject, text[: c.start], re.I)
        and re.match(words.behind_subject, text[c.end :], re.I)
    ]

    def owned(s: Statement) -> Statement:
        last = max((c for c in opening if c.end <= s.start), key=lambda c: c.end, default=None)
        other = last is not None and s.name is not None and last.subject == s.subject and last.name != s.name
        if last is None or not other or s.attribute == "name":
            return s
        mine = [c for c in called if c.name == s.name and 0 <= c.start <= s.start]
        return replace(s, name=last.name) if mine and max(c.start for c in mine) < last.start else s

    return tuple(map(owned, told))


def _whose_wedding(
    text: str, told: Statement, everybody: Sequence[Called], behind: Pattern[str], own: Pattern[str], policy: Policy
) -> Statement:
    """오빠는 진해에서 근무해 작년에 결혼했고: of whom the clause speaks, unless the user is married to them."""
    start = max(0, text.find(told.sentence))
    acting = [c for c in everybody if start <= c.start < told.start and behind.match(text, c.end)]
    if not acting or own.search(text, acting[-1].end, told.start):
        return told
    last = acting[-1]
    # Not of a lover: that wedding is the user's own.
    return told if last.subject in policy.changes.lovers else replace(told, subject=last.subject, name=last.name)


def _of_the_topic(text: str, told: Statement, everybody: Sequence[Called], joints: Joints) -> Statement:
    """아내는 두 살 아래고 도서관에서 사서로 일해요: of whom the sentence speaks, as long as its clauses go on."""
    if told.subject != SELF or told.attribute not in _IS or told.name:
        return told
    start = max(0, text.find(told.sentence))
    before = [c for c in everybody if start <= c.start < c.end <= told.start]
    last = max(before, key=lambda c: c.end, default=None)
    if last is None or not one(joints.goes_on).match(text[last.end : told.start]):
        return told
    if one(joints.own).search(text, last.end, told.start):
        return told
    return replace(told, subject=last.subject, name=last.name)


def _is_theirs(text: str, told: Statement, called: Called, everybody: Sequence[Called]) -> bool:
    """민재는 캐나다에서 일하고요, 민혁이는 학생: a value is of whoever its clause names, not of a name behind it."""
    if told.subject == SELF or (called.end - called.start > len(called.name or "") and told.subject != called.subject):
        return True  # 민재 오빠는: the word for kin is a title here
    if not told.name or told.attribute in ("name", "exists") or told.name == called.name:
        return False
    between = any(called.end <= c.start < c.end <= told.start for c in everybody)
    place = text.find(told.name)
    return not between and (place > told.start or 0 <= place < called.start)


def _anew(told: Statement, called: Called, everybody: Sequence[Called], policy: Policy) -> bool:
    """A second name for whoever the clause is about, and nobody else stands between; 큰애 is no name yet."""
    if mentions(called.name or "", policy.reader):
        return False
    if told.attribute != "name" or told.value == called.name or told.subject not in (SELF, called.subject):
        return False
    return not any(called.end <= c.start < c.end <= told.start for c in everybody)


def whose_job(text: str, told: Statement, policy: Policy) -> Statement:
    """ "my wife Anna is a teacher" tells of the wife: a job that is also a word for a person is nobody of its own."""
    if told.attribute != "job" or told.subject.partition(":")[2] != told.value.lower():
        return told
    before = [m for m in mentions(text, policy.reader) if m.end <= told.start and m.subject != told.subject]
    return replace(told, subject=before[-1].subject if before else SELF, name=None)


def with_lead(text: str, told: Sequence[Statement], called: Sequence[Called]) -> tuple[Statement, ...]:
    """손녀도 있어요. 네 살이에요: a sentence that does not say of whom it is told stands with the one that does."""
    return tuple(_led(text, s, called) for s in told)


def _led(text: str, told: Statement, called: Sequence[Called]) -> Statement:
    start = text.find(told.sentence)
    if told.subject == SELF or start <= 0:
        return told
    mine = [c for c in called if c.subject == told.subject and c.start >= 0]
    if any(start <= c.start < start + len(told.sentence) for c in mine):
        return told
    before = [c for c in mine if c.start < start]
    if not before:
        return told
    # From the beginning of the sentence that names them.
    head = max((text.rfind(stop, 0, before[-1].start) for stop in ".!?\n"), default=-1) + 1
    return replace(told, before=text[head:start].strip())


def as_owned(
    text: str,
    shaped: Statement,
    found: Sequence[Statement],
    called: Sequence[Called],
    joints: Joints,
    policy: Policy,
) -> Statement:
    """딸이 있어요. 여섯 살이고: a sentence that names nobody is about whom the reader took the same words for."""
    here = max(0, text.find(shaped.sentence))
    if shaped.subject != SELF or speaks(text, here, shaped.start, policy.reader):
        return shaped
    if any(here <= c.start < shaped.end for c in called):
        return shaped
    before = [c for c in called if 0 <= c.start < here]
    if before and one(joints.reason).search(shaped.sentence):
        # 둘째가 그만뒀어요. 발목을 다쳐서: why it is so is told of whoever did it.
        return replace(shaped, subject=before[-1].subject, name=before[-1].name)
    same = [
        f
        for f in found
        if f.attribute == shaped.attribute and f.subject != SELF and f.start < shaped.end and shaped.start < f.end
    ]
    return replace(shaped, subject=same[0].subject, name=same[0].name) if same else shaped


def before_name(text: str, told: Statement, mine: Sequence[Statement], words: CheckWords) -> Statement | None:
    """번역가 문세라입니다: what somebody is ends where their name begins; nothing where it is all name."""
    inside = next((o for o in mine if told.start <= o.start < told.end), None)
    if inside is None:
        return told
    value = text[told.start : inside.start].strip()
    cut = replace(told, value=value, end=told.start + len(value))
    return cut if told.attribute == "job" and value and value not in words.empty else None
