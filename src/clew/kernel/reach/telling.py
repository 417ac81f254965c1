"""Why nothing was sent, in one sentence for the one who did not get it."""

from __future__ import annotations

import re

from clew.kernel.language.pack import words_in
from clew.kernel.language.scripts import has_syllables
from clew.model.outreach import Skip
from clew.policy import Policy
from clew.policy.reach import ReachWords

# Every reason to stay silent under its rule id.
RULES: dict[Skip, str] = {
    Skip.PROACTIVE_DISABLED: "reach.proactive_disabled",
    Skip.MUTED: "reach.muted",
    Skip.UNKNOWN_TIME_ZONE: "reach.unknown_time_zone",
    Skip.QUIET_HOURS: "reach.quiet_hours",
    Skip.OUTSIDE_ATTEMPT_WINDOW: "reach.outside_attempt_window",
    Skip.STRANGER: "reach.stranger",
    Skip.CAP_EXCEEDED: "reach.cap_exceeded",
    Skip.MIN_GAP: "reach.min_gap",
    Skip.NEVER_MET: "reach.never_met",
    Skip.RECENTLY_ACTIVE: "reach.recently_active",
    Skip.WAITING_LONGER: "reach.waiting_longer",
    Skip.UNSAFE: "reach.unsafe",
    Skip.SAID_ALREADY: "reach.said_already",
    Skip.DELIVERY_FAILED: "reach.delivery_failed",
    Skip.GONE: "reach.gone",
}


def words_of(language: str, policy: Policy) -> ReachWords:
    return words_in(language, policy.reach.languages)


def turned(said: str, words: ReachWords) -> str:
    """ "call my mum" is said back as "call your mum"."""
    if has_syllables(said):
        return said
    pairs = words.turned
    shape = "|".join(re.escape(p) for p in sorted(pairs, key=lambda p: (-len(p), p)))
    return re.sub(rf"(?<![\w'])(?:{shape})(?![\w'])", lambda m: pairs[m.group().lower()], said, flags=re.I)


def plan_named(said: str, words: ReachWords) -> str:
    """A plan as the friend names it: "my exam" is "your exam", "exam" is "the exam"."""
    told = turned(said, words)
    return told if told.lower().startswith(words.owned) or has_syllables(told) else f"{words.article}{told}"


def not_sent(skip: Skip, language: str, policy: Policy) -> str:
    """ "Not sent because it is night where you are." """
    reach, words = policy.reach, words_of(language, policy)
    why = words.skips[skip].format(attempt_from=reach.attempt_from, attempt_to=reach.attempt_to)
    return words.not_sent.format(why=why)
