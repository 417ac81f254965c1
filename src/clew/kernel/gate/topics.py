"""Topics a reply may not bring up (rulings P9–P11)."""

from __future__ import annotations

from clew.kernel.read.questions import is_question
from clew.kernel.read.topics import topics
from clew.kernel.text.normalize import normal
from clew.kernel.text.passage import Passage
from clew.model.plan import Frame, Violation
from clew.model.topic import TopicId
from clew.model.turn import Pipeline, Source
from clew.policy import Policy


def raised_now(frame: Frame, policy: Policy) -> frozenset[TopicId]:
    return frozenset(m.topic for m in topics(frame.user_text, policy))


def raised_lately(frame: Frame, policy: Policy) -> frozenset[TopicId]:
    """Now, in the messages just before, or by asking for what is about it."""
    window = policy.listen.mention_window
    said = (*(frame.previous[-window:] if window else ()), *frame.answered)
    return raised_now(frame, policy) | {m.topic for text in said for m in topics(text, policy)}


def unwelcome(frame: Frame, policy: Policy) -> dict[TopicId, int]:
    """Topic → how many distinct keywords make it a mention. Order: suppressed, taboo, sensitive."""
    gate = policy.gate
    if frame.source is Source.RETENTION:
        now: frozenset[TopicId] = frozenset()
        lately = now
    else:
        now, lately = raised_now(frame, policy), raised_lately(frame, policy)
    out: dict[TopicId, int] = {}
    for topic in frame.topics_suppressed:
        if topic not in now:
            out[topic] = gate.suppressed_hits
    for topic in frame.topics_blocked:
        if topic not in lately:
            hits = gate.sensitive_hits if topic in gate.sensitive_topics else gate.topic_hits
            out.setdefault(topic, hits)
    # Care, a refusal and the answer to a plain question may have to name what was not named before.
    answers = frame.pipeline is Pipeline.INFO_QA and frame.source is Source.CHAT
    if frame.crisis or answers or frame.pipeline is Pipeline.REFUSAL:
        return out
    for topic in gate.sensitive_topics:
        caring = frame.caring and topic in gate.supportive_topics
        if topic not in lately and not caring:
            out.setdefault(topic, gate.sensitive_hits)
    return out


def mentions(
    draft: Passage, limits: dict[TopicId, int], listed: frozenset[TopicId], policy: Policy
) -> list[TopicId]:
    """Topics of the draft, by the same matcher as the user's text (P11)."""
    out: list[TopicId] = []
    for match in topics(draft.text, policy):
        hits = match.hits
        if match.topic not in listed:
            # Nobody listed this topic: an everyday word alone does not bring it up.
            hits = tuple(h for h in hits if h not in policy.gate.idle_words)
        if match.topic in limits and len(hits) >= limits[match.topic]:
            out.append(match.topic)
    return out


def blocked(draft: Passage, frame: Frame, policy: Policy) -> list[Violation]:
    listed = frozenset((*frame.topics_suppressed, *frame.topics_blocked))
    found = mentions(draft, unwelcome(frame, policy), listed, policy)
    out = [Violation("BLOCKED_TOPIC", f"{t.value} was not raised by the user") for t in found]
    for topic in reopened(draft, frame, policy):
        out.append(Violation("BLOCKED_TOPIC", f"{topic.value} is suppressed; the question re-opens it"))
    return out


def reopened(draft: Passage, frame: Frame, policy: Policy) -> list[TopicId]:
    """A suppressed topic the user raised is answered narrowly: no question about it."""
    now = raised_now(frame, policy)
    narrow = [t for t in frame.topics_suppressed if t in now]
    if not narrow:
        return []
    asked: set[TopicId] = set()
    for sentence in draft.sentences:
        if is_question(normal(sentence), policy):
            asked.update(m.topic for m in topics(sentence, policy))
    return [t for t in narrow if t in asked]
