"""What a message shows about the bond (rulings P62, P63, P67)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from zoneinfo import ZoneInfo

from clew.frozen import dataclass
from clew.kernel.read.questions import is_question
from clew.kernel.read.signals import flags, pronouns
from clew.kernel.relate.feelings import discloses, intense, speaks_of_self
from clew.kernel.relate.preferences import count_preferences
from clew.kernel.statements.extract import extract
from clew.kernel.text.match import Lexicon
from clew.kernel.text.normalize import Normal, normal
from clew.kernel.text.passage import Passage, passage
from clew.kernel.text.tokens import effective_count
from clew.model.memory import Candidate, MemoryType
from clew.model.signals import Emotion
from clew.policy import Policy
from clew.policy.relate import RelatePolicy

_UTC = ZoneInfo("UTC")
_STRETCH = re.compile(r"(.)\1+")
_CLAUSE = re.compile(r"[.!;,\n…]+|(?<=\?)")


@dataclass(frozen=True, slots=True)
class Shown:
    preferences: int
    meaningful: bool
    disclosure: bool
    past: bool
    short: bool


@lru_cache(maxsize=8)
def _past(policy: Policy) -> tuple[Lexicon, Lexicon]:
    relate, spoken = policy.relate, policy.relate.languages.values()
    return (
        Lexicon({"past": [*relate.past_phrases, *(p for w in spoken for p in w.past_phrases)]}, policy.text),
        Lexicon({"never": relate.past_never}, policy.text),
    )


@lru_cache(maxsize=8)
def _idle(policy: RelatePolicy) -> frozenset[str]:
    listed = [*policy.disengaged, *(word for words in policy.languages.values() for word in words.disengaged)]
    return frozenset(_STRETCH.sub(r"\1", normal(w).no_punct) for w in listed)


def shown(
    said: Passage, policy: Policy, *, felt: Emotion, last_assistant_text: str | None, preferences: int
) -> Shown:
    """`preferences`: how many were read in the message."""
    read = said.read
    high = is_high(felt, policy.relate)
    # Whoever does not say what came before is taken to be answered; an empty text says that nothing did.
    answers = last_assistant_text is None or bool(last_assistant_text.strip())
    short = is_disengaged(read, policy, high=high or intense(read, policy), answers=answers)
    size = effective_count(said.text, policy.text)
    return Shown(
        preferences=max(count_preferences(read, policy), preferences),
        meaningful=asked(last_assistant_text, policy)
        and size >= policy.relate.meaningful_from
        and not _all_idle(read, policy.relate),
        disclosure=discloses(read, policy) or (high and speaks_of_self(read, policy, felt)),
        past=refers_back(read, policy),
        short=short,
    )


def told_preferences(said: Passage, at: datetime, policy: Policy) -> int:
    """By the extractor, which reaches past the listed phrases; the zone only dates events."""
    return count_of(extract(said.text, at, _UTC, policy))


def count_of(stated: Sequence[Candidate]) -> int:
    return sum(1 for c in stated if c.type is MemoryType.PREFERENCE)


def is_high(felt: Emotion, policy: RelatePolicy) -> bool:
    """abs(valence) at the bar, or a strong tag. A float is read as the decimal it prints."""
    return felt.strong or abs(Fraction(str(felt.valence))) >= policy.intense


def asked(reply: str | None, policy: Policy) -> bool:
    """Was the friend's last message a question?"""
    if not reply:
        return False
    if "?" in normal(reply).norm:
        return True
    return any(is_question(normal(s), policy) for s in passage(reply, policy).sentences)


def is_disengaged(read: Normal, policy: Policy, *, high: bool, answers: bool = True) -> bool:
    """Short or listed, unless it feels, asks, tells or greets (rulings P62, P63, S8).

    answers: there is something of the friend's that it could have answered.
    """
    if not read.norm or is_question(read, policy):
        return False
    if _all_idle(read, policy.relate):
        return True
    if not answers or _tells_or_greets(read, policy):
        return False
    return not high and effective_count(read.raw, policy.text) < policy.relate.short_below


def _tells_or_greets(read: Normal, policy: Policy) -> bool:
    """"I'm gay" and "나 서울 살아" are short and tell a lot; "hi" is no cold shoulder."""
    tokens = read.no_punct.split()
    own = not pronouns(policy.listen).isdisjoint(tokens)
    return own or (bool(tokens) and tokens[0] in policy.relate.greeting_words) or flags(read, policy).has_correction


def _all_idle(read: Normal, policy: RelatePolicy) -> bool:
    idle = _idle(policy)
    tokens = read.no_punct.split()
    return bool(tokens) and all(_STRETCH.sub(r"\1", t) in idle for t in tokens)


def refers_back(read: Normal, policy: Policy) -> bool:
    """Needs the two of them in the past; "remember to" and "i don't remember" are no reference."""
    told, never = _past(policy)
    for piece in _CLAUSE.split(read.norm):
        clause = normal(piece)
        if not clause.no_punct or never.any(clause):
            continue
        if told.any(clause) or _remembers(clause, policy.relate):
            return True
    return False


def _remembers(clause: Normal, policy: RelatePolicy) -> bool:
    tokens = clause.no_punct.split()
    at = next((i for i, t in enumerate(tokens) if t in policy.remember_words), None)
    if at is None:
        return False
    before, after = tokens[:at], tokens[at + 1 :]
    shared = any(t in policy.partner_words for t in after)
    past = any(_is_past(t, policy) for t in after)
    if any(t in policy.remember_tellers for t in before[-2:]) and not set(before) & set(policy.partner_words):
        # "i remember when i was five" is a story; "i remember you said" is the two of us.
        return shared and past
    rest = " ".join(after)
    if rest.startswith(policy.remember_scenes):
        return True
    opens = rest.startswith(policy.remember_when)
    return (opens and (past or "?" in clause.norm)) or ("?" in clause.norm and bool(after))


def _is_past(token: str, policy: RelatePolicy) -> bool:
    return token in policy.past_words or (token.endswith(policy.past_ends) and token not in policy.not_past_ed)
