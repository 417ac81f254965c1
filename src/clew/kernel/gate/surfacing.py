"""Which memories a text uses, and which of them it may (P57, P58, P96)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from clew.kernel.language.scripts import has_syllables
from clew.kernel.read.topics import topics
from clew.kernel.text.match import Lexicon
from clew.kernel.text.normalize import normal
from clew.kernel.text.passage import Passage, passage
from clew.kernel.text.tokens import words
from clew.model.key import behind_kind, first_part, kind_word
from clew.model.plan import Frame, Snippet, Violation
from clew.model.topic import TopicId
from clew.model.turn import Source
from clew.policy import Policy

_SEPARATORS = re.compile(r"[:_|]+")


def surfaced(draft: Passage, memories: Sequence[Snippet], policy: Policy) -> tuple[str, ...]:
    """Memory ids whose value the text speaks of, in order of appearance."""
    placed = [(at, i, m.memory_id) for i, m in enumerate(memories) if (at := place(m, draft, policy)) >= 0]
    return tuple(dict.fromkeys(memory_id for _, _, memory_id in sorted(placed)))


def place(memory: Snippet, said: Passage, policy: Policy) -> int:
    """Where the value is first spoken of, or -1."""
    gate = policy.gate
    value = normal(memory.words)
    if not value.no_punct:
        return -1
    read = said.read
    if not any(t in v for t in value.joined.split() + value.no_punct.split() for v in read.variants):
        return -1
    hits = _phrase(value.no_punct, policy).hits(read) if len(value.no_punct) <= gate.value_characters else ()
    if hits:
        if value.no_punct in gate.weak_values:
            return _addressed(value.no_punct, said, policy)
        return hits[0].start
    return _scattered(memory.words, said, policy)


@lru_cache(maxsize=2048)
def _phrase(value: str, policy: Policy) -> Lexicon:
    return Lexicon({"value": (value,)}, policy.text)


def _addressed(value: str, said: Passage, policy: Policy) -> int:
    """An everyday word is a memory only when it is said of the user."""
    at = 0
    for sentence in said.sentences:
        read = normal(sentence)
        if any(t in policy.gate.second_person for t in read.no_punct.split()):
            hits = _phrase(value, policy).hits(read)
            if hits:
                return at + hits[0].start
        at += len(read.no_punct) + 1
    return -1


def _scattered(value: str, said: Passage, policy: Policy) -> int:
    """A longer value counts when most of its telling words come up, in any order."""
    gate = policy.gate
    telling = _telling(value, policy)
    if len(telling) < 2:
        return -1
    read = said.read
    starts = [h[0].start for w in telling if (h := _phrase(w, policy).hits(read))]
    enough = len(starts) >= 2 and len(starts) >= gate.value_share * len(telling)
    return min(starts) if enough else -1


def _telling(value: str, policy: Policy) -> list[str]:
    """The words that tell something; what is longer than any word is spoken of by nobody."""
    gate = policy.gate
    told = [w for w in words(value) if (len(w) > 2 or has_syllables(w)) and len(w) <= gate.word_characters]
    return [w for w in dict.fromkeys(told) if w not in gate.value_stopwords][: gate.value_words]


def _beside_the_answer(memory: Snippet, draft: Passage, frame: Frame, policy: Policy) -> bool:
    """It shares words with the answer and adds none of its own but one: "the wedding" of the question, a month."""
    if not frame.asked_ids:
        return False
    told = [m.words for m in frame.memories if m.memory_id in frame.asked_ids]
    near = passage(" ".join((frame.user_text, *told)), policy).read
    said = [w for w in _telling(memory.words, policy) if _phrase(w, policy).hits(draft.read)]
    own = [w for w in said if not _phrase(w, policy).hits(near)]
    return len(said) > 1 and len(own) < 2


def asks_recall(user_text: str, policy: Policy) -> bool:
    return _recall(policy).any(user_text)


@lru_cache(maxsize=8)
def _recall(policy: Policy) -> Lexicon:
    return Lexicon({"recall": policy.gate.recall}, policy.text)


@lru_cache(maxsize=2048)
def sensitive(memory: Snippet, policy: Policy, *, proactive: bool) -> tuple[str, tuple[TopicId, ...]] | None:
    """Why a memory is sensitive, and the topics by which a user invites it."""
    gate = policy.gate
    kind, rest = kind_word(memory.key), behind_kind(memory.key)
    found = topics(_SEPARATORS.sub(" ", f"{rest} {memory.words}"), policy)
    touched = tuple(m.topic for m in found if m.topic in gate.sensitive_topics)
    if kind in gate.sensitive_types:
        by_pattern = gate.pattern_topics.get(rest, TopicId.MENTAL_HEALTH)
        return "emotional pattern", tuple(dict.fromkeys((*touched, by_pattern)))
    if kind == "event":
        domain = first_part(memory.key)
        if domain in gate.sensitive_domains:
            return f"{domain} event", tuple(dict.fromkeys((*touched, gate.sensitive_domains[domain])))
    if touched:
        return f"topic {touched[0].value}", touched
    if proactive and kind == "fact" and memory.key not in gate.proactive_facts:
        return f"{memory.key} is not for proactive messages", ()
    return None


def invited(
    memory: Snippet, by: Sequence[TopicId], user_text: str, previous: Sequence[str], policy: Policy
) -> bool:
    """The user raised its topic or the thing itself, now or in the messages just before (P9, P10)."""
    window = policy.listen.mention_window
    said = (*(previous[-window:] if window else ()), user_text)
    for text in said:
        if by and any(m.topic in by for m in topics(text, policy)):
            return True
        if place(memory, passage(text, policy), policy) >= 0:
            return True
    return False


def sensitive_ids(
    memories: Sequence[Snippet], raised: Sequence[TopicId], policy: Policy, *, proactive: bool = False
) -> frozenset[str]:
    """Memories to leave unread: sensitive, and no raised topic invites them."""
    out: set[str] = set()
    for memory in memories:
        why = sensitive(memory, policy, proactive=proactive)
        if why is not None and not any(t in raised for t in why[1]):
            out.add(memory.memory_id)
    return frozenset(out)


def unasked(memory: Snippet, frame: Frame, policy: Policy) -> str | None:
    """Why this memory may not be spoken of now, or None; what answers the user's own question may (ruling M9)."""
    if memory.memory_id in frame.asked_ids:
        return None
    proactive = frame.source is Source.RETENTION
    why = sensitive(memory, policy, proactive=proactive)
    if why is None:
        return None
    if not proactive and invited(memory, why[1], frame.user_text, frame.previous, policy):
        return None
    return why[0]


