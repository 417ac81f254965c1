"""Whose what is told really is: somebody else's people and animals, and what is done together with somebody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from clew.kernel.language.packs import writer
from clew.kernel.language.scripts import has_syllables
from clew.kernel.statements.patterns import compiled as _compiled
from clew.kernel.statements.people import SOMEBODY, Called
from clew.model.memory import SELF
from clew.model.utterance import Statement, Status
from clew.policy.checks import CheckWords
from clew.policy.language import Shape

PERSON, _PET = "person:", "pet:"
_SHORT = 3
# What somebody who was just introduced is told to be.
_DESCRIBES = ("job", "age", "employer", "school", "major", "grade", "origin", "nationality", "birthday", "trait")
# Whose children are the user's too.
_WED = ("husband", "wife", "partner")
# Words for somebody that are trades as well: 초등학교 선생님.
_TRADES = ("teacher", "doctor", "therapist", "coach")
# A word for somebody and one beside it: "proud dad".
_SHORT = 2
_EDGE = " .,!?;:'\"’”~()"


def belonging(
    text: str, told: Sequence[Statement], words: CheckWords, called: Sequence[Called]
) -> tuple[Statement, ...]:
    """Each statement of whom it is, in the order given; what says nothing then is left out."""
    every = [_of_theirs(text, s, words, called) for s in told if not _known_by_it(s, called, told)]
    every = [_in_company(text, s, words, called, told) for s in every]
    every = [_looked_up_to(text, _pointed_out(text, s, words, called), words, called) for s in every]
    every = [_no_trade(_met_somewhere(text, s, words, called), called) for s in every]
    every = [s for n, s in enumerate(every) if not _said_twice(s, every[:n])]
    return _without_names(every, words)


def one_of_a_name(told: Sequence[Statement]) -> tuple[Statement, ...]:
    """태오라는 동료 … 태오는 결혼했어: whoever has a name in this message is the one that is told of by it."""
    who = {s.value: s.subject for s in told if s.attribute == "name" and s.subject != SOMEBODY}
    told = [_under_one_name(s, told) for s in told]
    return tuple(
        replace(s, subject=who[s.name], name=None if who[s.name] == SELF else s.name)
        if s.subject == SOMEBODY and s.name in who
        else s
        for s in told
        if not (s.subject == SOMEBODY and s.attribute == "name" and s.value in who)
    )


def _under_one_name(told: Statement, others: Sequence[Statement]) -> Statement:
    """솜 and 솜이: the same one of theirs, called with and without what hangs on to a name."""
    if not told.name or told.subject == SELF or not has_syllables(told.name):
        return told
    names = (s.value for s in others if s.attribute == "name" and s.subject == told.subject)
    name = next((n for n in names if writer(told.name).hails(n, told.name)), None)
    return replace(told, name=name) if name else told


def users_own(text: str, told: Sequence[Statement], words: CheckWords) -> list[Statement]:
    """할매여 내 이름은 순덕이고 여든하나 됐어: who says "my name" is told of, whoever was named before it."""
    shapes = _compiled(tuple(words.says_own_name.values()))
    mine = [s for s in told if s.attribute == "name" and s.subject != SELF and shapes.any(text[: s.start])]
    owners = {(s.subject, s.value) for s in mine}
    return [replace(s, subject=SELF, name=None) if (s.subject, s.name or s.value) in owners else s for s in told]


def _without_names(told: Sequence[Statement], words: CheckWords) -> tuple[Statement, ...]:
    """ "Dave works": who somebody is opens no value of theirs, and what is left may say nothing."""
    names = {(s.subject, s.value) for s in told if s.attribute == "name"}
    out = []
    for s in told:
        name = next((n for whose, n in names if whose == s.subject and s.value.startswith(f"{n} ")), None)
        if name is not None and s.attribute not in ("name", "called", "note"):
            s = replace(s, value=s.value[len(name) + 1 :], start=s.start + len(name) + 1)
            if empty(s, words):
                continue
        out.append(s)
    return tuple(out)


def _known_by_it(told: Statement, called: Sequence[Called], others: Sequence[Statement]) -> bool:
    """Whoever is known by this name is not named anew as somebody else, nor who a shape gives it to."""
    if told.attribute != "name" or told.subject == SELF or told.certainty == 1:
        return False
    never = any(s.subject == told.subject and s.status is Status.NOT for s in others)  # 남자친구 아니고
    apart = (told.subject,) if never else (told.subject, SOMEBODY)
    if any(c.name == told.value and c.subject not in apart and c.start >= 0 for c in called):
        return True
    sure = [s for s in others if s.attribute == "name" and s.certainty == 1 and s.subject != told.subject]
    return any(s.start < told.end and told.start < s.end for s in sure)


def _in_company(
    text: str, told: Statement, words: CheckWords, called: Sequence[Called], others: Sequence[Statement]
) -> Statement:
    """동생이랑 카센터 해요: what is done together with somebody is the user's own.

    남자친구랑 3년 됐는데 이름은 준호고 소방관이야: behind a clause that introduces them, or their name, it is theirs.
    """
    if told.subject == SELF or told.attribute in ("name", "called", "exists", "note"):
        return told
    who = next((c for c in reversed(called) if c.subject == told.subject and 0 <= c.start < told.start), None)
    if who is None or not _compiled(tuple(words.together.values())).any(text[who.start : told.start]):
        return told
    theirs = (s for s in others if s.attribute == "name" and s.subject == told.subject)
    if any(who.end < s.start < told.start for s in theirs):
        return told
    if told.attribute in _DESCRIBES and _introduces(text[who.end : told.start], words):
        return told  # 남편이랑 사는데 가끔 외로워: how one feels is one's own
    return replace(told, subject=SELF, name=None)


def _introduces(between: str, words: CheckWords) -> bool:
    return _compiled(tuple(words.introduces.values())).any(between)


def _pointed_out(text: str, told: Statement, words: CheckWords, called: Sequence[Called]) -> Statement:
    """땅콩 알레르기 있는 건 막내예요: whoever is pointed out behind what is told is the one it is told of."""
    if told.subject != SELF or told.attribute in ("name", "called", "exists", "note"):
        return told
    for shape in _compiled(tuple(words.pointed_out.values())):
        if match := shape.match(text, told.end):
            who = next((c for c in called if match.start("who") <= c.start < match.end("who")), None)
            if who is None:  # nobody knows who that is: kept as it was said
                return replace(told, attribute="note", value=told.sentence)
            return replace(told, subject=who.subject, name=who.name)
    return told


def _looked_up_to(text: str, told: Statement, words: CheckWords, called: Sequence[Called]) -> Statement:
    """친정엄마가 애를 봐줘요 같은 동네 사시거든요: what is told with 시 is of the elder, not of the user or a child."""
    theirs = told.subject.partition(":")[2] in words.elders
    if not words.elders or theirs or told.attribute in ("name", "called", "exists", "note"):
        return told
    if not _compiled(tuple(words.honoured.values())).any(text[told.end :]):
        return told
    start = max(0, text.find(told.sentence))
    here = [c for c in called if start <= c.start < told.start and c.subject.partition(":")[2] in words.elders]
    if len({(c.subject, c.name) for c in here}) != 1:
        return told
    return replace(told, subject=here[0].subject, name=here[0].name)


def _met_somewhere(text: str, told: Statement, words: CheckWords, called: Sequence[Called]) -> Statement:
    """우리 반에 쌍둥이가 있는데: whoever is met at work is none of the user's people; kept as it was said."""
    if not words.not_ones_own or not told.subject.startswith(PERSON):
        return told
    here = [c for c in called if c.subject == told.subject and 0 <= c.start <= told.start]
    if not here or not _compiled(tuple(words.not_ones_own.values())).any(text[: here[0].start]):
        return told
    return replace(told, subject=SELF, name=None, attribute="note", value=told.sentence)


