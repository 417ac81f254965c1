"""The clock, the calendar and simple sums: what can be answered without remembering anything."""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal, DivisionByZero, InvalidOperation, localcontext

from clew.policy.compose import ComposeWords

_SUM = re.compile(r"(?<![\w.])(-?\d[\d,]*(?:\.\d+)?)((?:\s*[-+*/x×÷]\s*-?\d[\d,]*(?:\.\d+)?)+)(?![\w.])")
_STEP = re.compile(r"\s*([-+*/x×÷])\s*(-?\d[\d,]*(?:\.\d+)?)")
_PERCENT = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s*(?:%|percent|퍼센트|프로)\s*(?:of|의)?\s*(\d[\d,]*(?:\.\d+)?)")
_KOREAN_PERCENT = re.compile(r"(\d[\d,]*(?:\.\d+)?)의\s*(\d[\d,]*(?:\.\d+)?)\s*(?:%|퍼센트|프로)")
_DIGITS = 28


def result_of(text: str) -> str | None:
    """The value of a sum in the text: 12 * 7, 15% of 80. Products before sums; None when there is none."""
    if found := _KOREAN_PERCENT.search(text):
        return _shown(_number(found[1]) * _number(found[2]) / 100)
    if found := _PERCENT.search(text):
        return _shown(_number(found[1]) * _number(found[2]) / 100)
    found = _SUM.search(text)
    if found is None:
        return None
    terms = [_number(found[1])]
    try:
        with localcontext() as context:
            context.prec = _DIGITS
            for sign, digits in _STEP.findall(found[2]):
                value = _number(digits)
                if sign in "*x×":
                    terms[-1] *= value
                elif sign in "/÷":
                    terms[-1] /= value
                else:
                    terms.append(value if sign == "+" else -value)
            return _shown(sum(terms, Decimal(0)))
    except (DivisionByZero, InvalidOperation):
        return None


def _number(digits: str) -> Decimal:
    return Decimal(digits.replace(",", ""))


def _shown(value: Decimal) -> str:
    text = f"{value.quantize(Decimal('1.000000')) if value != value.to_integral() else value.to_integral():f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def date_words(at: datetime, words: ComposeWords) -> dict[str, str]:
    return {
        "weekday": words.weekdays[at.weekday()],
        "month": words.months[at.month - 1],
        "day": str(at.day),
        "year": str(at.year),
        "hour": str(at.hour),
        "minute": f"{at.minute:02d}",
    }