def creepiness(draft: Passage, frame: Frame, policy: Policy) -> tuple[list[Violation], tuple[str, ...]]:
    used = surfaced(draft, frame.memories, policy)
    known = {m.memory_id: m for m in frame.memories}
    counted = tuple(dict.fromkeys((*used, *frame.surfaced_memory_ids)))
    out: list[Violation] = []
    for memory_id in counted:
        memory = known.get(memory_id)
        if memory is None or _beside_the_answer(memory, draft, frame, policy):
            continue
        if why := unasked(memory, frame, policy):
            out.append(Violation("SENSITIVE_MEMORY", f"{memory_id} was not asked for: {why}"))
    if len(counted) > allowed_facts(frame, policy):
        detail = f"{len(counted)} personal facts, at most {allowed_facts(frame, policy)}"
        out.append(Violation("PERSONAL_FACT_COUNT", detail))
    return out, used


def allowed_facts(frame: Frame, policy: Policy) -> int:
    """Asking for recall lifts the limit in chat, never in a proactive message (P58)."""
    if frame.source is Source.RETENTION:
        return policy.gate.facts_retention
    if frame.asked or asks_recall(frame.user_text, policy):
        known = max(len(frame.memories), len(set(frame.surfaced_memory_ids)), frame.asked)
        return max(policy.gate.facts_chat, known)
    return policy.gate.facts_chat
