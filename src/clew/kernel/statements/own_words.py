"""Which sentences are the user's own statements: no questions, quotations or other people's lines."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from clew.kernel.language.scripts import AS_TYPED
from clew.kernel.read.questions import is_question
from clew.kernel.statements.frames import framed_from
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.normalize import normal
from clew.kernel.text.sentences import sentences
from clew.policy import Policy
from clew.policy.attributes import AttributesPolicy
from clew.policy.remember import SayPolicy
from clew.programs import program

_APOSTROPHES = {ord(c): "'" for c in "\u2018\u2019\u02bc\u2032\uff07`"}
_QUOTED = re.compile(
    r"\"[^\"\n]*\"|“[^“”\n]*”|«[^«»\n]*»|「[^「」\n]*」|『[^『』\n]*』|(?<![\w'])'[^'\n]{3,}'(?![\w'])"
)
_REPLY = re.compile(r"^[^\S\n]*>.*$", re.M)
_CODE = re.compile(r"```.*?(?:```|$)", re.S)
_LABEL = re.compile(r"^[^\S\n]*([A-Za-z]+)[^\S\n]*:\s*", re.M)


def fold(text: str) -> str:
    """One spelling of quotes and spaces; case is kept, because values show it."""
    folded = unicodedata.normalize("NFKC", text).translate(_APOSTROPHES).translate(AS_TYPED)
    return "\n".join(" ".join(line.split()) for line in folded.splitlines())


def own_lines(text: str, say: SayPolicy) -> str:
    """A pasted log keeps only the user's lines."""
    kept: list[str] = []
    mine = True
    for line in text.splitlines():
        label = _LABEL.match(line)
        if label and label[1].lower() in say.role_lines:
            mine = False
        elif label and label[1].lower() in say.own_lines:
            mine, line = True, line[label.end() :]
        if mine:
            kept.append(line)
    return "\n".join(kept)


@lru_cache(maxsize=64)
def statements(text: str, policy: Policy) -> tuple[str, ...]:
    """Sentences that assert something, in order, case kept.

    Only so many, each only so long: nobody states a fact at such length, and patterns cost.
    """
    say = policy.remember.say
    text = text[: say.statements_most * say.statement_characters]
    text = text[: framed_from(text, policy)]
    said = own_lines(_CODE.sub(" ", _REPLY.sub(" ", fold(text))), say)
    said = _QUOTED.sub(" ", said)
    out: list[str] = []
    for line in said.splitlines():
        for sentence in sentences(line, policy.text):
            sentence = pattern("own_tag", policy).sub(".", sentence)
            bare = sentence.rstrip(" \"'”")
            if pattern("own_untrue", policy).search(bare):
                continue
            if bare.endswith(("?", "?!", "?.")) or is_question(normal(bare), policy):
                continue
            out.append(" ".join(sentence[: say.statement_characters].split()))
            if len(out) == say.statements_most:
                return tuple(out)
    return tuple(out)


@lru_cache(maxsize=8)
def _blockers(say: SayPolicy, reported: str) -> re.Pattern[str]:
    """What is doubted or reported, with the words of the lists put into the patterns' holes."""
    words = {"{doubts}": say.hypothetical, "{reporters}": say.reporters}
    filled = str(reported)
    for hole, listed in words.items():
        filled = filled.replace(hole, "|".join(map(re.escape, listed)))
    return program(filled, re.I)


def is_own(sentence: str, start: int, policy: Policy) -> bool:
    """Does the clause that begins at `start` assert something of the user's own?"""
    before = sentence[:start]
    clause = pattern("own_boundary", policy).split(before)[-1]
    reported = _blockers(policy.remember.say, policy.remember.patterns["own_reported"])
    if reported.search(clause) or pattern("own_doubted", policy).search(clause):
        return False
    # "if it rains, i …" still hangs on the condition.
    return not pattern("own_unreal", policy).match(before)


@lru_cache(maxsize=4)
def _wish(table: AttributesPolicy) -> tuple[re.Pattern[str], re.Pattern[str]]:
    words = table.languages.values()
    opens = _any_of([w for language in words for w in language.remember_open])
    closes = _any_of([w for language in words for w in language.remember_close])
    return (
        program(rf"^(?:(?:{opens})(?![\w'’])[\s,:;.!-]*)+", re.I),
        program(rf"(?:[\s,;.!:-]+(?:{closes}))+[\s.!~]*$", re.I),
    )


def without_wish(text: str, policy: Policy) -> str:
    """What is to be remembered, without "please remember that …" around it."""
    opens, closes = _wish(policy.attributes)
    return closes.sub("", opens.sub("", text.strip())).strip()


def remembered_words(text: str, policy: Policy) -> str:
    """The user's own words without the wish to keep them (ruling M4)."""
    bare = " ".join(fold(text).split())
    return without_wish(bare, policy).strip(" ,;:") or bare


def _any_of(phrases: list[str]) -> str:
    return "|".join(re.escape(p) for p in sorted(phrases, key=lambda p: (-len(p), p))) or r"(?!)"
