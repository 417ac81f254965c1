"""What is known of somebody in a sentence or two: 딸 서아는 다섯 살이고 생일은 4월 12일이야.

Whom it is told of is said once, and what belongs together is joined by 고; what cannot be joined stands by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from clew.kernel.language.ko.particles import final_of, with_particle
from clew.kernel.language.ko.speech import plainly, politely
from clew.kernel.language.told import Told

# So many clauses are joined in one sentence.
_JOINED_MOST = 2
# What stands in one sentence; any other group stands by itself.
_TOGETHER = ({"identity", "home"}, {"work", "study"}, {"habits", "skills", "tastes"})
_QUOTED = re.compile(r"^(?:너는 )?“(?P<said>[^”]+)”(?:이라고|라고) 했어$")
_MINE = re.compile(r"^(?:너는|네) ")
# Sides of a life by which something is told: 생일은 4월 12일이야.
_OWN_SIDE = "생일|생신|이름|성함|전공|취미|고향|목표|식단|직업"
_SIDES = re.compile(rf" (?:{_OWN_SIDE})$")
_OF_ONE = re.compile(rf"^(?:네 )?(?:{_OWN_SIDE})(?:은|는) ")
# 딸 이름은 서아야: whose name, and the name.
_NAMED = re.compile(r"^(?P<who>.+) 이름은 (?P<name>.+?)(?:이야|야)$")
# 너는 누나가 있어: who is told of is there.
_THERE = re.compile(r"^너는 [가-힣]+[이가] 있어$")
# 마라탕을 좋아해 beside 김밥을 좋아해: the things in one, before the verb that they share.
_SHARED = re.compile(r"^(?P<thing>[^“”]{1,40}?)(?P<particle>[을를이가]) (?P<verb>(?:(?:안|못|할 줄) )?[가-힣]+)$")
_OBJECT = {"을": "을", "를": "을", "이": "이", "가": "이"}
# How a clause goes on: the ending as it is told alone, plain and polite, and what stands before 고.
_GOES_ON = (
    (re.compile(r"으(?:세요|셔)$"), "으시"), (re.compile(r"(?:세요|셔)$"), "시"),
    (re.compile(r"(?:이에요|이야)$"), "이"), (re.compile(r"예요$"), ""), (re.compile(r"아니(?:에요|야)$"), "아니"),
    (re.compile(r"([먹않살알없높낮좋싫적많받입믿읽늦])[어아]요?$"), r"\1"), (re.compile(r"다녀요?$"), "다니"),
    (re.compile(r"해요?$"), "하"), (re.compile(r"(?<![가-힣])써요?$"), "쓰"), (re.compile(r"불려요?$"), "불리"),
    (re.compile(r"아파요?$"), "아프"), (re.compile(r"(?<![가-힣])지어요?$"), "짓"),
    (re.compile(r"(?<![가-힣])커요?$"), "크"), (re.compile(r"돼요?$"), "되"), (re.compile(r"야$"), ""),
)  # fmt: skip
# 했어, 있어: the syllable before 어 ends in ㅆ.
_CLOSED = re.compile(r"(?P<before>[가-힣])어요?$")
_PAST = 20


def gathered(facts: Sequence[Told], *, polite: bool) -> tuple[str, ...]:
    """All that is told of one, in sentences without full stops."""
    said = politely if polite else plainly
    quoted = list(dict.fromkeys(found["said"] for f in facts if (found := _QUOTED.match(f.sentence))))
    rest = [f for f in facts if not _QUOTED.match(f.sentence)]
    told = [[said(f.sentence) for f in part] for part in _parts(_introduced(rest))]
    out = _once([one for part in told for one in _joined(part)])
    if quoted:
        words = ", ".join(f"“{one}”" for one in quoted)
        out.append(f"{with_particle(words, '이라고')} {'하셨어요' if polite else '했어'}")
    return tuple(out)


def _introduced(facts: Sequence[Told]) -> list[Told]:
    """A name that is said with whatever else is told of somebody is not told by itself; 고양이는 is 고양이 모카는."""
    names = [(f, found) for f in facts if f.attribute == "name" and not f.over and (found := _others(f.sentence))]
    if not names:
        more = [f for f in facts if f.attribute != "exists" or not _THERE.match(f.sentence)]
        return more or list(facts)
    if len(names) > 1:
        every = ", ".join(dict.fromkeys(found["name"] for _, found in names))  # 고양이 이름은 모카, 라떼야
        first = names[0][0]
        together = f"{names[0][1]['who']} 이름은 {with_particle(every, '이야')}"
        rest = [f for f in facts if all(f is not one for one, _ in names)]
        return [*rest, Told(together, first.attribute, first.group)]
    facts = [f for f in facts if f.attribute != "exists" or not _THERE.match(f.sentence)]
    named, found = names[0]
    who, name = found["who"], found["name"]
    lead = who if who.endswith(name) else f"{who} {name}"
    others = [f for f in facts if f is not named]
    told = [Told(_led(f.sentence, who, name, lead), f.attribute, f.group, f.over) for f in others]
    return told if any(f.sentence.startswith(lead) for f in told) else [named, *told]


def _others(sentence: str) -> re.Match[str] | None:
    return None if _MINE.match(sentence) else _NAMED.match(sentence)


def _led(sentence: str, who: str, name: str, lead: str) -> str:
    """Under the one name: 아이 윤우는, 윤우는 and 첫째는 are 첫째 윤우는."""
    called = rf"(?:{re.escape(who)}|[가-힣]{{1,5}}(?= {re.escape(name)})|{re.escape(name)}(?=[은는이가] ))"
    found = re.match(rf"^{called}(?: {re.escape(name)})?(?P<particle>은|는|이|가)?(?= )", sentence)
    if found is None:
        return sentence
    hung = found["particle"]
    return f"{with_particle(lead, hung) if hung else lead}{sentence[found.end() :]}"


def _parts(facts: Sequence[Told]) -> Iterator[list[Told]]:
    """What stands together in a sentence; of somebody else, all that is so of them, then what was."""

    def place(fact: Told) -> object:
        mine = _MINE.match(fact.sentence) is not None
        together = next((n for n, groups in enumerate(_TOGETHER) if fact.group in groups), fact.group)
        return (fact.over, together if mine or fact.attribute in ("plan", "event") else "")

    for _, part in groupby(facts, key=place):
        yield sorted(part, key=lambda f: _possessive(f.sentence))


def _possessive(sentence: str) -> bool:
    """딸 서아 생일은 goes behind 딸 서아는."""
    return not _MINE.match(sentence) and re.match(rf"^[^“]*? (?:{_OWN_SIDE})(?:은|는) ", sentence) is not None


def _joined(clauses: Sequence[str]) -> list[str]:
    """Clauses of one part, with 고 between them: the one they are told of stands before the first alone."""
    topic, who = _topic(clauses[0])
    bare = [clauses[0].removeprefix(topic or "네 "), *(_without(c, topic, who) for c in clauses[1:])]
    if who and bare[0] == clauses[0]:
        bare[0] = _without(clauses[0], topic, who)
    opens = clauses[0].removesuffix(bare[0])
    out: list[str] = []
    so_far: list[str] = []
    for clause in _shared(list(dict.fromkeys(bare))):
        on = goes_on(so_far[-1]) if so_far else None
        if on is not None and len(so_far) < _JOINED_MOST:
            so_far = [*so_far[:-1], on, clause]
            continue
        if so_far:
            out.append(" ".join(so_far))
        so_far = [clause]
    out.append(" ".join(so_far))
    return [f"{opens}{out[0]}", *out[1:]]


def _once(told: Sequence[str]) -> list[str]:
    """Whom the first sentence names is not named again in the next."""
    topic, who = _topic(told[0]) if told else ("", "")
    if not who:
        return list(told)
    return [*told[:1], *(_without(t, topic, who) for t in told[1:])]


def _without(told: str, topic: str, who: str) -> str:
    """딸 서아는 다섯 살이야 without 딸 서아는, 딸 서아 생일은 without 딸 서아."""
    if not who:
        return told.removeprefix("네 ")
    if told.startswith(topic):
        return told.removeprefix(topic)
    side = told.removeprefix(who)
    return side if _OF_ONE.match(side) else told


def _topic(told: str) -> tuple[str, str]:
    """딸 서아는, and 딸 서아 before 생일은: whom it is told of; empty where it is the user."""
    found = re.match(r"^(?P<who>[^“]{1,16}?)(?:은|는) ", told)
    if found is None or _OF_ONE.match(told) or told.startswith("전에"):
        return "", ""
    who = _SIDES.sub("", found["who"])
    return f"{with_particle(who, '은')} ", f"{who} "


def _shared(clauses: Sequence[str]) -> list[str]:
    """마라탕을 좋아해, 김밥을 좋아해 is 마라탕, 김밥을 좋아해."""
    out: list[str] = []
    for clause in clauses:
        found = _SHARED.match(clause)
        last = _SHARED.match(out[-1]) if out else None
        if found and last and _verb(found) == _verb(last):
            things = f"{last['thing']}, {found['thing']}"  # 마라탕, 김밥을
            out[-1] = f"{with_particle(things, found['particle'])} {found['verb']}"
        else:
            out.append(clause)
    return out


def _verb(found: re.Match[str]) -> tuple[str, str]:
    return _OBJECT[found["particle"]], found["verb"]


def goes_on(clause: str) -> str | None:
    """서울에 살아 is 서울에 살고, 간호사예요 간호사고; None where the clause does not go on."""
    if clause.endswith(("”", ")")):
        return None
    if (found := _CLOSED.search(clause)) and final_of(found["before"]) == _PAST:
        return f"{clause[: found.end('before')]}고"
    for shape, stem in _GOES_ON:
        if shape.search(clause):
            return f"{shape.sub(stem, clause)}고"
    return None
