"""A wish to forget that no plain shape holds, heard by a small learned reader and put plainly."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.correct.commands import hear_command
from clew.kernel.read.linear import chance
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.normalize import normal
from clew.model.memory import Command
from clew.model.utterance import Wording
from clew.policy import Policy
from clew.policy.remember import WishWords


def forget_wish(said: Wording, language: str, vector: Sequence[float] | None, policy: Policy) -> str:
    """ "I'd rather you didn't know my age" → "forget age"; empty where nothing of the kind is wished."""
    table = policy.remember.correct
    words = table.wishes.get(language)
    if words is None or vector is None or len(said.text) > table.clause_characters:
        return ""
    bids = next((c.text for c in said.clauses if re.search(words.bids, c.text)), None)
    if bids is not None:
        at = next(n for n, c in enumerate(said.clauses) if c.text == bids)
        alone = _plainly(said, words, policy, only=" ".join(c.text for c in said.clauses[: at + 1]))
        return alone if alone != words.plainly.replace("{x}", words.that) else _plainly(said, words, policy)
    if chance(said.text, vector, policy.reader.forgets, policy.reader.forgets_sha256) < table.wish_at:
        return ""
    return _plainly(said, words, policy)


def likely_wish(said: Wording, language: str, vector: Sequence[float] | None, policy: Policy) -> str:
    """The same where only some word may bid it, "what I earn, take that out": a wish if what it names was told."""
    table = policy.remember.correct
    words = table.wishes.get(language)
    if words is None or vector is None or len(said.text) > table.clause_characters:
        return ""
    if not re.search(words.may_bid, said.text, re.I):
        return ""
    if chance(said.text, vector, policy.reader.forgets, policy.reader.forgets_sha256) < table.wish_at_told:
        return ""
    return whole_wish(said, language, policy)


def whole_wish(said: Wording, language: str, policy: Policy) -> str:
    """All that the message names, put plainly; empty where that is nothing."""
    words = policy.remember.correct.wishes.get(language)
    plain = _plainly(said, words, policy) if words is not None else ""
    return "" if words is None or plain == words.plainly.replace("{x}", words.that) else plain


def _plainly(said: Wording, words: WishWords, policy: Policy, without: str = "", only: str = "") -> str:
    """The wish in the shortest words; `without` the clause that only says that something is to be forgotten, or of one
    clause alone.
    """
    table = policy.remember.correct
    left = " ".join(c.text for c in said.clauses if without not in c.text) if without else only or said.text
    every = normal(left).no_punct.split()
    named = [w for w in every if w not in words.around and w not in table.target_stop and not re.search(words.bids, w)]
    return words.plainly.replace("{x}", " ".join(named[: table.wish_words]) or words.that)


def pointing_wish(said: Wording, language: str, policy: Policy) -> str:
    """ "The locker code - don't save that" → "forget locker code"; "never mention her, forget her" is to be forgotten.

    Empty where the wish names its thing itself, or nothing is named beside it.
    """
    heard, words = hear_command(said, policy), policy.remember.correct.wishes.get(language)
    if words is None or heard.command not in (Command.FORGET, Command.SUPPRESS_TOPIC) or len(said.clauses) < 2:
        return ""
    if heard.command is Command.SUPPRESS_TOPIC:
        others = (hear_command(c.text, policy).command for c in said.clauses)
        asked = any(o in (Command.FORGET, Command.FORGET_TARGET) for o in others)
        return words.plainly.replace("{x}", heard.named or words.that) if asked else ""
    plain = _plainly(said, words, policy, heard.clause)
    return "" if plain == words.plainly.replace("{x}", words.that) else plain


def all_at_once(said: Wording, policy: Policy) -> bool:
    """ "Delete everything" names no one thing; it is asked back."""
    return any(pattern("forget_all", policy).match(c.text) for c in said.clauses)


def command_words(
    wording: Wording, language: str, vector: Sequence[float] | None, policy: Policy
) -> Wording | str:
    """What the rules of commands read: the message itself, or its wish put plainly."""
    if hear_command(wording, policy).command is not Command.NONE or all_at_once(wording, policy):
        return wording
    return forget_wish(wording, language, vector, policy) or wording
