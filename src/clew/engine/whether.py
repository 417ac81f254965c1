"""Asked whether something is so, or still so: what was told of it since comes before what was told first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.engine.asking import Asking
from clew.engine.changing import held_of, read_news, words_of
from clew.engine.overtaken import as_held, surest
from clew.engine.remembered import all_memories
from clew.engine.vectors import heads_fit, token_vectors_of, vector_of, vectors_of
from clew.kernel.correct.telling_words import told_words
from clew.kernel.keep.change_reader import Judged, Verdict, judge_all
from clew.kernel.keep.change_signs import Held
from clew.kernel.keep.ended import ENDED
from clew.kernel.keep.keys import bare_value, row_of
from clew.kernel.read.change_words import says, tells_change
from clew.kernel.read.utterance import read
from clew.kernel.recall.named import names_it
from clew.kernel.statements.features import mentions
from clew.model.account import Message
from clew.model.key import Key
from clew.model.memory import SELF, MemoryRecord, MemoryStatus
from clew.model.plan import Finding
from clew.model.utterance import Act

Told = tuple[Finding, ...]


def told_since(asking: Asking, found: Told) -> Told:
    """What was told last of the very thing or person, where it undoes what would be told."""
    first = found[0] if found else None
    if first is None or first.past or not _asks_if(asking) or not heads_fit(asking.parts):
        return found
    record = next((m for m in all_memories(asking.parts, asking.turn) if m.memory_id == first.id), None)
    if record is not None and (row_of(record.attribute, asking.policy).timeless or record.attribute == "event"):
        return found
    since = record.last_confirmed_at if record is not None else first.at
    own = {first.id, *(record.source_message_ids if record is not None else ())}
    later = [
        m
        for m in asking.turn.history
        if m.role == "user" and since is not None and m.at > since and m.message_id not in own and "?" not in m.text
    ]
    later = [m for m in later if _speaks_of(m.text, first, record, asking)]
    held = _held(first, record, asking) if later else {}
    for message in sorted(later, key=lambda m: m.at, reverse=True):
        judged, least = _judged(held, message, asking), _least(message.text, asking)
        if judged is not None and judged.undone >= least and judged.undoing is not Verdict.DENIES:
            past = judged.undoing is Verdict.ENDS
            news = Finding(message.text, "turn", message.message_id, first.subject, value=first.value, at=message.at)
            return (replace(news, named=first.named, past=past),)
    return found


def ended_it(asking: Asking, found: Told) -> Told:
    """Words that ended what the question names say no "yes", however they are told."""
    if not _asks_if(asking) or not found or not heads_fit(asking.parts):
        return found
    every = all_memories(asking.parts, asking.turn)
    named = [m for m in every if names_it(asking.question, m.subject, m.memory_value, asking.policy)]
    said = {m.message_id: m for m in asking.turn.history if m.role == "user"}
    by_id = {m.memory_id: m for m in every}
    out: dict[str, Finding] = {}
    for f in found:
        told = by_id.get(f.id)
        message = said.get(told.source_message_ids[-1] if told and told.source_message_ids else f.id)
        if message is not None and not f.past and (told is None or told.attribute == "event"):
            gone = next((m for m in named if _undid(message, m, asking)), None)
            if gone is not None:
                whose, what = gone.subject, gone.memory_value
                f = Finding(message.text, "turn", message.message_id, whose, value=what, at=message.at, past=True)
        out.setdefault(f.id, f)
    return tuple(out.values())


def _undid(message: Message, record: MemoryRecord, asking: Asking) -> bool:
    """The message ended it when it was told, or ends it by all that can be read now."""
    if record.status is MemoryStatus.INVALID and record.invalid_reason == ENDED and record.ended_at == message.at:
        return True
    if record.status is not MemoryStatus.ACTIVE or message.at <= record.last_confirmed_at:
        return False
    shared = told_words(bare_value(record.memory_value), asking.policy) & told_words(message.text, asking.policy)
    if row_of(record.attribute, asking.policy).timeless or not (shared or tells_change(message.text, asking.policy)):
        return False
    judged = _judged(_held_of(record, asking), message, asking)
    ends = judged is not None and judged.undoing is Verdict.ENDS
    return judged is not None and ends and judged.undone >= asking.policy.changes.undone_if_asked


def _asks_if(asking: Asking) -> bool:
    return says(asking.question, "asks_if", asking.policy)


def _least(text: str, asking: Asking) -> float:
    """Less is needed where the question itself doubts that it still holds, or the words tell that somebody left it."""
    table, policy = asking.policy.changes, asking.policy
    doubted = says(asking.question, "asks_still", policy)
    left = says(text, "gives_up", policy) or says(text, "leaves_work", policy)
    return table.undone_if_still if doubted or left else table.undone_if_asked


def _speaks_of(text: str, found: Finding, record: MemoryRecord | None, asking: Asking) -> bool:
    """In a word of the very thing; or of the very person, in words that tell of a change."""
    policy = asking.policy
    subject = record.subject if record is not None else found.subject
    key = Key.parse(record.memory_key) if record is not None else None
    names = {key.name.replace("_", " ")} if key is not None and key.name else set()
    names |= {a.name.lower() for a in asking.asks if a.name}
    called = frozenset(t for name in names for t in told_words(name, policy))
    thing = told_words(asking.question, policy) | told_words(bare_value(found.value), policy)
    if (thing - called) & told_words(text, policy):
        return True
    spoken_of = any(m.subject == subject for m in mentions(text, policy.reader))
    spoken_of = spoken_of or any(name in text.lower() for name in names)
    return subject != SELF and spoken_of and (tells_change(text, policy) or says(text, "leaves_work", policy))


def _held(found: Finding, record: MemoryRecord | None, asking: Asking) -> dict[str, Held]:
    if record is None:
        return as_held(asking.parts, found.told, vector_of(asking.parts, found.told))
    return _held_of(record, asking)


def _held_of(record: MemoryRecord, asking: Asking) -> dict[str, Held]:
    texts: Sequence[str] = (words_of(record), bare_value(record.memory_value))
    return {record.memory_id: held_of(asking.parts, record, dict(vectors_of(asking.parts, texts)))}


def _judged(held: dict[str, Held], message: Message, asking: Asking) -> Judged | None:
    parts, text = asking.parts, message.text
    heard = read(text, parts.policy, vector=vector_of(parts, text), tokens=token_vectors_of(parts, text))
    if all(s.act is not Act.STATEMENT for s in heard.sentences):
        return None
    return surest(judge_all(held, read_news(parts, heard)[0], parts.policy))
