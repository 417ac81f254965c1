"""`gate` at the kernel door."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from clew.errors import InvalidInput
from clew.kernel.door import MEANINGS, SENTENCES, Mode
from clew.kernel.gate.fallback import fallback
from clew.kernel.gate.repair import repair
from clew.kernel.gate.verdict import check
from clew.kernel.language.packs import language_of
from clew.kernel.read.meanings import Meanings
from clew.kernel.read.need import grave
from clew.kernel.text.passage import passage
from clew.model.fields import Fields
from clew.model.key import kind_word
from clew.model.memory import MemoryStatus, MemoryType
from clew.model.persona import (
    Directness,
    EmojiFreq,
    FollowupRate,
    Humor,
    Length,
    Lexicon,
    StableStyleParams,
)
from clew.model.plan import Frame, Snippet
from clew.model.relationship import Stage
from clew.model.topic import TopicId
from clew.model.turn import Pipeline, Source
from clew.policy import Policy

KINDS = ("reply", "clarification", "onboarding", "fallback", "refusal")


def gate(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    reply: str = payload.text("reply")
    frame = replace(read_frame(payload), minima=mode == "strict")
    if not frame.language:
        frame = replace(frame, language=language_of(frame.user_text or reply, policy))
    told = passage(frame.user_text, policy)
    frame = replace(frame, grave=frame.crisis or grave(told, frame.language, policy))
    found = check(reply, frame, policy)
    mended = None if found.ok or mode == "strict" else repair(reply, frame, policy)
    return {
        "ok": found.ok,
        "violations": [{"code": v.code, "detail": v.detail} for v in found.violations],
        "repaired": mended,
        "surfaced_memory_ids": list(found.surfaced),
        "fallback": None if found.ok else fallback(frame, policy),
        "reasons": [r.as_dict() for r in found.reasons],
    }


def read_frame(payload: Fields) -> Frame:
    return Frame(
        style=read_style(payload.child("style")),
        stage=payload.enum("stage", Stage),
        pipeline=payload.enum("pipeline", Pipeline),
        user_text=payload.text("user_text", ""),
        surfaced_memory_ids=payload.strings("surfaced_memory_ids", ()),
        recent_replies=payload.strings("recent_replies", ()),
        previous=payload.strings("previous", ()),
        memories=read_memories(payload),
        topics_blocked=read_topics(payload, "topics_blocked"),
        topics_suppressed=read_topics(payload, "topics_suppressed"),
        source=payload.enum("source", Source, Source.CHAT),
        crisis=payload.flag("crisis", False),
        message_id=payload.text("message_id", ""),
        language=payload.text("language", ""),
        kind=payload.choice("kind", KINDS, "reply"),
        known=payload.strings("known", ()) if payload.has("known") else None,
        events=_events(payload),
        vectors=_vectors(payload),
        tokens=lent.tokens if isinstance(lent := payload.data.get(MEANINGS), Meanings) else None,
    )


def _events(payload: Fields) -> tuple[str, ...]:
    """What the turn does to memory, by kind; what was skipped keeps no promise."""
    kinds = (item.text("kind", "") for item in payload.children("events", []))
    return tuple(k for k in kinds if k and k != "skipped")


def _vectors(payload: Fields) -> dict[str, tuple[float, ...]]:
    """Of the reply and of the message that it answers, under their texts; doors that embed add those of sentences."""
    made = payload.raw(SENTENCES, None)
    found = dict(made) if isinstance(made, dict) else {}
    if payload.has("vector") and (whole := payload.numbers("vector", None)) is not None:
        found[payload.text("reply")] = tuple(whole)
    if payload.has("user_vector") and (asked := payload.numbers("user_vector", None)) is not None:
        found[payload.text("user_text", "")] = tuple(asked)
    return found


def read_style(fields: Fields) -> StableStyleParams:
    default = StableStyleParams()
    return StableStyleParams(
        msg_length_pref=fields.enum("msg_length_pref", Length, default.msg_length_pref),
        emoji_freq=fields.enum("emoji_freq", EmojiFreq, default.emoji_freq),
        humor_mode=fields.enum("humor_mode", Humor, default.humor_mode),
        directness_level=fields.enum("directness_level", Directness, default.directness_level),
        followup_question_rate=fields.enum(
            "followup_question_rate", FollowupRate, default.followup_question_rate
        ),
        lexicon_bias=fields.enum("lexicon_bias", Lexicon, default.lexicon_bias),
        punctuation_quirks=fields.strings("punctuation_quirks", ()),
    )


def read_topics(payload: Fields, name: str) -> tuple[TopicId, ...]:
    out: list[TopicId] = []
    for i, topic in enumerate(payload.strings(name, ())):
        if topic not in TopicId.__members__:
            raise InvalidInput(f"{name}[{i}] is no topic: {topic[:60]!r}", pointer=f"{payload.at(name)}/{i}")
        out.append(TopicId(topic))
    return tuple(out)


def read_memories(payload: Fields) -> tuple[Snippet, ...]:
    """Only ACTIVE records can be spoken of; a key without its kind takes it from the type."""
    out: list[Snippet] = []
    kinds = {
        MemoryType.FACT: "fact",
        MemoryType.PREFERENCE: "pref",
        MemoryType.RELATIONSHIP_EVENT: "event",
        MemoryType.EMOTIONAL_PATTERN: "emotion",
    }
    for item in payload.children("memories", []):
        if item.enum("status", MemoryStatus, MemoryStatus.ACTIVE) is not MemoryStatus.ACTIVE:
            continue
        key: str = item.text("memory_key", "")
        kind = item.enum("type", MemoryType, None)
        if kind is not None and kind_word(key) not in kinds.values():
            key = f"{kinds[kind]}:{key}"
        out.append(Snippet(item.id("memory_id"), key, item.text("memory_value")))
    return tuple(out)
