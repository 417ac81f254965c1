"""Korean particles by the sound before them: 밥을, 커피를; 서울로, 부산으로; 라떼랑, 책이랑.

What is read aloud decides: a digit by its Korean name, Latin letters by how they are spelt out or sound.
"""

from __future__ import annotations

import re
from functools import lru_cache

_MARK = re.compile(r"\(([가-힣]+)/([가-힣]+)\)")
# Each particle as it stands behind a final consonant, and behind a vowel.
PAIRS = {
    "을": ("을", "를"), "를": ("을", "를"), "이": ("이", "가"), "가": ("이", "가"),
    "은": ("은", "는"), "는": ("은", "는"), "과": ("과", "와"), "와": ("과", "와"),
    "으로": ("으로", "로"), "로": ("으로", "로"), "이랑": ("이랑", "랑"), "랑": ("이랑", "랑"),
    "이나": ("이나", "나"), "나": ("이나", "나"), "이라": ("이라", "라"), "라": ("이라", "라"),
    "이야": ("이야", "야"), "야": ("이야", "야"), "아": ("아", "야"), "이에요": ("이에요", "예요"),
    "예요": ("이에요", "예요"), "이구나": ("이구나", "구나"), "구나": ("이구나", "구나"),
    "이네": ("이네", "네"), "이고": ("이고", "고"), "이라고": ("이라고", "라고"), "라고": ("이라고", "라고"),
    "이지": ("이지", "지"), "이었": ("이었", "였"), "이라서": ("이라서", "라서"), "이란": ("이란", "란"),
    "이든": ("이든", "든"), "이라니": ("이라니", "라니"), "이랬": ("이랬", "랬"),
    "이면": ("이면", "면"), "이군요": ("이군요", "군요"), "이네요": ("이네요", "네요"),
    "이죠": ("이죠", "죠"), "이었네": ("이었네", "였네"), "이시군요": ("이시군요", "시군요"),
}  # fmt: skip
_RIEUL = 8
# 매운 거를 is said 매운 걸.
_THING = re.compile(r"(?<=[가-힣]\s)거를(?=\s)")
_OBJECT = re.compile(r"\s(?:걸|거를|것을)$")
# Whether a digit's Korean name ends in a consonant; 1, 7 and 8 end in ㄹ.
_DIGITS = {"0": 21, "1": 8, "2": 0, "3": 16, "4": 0, "5": 0, "6": 1, "7": 8, "8": 8, "9": 0}
# Latin words are mostly spoken as they sound: l is ㄹ, m ㅁ, n ㄴ; k, p, t, b, c, g close a short syllable.
_LATIN = {"l": 8, "m": 16, "n": 4, "k": 1, "p": 17, "b": 17, "c": 1}
_STOPS, _VOWELS = "kpbc", "aeiou"
_SPELT_OUT = {"L": 8, "M": 16, "N": 4, "R": 8}


def final_of(word: str) -> int:
    """The number of the final consonant as Unicode counts them; 0 for a word that ends in a vowel."""
    bare = word.rstrip(" .,!?…~\"'”’)]}ㅋㅎ")
    if not bare:
        return 0
    last = bare[-1]
    if "가" <= last <= "힣":
        return (ord(last) - 0xAC00) % 28
    if last in _DIGITS:
        return _DIGITS[last]
    if last.isupper() and (len(bare) == 1 or bare[-2].isupper()):
        return _SPELT_OUT.get(last, 0)
    if bare.lower().endswith("ng"):
        return 21
    if last.lower() in _STOPS and bare[-2:-1].lower() not in _VOWELS:
        return 0  # pork is 포크, milk 밀크
    return _LATIN.get(last.lower(), 0)


def with_particle(word: str, particle: str) -> str:
    """The word with the right form of the particle; one that never changes (에, 도, 만) is put as it is."""
    forms = PAIRS.get(particle)
    if forms is None:
        return f"{word}{particle}"
    final = final_of(word)
    consonant = final != 0 and not (forms[0] == "으로" and final == _RIEUL)
    return f"{word}{forms[0] if consonant else forms[1]}"


def with_particles(text: str) -> str:
    """Each mark is (after a consonant/after a vowel)."""

    def chosen(match: re.Match[str]) -> str:
        closed, opened = match[1], match[2]
        final = final_of(text[: match.start()])
        if closed.startswith("으로") and final == _RIEUL:  # 서울로
            return opened
        if closed == "을" and _OBJECT.search(text[: match.start()]):  # 매운 걸: 을 is in it
            return ""
        return closed if final else opened

    return _THING.sub("걸", _MARK.sub(chosen, text))


def exchanged(text: str, old: str, new: str) -> str:
    """바닷가를 걸어 with 솔밭 is 솔밭을 걸어; a word that only begins like the old one is another word."""
    hung = "|".join(sorted(PAIRS, key=lambda p: (-len(p), p)))
    word = re.compile(rf"(?<!\w){re.escape(old)}(?:(?P<pair>{hung})(?![가-힣])|(?![A-Za-z0-9]))", re.I)

    def put(found: re.Match[str]) -> str:
        return with_particle(new, found["pair"]) if found["pair"] else new

    return word.sub(put, text, count=1)


_WRITTEN = re.compile("[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]+")
# So much of a word stays.
_LEAST = 2


@lru_cache(maxsize=4)
def _longest_first(particles: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(particles, key=lambda p: (-len(p), p)))


def without_particle(word: str, particles: tuple[str, ...]) -> str:
    """고양이가 -> 고양이; at least two syllables stay."""
    if word.isascii() or not _WRITTEN.fullmatch(word):
        return word
    for particle in _longest_first(particles):
        if word.endswith(particle) and len(word) - len(particle) >= _LEAST:
            return word[: -len(particle)]
    return word
