"""A Korean clause that says what shall be done, as a noun: 발표 자료 만들어야 해 is 발표 자료 만들기."""

from __future__ import annotations

import re

_FIRST, _VOWELS, _FINALS = 0xAC00, 21, 28
# Behind 아 or 어: it has to be done. Behind the bare stem: it is wanted, meant or agreed.
_MUST = re.compile(r"(?P<stem>[가-힣]+)(?<!거)야(?:만)?(?:\s?(?:해|돼|되|됨|함|하|한|된|될|할)\S*)?$")
_MEANT = re.compile(
    r"(?P<stem>[가-힣]+?)(?:(?:으)?려[고구](?:\s?(?:해|하|함|생각|한)\S*)?|(?:으)?러\s(?:가|다)\S*"
    r"|고\s?(?:싶|픈)\S*|기로(?:\s?(?:했|함|하|한|약속)\S*)?)$"
)
# 처가에 김장하러 (가): what one goes for.
_FOR = re.compile(r"(?P<stem>[가-힣]*(?:하|보|먹으|만나|놀|찾으|치|배우|받으|데리))러$")
# 현대차 가는 게 (목표): the doing itself.
_THE_DOING = re.compile(r"(?P<stem>[가-힣]+)는\s?(?:게|거|것)$")
# 복학할 (거야): what is made a deed by 하다 is a noun without it.
_SHALL = re.compile(r"(?<=[가-힣]{2})(?<!야)\s?할(?:\s?(?:거|예정|계획|생각|것)\S*)?$")
# 원주로 이사 갈 (계획): a verb of one syllable or two that speaks of what is to come.
_TO_COME = re.compile(
    r"(?P<before>.*\s)(?P<verb>갈|볼|올|살|쉴|쓸|먹을|받을|찍을|배울|만날|옮길|떠날|시작할|보낼)"
    r"(?:\s?(?:거|예정|계획|생각|것)\S*)?$"
)
# ㅘ, ㅙ, ㅝ, ㅕ as Unicode counts the vowels, and what they were before 아 and 어 came to them.
_UNMADE = {9: 8, 10: 11, 14: 13, 6: 20}
_SOUNDS = (0, 1, 4, 5, 6, 9, 10, 14)
_DO, _DONE = "하", "해"
_L = 8
_LA = ("라", "러")
_IN_L = ("살",)


# A time in the midst of it is told beside it: 육아휴직은 3월부터 쓰려고.
_WHEN = re.compile(
    r"(?<=[가-힣])(?:은|는|이|가|을|를)?\s(?:(?:이번|다음|내년|올해)\s?(?:주|달)?\s?)?"
    r"(?:\d{1,2}월|\d{1,2}일|[월화수목금토일]요일|내일|모레|주말|겨울|여름|봄|가을|내년|연말)(?:\s?\d{1,2}일)?(?:부터|까지|에|쯤)\s"
)
# 수학여행 감 제주도로: where to stands behind the verb.
_THERE = re.compile(
    r"^(?P<what>[가-힣]+(?:\s[가-힣]+)?)\s(?:감|간다|가|가요|갑니다|갈\s?거\S*)\s(?P<where>[가-힣A-Za-z]+?)(?:으로|로|에)$"
)
# How much, how soon: no part of what is done.
_HOW = re.compile(r"(?<!\S)(?:제일|가장|꼭|언젠가|언젠가는|진짜|너무|한\s?번|빨리)\s")


def doing(value: str) -> str:
    """The clause as a noun; whatever ends otherwise as it is."""
    if found := _THERE.search(value):
        return f"{found['where']} {found['what']}"
    made = _as_noun(value)
    return made if made == value else _WHEN.sub(" ", _HOW.sub("", made))


def _as_noun(value: str) -> str:
    if (found := _MUST.search(value)) and _open(found["stem"][-1]):
        return f"{value[: found.start()]}{_stem(found['stem'])}기"
    if found := _SHALL.search(value):
        return value[: found.start()]
    if found := _FOR.search(value):
        return f"{value[: found.start()]}{found['stem'].removesuffix('으')}기"
    if found := _TO_COME.search(value):
        return f"{found['before']}{_bare_stem(found['verb'])}기"
    if found := _THE_DOING.search(value):
        return f"{value[: found.start()]}{found['stem']}기"
    if found := _MEANT.search(value):
        return f"{value[: found.start()]}{found['stem']}기"
    return value


def _stem(word: str) -> str:
    """만들어 is 만들, 준비해 준비하, 봐 보, 배워 배우, 마셔 마시, 골라 고르."""
    if word.endswith(_DONE):
        return word[:-1] + _DO
    if len(word) > 1 and word[-1] in "아어":
        return word[:-1]
    if len(word) > 1 and word[-1] in _LA and _final(word[-2]) == _L:
        return f"{word[:-2]}{chr(ord(word[-2]) - _L)}르"
    place = ord(word[-1]) - _FIRST
    vowel = place // _FINALS % _VOWELS
    if place % _FINALS == 0 and vowel in _UNMADE:
        return word[:-1] + chr(ord(word[-1]) + (_UNMADE[vowel] - vowel) * _FINALS)
    return word


def _bare_stem(verb: str) -> str:
    """갈 is 가, 먹을 먹, 살 살."""
    if verb.endswith("을"):
        return verb[:-1]
    return verb if verb in _IN_L else f"{verb[:-1]}{chr(ord(verb[-1]) - _L)}"


def _open(letter: str) -> bool:
    """Does 아 or 어 sound at its end? 가야, 먹어야; not 분야."""
    place = ord(letter) - _FIRST
    return place % _FINALS == 0 and place // _FINALS % _VOWELS in _SOUNDS


def _final(letter: str) -> int:
    return (ord(letter) - _FIRST) % _FINALS


# 갔다가 tells the same as 갔고: what was done first.
_THEN = re.compile(r"(?:(?P<been>[가-힣])다가|(?P<stem>[가-힣])(?:고|며|는데))$")
_BEEN = {"갔": "가", "왔": "와", "봤": "봐", "했": "해", "렀": "러"}
_MADE = {8: 9, 13: 14, 20: 6}  # ㅗ, ㅜ and ㅣ with 아 and 어
_BARE = (0, 1, 4, 5, 6)


def closed(clause: str) -> str:
    """A clause that another one follows, as a sentence: 예약 있고 is 예약 있어, 치과 가고 치과 가, 밥 먹고 밥 먹어."""
    found = _THEN.search(clause)
    if found is None:
        return clause
    before, letter = clause[: found.start()], found["been"] or found["stem"]
    return before + (_BEEN.get(letter, letter) if found["been"] else _spoken(letter))


def _spoken(letter: str) -> str:
    """The last letter of a stem with 아 or 어."""
    if letter == _DO:
        return _DONE
    if letter == "시":
        return "셔"
    place = ord(letter) - _FIRST
    vowel = place // _FINALS % _VOWELS
    if place % _FINALS:
        return f"{letter}{'아' if vowel in (0, 8) else '어'}"
    if vowel in _MADE:
        return chr(ord(letter) + (_MADE[vowel] - vowel) * _FINALS)
    return letter if vowel in _BARE else f"{letter}어"
