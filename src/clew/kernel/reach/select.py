"""What a proactive message may be about (rulings P94–P98, P100)."""

from __future__ import annotations

import re
from datetime import timedelta

from clew.kernel.cast.prng import Mulberry32
from clew.kernel.gate.repetition import opener
from clew.kernel.gate.surfacing import sensitive
from clew.kernel.language.pack import HOUSE
from clew.kernel.language.packs import language_of
from clew.kernel.reach.telling import plan_named
from clew.kernel.read.topics import topics
from clew.kernel.text.emoji import emoji_clusters
from clew.kernel.text.sentences import sentences
from clew.model.outreach import Content, MessageKind, PlanAhead, ReachAsk
from clew.model.plan import Snippet
from clew.model.relationship import Stage
from clew.model.topic import TopicId
from clew.policy import Policy
from clew.policy.reach import ReachWords

_ASKS = re.compile(r"(?<![?？])[?？]$")


def select(ask: ReachAsk, policy: Policy) -> Content:
    """The first rung that holds."""
    barred = tuple(dict.fromkeys((*ask.controls.suppressed_topics, *ask.taboo, *policy.gate.sensitive_topics)))
    words = policy.reach.languages[_spoken(ask, policy)]
    if plan := outcome_due(ask, barred, policy):
        line = _pick(ask, words.outcomes, plan.id).format(what=plan_named(plan.text, words))
        return Content(MessageKind.FOLLOW_UP, line, "outcome", 1, 1, 0, barred, about=plan.id)
    if question := open_question(ask, barred, policy):
        line = _pick(ask, words.follow_up, "follow_up").format(question=question)
        return Content(MessageKind.FOLLOW_UP, line, "follow-up", 1, 1, 0, barred)
    first = fresh_opener(ask, words, policy)
    most = policy.gate.retention_sentences
    questions = policy.reach.max_questions
    if memory := nudge(ask, barred, policy):
        pool = words.nudges[memory.key]
        line = _pick(ask, pool, memory.memory_id).format(value=memory.words)
        text = _joined(first, line)
        facts = policy.gate.facts_retention
        kind = MessageKind.LIGHT_CONTEXT_NUDGE
        return Content(kind, text, memory.key, most, questions, facts, barred, memory.memory_id, first)
    intent = policy.reach.intents[ask.stage]
    line = _pick(ask, words.check_ins[ask.stage], "check_in")
    return Content(
        MessageKind.GENERIC_SAFE, _joined(first, line), intent, most, questions, 0, barred, None, first
    )


def open_question(ask: ReachAsk, barred: tuple[TopicId, ...], policy: Policy) -> str:
    """The chat's last question, unanswered for a day and not asked again yet (P94, P95)."""
    chat = [m for m in ask.last_messages if m.source == "chat"]
    # Of two at one moment the later in the list was said last.
    last = max(enumerate(chat), key=lambda m: (m[1].at, m[0]), default=(0, None))[1]
    if last is None or last.role != "assistant":
        return ""
    if any(m.source != "chat" and m.at >= last.at for m in ask.last_messages):
        return ""
    text = last.text.strip()
    for mark in emoji_clusters(text):
        text = text.replace(mark, "").strip()
    if not _ASKS.search(text) or ask.now - last.at < timedelta(hours=policy.reach.follow_up_hours):
        return ""
    question = sentences(text, policy.text)[-1] if sentences(text, policy.text) else ""
    if any(m.topic in barred for m in topics(text, policy)):
        return ""
    return question[:1].lower() + question[1:] if question[:2] not in ("I ", "I'") else question


def outcome_due(ask: ReachAsk, barred: tuple[TopicId, ...], policy: Policy) -> PlanAhead | None:
    """The oldest plan whose day has passed and that nobody asked about yet; never a sensitive one."""
    latest = timedelta(days=policy.reach.outcome_days)
    for plan in sorted(ask.plans, key=lambda p: (p.until, p.id)):
        ripe = plan.until <= ask.now <= plan.until + latest
        if not ripe or plan.asked or plan.sensitive or heavy(plan, policy):
            continue
        if not any(m.topic in barred for m in topics(plan.text, policy)):
            return plan
    return None


def heavy(plan: PlanAhead, policy: Policy) -> bool:
    """Illness, courts, funerals and the like, in any language: nobody is asked how that went."""
    return any(re.search(words.heavy, plan.text, re.I) for words in policy.reach.languages.values())


def nudge(ask: ReachAsk, barred: tuple[TopicId, ...], policy: Policy) -> Snippet | None:
    """One allowed fact, friends only; preferences are never used (P98)."""
    if ask.stage not in (Stage.FRIEND, Stage.CLOSE_FRIEND):
        return None
    for key in policy.reach.nudge_facts:
        if key in ask.controls.suppressed_memory_keys or policy.reach.fact_topics.get(key) in barred:
            continue
        for memory in ask.memories:
            if memory.key != key or sensitive(memory, policy, proactive=True):
                continue
            if not any(m.topic in barred for m in topics(memory.words, policy)):
                return memory
    return None


def fresh_opener(ask: ReachAsk, words: ReachWords, policy: Policy) -> str:
    """Never one of the last ten; after a few tries the shortest neutral one (P100)."""
    reach = policy.reach
    used = {opener(o, policy) or o for o in ask.recent_openers[-reach.opener_window :]}
    order = Mulberry32(ask.seed + len(ask.attempts)).shuffled(words.openers)
    for line in order[: reach.opener_tries]:
        if opener(line, policy) not in used and line not in used:
            return line
    neutral = sorted(words.neutral_openers, key=lambda line: (len(line), line))
    return next((line for line in neutral if opener(line, policy) not in used), neutral[0])


def _joined(first: str, line: str) -> str:
    return f"{first}. {line[:1].upper() + line[1:]}"


def _spoken(ask: ReachAsk, policy: Policy) -> str:
    known = policy.reach.languages
    if ask.language in known:
        return ask.language
    said = [language_of(m.text, policy) for m in ask.last_messages]
    return next((s for s in reversed(said) if s in known), HOUSE)


def _pick(ask: ReachAsk, pool: tuple[str, ...], salt: str) -> str:
    return Mulberry32(ask.seed + len(ask.attempts) + len(salt)).pick(pool)
