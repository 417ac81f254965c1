"""Numbers said in words, written in digits: "one forty-one", "three bedrooms", 십삼일, 세 시 반."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.policy.ground import PointingPolicy

_SINO = {"일": 1, "이": 2, "삼": 3, "사": 4, "오": 5, "육": 6, "칠": 7, "팔": 8, "구": 9}
_SINO_WORD = re.compile(
    r"(?<![가-힣\d])([일이삼사오육칠팔구십백천]+?)\s?"
    r"(월|일|번|호|년|분|만원|천원|층|권|화|과|편|개월|센치|센티|인치|킬로|리터|그램|퍼센트|프로|평|인용|페이지)"
    r"(?=짜리|[가-힣]{0,2}(?:\s|$))"
)
_WON = re.compile(
    r"(?<![가-힣\d])(?:([일이삼사오육칠팔구십백]*)만\s?)?([일이삼사오육칠팔구십백천]*)(?:(?<=[십백천만])\s)?원"
    r"(?!들)(?=대|짜리|[가-힣]{0,2}(?:\s|$))"
)
_TENS = {
    "열": 10, "스물": 20, "스무": 20, "서른": 30, "마흔": 40, "쉰": 50, "예순": 60, "일흔": 70, "여든": 80, "아흔": 90,
}  # fmt: skip
_ONES = {
    "한": 1, "하나": 1, "두": 2, "둘": 2, "세": 3, "셋": 3, "네": 4, "넷": 4, "다섯": 5, "여섯": 6, "일곱": 7,
    "여덟": 8, "아홉": 9,
}  # fmt: skip
_NATIVE = re.compile(
    rf"(?<![가-힣])({'|'.join(_TENS)})?({'|'.join(_ONES)})?(?<=[가-힣])\s?(시간|시|명|인|개|권|장|박|잔|곡|캔|팩|줄|살|쪽|자리)"
    r"(?=짜리|(?![가-힣]{2}))"
)
_UNIT_WORD = 10
_PAST = re.compile(r"\b(half|quarter|five|ten|twenty|twenty[ -]five) (past|after|to) (\w+)")
_MINUTES = {"half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20}
_PART_OF_HOUR = re.compile(r"\b(half|quarter) (?:of )?an hour\b")
_AND_A_HALF = re.compile(
    r"\b(an|one|two|three|four|\d) hours? and a half\b|\b(one|two|three|four|\d) and a half hours?\b"
)
_HALF = re.compile(r"\bhalf (one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})\b(?! \w*hour)")


@lru_cache(maxsize=1024)
def in_digits(text: str, policy: PointingPolicy) -> str:
    """The same words with numbers in digits where they count or measure something."""
    text = _WON.sub(_won, text)
    text = _SINO_WORD.sub(_sino_word, text)
    text = _NATIVE.sub(_native, text)
    text = _PART_OF_HOUR.sub(lambda m: f"{_MINUTES[m.group(1)]} min", text)
    text = _AND_A_HALF.sub(lambda m: _and_a_half(m, policy), text)
    text = _PAST.sub(lambda m: _past(m, policy), _HALF.sub(r"half past \1", text))
    out: list[str] = []
    words = text.replace("-", " ").split()
    i = 0
    while i < len(words):
        run: list[int] = []
        while (
            i + len(run) < len(words)
            and words[i + len(run)].isascii()
            and words[i + len(run)] in policy.number_words
        ):
            run.append(policy.number_words[words[i + len(run)]])
        if run and run != [1]:
            out.append(_spoken(run))
            i += len(run)
        else:
            out.append(words[i])
            i += 1
    return " ".join(out)


def _past(found: re.Match[str], policy: PointingPolicy) -> str:
    """Half past one is 1:30, a quarter to two is 1:45, five past four is 4:05."""
    part, side, hour = found.groups()
    number = int(hour) if hour.isdigit() else policy.number_words.get(hour, 0)
    if not 1 <= number <= 12:
        return found.group()
    minutes = _MINUTES.get(part, 25)
    return f"{number}:{minutes:02}" if side != "to" else f"{number - 1 or 12}:{60 - minutes:02}"


def _and_a_half(found: re.Match[str], policy: PointingPolicy) -> str:
    """An hour and a half is 90 minutes."""
    many = found.group(1) or found.group(2)
    hours = 1 if many == "an" else int(many) if many.isdigit() else policy.number_words[many]
    return f"{60 * hours + 30} min"


def _spoken(run: list[int]) -> str:
    """Twenty one is 21; one forty-one is 141; six fifteen is also a time."""
    groups: list[int] = []
    for number in run:
        if groups and number < _UNIT_WORD and groups[-1] >= 20 and groups[-1] % 10 == 0:
            groups[-1] += number
        elif groups and number in (100, 1000):
            groups[-1] *= number
        else:
            groups.append(number)
    if len(groups) == 2 and groups[0] <= 12 and 10 <= groups[1] < 60:
        return f"{groups[0]}:{groups[1]} {groups[0]}{groups[1]}"
    return (
        "".join(map(str, groups))
        if all(g < 100 for g in groups) and len(groups) > 1
        else " ".join(map(str, groups))
    )


def _sino_word(found: re.Match[str]) -> str:
    """삼년, 이십 센치; 이 분 is this person, not two minutes."""
    said, unit = found.groups()
    if said == "이" and found.group() != said + unit:
        return found.group()
    return f"{_sino(said)}{unit}"


def _native(found: re.Match[str]) -> str:
    """세 시, 열일곱 곡: a number in native words, before what it counts."""
    tens, ones, unit = found.groups()
    if not tens and not ones:
        return found.group()
    return f"{_TENS.get(tens, 0) + _ONES.get(ones, 0)}{unit}"


def _won(found: re.Match[str]) -> str:
    """육만원대, 삼만팔천원: an amount in words."""
    if not any(found.groups()) and "만" not in found.group():
        return found.group()
    ten_thousands = 0 if found.group(1) is None else _sino(found.group(1)) or 1
    rest = _sino(found.group(2))
    return f"{ten_thousands}만원" if ten_thousands and not rest else f"{ten_thousands * 10000 + rest}원"


def _sino(word: str) -> int:
    total, digit = 0, 0
    for char in word:
        if char == "십":
            total, digit = total + (digit or 1) * 10, 0
        elif char == "백":
            total, digit = total + (digit or 1) * 100, 0
        elif char == "천":
            total, digit = total + (digit or 1) * 1000, 0
        else:
            digit = _SINO[char]
    return total + digit
