"""Reading a correction: a command begins its clause, or it is none (ruling P72)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.read.wording import wording
from clew.model.memory import Command
from clew.model.utterance import Clause, Wording
from clew.policy import Policy
from clew.policy.remember import CorrectPolicy
from clew.programs import program


@dataclass(frozen=True, slots=True)
class SpokenCommand:
    """One command as the user put it; `named` is what it names, if anything."""

    command: Command
    clause: str
    named: str | None = None


@dataclass(frozen=True, slots=True)
class _Grammar:
    polite: tuple[str, ...]
    openers: re.Pattern[str]
    asking: re.Pattern[str]
    closers: re.Pattern[str]
    polite_closers: frozenset[str]
    deny: re.Pattern[str]
    forget: re.Pattern[str]
    ends: re.Pattern[str]
    target: tuple[re.Pattern[str], ...]
    not_target: re.Pattern[str]
    suppress: tuple[re.Pattern[str], ...]
    explicit: re.Pattern[str]
    not_explicit: re.Pattern[str]


def _words(phrases: Iterable[str]) -> str:
    return "|".join(re.escape(p) for p in sorted(phrases, key=lambda p: (-len(p), p)))


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    return program("|".join(f"(?:{p})" for p in patterns))


@lru_cache(maxsize=8)
def _grammar(policy: CorrectPolicy) -> _Grammar:
    return _Grammar(
        polite=policy.polite,
        openers=program(rf"(?:(?:{_words(policy.openers)})(?![\w'])\s*)+"),
        asking=program(rf"(?:{_words(policy.asking)})(?![\w'])\s*"),
        polite_closers=frozenset(policy.polite_closers),
        closers=program(rf"(?:\s+(?:{_words(policy.closers)}))+$"),
        deny=_any(policy.deny),
        forget=_any(policy.forget),
        ends=_any(policy.command_ends) if policy.command_ends else re.compile(r"(?!)"),
        target=tuple(program(p) for p in policy.forget_target),
        not_target=_any(policy.not_targets),
        suppress=tuple(program(p) for p in policy.suppress),
        explicit=_any(policy.explicit),
        not_explicit=_any(policy.not_explicit),
    )


@dataclass(frozen=True, slots=True)
class _Clause:
    text: str
    whole: str
    polite: bool
    asks: bool
    cut: bool


def _open(heard: Clause, grammar: _Grammar) -> _Clause:
    clause = _until_its_end(heard, grammar)
    polite, asks = False, clause.asks
    rest = clause.text
    while True:
        opener = grammar.openers.match(rest)
        asking = grammar.asking.match(rest)
        if opener and opener.end() < len(rest):
            polite = polite or any(word in opener.group() for word in grammar.polite)
            rest = rest[opener.end() :]
        elif asking and asking.end() < len(rest):
            polite, asks = True, False
            rest = rest[asking.end() :]
        else:
            break
    bare = grammar.closers.sub("", rest)
    polite = polite or not grammar.polite_closers.isdisjoint(rest[len(bare) :].split())
    return _Clause(bare or rest, rest, polite, asks, clause != heard)


def hear_command(said: Wording | str, policy: Policy) -> SpokenCommand:
    """The first command in what is said; questions and statements are none."""
    return _first(wording(said, policy), policy)


@lru_cache(maxsize=256)
def _first(heard_words: Wording, policy: Policy) -> SpokenCommand:
    """Several rooms ask this of one message, and of the messages around it turn after turn."""
    words = policy.remember.correct
    grammar = _grammar(words)
    if heard_words.norm.strip(" .!…") in words.deny_whole:
        return SpokenCommand(Command.DENY, heard_words.norm)
    # A command is short, and stands among few others.
    heard = [_open(c, grammar) for c in heard_words.clauses]
    heard = [c for c in heard if len(c.text) <= words.clause_characters]
    for read in (_suppresses, _forgets, _denies):
        for clause in heard:
            command = read(clause, words, grammar)
            if command is not None:
                return command
    return SpokenCommand(Command.NONE, "")


def _until_its_end(clause: Clause, grammar: _Grammar) -> Clause:
    """ "주소는 잊어 줘 괜히 말했다", "don't mention it unless I do": without the reason or condition hung on to it."""
    ended = grammar.ends.search(clause.text)
    return replace(clause, text=clause.text[: ended.end()]) if ended else clause


def _denies(clause: _Clause, words: CorrectPolicy, grammar: _Grammar) -> SpokenCommand | None:
    if not clause.asks and grammar.deny.fullmatch(clause.text):
        return SpokenCommand(Command.DENY, clause.text)
    return None


def _forgets(clause: _Clause, words: CorrectPolicy, grammar: _Grammar) -> SpokenCommand | None:
    asks = clause.asks and not re.fullmatch(words.asked_forget, clause.text)
    if asks or (clause.text in words.forget_idioms and not clause.polite):
        return None
    if grammar.forget.fullmatch(clause.text):
        return SpokenCommand(Command.FORGET, clause.text)
    for pattern in grammar.target:
        match = pattern.fullmatch(clause.text)
        if match:
            named = match["x"].strip()
            if not named or grammar.not_target.fullmatch(named):
                return None
            return SpokenCommand(Command.FORGET_TARGET, clause.text, named)
    return None


def _suppresses(clause: _Clause, words: CorrectPolicy, grammar: _Grammar) -> SpokenCommand | None:
    if clause.asks or (clause.text in words.suppress_idioms and not clause.cut):
        return None
    for pattern in grammar.suppress:
        match = pattern.fullmatch(clause.text) or pattern.fullmatch(clause.whole)
        if match:
            return SpokenCommand(Command.SUPPRESS_TOPIC, clause.text, match["x"].strip())
    return None


def is_explicit(said: Wording | str, policy: Policy) -> bool:
    """ "Please remember …": the user asks for it to be kept (ruling P76)."""
    words, grammar = wording(said, policy), _grammar(policy.remember.correct)
    whole = words.own.replace(": ", " ").strip(" .!")
    most = policy.remember.correct.clause_characters
    heard = [c for c in (*words.clauses, Clause(whole, whole.endswith(("?", "？")))) if len(c.text) <= most]
    return any(
        grammar.explicit.fullmatch(c.text) and not grammar.not_explicit.fullmatch(c.text)
        for c in heard
        if not c.asks or grammar.asking.match(c.text) or c.text.endswith(policy.remember.correct.asking_ends)
    )
