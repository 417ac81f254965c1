"""What kind of consequence a line is (facts §5.3, §5.4; rulings C5, C11, C20). First match wins."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from clew.model.link import ConsequenceType
from clew.policy.link import LinkPolicy

_OPENING = r"^[\s\"'(\[\-\u2014\u2026.]*"
# A hyphen that goes on belongs to the word: "no-one".
_ENDS = r"(?![\w']|-\w)"
_CLOSING = " \t\"'\u201d\u2019)]*_~-\u2014"


def _any(phrases: Iterable[str]) -> str:
    return "(?:" + "|".join(re.escape(p) for p in sorted(phrases, key=lambda p: (-len(p), p))) + ")"


class Reader:
    def __init__(self, policy: LinkPolicy) -> None:
        words = policy.consequences
        skills = _any(policy.intents.skills)
        self.kinds = (
            (
                ConsequenceType.ROLL,
                re.compile(
                    rf"\b(?:{_any(words.roll)}|roll\b.{{0,40}}?\bdamage"
                    rf"|{_any(words.abilities)} sav(?:ing throw|e)|{skills})\b"
                ),
            ),
            (
                ConsequenceType.INFORMATION,
                re.compile(
                    rf"\byou {_any(words.senses)}\b|\b{_any(words.seems)}\b|\byou can {_any(words.can)}\b"
                    rf"|{_OPENING}{_any(words.answers)}{_ENDS}"
                ),
            ),
            (
                ConsequenceType.DETERMINISTIC,
                re.compile(
                    rf"{_OPENING}you {_any(words.moves)}\b|\byou {_any(words.outcomes)}\b"
                    rf"|\b{_any(words.world)}\b"
                ),
            ),
            (
                ConsequenceType.COMMITMENT,
                re.compile(rf"\byou {_any(words.agree)}\b|\b{_any(words.commit)}\b"),
            ),
        )
        self.yes_no = re.compile(rf"{_OPENING}{_any(words.yes_no)}{_ENDS}")
        self.refusal = re.compile(rf"{_OPENING}{_any(words.refusals)}{_ENDS}")
        self.address = re.compile(rf"\b{_any(words.address)}(?![\w'])")
        self.answer_form = re.compile(rf"\b{_any(words.answer_form)}(?![\w'])")
        self.yes_no_prompt = re.compile(
            "|".join(rf"\b{re.escape(p)}" + ("" if p.endswith("?") else r"\b") for p in words.yes_no_prompts)
        )


@lru_cache(maxsize=4)
def reader(policy: LinkPolicy) -> Reader:
    return Reader(policy)


def classify(text: str, policy: LinkPolicy, *, general: bool) -> ConsequenceType:
    """A claimed line that matches nothing is a statement of the game master, or `other` (ruling C11)."""
    for kind, pattern in reader(policy).kinds:
        if pattern.search(text):
            return kind
    return ConsequenceType.OTHER if general else ConsequenceType.DM_STATEMENT


def answers_yes_no(text: str, policy: LinkPolicy) -> bool:
    """With a word boundary: "Now you see" and "Nobody" are no answers (ruling C5)."""
    return reader(policy).yes_no.match(text) is not None


def agrees(text: str, policy: LinkPolicy) -> bool:
    return answers_yes_no(text, policy) and reader(policy).refusal.match(text) is None


def is_prompt(text: str, policy: LinkPolicy) -> bool:
    """The game master hands the turn back: ends with ? and addresses you (ruling C20)."""
    return text.rstrip(_CLOSING).endswith("?") and reader(policy).address.search(text) is not None


def is_yes_no_prompt(text: str, policy: LinkPolicy) -> bool:
    return "?" in text and reader(policy).yes_no_prompt.search(text) is not None