def _no_trade(told: Statement, called: Sequence[Called]) -> Statement:
    """ "Pete just became a dad": whom one is to somebody is nobody's job; kept as it was said."""
    kin = told.attribute == "job" and len(told.value.split()) <= _SHORT
    within = [c.subject for c in called if told.start <= c.start < told.end and c.subject.startswith(PERSON)]
    kin = kin and any(who.partition(":")[2] not in _TRADES for who in within)
    return replace(told, attribute="note", value=told.sentence) if kin else told


def _said_twice(told: Statement, before: Sequence[Statement]) -> bool:
    """Two animals of somebody else's are told in one note."""
    return told.attribute == "note" and any(
        (s.subject, s.attribute, s.value) == (told.subject, "note", told.value) for s in before
    )


def _of_theirs(text: str, told: Statement, words: CheckWords, called: Sequence[Called]) -> Statement:
    """ "my sister has a dog called Figgy", "my brother's girlfriend": told of whoever they belong to, as said."""
    start = max(0, text.find(told.sentence))
    end = min(len(text), start + len(told.sentence)) if told.sentence else len(text)
    last = next((c for c in called if c.start < 0 and c.subject.startswith(PERSON)), None)
    before = f"{text[start : told.start]}<>"
    if last is not None and told.subject.startswith(_PET) and _matches(words.animal_of_them, before):
        own = text[start:end].strip()
        return replace(told, subject=last.subject, name=last.name, attribute="note", value=own, start=start, end=end)
    for who in called:
        if who.start < start or who.end > told.start or not who.subject.startswith(PERSON):
            continue
        if told.subject.startswith(_PET):
            clause = f"{text[who.start : told.start]}<>{text[told.end : end]}"
            shapes = words.animal_of
        elif whose := _told_of(told, who, called):
            clause, shapes = f"{text[who.end : whose.start]}<{text[whose.start : whose.end]}>", words.belongs
            if told.attribute == "exists" and not who.subject.endswith(_WED):
                shapes = {**shapes, **words.begets}  # 언니는 애가 둘이야: hers; the husband's are one's own
        else:
            continue
        if _matches(shapes, clause):
            value, own = text[who.end : end].strip(_EDGE), text[_with_owner(text, who.start) : end].strip()
            return replace(
                told, subject=who.subject, name=who.name, attribute="note", value=value, sentence=own, start=who.end,
                end=end,
            )  # fmt: skip
    return told


def _matches(shapes: Mapping[str, Shape], clause: str) -> bool:
    return _compiled(tuple(shapes.values())).any(clause)


def _with_owner(text: str, start: int) -> int:
    """Where "my sister" begins: the short word before the word for somebody says whose they are."""
    before = text[:start].rstrip()
    word = before.rsplit(None, 1)[-1] if before else ""
    return len(before) - len(word) if 0 < len(word) <= _SHORT else start


def _told_of(told: Statement, who: Called, called: Sequence[Called]) -> Called | None:
    """Whoever behind `who` it is told of, or who opens what is told."""
    return next(
        (
            c
            for c in called
            if c.start > who.end and c.subject != who.subject and (c.subject == told.subject or c.start == told.start)
        ),
        None,
    )


def empty(told: Statement, words: CheckWords) -> bool:
    """Words that carry nothing by themselves; and that a wife is a wife."""
    if told.attribute == "pronouns":
        return False
    tokens = [t.strip(_EDGE).lower().replace("’", "'") for t in told.value.split()]
    if told.attribute == "relationship" and told.subject != SELF:
        tokens = [t for t in tokens if t != told.subject.partition(":")[2]]
    return all(t in words.empty or not t for t in tokens)
