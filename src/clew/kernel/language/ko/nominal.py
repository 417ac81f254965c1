"""A Korean value as a noun phrase: what a sentence of ours is built around must be a noun, or it is quoted.

순천에서 is 순천, 출근이야 출근; 아반떼 중고로 삼 and 초등학교 들어가 hold a verb and are no noun at all.
"""

from __future__ import annotations

import re

from clew.kernel.language.ko.letters import past
from clew.kernel.language.ko.particles import final_of

_EDGES = " .,!?~…;:ㅋㅎㅠㅜㄷ"
# What hangs on to the last noun and is surely no part of it: after any sound, after a consonant, after a vowel.
_ANY = ("에서", "에게", "한테")
_CLOSED = ("이에요", "입니다", "이거든", "이야", "을")
_OPEN = ("입니다", "예요", "를")
# 커피는, 그리는, 약사로, 디아블로, 동생이랑, 받아야: a noun may stand before these, or they are the word itself.
_DOUBTFUL = re.compile(r"(?:는|이랑|[아어해여와워려]야|(?<![기\d])(?<!\d키)로)$")
_MEANT = "기로"
_RIEUL, _NO_FINAL = 8, 0
_TOWARD = "로"
# A noun of one syllable before a particle of one is as likely one word: 가을, 마을.
_LEAST = 2
# What governs a verb that is still to come.
_TO_A_VERB = re.compile(
    r"(?:[가-힣]{2,}(?:에서|한테|에게|으로|부터)|[가-힣]+(?:다가|면서|느라|려고|려다|하고|하러|들이|들은|들도))$"
)
_OBJECT = ("을", "를")
# 매운 거, 술을 끊은 사람: what stands before a noun and speaks of it.
_ADNOMINAL = re.compile(r"(?:는|은|던|된|한|할|간|온|난|운|인|킨|린|진|친|쓴|탄|준|본|산)$")
# Verbs in the plain and in the polite form that no noun ends like.
_VERB = re.compile(
    r"(?:^|\s)(?:\S+(?:어요|아요|해요|여요|워요|와요|려요|져요|셔요|세요|니다|는다|한다|된다|간다|온다|네요|거야|건데|래요|대요|을래|할래|나요|로요|러요|고요|서요|지요|걸요|게요|군요)"
    r"|\S{2,}해|\S*(?:들어|올라|내려|돌아|걸어|데려|나|다녀|넘어|찾아|옮겨|떠|놀러)\s?(?:가|와|감|옴|갔|왔)"
    r"|(?:있|없|싶|같|좋|싫|많|적)[가-힣]{1,3}|떨려|그래|이래|할듯|될듯"
    r"|\S*[가-힣](?:[아어해여와워려져파퍼커]서|려고|니까|지만|는데|거든|더라))$"
)
# 팔아, 만들어: stems of verbs; 복숭아, 육아, 영어 and 고등어 are nouns.
_STEM = re.compile(
    r"(?:[팔살받놀알찾앉잡닦볶쏟많좋높작않깎낡닳몰날달막맞밝박뽑솟쫓옮참담삶낳쌓갈돌졸짧얇낮녹]아"
    r"|[들먹입읽있없늦넓넘젖썩섞끊찢절털틀벌멀굵묶묻뜯짓씻벗젊늙밀물울풀길줄싫적었았했겠앓끓굶얹잃잊만]어)$"
)
_CONTRACTED = re.compile(
    r"(?:[가-힣](?:져|쳐|켜|줘|둬|봐|돼|춰|꿔|눠|뤄|펴)|꺼내|지내|보내|(?:구|키|배|치|태|재|세|외|채|피|싸)워)$"
)
# 받는댜, 준대, 배우겠다, 밥 먹자, 받을라고, 배우는 중, 봐줌, 없음: told, meant or named as a doing.
_DOING = re.compile(
    r"(?:[가-힣](?:는댜|는대|는다|는단다|겠다|겠대|겠어|겠음|라고|려고|거든|네요|더라|니까|면서|다가|느라|자고)"
    r"|[가-힣]\s\S*(?:[먹가하보놀오]자|[이하]네|[꿇먹입읽있없많]고)"
    r"|(?:해준|받는|먹는|떠난|(?:들어|올라|내려|돌아|나|\s)[간온]|[가-힣][한된])(?:대|댜|단다|답니[가-힣]|대요)"
    r"|준(?:대|단다|답니[가-힣])"
    r"|(?:는|하는)\s?중|중임"
    r"|[가-힣]{2,}(?:줌|드림|받음|배움|키움|나옴|끊음|물림|하심|보심|다침)|다님|웃김|끊음|드림"
    r"|[었았했갔왔없있많좋싫]음)$"
)
# 결과는 12월 중순, 곗날이 매달: a subject with its time is a sentence without its verb.
_SAYS_WHEN = re.compile(
    r"[가-힣]{2,}(?:은|는|이|가|도)\s"
    r"(?:매[일주달년]|(?:이번|다음|담|지난)\s?[주달]|[월화수목금토일]요일|\d+[월일시]|오전|오후|내일|모레)"
)
_BARE_VERB = re.compile(
    r"^(?:가|와|함|감|옴|삼|씀|됨|봄|탐|줌|냄|해|써|봐|사|타|돼|줘|낸|쓴|산|간|온|한|준|하는중|쉬는중|중)$"
)


