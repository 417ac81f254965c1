"""Reading a correction: a command begins its clause, or it is none (ruling P72)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from clew.kernel.text.normalize import normalize
from clew.model.memory import Command
from clew.policy import Policy
from clew.policy.remember import CorrectPolicy

_QUOTED = re.compile(r"[\"“”«»][^\"“”«»]*[\"“”«»]")
_SENTENCE = re.compile(r"[^.!?;…\n。？！]+[.!?;…\n。？！]*")
_COMMA = re.compile(r"\s*[,:，、]\s*|\s+[-–—]+\s+")


@dataclass(frozen=True, slots=True)
class Said:
    """One command as the user put it; `named` is what it names, if anything."""

    command: Command
    clause: str
    named: str | None = None


@dataclass(frozen=True, slots=True)
class _Grammar:
    openers: re.Pattern[str]
    asking: re.Pattern[str]
    closers: re.Pattern[str]
    deny: re.Pattern[str]
    forget: re.Pattern[str]
    target: tuple[re.Pattern[str], ...]
    not_target: re.Pattern[str]
    suppress: tuple[re.Pattern[str], ...]
    explicit: re.Pattern[str]
    not_explicit: re.Pattern[str]


def _words(phrases: Iterable[str]) -> str:
    return "|".join(re.escape(p) for p in sorted(phrases, key=lambda p: (-len(p), p)))


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in patterns))


@lru_cache(maxsize=8)
def _grammar(policy: CorrectPolicy) -> _Grammar:
    return _Grammar(
        openers=re.compile(rf"(?:(?:{_words(policy.openers)})(?![\w'])\s*)+"),
        asking=re.compile(rf"(?:{_words(policy.asking)})(?![\w'])\s*"),
        closers=re.compile(rf"(?:\s+(?:{_words(policy.closers)}))+$"),
        deny=_any(policy.deny),
        forget=_any(policy.forget),
        target=tuple(re.compile(p) for p in policy.forget_target),
        not_target=_any(policy.not_targets),
        suppress=tuple(re.compile(p) for p in policy.suppress),
        explicit=_any(policy.explicit),
        not_explicit=_any(policy.not_explicit),
    )


@dataclass(frozen=True, slots=True)
class _Clause:
    text: str
    whole: str
    polite: bool
    asks: bool


def clauses(text: str) -> tuple[tuple[str, bool], ...]:
    """Clauses of what the user says themself, with whether each was asked; quotations are not theirs."""
    out: list[tuple[str, bool]] = []
    for sentence in _SENTENCE.findall(normalize(_QUOTED.sub(" ", text))):
        asks = sentence.rstrip().endswith(("?", "？"))
        bare = sentence.strip(" .!?;…。？！")
        out.extend((part.strip(), asks) for part in _COMMA.split(bare) if part.strip())
    return tuple(out)


def _open(clause: str, asks: bool, grammar: _Grammar) -> _Clause:
    polite = False
    rest = clause
    while True:
        opener = grammar.openers.match(rest)
        asking = grammar.asking.match(rest)
        if opener and opener.end() < len(rest):
            polite = polite or "please" in opener.group() or "제발" in opener.group()
            rest = rest[opener.end() :]
        elif asking and asking.end() < len(rest):
            polite, asks = True, False
            rest = rest[asking.end() :]
        else:
            break
    bare = grammar.closers.sub("", rest)
    return _Clause(bare or rest, rest, polite or (bare != rest and "please" in rest[len(bare) :]), asks)


def hear_command(text: str, policy: Policy) -> Said:
    """The first command in the text; questions and statements are none."""
    words = policy.remember.correct
    grammar = _grammar(words)
    if normalize(text[: words.reach]).strip(" .!…") in words.deny_whole:
        return Said(Command.DENY, normalize(text))
    # A command is short, and stands among few others.
    short = [c for c in clauses(text[: words.reach]) if len(c[0]) <= words.clause_characters]
    heard = [_open(clause, asks, grammar) for clause, asks in short]
    for read in (_suppresses, _forgets, _denies):
        for clause in heard:
            said = read(clause, words, grammar)
            if said is not None:
                return said
    return Said(Command.NONE, "")


def _denies(clause: _Clause, words: CorrectPolicy, grammar: _Grammar) -> Said | None:
    if not clause.asks and grammar.deny.fullmatch(clause.text):
        return Said(Command.DENY, clause.text)
    return None


def _forgets(clause: _Clause, words: CorrectPolicy, grammar: _Grammar) -> Said | None:
    asks = clause.asks and not re.fullmatch(words.asked_forget, clause.text)
    if asks or (clause.text in words.forget_idioms and not clause.polite):
        return None
    if grammar.forget.fullmatch(clause.text):
        return Said(Command.FORGET, clause.text)
    for pattern in grammar.target:
        match = pattern.fullmatch(clause.text)
        if match:
            named = match["x"].strip()
            if not named or grammar.not_target.fullmatch(named):
                return None
            return Said(Command.FORGET_TARGET, clause.text, named)
    return None


def _suppresses(clause: _Clause, words: CorrectPolicy, grammar: _Grammar) -> Said | None:
    if clause.asks or clause.text in words.suppress_idioms:
        return None
    for pattern in grammar.suppress:
        match = pattern.fullmatch(clause.text) or pattern.fullmatch(clause.whole)
        if match:
            return Said(Command.SUPPRESS_TOPIC, clause.text, match["x"].strip())
    return None


def is_explicit(text: str, policy: Policy) -> bool:
    """ "Please remember …": the user asks for it to be kept (ruling P76)."""
    grammar = _grammar(policy.remember.correct)
    text = text[: policy.remember.correct.reach]
    whole = normalize(_QUOTED.sub(" ", text)).replace(": ", " ").strip(" .!")
    most = policy.remember.correct.clause_characters
    heard = [c for c in (*clauses(text), (whole, whole.endswith(("?", "？")))) if len(c[0]) <= most]
    return any(
        grammar.explicit.fullmatch(clause) and not grammar.not_explicit.fullmatch(clause)
        for clause, asks in heard
        if not asks or grammar.asking.match(clause)
    )
