"""The booleans that routing reads (turn-pipeline §5, §6.5, rulings P1, P2, P4, P5, P72)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from clew.kernel.listen.questions import is_question
from clew.kernel.listen.topics import initiated, mentioned, topics
from clew.kernel.text.match import Hit, Lexicon
from clew.kernel.text.normalize import Normal, normal
from clew.kernel.text.tokens import language, token_estimate
from clew.model.signals import Flags, Signals
from clew.policy import Policy
from clew.policy.listen import ListenPolicy

_CLAUSE = re.compile(r"[.!?,;:…\n]+|\s[-–—]\s")


@lru_cache(maxsize=8)
def _lexicon(policy: Policy) -> Lexicon:
    listen = policy.listen
    return Lexicon(
        {
            "distress": listen.distress,
            "cannot": listen.cannot,
            "comfort": listen.comfort,
            "preference": listen.preference,
            "fact": listen.fact,
            "event": listen.event,
        },
        policy.text,
    )


@lru_cache(maxsize=8)
def _pronouns(policy: ListenPolicy) -> frozenset[str]:
    return frozenset(policy.pronouns) | frozenset(policy.pronouns_ko)


def hear(text: str, policy: Policy, previous: Sequence[str] = ()) -> Signals:
    """Everything the words alone tell."""
    read = normal(text)
    found = topics(read, policy)
    return Signals(
        norm=read.norm,
        no_punct=read.no_punct,
        tokens=tuple(read.no_punct.split()),
        token_estimate=token_estimate(read.norm, policy.text),
        language=language(read.norm, policy.text),
        topics=found,
        initiated=initiated(found, policy.listen),
        mentioned=mentioned(found, previous, policy),
        flags=flags(read, policy),
    )


def flags(read: Normal, policy: Policy) -> Flags:
    listen = policy.listen
    found: dict[str, list[Hit]] = {}
    for hit in _lexicon(policy).hits(read):
        found.setdefault(hit.label, []).append(hit)
    asks = is_question(read, listen)
    distress = "distress" in found or any(
        not read.variants[h.variant][h.end :].lstrip().startswith(listen.cannot_idioms)
        for h in found.get("cannot", ())
    )
    comfort = "comfort" in found
    short = token_estimate(read.norm, policy.text) <= listen.fact_question_tokens
    return Flags(
        is_question=asks,
        has_personal_pronoun=not _pronouns(listen).isdisjoint(read.no_punct.split()),
        has_distress=distress,
        asks_for_comfort=comfort,
        is_pure_fact_q=asks and not distress and not comfort and short,
        has_preference="preference" in found,
        has_fact="fact" in found,
        has_event="event" in found,
        has_correction=has_correction(read, listen),
    )


def has_correction(read: Normal, policy: ListenPolicy) -> bool:
    """A correction begins a clause; "i don't remember that movie" and "what's wrong" are none."""
    if read.no_punct in policy.correction_whole or read.no_punct.startswith(policy.correction_openings):
        return True
    for clause in _CLAUSE.split(read.norm):
        words = clause.split()
        while words and words[0] in policy.correction_softeners:
            words = words[1:]
        start = " ".join(words)
        if start.startswith(policy.correction_clauses):
            return True
    return False
