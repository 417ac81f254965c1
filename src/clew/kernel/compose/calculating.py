"""The clock, the calendar and simple sums: what can be answered without remembering anything."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal, DivisionByZero, InvalidOperation, localcontext

from clew.model.plan import ResponsePlan
from clew.policy.compose import ComposeWords

_SUM = re.compile(r"(?<![\w.])(-?\d[\d,]*(?:\.\d+)?)((?:\s*[-+*/x×÷]\s*-?\d[\d,]*(?:\.\d+)?)+)(?![\w.])")
_STEP = re.compile(r"\s*([-+*/x×÷])\s*(-?\d[\d,]*(?:\.\d+)?)")
_LETTER = re.compile(r"(?<=\d)(?=[^\W\d_A-Za-z])")
_DIGITS = 28


def result_of(plan: ResponsePlan, every: Iterable[ComposeWords]) -> str | None:
    """The value of a sum in the message: 12 * 7, 15% of 80. Products before sums; None when there is none."""
    every = tuple(every)
    asked = _in_signs(plan.user_text, every)
    if found := next((m for w in every if w.share and (m := re.search(w.share, asked, re.I))), None):
        return _shown(_number(found["part"]) * _number(found["whole"]) / 100)
    # A particle may hang on to the last number.
    found = _SUM.search(_LETTER.sub(" ", asked))
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


def _in_signs(asked: str, every: Iterable[ComposeWords]) -> str:
    """ "12 times 14" is 12 * 14."""
    for words in every:
        for word, sign in words.reckoned.items():
            asked = re.sub(rf"(?<=\d)\s*{re.escape(word)}\s*(?=-?\d)", f" {sign} ", asked, flags=re.I)
    return asked


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
