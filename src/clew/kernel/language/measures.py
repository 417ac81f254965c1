"""Numbers with a kind, as lists and people write them: prices, times, dates, sizes, distances, ratings.

The same reader takes them out of a candidate's label and sublabel and out of what is said, so that
"the 3:30", "under 90" and "the cheaper one" are comparisons of numbers of one kind.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from clew.kernel.text.normalize import normalize
from clew.policy.ground import PointingPolicy

_N = r"(\d+(?:,\d{3})*(?:\.\d+)?)"
_UNITS: tuple[tuple[str, str, float], ...] = (
    (r"kb", "size", 1e3), (r"mb", "size", 1e6), (r"gb", "size", 1e9), (r"tb", "size", 1e12),
    (r"ml", "volume", 0.001), (r"cl", "volume", 0.01), (r"l|litres?|liters?|리터", "volume", 1.0),
    (r"oz", "volume", 0.03),
    (r"km|킬로", "distance", 1000.0), (r"miles?|mi", "distance", 1609.0), (r"blocks?", "distance", 100.0),
    (r"m|meters?|metres?|미터", "distance", 1.0),
    (r"cm|센티미터|센치|센티|in|inch|inches|인치", "length", 1.0),
    (r"mm", "length", 0.1),
    (r"kg", "weight", 1.0), (r"g", "weight", 0.001), (r"lbs?|pounds?", "weight", 0.45),
    (r"sqm|m2|㎡|평|square met(?:er|re)s?", "area", 1.0), (r"%|percent|퍼센트", "percent", 1.0),
    (r"stars?|★|점", "rating", 1.0), (r"/\s?5|/\s?10", "rating", 1.0),
    (r"min(?:ute)?s? walk|minutes? away|min away", "distance", 80.0),
    (r"hours?|hrs?|h|시간", "duration", 60.0), (r"min(?:ute)?s?|분", "duration", 1.0),
    (r"(?<=\s)s|secs?|seconds?|초", "duration", 1 / 60),
    (r"days?|일간|박", "duration", 1440.0), (r"weeks?|주간?", "duration", 10080.0),
    (r"pages?|pp?(?!\.m)|쪽|페이지|beds?|seats?|seaters?|people|persons?|pieces?|items?|sentences?|songs?|tracks?|episodes?"
     r"|인용|인분|인실|인승|인|명|개|곡|편|권|장|석",
     "count", 1.0),
)  # fmt: skip
_SIGNS = "$€£¥₩₹₦₱₫₺₴₪₽฿"
_MONEY = re.compile(
    rf"[{_SIGNS}]\s?{_N}(k?)|{_N}\s?(?:[{_SIGNS}]|(?:dollars?|usd|bucks|euros?|eur|pounds|yen|won|quid|zł|kr|chf|rupees?|naira)\b)"
)
_WON = re.compile(r"(?:(\d+(?:\.\d+)?)\s?만\s?)?(?:(\d+)\s?천\s?)?(\d[\d,]*)?\s?원")
_CLOCK = re.compile(
    r"(오전|오후|아침|저녁|밤)?\s?\b(\d{1,2})(?::(\d{2})\s?(am|pm|a\.m\.|p\.m\.)?|\s?(am|pm|a\.m\.|p\.m\.|o'clock))(?![\d:])"
)
_CLOCK_KO = re.compile(r"(오전|오후|아침|저녁|밤|새벽|낮)?\s?(\d{1,2})시(?!간)\s?(?:(\d{1,2})분|(반))?")
_HOUR = re.compile(
    r"\b(?:until|till|opens?(?: at)?|closes?(?: at)?|at|from|by|ends)\s(\d{1,2})\b(?![:.\d]|\s?(?:am|pm|%))"
)
_MONTH_KO = re.compile(r"(\d{1,2})월(?:\s?(\d{1,2})일)?")
_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_YEAR = re.compile(r"(?<![\d.,$€£₩])((?:19|20)\d\d(?![\d.,]\d|\d)|1[5-8]\d\d(?=[,)]|$|년))년?")
_DECADE = re.compile(r"\b(?:(?:19|20)(\d0)|(\d0))'?s\b|(\d0)년대")
_DECADES = {
    "twenties": "20s", "thirties": "30s", "forties": "40s", "fifties": "50s", "sixties": "60s", "seventies": "70s",
    "eighties": "80s", "nineties": "90s", "오십년대": "50년대", "육십년대": "60년대", "칠십년대": "70년대",
    "팔십년대": "80년대", "구십년대": "90년대",
}  # fmt: skip
_DECADE_WORD = re.compile("|".join(_DECADES))
_AGO = re.compile(
    rf"{_N}\s?(minutes?|mins?|hours?|hrs?|h|days?|d|weeks?|w|months?|mo|years?|y)\s?(?:ago|old)"
    r"|(\d+)\s?(분|시간|일|주|달|개월|년) ?전"
    r"|(\d+)\s?(분|시간|일|주|달|개월|년) ?전"
)
_AGO_DAYS = {
    "m": 1 / 1440, "h": 1 / 24, "d": 1.0, "w": 7.0, "mo": 30.0, "y": 365.0,
    "분": 1 / 1440, "시간": 1 / 24, "일": 1.0, "주": 7.0, "달": 30.0, "개월": 30.0, "년": 365.0,
}  # fmt: skip
_DAYS_KO = re.compile(r"(?<![월\d])(?<!월 )(\d+)일(?=[\s,)]|$)")
_HOURS_MINUTES = re.compile(r"\b(\d{1,2})\s?h\s?(\d{1,2})\b(?!\s?m)")
_DOLLARS = re.compile(r"(?<![\w$€£₩])([$€£₩])\1{0,3}(?![\w$€£₩]|\s?\d)")
_BAND = re.compile(r"(\d+)\s?(만|천)\s?원\s?대")
_SERIAL = re.compile(
    r"(?:#|\b(?:ep|episode|no|nr|chapter|lesson|part|vol|volume|issue|season)\b\.?\s?)(\d+)|(\d+)(?:화|회|과|강|권|편)(?![가-힣])"
)
_WALK_KO = re.compile(r"도보\s?(\d+)분")
_VERSION = re.compile(r"\bv(?:er(?:sion)?)?\.?\s?(\d+(?:\.\d+)*)")
_RATED = re.compile(rf"(?:rated|rating|★|평점|별점)\s?{_N}")
# "serves 4", "sleeps 8": how many it is for.
_HOLDS = re.compile(r"\b(?:serves|sleeps|seats|holds|for up to)\s(\d+)\b")
_NOON = re.compile(r"\bnoon\b")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_THOUSANDS = re.compile(r"(?<![\d.])(\d+)k\b")
_UNIT = re.compile(
    rf"{_N}[\s-]?(?:"
    + "|".join(f"(?P<u{i}>{pattern})" for i, (pattern, _, _) in enumerate(_UNITS))
    + r")(?![a-z0-9])"
)
_EVENING = frozenset({"오후", "저녁", "밤", "pm", "p.m."})
_MORNING = frozenset({"오전", "아침", "새벽", "am", "a.m."})


@dataclass(frozen=True, slots=True)
class Measure:
    kind: str
    value: float
    # A clock time without am or pm may be twelve hours later.
    loose: bool = False


# A label or a follow-up that is longer says what it says at its beginning.
_LONGEST = 600


@lru_cache(maxsize=4096)
def measures(text: str, policy: PointingPolicy) -> tuple[Measure, ...]:
    """Everything that can be compared, in the order of kinds; a number is read under every kind it shows."""
    norm = (
        normalize(text[:_LONGEST])
        .replace("midnight", "24:00")
        .replace("정오", "12시")
        .replace("자정", "24시")
    )
    norm = _NOON.sub("12:00", norm)
    norm = _DECADE_WORD.sub(lambda found: _DECADES[found.group()], norm)
    out: list[Measure] = []
    if any(c.isdigit() for c in norm):
        _digits(norm, out)
    out += [Measure("money", float(len(found.group()))) for found in _DOLLARS.finditer(norm)]
    _calendar(norm, policy, out)
    return tuple(dict.fromkeys(out))


def beside_measures(text: str) -> str:
    """What is said beside the numbers and their units."""
    norm = normalize(text[:_LONGEST])
    for pattern in (_MONEY, _WON, _CLOCK, _CLOCK_KO, _UNIT, _YEAR):
        norm = pattern.sub(lambda found: " " if any(c.isdigit() for c in found.group()) else found.group(), norm)
    return norm


def _digits(norm: str, out: list[Measure]) -> None:
    for found in _MONEY.finditer(norm):
        amount = found.group(1) or found.group(3)
        out.append(Measure("money", _float(amount) * (1000 if found.group(2) else 1)))
    for found in _WON.finditer(norm):
        ten_thousands, thousands, rest = found.groups()
        if ten_thousands or thousands or rest:
            total = float(ten_thousands or 0) * 10000 + int(thousands or 0) * 1000 + _float(rest or "0")
            out.append(Measure("money", total))
    for found in _CLOCK.finditer(norm):
        half = found.group(1) or found.group(4) or found.group(5)
        out.append(_clock(int(found.group(2)), int(found.group(3) or 0), half))
    for found in _HOUR.finditer(norm):
        out.append(_clock(int(found.group(1)), 0, None))
    for found in _CLOCK_KO.finditer(norm):
        minutes = 30 if found.group(4) else int(found.group(3) or 0)
        out.append(_clock(int(found.group(2)), minutes, found.group(1)))
    for found in _AGO.finditer(norm):
        number, unit = (
            (found.group(1), found.group(2)) if found.group(1) else (found.group(3), found.group(4))
        )
        days = _AGO_DAYS.get(unit) or _AGO_DAYS["mo" if unit.startswith("mo") else unit[0]]
        out.append(Measure("age", _float(number) * days))
    for found in _WALK_KO.finditer(norm):
        out.append(Measure("distance", int(found.group(1)) * 80.0))
    for found in _RATED.finditer(norm):
        out.append(Measure("rating", _float(found.group(1))))
    for found in _UNIT.finditer(norm):
        index = int((found.lastgroup or "u0")[1:])
        _, kind, factor = _UNITS[index]
        out.append(Measure(kind, _float(found.group(1)) * factor))
    for found in _HOLDS.finditer(norm):
        out.append(Measure("count", float(found.group(1))))
    for found in _DAYS_KO.finditer(norm):
        out.append(Measure("duration", int(found.group(1)) * 1440.0))
    for found in _HOURS_MINUTES.finditer(norm):
        out.append(Measure("duration", int(found.group(1)) * 60.0 + int(found.group(2))))
    for found in _BAND.finditer(norm):
        out.append(Measure("band", float(found.group(1)) * (10000 if found.group(2) == "만" else 1000)))
    for found in _SERIAL.finditer(norm):
        out.append(Measure("serial", float(found.group(1) or found.group(2))))
    for found in _VERSION.finditer(norm):
        out.append(Measure("version", float(".".join(found.group(1).split(".")[:2]))))
    for found in _ISO.finditer(norm):
        year, month, day = map(int, found.groups())
        out.append(Measure("date", (year - 2000) * 372 + month * 31 + day))
    for found in _YEAR.finditer(norm):
        out.append(Measure("year", float(found.group(1))))
    for found in _DECADE.finditer(norm):
        out.append(Measure("decade", float(next(g for g in found.groups() if g))))
    for found in _MONTH_KO.finditer(norm):
        named, day_of = found.groups()
        dated = Measure("date", int(named) * 31 + int(day_of)) if day_of else Measure("month", float(named))
        out.append(dated)
    out.extend(Measure("number", float(n)) for n in _NUMBER.findall(_THOUSANDS.sub(r"\g<1>000", norm).replace(",", "")))


def _calendar(norm: str, policy: PointingPolicy, out: list[Measure]) -> None:
    words = norm.replace(",", " ").replace(".", " ").replace("(", " ").replace(")", " ").split()
    for i, word in enumerate(words):
        month = policy.months.get(policy.same.get(word, word))
        if month is not None:
            near = [*words[i + 1 : i + 2], *words[max(0, i - 1) : i]]
            day = next((d for w in near if (d := _day(w)) is not None), None)
            if day is not None:
                out.append(Measure("date", month * 31 + day))
            elif word != "may" and word != "mar":
                out.append(Measure("month", float(month)))
        for name in (word, " ".join(words[i : i + 2])):
            if name in policy.days:
                out.append(Measure("age", float(-policy.days[name])))


def _day(word: str) -> int | None:
    plain = word.removesuffix("st").removesuffix("nd").removesuffix("rd").removesuffix("th")
    return int(plain) if plain.isascii() and plain.isdigit() and 1 <= int(plain) <= 31 else None


def _clock(hour: int, minute: int, half: str | None) -> Measure:
    if half in _EVENING and hour < 12:
        hour += 12
    elif half in _MORNING and hour == 12:
        hour = 0
    loose = half is None and hour <= 12
    return Measure("clock", hour * 60.0 + minute, loose)


def _float(text: str) -> float:
    return float(text.replace(",", "") or 0)


def decade(word: str) -> bool:
    """The nineties, 팔십년대."""
    return _DECADE_WORD.fullmatch(word) is not None


def told(word: str, policy: PointingPolicy) -> tuple[Measure, ...]:
    """What a said number is: its own kind, and a bare number only when it shows none."""
    found = measures(word, policy)
    return tuple(m for m in found if m.kind != "number") or found


def same_hour(said: Measure, own: Measure) -> bool:
    """ "the eleven o'clock" is the 11:20 where nothing leaves at eleven."""
    if said.kind != "clock" or own.kind != "clock" or said.value % 60:
        return False
    apart = said.value // 60 - own.value // 60
    return apart == 0 or (said.loose and apart % 12 == 0)


def agree(said: Measure, own: Measure) -> bool:
    """The same thing measured: "3:30" is 15:30 where only that is listed; "the 90s" is 1994."""
    if said.kind == "decade":
        return own.kind == "year" and own.value % 100 // 10 == said.value // 10
    if said.kind == "month":
        return own.kind == "date" and own.value // 31 == said.value
    if said.kind == "band":
        # 6만원대 is from sixty thousand on, 10만원대 from a hundred thousand.
        width = next(w for w in (1e6, 1e5, 1e4, 1e3, 1) if said.value % w == 0)
        return own.kind == "money" and said.value <= own.value < said.value + width
    if said.kind == "number":
        if own.kind == "clock":
            # "the 8.30"
            hours, minutes = divmod(round(said.value * 100), 100)
            at = hours * 60 + minutes
            return minutes < 60 and own.value in (at, at + 720)
        if own.kind == "year" and 10 <= said.value < 100:
            return own.value % 100 == said.value
        return own.value == said.value and own.kind != "age"
    if said.kind != own.kind:
        return False
    if said.kind == "clock" and (said.loose or own.loose):
        return said.value % 720 == own.value % 720
    return said.value == own.value
