"""Which memories a reply may speak of, and which are left out, with reasons."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.kernel.gate.surfacing import asks_recall, place, unasked
from clew.kernel.language.scripts import has_syllables
from clew.kernel.plan.constraints import blocked_topics
from clew.kernel.read.topics import topics
from clew.kernel.text.passage import Passage, passage
from clew.kernel.text.tokens import words
from clew.model.plan import Frame, LeftOut, PlanAsk, Snippet
from clew.model.turn import Pipeline
from clew.policy import Policy


def choose_snippets(ask: PlanAsk, policy: Policy) -> tuple[tuple[Snippet, ...], tuple[LeftOut, ...]]:
    """In the order given, which is the recall room's ranking."""
    plan = policy.plan
    most = plan.max_snippets
    if ask.pipeline is Pipeline.EMOTIONAL_SUPPORT:
        most = plan.max_snippets_support
    if ask.crisis or ask.pipeline in (Pipeline.INFO_QA, Pipeline.REFUSAL):
        most = 0
    elif asks_memory(ask, policy):
        most = max(most, plan.max_snippets + 1)
    frame = Frame(user_text=ask.text, previous=ask.previous, source=ask.source)
    barred = blocked_topics(ask, policy)
    kept: list[Snippet] = []
    left: list[LeftOut] = []
    for snippet in ask.snippets:
        why = ""
        if snippet.key.startswith(plan.unsaid_keys) or not snippet.words:
            why = plan.lines["left_unsaid"]
        elif unasked(snippet, frame, policy):
            why = plan.lines["left_sensitive"]
        elif any(m.topic in barred for m in topics(f"{snippet.key} {snippet.words}", policy)):
            why = plan.lines["left_topic"]
        elif len(kept) >= most:
            why = plan.lines["left_limit"]
        if why:
            left.append(LeftOut("memory", snippet.memory_id, why))
        else:
            kept.append(snippet)
    return tuple(kept), tuple(left)


def asks_memory(ask: PlanAsk, policy: Policy) -> bool:
    """What is remembered is asked for: by name, or as a question about oneself that memory can answer.

    "i was tired last time" only speaks of the past.
    """
    if not ask.signals.flags.is_question:
        return False
    asked = asks_recall(ask.text, policy) or bool(_any_of(policy.plan.recall_questions).search(ask.signals.norm))
    return asked or (
        bool(ask.snippets) and bool(_any_of(policy.plan.self_questions).search(ask.signals.norm))
    )


@lru_cache(maxsize=8)
def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in patterns))


def fresh(snippets: tuple[Snippet, ...], ask: PlanAsk, policy: Policy) -> tuple[Snippet, ...]:
    """Not what the user says in this very message, nor what the last replies already brought up."""
    said = (ask.text, *ask.recent_replies[-policy.plan.callback_memory :])
    return tuple(s for s in snippets if all(place(s, passage(text, policy), policy) < 0 for text in said))


def kin(snippet: Snippet, said: Passage, policy: Policy) -> bool:
    """Does the message touch what is remembered? Words that begin alike, or a topic in common."""
    plan = policy.plan

    def stems(of: str) -> set[str]:
        sized = ((w, plan.kinship_letters if not has_syllables(w) else plan.kinship_syllables) for w in words(of))
        return {w[:size] for w, size in sized if len(w) >= size and w not in policy.gate.value_stopwords}

    if stems(snippet.words) & stems(said.text):
        return True
    return bool({m.topic for m in topics(snippet.words, policy)} & {m.topic for m in topics(said.read, policy)})