def noun_phrase(value: str) -> str:
    """The value as a noun with what narrows it; empty where it is a clause or its noun is not to be told from it."""
    said = value.strip(_EDGES)
    words = said.split()
    if not words:
        return ""
    if not _hangul(words[-1][-1]):
        return said if not _leads_to_verb(words) else ""
    bare_verb = len(words) > 1 and _BARE_VERB.match(words[-1]) and not _narrowed(words[-2])
    if past(words[-1]) or bare_verb or _VERB.search(said) or _leads_to_verb(words) or _is_doing(said):
        return ""
    last = _without_particle(words[-1])
    return " ".join((*words[:-1], last)) if last else ""


def _is_doing(said: str) -> bool:
    """The last word is a verb after all, or a subject is told its time."""
    return any(shape.search(said) for shape in (_STEM, _CONTRACTED, _DOING, _SAYS_WHEN))


def _without_particle(word: str) -> str:
    """The word without a particle or copula; empty where nobody can tell whether it has one."""
    if word.endswith(_MEANT):
        return word.removesuffix(_TOWARD)
    if _DOUBTFUL.search(word):
        # 대학로 and 종로 have a consonant before 로, 서울로 the ㄹ that counts as a vowel.
        street = word.endswith(_TOWARD) and final_of(word[:-1]) not in (_NO_FINAL, _RIEUL)
        return word if street or (len(word) <= _LEAST and word.endswith(_TOWARD)) else ""
    for ending in (*_ANY, *_CLOSED, *_OPEN):
        left = word.removesuffix(ending)
        if left != word and left and _fits(ending, final_of(left)) and (len(left) >= _LEAST or len(ending) > 1):
            return left
    return word


def _fits(ending: str, final: int) -> bool:
    return ending in _ANY or (final != _NO_FINAL and ending in _CLOSED) or (final == _NO_FINAL and ending in _OPEN)


def _leads_to_verb(words: list[str]) -> bool:
    """A word before the last wants a verb, and nothing after it is said of the noun: 중고로 삼, 군인들이 손님."""
    for at, word in enumerate(words[:-1]):
        wants = _TO_A_VERB.search(word) or _is_object(word)
        if wants and not any(_narrowed(w) for w in words[at + 1 : -1]):
            return True
    return False


def _is_object(word: str) -> bool:
    left = word[:-1]
    return len(left) >= _LEAST and word[-1] in _OBJECT and (final_of(left) != 0) == (word[-1] == _OBJECT[0])


def _narrowed(word: str) -> bool:
    return _ADNOMINAL.search(word) is not None


def _hangul(letter: str) -> bool:
    return "가" <= letter <= "힣"
