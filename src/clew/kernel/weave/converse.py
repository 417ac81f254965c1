"""Open threads inside a conversation: which enter the prompt, and which a turn has settled.

Settling is conservative: a sentence must name the loop's own words, say that it is settled, and
leave no doubt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.language.scripts import is_spaced, opens_in_syllables
from clew.kernel.text.guards import sides
from clew.kernel.text.normalize import normalize
from clew.kernel.text.sentences import sentences
from clew.kernel.text.tokens import content_words, token_estimate
from clew.kernel.weave.ages import pressing
from clew.kernel.weave.cues import asks_plainly, phrases
from clew.kernel.weave.duplicate import loop_tokens
from clew.kernel.weave.prompt import thread_line
from clew.model.thread import Thread
from clew.model.verdict import Reason
from clew.policy import Policy
from clew.policy.weave import Cues
from clew.programs import program

_STEM = 5


@dataclass(frozen=True, slots=True)
class Answered:
    """A thread that this turn settles, who said so, and in which words."""

    thread_id: str
    by: str
    share: Fraction
    reason: Reason


@dataclass(frozen=True, slots=True)
class InPrompt:
    """What fits the budget, in the order of pressure; what did not fit is named too."""

    text: str
    chosen: tuple[str, ...]
    left_out: tuple[str, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class _Patterns:
    settled: re.Pattern[str]
    unsettled: re.Pattern[str]


@lru_cache(maxsize=4)
def _patterns(cues: Cues) -> _Patterns:
    learned = (
        rf"(?:{phrases(cues.learning_verbs).pattern})\s+(?:\S+\s+){{0,3}}?(?:{phrases(cues.learned_words).pattern})"
    )
    done = phrases(cues.settled_words, cues.completed_states, cues.completed_verbs).pattern
    return _Patterns(program(rf"{done}|{learned}"), phrases(cues.unsettled_words))


def answered(
    threads: Sequence[Thread], user_text: str, assistant_text: str, policy: Policy
) -> tuple[Answered, ...]:
    """At most one thread a sentence: the one it names best; a tie settles none."""
    out: dict[str, Answered] = {}
    grammar = frozenset(policy.weave.cues.grammar_words)
    subjects = [(t, _subject(loop_tokens(t.text, t.type, policy.weave), grammar)) for t in threads]
    for by, text in (("user", user_text), ("assistant", assistant_text)):
        for sentence in sentences(text, policy.text):
            found = _settles(sentence, by, subjects, policy)
            if found is not None:
                out.setdefault(found.thread_id, found)
    return tuple(out[t.id] for t in threads if t.id in out)


def _settles(
    sentence: str, by: str, subjects: Sequence[tuple[Thread, frozenset[str]]], policy: Policy
) -> Answered | None:
    cues = policy.weave.cues
    p, low = _patterns(cues), normalize(sentence)
    # "I found out why he left" reports, although it holds a question word.
    asks = asks_plainly(low, cues)
    said = p.settled.search(low)
    if asks or said is None or p.unsettled.search(low):
        return None
    # A denial answers nothing, unless the denial itself ends the matter ("no longer").
    if sides(low.replace(said.group(), " "), policy.text).negated:
        return None
    named = _subject(content_words(sentence), frozenset(cues.grammar_words))
    ranked = sorted(
        ((Fraction(len(own & named), len(own)), len(own & named), t, own) for t, own in subjects if own),
        key=lambda hit: (-hit[0], -hit[1]),
    )
    if not ranked:
        return None
    share, count, thread, own = ranked[0]
    enough = share >= policy.weave.answered_share and count >= min(policy.weave.answered_words, len(own))
    tie = len(ranked) > 1 and ranked[1][:2] == ranked[0][:2]
    if not enough or tie:
        return None
    detail = f"{by} said {said.group()!r} and named {count} of its words"
    return Answered(thread.id, by, share, Reason("weave.answered", detail))


def _subject(tokens: frozenset[str], grammar: frozenset[str]) -> frozenset[str]:
    """The words that say what it is about, cut to a stem so that "decides" names "decide"."""
    return frozenset(_stem(t) for t in tokens if t not in grammar)


def _stem(token: str) -> str:
    if opens_in_syllables(token):
        return token[:2]
    return token[:_STEM] if is_spaced(token) else token


def for_prompt(threads: Sequence[Thread], policy: Policy, budget: int | None = None) -> InPrompt:
    """Longest overdue first; a thread that does not fit is passed over, a shorter one may still fit."""
    room = policy.weave.prompt_tokens if budget is None else budget
    lines: list[str] = []
    chosen: list[str] = []
    left: list[str] = []
    used = 0
    for thread in pressing(threads, policy.weave):
        line = thread_line(thread, policy.weave)
        cost = token_estimate(normalize(line), policy.text)
        if used + cost <= room:
            lines.append(line)
            chosen.append(thread.id)
            used += cost
        else:
            left.append(thread.id)
    return InPrompt("\n".join(lines), tuple(chosen), tuple(left), used)
