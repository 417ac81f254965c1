"""A fact that another program noted of a user, as the user would have said it; any other text as it is."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any


@cache
def _table() -> dict[str, Any]:
    text = resources.files("clew.formats.chat").joinpath("first_person.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def as_said(text: str) -> str:
    told, table = " ".join(text.split()), _table()
    low = told.lower()
    for whose in table["possessives"]:
        if low.startswith(f"{whose} "):
            return f"My {told[len(whose) + 1 :]}"
    for who in table["subjects"]:
        if low.startswith(f"{who} "):
            return _by_verb(told[len(who) + 1 :]) or told
    first = low.partition(" ")[0]
    if first in table["owned"] and " is " in low:
        return f"My {told[:1].lower()}{told[1:]}"
    # Only a fact begins with its verb; a word of two letters more often begins something else.
    return (_by_verb(told) if len(first) > 3 or first in table["verbs"] else None) or text


def _by_verb(told: str) -> str | None:
    first, _, rest = told.partition(" ")
    verb, table = first.lower(), _table()
    if verb in table["verbs"]:
        return f"I {table['verbs'][verb]} {rest}".strip()
    if not verb.isalpha() or verb in table["not_verbs"] or verb.endswith("ss"):
        return None
    for ending, plain in table["endings"]:
        if verb.endswith(ending):
            return f"I {verb[: -len(ending)]}{plain} {rest}".strip()
    return None
