"""Where a Korean value ends: a word is never cut inside, and its particle or copula is no part of it.

서아예|요 is 서아, 준|호야 is 준호, 정|기검진이에요 is 정기검진; 고양|이 stays 고양이.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from clew.kernel.language.ko.particles import final_of
from clew.kernel.language.ko.stems import has_final
from clew.policy.check_rows import ValueEndings

_TOPIC = re.compile(r"\s*(?:우리\s?)?(?P<name>[가-힣]{2,6})(?=\s)")
_HANGUL = re.compile("[가-힣]")
# What stands behind laughter and tears is another breath.
_LAUGHS = re.compile(r"\s?[ㅋㅎㅠㅜ]+(?=\s|$)")
_THING = re.compile(r"\s(?:거|것|음식|일)(?=\s|[을를은는도만]|$)")
# 강아지 키우|고 싶은데, 배달 뛰|려고: the verb is whole with what is wanted.
_WANTED = re.compile(r"(?P<verb>[가-힣]*(?:고\s?싶[가-힣]*|려[고구]))요?(?![가-힣])")
_MUST = re.compile(r"야(?:만)?(?=\s?(?:해|돼|되|됨|함|하|한다|된))")
# A clause before the noun: 회귀해서 의사, 공부하다가 간호사.
_JOINED = re.compile(
    r"[가-힣](?:[아어해여와워려져]서|면서|려고|하다가|는데|니까)$|(?:이번|저번|최근|전|년|달|주|[연월]초|[연월]말|봄|여름|가을|겨울)에$"
)
# 면접 봐 긴장돼: what is said behind the verb of a plan is another breath; 봐 줘 and 가 보기로 go on.
_SAID_ON = re.compile(
    r"(?P<plan>(?P<thing>[가-힣]{2})\s(?:가|봐|해|감|봄|함|간다|본다|한다|가요|봐요|해요|있어|있음|있어요|잡혔어|잡혔어요))"
    r"\s(?!(?:주|줘|준|줄|드[리려릴]|보|볼|본|봐|놓|둬|두|버|있|달라|오|와|야)[가-힣]*(?:\s|$)).+$"
)
# 결혼해서 축가 부르기로: what is on, and what is done because of it.
_BECAUSE = re.compile(
    r"(?P<what>결혼|약혼|이사|수술|입원|퇴원|입학|졸업|출산|개업|전역|입대|출국|귀국|은퇴|퇴직|복직|이직)(?:을|를)?\s?"
    r"(?:해서|하셔서|해가지고|해갖고|해야\s?해서|한다고)\s.+$"
)
# ㄴ and ㄹ at the end of a word that speaks of what follows it.
_ADNOMINAL = (4, 8)
_PARTICLES = ("이는", "이가", "이도", "는", "은", "이", "가", "도")
_CLOSED = ("이는", "이가", "이도", "은", "이")
_EITHER = ("도",)
_AFTER_NAMES = (
    "이라오", "라오", "이고요", "이구요", "고요", "구요", "인데요", "이다",
    "이라는데", "이라는", "이라고", "이라서", "이라", "이야", "이고", "이래", "라는데", "라는", "라고", "라서",
    "이가", "이는", "이도", "이랑", "이를", "이한테", "이에게", "이네", "가", "는", "랑", "를",
)  # fmt: skip


# The copula of those who write in haste, and the length of a name with its surname.
_IS, _IN_FULL = "임", 3
_PLAINLY = "다"
_SURNAMES = "김이박최정강조윤장한오서신권황안송류홍전고문양손배백허유남심노하"

# The verb that makes a doing of a noun: by itself it is no value, and it makes none of a single letter: 착해요, 급해서.
_DO = "하"
_DONE = ("하", "해", "했", "함", "합", "한")
_RIEUL, _TOWARD = 8, "로"
_JUST = ("까지만", "가지만")
# From when to when: the end belongs to what has a beginning.
_FROM, _UP_TO = "부터", "까지"
# The longest particle, and the short one of a place.
_PARTICLE, _WHERE = 2, "서"


def value_end(text: str, start: int, end: int, words: ValueEndings) -> int:
    """The end of the value that a reader cut at `end`; 매운 stands with its 거."""
    if (thing := _THING.match(text, end)) and final_of(text[start:end]) in _ADNOMINAL:
        return thing.end()
    first, last = _word(text, start, end)
    if first >= last:
        return end
    word = text[first:last]
    if wanted := _WANTED.match(text, first):
        return wanted.end("verb")
    if must := _MUST.match(text, end):
        return must.end()  # 자료 만들어|야 해: the verb is whole with what it must
    if start < end < last <= end + _PARTICLE and text[end - 1].isascii() and not text[end].isascii():
        return end  # 비타민 D도: what hangs on to letters and numbers of another script is a particle
    if last - 1 > start and len(word) >= 2 and word[-1] in "을를" and (final_of(word[:-1]) != 0) == (word[-1] == "을"):
        return last - 1  # 술을, 커피를; 가을 is whole
    hung, after = text[end:last], text[last:].lstrip()
    # 고2 민서: what is done somewhere would follow, so the last letter is the name's.
    if hung and (hung != _WHERE or after) and _hangs(word[: len(word) - len(hung)], hung, words):
        return end
    if hung in words.followed and re.match(words.followed[hung], after) and _of_one_letter(word, hung, words):
        return end  # 술|은 끊었어, 회|는 좋아해; 빼|는 is a verb
    stems = [first + n for n in _stems(word, words) if first + n > start]
    if end == last and word.endswith(_UP_TO) and _FROM in text[start:end]:
        return end
    if end == last:
        # The whole word was taken: only what cannot belong to it goes.
        sure = [first + n for n in _stems(word, words, sure=True) if first + n > start]
        for ending, verbs in words.followed.items():
            if word.endswith(ending) and re.match(verbs, after):
                sure += [first + n for n in _stems(word, words) if first + n > start and word[n:] == ending]
                sure += [last - len(ending)] * _of_one_letter(word, ending, words)
        return min(sure, default=end)
    return min(stems, default=last)


def value_start(text: str, start: int, end: int, adverbs: Collection[str], words: ValueEndings) -> int:
    """이번에 원장, 드디어 간호사, 회귀해서 의사: what says when, how or why opens no noun; 말 조련사 is whole."""
    while (space := text.find(" ", start, end)) > start + 1:
        word = text[start:space]
        when = re.fullmatch(rf"(?:{words.plan_opens})+", f"{word} ") is not None
        if not (word in adverbs or when or _JOINED.search(word)) or not text[space:end].strip():
            break
        start = space + len(text[space:end]) - len(text[space:end].lstrip())
    return start


def _hangs(left: str, hung: str, words: ValueEndings) -> bool:
    """What only hangs on to a word that was cut there: 해인|님이, 엘지|팬, 식당|서, 수어|가, 벌|에; not 고양|이."""
    if not left or f"{left}{hung}".endswith(words.kept) or f"{left}{hung[0]}".endswith(words.kept):
        return False
    if hung.startswith(words.bound):
        return True
    closed = final_of(left) != 0
    fits = (*words.hung, *(words.hung_closed if closed else words.hung_open))
    if final_of(left) == _RIEUL:
        fits = (*fits, _TOWARD)  # 36개월로, 서울로
    # 술은, 떡을; 빼는 is a verb.
    return hung in fits and (len(hung) > 1 or len(left) > 1 or closed or hung in words.hung)


def _of_one_letter(word: str, ending: str, words: ValueEndings) -> bool:
    """술은, 회는: a noun of one letter with its particle, by the sound before it."""
    if len(word) != 2 or len(ending) != 1:
        return False
    listed = words.closed if final_of(word[0]) != 0 else words.open
    return ending in listed or ending in words.followed


def value_tail(value: str, parted: Collection[int], endings: Sequence[str]) -> int:
    """How many letters of an ending to take off; one not parted by a token may belong to the word."""
    if not _HANGUL.match(value[-1]):
        return 0
    word = value.rsplit(None, 1)[-1]
    if len(word) >= 2 and word[-1] in "을를" and has_final(word[-2]) == (word[-1] == "을"):
        return 1  # 술을, 커피를; 가을 and 마을 have no consonant before it
    for ending in endings:
        left = len(word) - len(ending)
        if left >= 1 and word.endswith(ending):
            foreign = not _HANGUL.match(word[left - 1])  # 비타민 D도, KTX는
            sure = foreign or (len(ending) > 1 and left >= 2)
            if sure or len(value) - len(ending) in parted:
                return len(ending)
    return 0


def plan_core(value: str, words: ValueEndings) -> str:
    """다음 달에 제주도 여행 가 is 제주도 여행; the time is kept beside it."""
    value = _BECAUSE.sub(r"\g<what>", value)
    value = _SAID_ON.sub(r"\g<thing>", _LAUGHS.split(value)[0].strip() or value)
    bare = re.sub(rf"^(?:{words.plan_opens})+", "", value)
    bare = re.sub(rf"(?:{words.plan_closes})$", "", bare).strip()
    return bare if len(bare) >= 2 else value


def first_breath(told: str) -> str:
    """내일 면접 봐 떨린다 as far as its plan: 내일 면접 봐."""
    return _SAID_ON.sub(r"\g<plan>", told)


def bare_name(name: str) -> str:
    """지훈이 is 지훈: a name that ends in a consonant is called with 이; 하린이가, 수아는 lose their particle too.

    What is said of them behind a space is no part of it: 승호 회사원.
    """
    name = name.split()[0] if name and _HANGUL.match(name) else name
    if name.endswith(_IS) and len(name) > _IN_FULL - (name[0] not in _SURNAMES):
        name = name.removesuffix(_IS)  # 보라임; 김순임 is a name in full
    if name.endswith(_PLAINLY) and len(name) > _IN_FULL - (name[0] not in _SURNAMES):
        name = name.removesuffix(_PLAINLY)  # 덕구다; 김바다 is a name in full
    for particle in _AFTER_NAMES:
        left = name.removesuffix(particle)
        if left != name and len(left) >= 2 and particle.startswith("이") == (final_of(left) != 0):
            return left
    return _uncalled(name)


def _uncalled(name: str) -> str:
    closed = len(name) >= 3 and name.endswith("이") and final_of(name[:-1]) != 0
    return name[:-1] if closed else name


def topic(sentence: str) -> str | None:
    """The name that a sentence opens with: 소연이는 초밥 좋아해, 민준이 생일은, 초코가."""
    found = _TOPIC.match(sentence)
    if found is None:
        return None
    word = found["name"]
    for particle in _PARTICLES:
        left = word.removesuffix(particle)
        closed = particle in _CLOSED
        if left != word and len(left) >= 2 and (particle in _EITHER or closed == (final_of(left) != 0)):
            return _uncalled(left)
    return _uncalled(word)


def _word(text: str, start: int, end: int) -> tuple[int, int]:
    """The run of Hangul letters that the value ends in; empty where it ends in none."""
    if end <= start or not text[end - 1].isalnum():
        return end, end
    first, last = end, end
    while first > start and text[first - 1].isalnum():
        first -= 1
    while last < len(text) and _hangul(text[last]):
        last += 1
    return first, last


def _hangul(letter: str) -> bool:
    return "가" <= letter <= "힣"


def _stems(word: str, words: ValueEndings, *, sure: bool = False) -> Iterator[int]:
    """Lengths of what may stand before an ending of the word, by the sound that the ending wants before it."""
    for ending in (*words.closed, *words.open, *words.any):
        left = len(word) - len(ending)
        if left < 1 or not word.endswith(ending):
            continue
        closed = final_of(word[:left]) != 0
        if (ending in words.closed and not closed) or (ending in words.open and closed):
            continue
        if word[: left + 1].endswith(words.kept) and ending[0] == "이":
            continue
        if (len(ending) == 1 and left < 2) or word[:left] == _DO or (left < 2 and ending.startswith(_DONE)):
            continue
        if word.endswith(words.kept) and (len(ending) == 1 or word.endswith(_JUST)):
            continue  # 태권도, 제주도, 9시까지만
        if sure and len(ending) == 1 and ending not in words.sure:
            continue
        yield left
