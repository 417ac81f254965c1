"""The hard limits of one reply: the persona's bands, the stage, the topics."""

from __future__ import annotations

from dataclasses import replace

from clew.kernel.gate.surfacing import allowed_facts
from clew.kernel.read.topics import topics
from clew.model.persona import StableStyleParams
from clew.model.plan import Constraints, Frame, PlanAsk
from clew.model.topic import TopicId
from clew.policy import Policy


def style_of(ask: PlanAsk) -> StableStyleParams:
    return ask.assignment.stable_style_params if ask.assignment else StableStyleParams()


def with_style(ask: PlanAsk, style: StableStyleParams) -> PlanAsk:
    """The same ask, its friend with the limits that the user wants."""
    if ask.assignment is None or ask.assignment.stable_style_params == style:
        return ask
    return replace(ask, assignment=replace(ask.assignment, stable_style_params=style))


def taboo_of(ask: PlanAsk) -> tuple[TopicId, ...]:
    return ask.assignment.taboo_soft_bounds if ask.assignment else ()


def blocked_topics(ask: PlanAsk, policy: Policy) -> tuple[TopicId, ...]:
    """Suppressed: free only when raised now. Taboo: free when raised in the last messages (P9, P10)."""
    now = {m.topic for m in ask.signals.topics}
    window = policy.listen.mention_window
    lately = now | {m.topic for t in (ask.previous[-window:] if window else ()) for m in topics(t, policy)}
    suppressed = [t for t in ask.controls.suppressed_topics if t not in now]
    taboo = [t for t in taboo_of(ask) if t not in lately]
    return tuple(dict.fromkeys((*suppressed, *taboo)))


def narrow_topics(ask: PlanAsk) -> tuple[TopicId, ...]:
    """Suppressed, but raised by the user just now: answered, not opened."""
    now = {m.topic for m in ask.signals.topics}
    return tuple(t for t in ask.controls.suppressed_topics if t in now)


def constrain(ask: PlanAsk, followup_allowed: bool, policy: Policy) -> Constraints:
    params = style_of(ask)
    band = policy.gate.length[params.msg_length_pref]
    frame = Frame(user_text=ask.text, source=ask.source, memories=ask.snippets)
    return Constraints(
        emoji=policy.gate.emoji[params.emoji_freq],
        sentences=band.sentences,
        words_per_sentence=band.words,
        emoji_freq=params.emoji_freq,
        length=params.msg_length_pref,
        lexicon=params.lexicon_bias,
        punctuation_quirks=params.punctuation_quirks,
        intimacy=ask.stage,
        topics_blocked=blocked_topics(ask, policy),
        narrow_topics=narrow_topics(ask),
        max_personal_facts=allowed_facts(frame, policy),
        followup_allowed=followup_allowed,
    )
