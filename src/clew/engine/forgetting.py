"""What a wish to forget takes: the memories and messages it means, and all that changed them or was changed by them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from clew.engine.changing import read_news
from clew.engine.overtaken import as_held, surest
from clew.engine.parts import Parts
from clew.engine.recall import TURN, SearchHit, find
from clew.engine.remembered import all_memories
from clew.engine.rights import Scope
from clew.engine.turn_state import Turn
from clew.engine.vectors import heads_fit, token_vectors_of, vector_of, vectors_of
from clew.engine.weighing import meant_by_words
from clew.frozen import dataclass
from clew.kernel.correct.commands import hear_command, is_explicit
from clew.kernel.correct.forgotten import IN_WORDS
from clew.kernel.correct.forgotten_marks import forgotten_messages, forgotten_words
from clew.kernel.correct.nearest import held_in, of_these_words
from clew.kernel.correct.one_side import asked_of_them, side_named
from clew.kernel.correct.targets import EVERYTHING, tentative
from clew.kernel.correct.telling_words import told_anew, told_words
from clew.kernel.correct.wishes import command_words, likely_wish, pointing_wish, whole_wish
from clew.kernel.keep.change_reader import judge_all
from clew.kernel.keep.change_signs import cosine
from clew.kernel.keep.keys import bare_value
from clew.kernel.read.change_words import says_change
from clew.kernel.read.utterance import read
from clew.kernel.recall.answers import ANY, HISTORY, WHEN, WHO, fitting
from clew.kernel.text.tokens import tokens
from clew.model.account import Message
from clew.model.memory import SELF, Command, Corrected, EventKind, MemoryRecord, MemoryStatus
from clew.model.utterance import Wording
from clew.once import once
from clew.policy import Policy


@once(1)
def command_in(parts: Parts, turn: Turn) -> Wording | str:
    policy, said, language = parts.policy, turn.read.wording, turn.read.language
    pointing = pointing_wish(said, language, policy)
    if pointing and _was_told(turn, _named(pointing, policy), policy):
        return pointing
    if is_explicit(said, policy) and hear_command(said, policy).command is Command.NONE:
        return said  # who asks for something to be kept wishes nothing away
    plain = command_words(said, language, turn.read.vector, policy)
    heard = hear_command(plain, policy)
    if heard.command is Command.NONE and plain is said:
        wish = likely_wish(said, language, turn.read.vector, policy)
        return wish if wish and _was_told(turn, _named(wish, policy), policy) else plain
    if heard.command is not Command.FORGET_TARGET or not heard.named:
        return plain
    # "That thing about my liver, hep b": what was told is named beside it.
    whole = whole_wish(said, language, policy)
    more = whole and _told(turn, _named(whole, policy), policy) > _told(turn, heard.named, policy)
    return _of_one_side(parts, turn) or (whole if more else plain)


def _of_one_side(parts: Parts, turn: Turn) -> str:
    """ "Forget where Fergus is" means the place, and not all that is known of Fergus: it is put by what is held."""
    policy, words = parts.policy, parts.policy.remember.correct.wishes.get(turn.read.language)
    question = side_named(turn.text, policy)
    if words is None or not question:
        return ""
    heard = read(f"{question}?", policy, vector=vector_of(parts, f"{question}?"))
    chances = dict(heard.asked_for) | {a.attribute: a.certainty for a in heard.asks}
    held = asked_of_them(question, chances, turn.memories, policy)
    return words.plainly.replace("{x}", bare_value(held[0].memory_value).lower()) if len(held) == 1 else ""


def _named(wish: str, policy: Policy) -> str:
    return hear_command(wish, policy).named or ""


def _told(turn: Turn, named: str, policy: Policy) -> int:
    """So many words of it are in one and the same thing that the user told."""
    words = told_words(named, policy)
    told = [*(m.text for m in turn.history if m.role == "user"), *(m.statement or "" for m in turn.memories)]
    return max((len(words & told_words(text, policy)) for text in told), default=0)


def _was_told(turn: Turn, named: str, policy: Policy) -> bool:
    """Some earlier words of the user hold half of it."""
    words = told_words(named, policy)
    return bool(words) and 2 * _told(turn, named, policy) >= len(words)


def said_before(parts: Parts, turn: Turn, corrected: Corrected) -> tuple[tuple[str, ...], str]:
    """Messages that told what is to be forgotten, whether or not a memory holds it, and the words that name it."""
    policy = parts.policy
    if any(r.rule == EVERYTHING for r in corrected.reasons):
        return (), ""
    heard = hear_command(command_in(parts, turn), policy)
    if corrected.command is Command.FORGET:
        last = next((m for m in reversed(turn.history) if m.role == "user"), None)
        mine = corrected.clarify or re.search(policy.remember.correct.just_said, turn.text.lower())
        return ((last.message_id,), last.text) if last is not None and mine else ((), "")
    named = heard.named or ""
    words = told_words(named, policy)
    if corrected.command is not Command.FORGET_TARGET or not named:
        return (), ""
    hits = _turns_about(parts, turn, named)
    meant = _meant(parts, turn, named, turn.memories)
    sources = {i for m in turn.memories if m.memory_id in meant for i in m.source_message_ids}
    found = [
        h.id
        for h in hits
        if h.id in meant or h.id in sources or (words and 2 * len(words & told_words(h.text, policy)) >= len(words))
    ]
    return (*found, *_going_on(turn, found, policy)), named


def _turns_about(parts: Parts, turn: Turn, named: str) -> tuple[SearchHit, ...]:
    return find(
        parts,
        Scope(*turn.scope),
        named,
        k=parts.policy.recall.answers_by_words,
        at=turn.at,
        kinds=(TURN,),
        speaker="user",
        exclude_message_ids=(turn.incoming.message_id,),
    )


def _meant(parts: Parts, turn: Turn, named: str, memories: Iterable[MemoryRecord]) -> frozenset[str]:
    """Memories and messages that the words surely mean; where none is sure, the likeliest.

    The message that the search finds first is meant too where it holds most of the words that any holds.
    """
    limits, words = parts.policy.changes, told_words(named, parts.policy)
    held = [m for m in memories if m.status is MemoryStatus.ACTIVE]
    hits = _turns_about(parts, turn, named)
    said = {h.id: h.text for h in hits} | {m.memory_id: f"{m.memory_value} {m.statement or ''}" for m in held}
    named_in = {
        i: held_in(words, told_words(text, parts.policy) | set(tokens(text.lower()))) for i, text in said.items()
    }
    shared = [len(named_in[h.id]) for h in hits]
    first = {hits[0].id} if shared and shared[0] == max(shared) > 0 else set()
    chances = meant_by_words(parts, turn, named, held, hits)
    there = [m for m in held if first & set(m.source_message_ids) and len(m.source_message_ids) == 1]
    first |= {m.memory_id for m in of_these_words(there, words, chances)}
    sure = {i for i, c in chances.items() if c >= limits.forget_sure}
    naming = {i for i, there_named in named_in.items() if there_named}
    if words and any(named_in[i] == words for i in naming):
        sure &= naming  # what is named in so many words is meant, and nothing else
    likeliest_said = max(hits, key=lambda h: (chances.get(h.id, 0.0), h.id)).id if hits else ""
    # Of messages that hold none of the words only the likeliest is meant: a wish means one thing.
    sure -= {h.id for h in hits} - naming - {likeliest_said}
    best = max(chances, key=lambda i: (chances[i], i), default="")
    likeliest = {best} if best and chances[best] >= limits.forget_at else set()
    return frozenset(_nearest(sure | first, held, words, chances) or likeliest)


def _nearest(
    meant: Iterable[str], held: Sequence[MemoryRecord], words: frozenset[str], chances: Mapping[str, float]
) -> set[str]:
    """Of several memories that one message told, those nearest to the words, where that holds the words at all."""
    out = set(meant)
    told: dict[tuple[str, ...], list[MemoryRecord]] = {}
    for m in held:
        if m.memory_id in out:
            told.setdefault(m.source_message_ids, []).append(m)
    for beside in told.values():
        if any(word in (m.statement or "").lower() for m in beside for word in words):
            kept = {m.memory_id for m in of_these_words(beside, words, chances)}
            out -= {m.memory_id for m in beside if m.memory_id not in kept}
    return out


def _going_on(turn: Turn, found: Sequence[str], policy: Policy) -> tuple[str, ...]:
    """ "She's 6", said right after what is to be forgotten, tells of the same one and goes with it."""
    own = [m for m in turn.history if m.role == "user"]
    out: list[str] = []
    for before, after in pairwise(own):
        leans = not set(after.text.lower().replace("’", "'").split()).isdisjoint(policy.reader.they)
        if leans and (before.message_id in found or before.message_id in out) and after.message_id not in found:
            out.append(after.message_id)
    return tuple(out)


def asked_for(
    parts: Parts, turn: Turn, said: Wording | str, memories: Sequence[MemoryRecord]
) -> list[MemoryRecord]:
    """ "Forget how much I earn" names no word of the memory; asked as a question it leads there."""
    policy = parts.policy
    heard = hear_command(said, policy)
    may = tentative(said, policy) if isinstance(said, Wording) and heard.command is Command.NONE else []
    heard = may[0] if may else heard
    if heard.command is not Command.FORGET_TARGET or not heard.named:
        return []
    question, words = f"{heard.named}?", told_words(heard.named, policy)
    asks = read(question, policy, vector=vector_of(parts, question)).asks
    sure = [a for a in asks if a.attribute not in (ANY, WHO, WHEN, HISTORY)]
    with parts.store.read() as session:
        held = session.memories_by_attribute(*turn.scope, [a.attribute for a in sure]) if sure else []
    known = {m.memory_id for m in memories}
    found = [m for m, named in fitting(sure, held, policy) if named == 1 and m.memory_id in known]
    found = _named_in(found, heard.named, policy)
    elsewhere = any(2 * len(words & told_words(m.text, policy)) >= len(words) for m in turn.history if m.role == "user")
    if not any(words & told_words(f"{m.memory_value} {m.statement or ''}", policy) for m in found) and elsewhere:
        found = []  # "the price I got for the van" is in the words that hold the van, not in the next one
    found = found if len(found) <= policy.changes.forget_most else []
    meant = _meant(parts, turn, heard.named, memories) if not may else ()
    every = {m.memory_id: m for m in (*found, *(m for m in memories if m.memory_id in meant))}
    return [m for m in every.values() if not _only_who(m, words, policy)]


def _only_who(record: MemoryRecord, words: frozenset[str], policy: Policy) -> bool:
    """Somebody's name, which the wish does not say: who they are is no part of what was told of them."""
    name = record.subject != SELF and record.attribute == "name"
    return name and not words & told_words(bare_value(record.memory_value), policy)


def _named_in(found: Sequence[MemoryRecord], named: str, policy: Policy) -> list[MemoryRecord]:
    """Of what lies on the side of a life that is asked for, what holds a word of the wish; else all of it."""
    words = told_words(named, policy)
    by_value = [m for m in found if held_in(words, told_words(m.memory_value, policy))]
    by_words = [m for m in found if held_in(words, told_words(m.statement or "", policy))]
    return by_value or by_words or list(found)


@dataclass(frozen=True, slots=True)
class Taken:
    """What goes: memories that hold, and messages that told it, changed it or were changed by it.

    said: those of them that hold what is named, though no memory does.
    """

    memories: frozenset[str] = frozenset()
    messages: tuple[str, ...] = ()


def taken_along(parts: Parts, turn: Turn, targets: Iterable[str], said: Sequence[str], named: str) -> Taken:
    """Of a forgotten thing nothing is left: how it stood before, and what it became, are parts of it.

    Where the wish names an old value by itself ("forget Gdansk"), what stands in its place is another thing.
    """
    policy, words = parts.policy, told_words(named, parts.policy)
    records = all_memories(parts, turn)
    chosen = frozenset(targets)
    told = {i for m in records if m.memory_id in chosen for i in m.source_message_ids}
    first = told | set(said)
    final = frozenset(i for m in records if _names(m, words, policy) for i in m.source_message_ids)
    swept = _changed_around(parts, turn, first, final)
    values = [m.memory_value for m in records if m.memory_id in chosen or first & set(m.source_message_ids)]
    swept |= {m.message_id for m in turn.history if m.role == "user" and told_anew(m.text, values, policy)} - first
    mine = first | swept
    heirs = {m.superseded_by for m in records if first & set(m.source_message_ids) and m.attribute in IN_WORDS}
    taken = set()
    for m in records:
        if m.status is not MemoryStatus.ACTIVE or m.memory_id in chosen:
            continue
        sources = set(m.source_message_ids)
        from_it = bool(sources) and sources <= mine
        if m.memory_id in heirs or (sources & first and _names(m, words, policy)):
            taken.add(m.memory_id)
        elif from_it and not sources <= first:
            taken.add(m.memory_id)  # it was read from words that only changed the forgotten thing
    if not chosen:
        taken |= _only_told(said, words, records)
    return Taken(frozenset(taken), tuple(sorted(mine)))


def _only_told(said: Sequence[str], words: frozenset[str], records: Sequence[MemoryRecord]) -> frozenset[str]:
    """What was read from words that are meant, where nothing that was read from them is: of several the nearest."""
    found: set[str] = set()
    for message in said:
        held = [m for m in records if m.status is MemoryStatus.ACTIVE and m.source_message_ids == (message,)]
        found |= {m.memory_id for m in of_these_words(held, words, {})} if held else set()
    return frozenset(found)


def _names(record: MemoryRecord, words: frozenset[str], policy: Policy) -> bool:
    """The value itself is named, whatever ending it has there."""
    if record.attribute in IN_WORDS:
        return False
    value = told_words(bare_value(record.memory_value).replace("_", " "), policy)
    return bool(value) and all(any(w == v or (len(v) > 1 and w.startswith(v)) for w in words) for v in value)


def _changed_around(parts: Parts, turn: Turn, first: Iterable[str], final: frozenset[str]) -> set[str]:
    """Messages that changed what these told, and those that these changed, over however many steps."""
    if not heads_fit(parts):
        return set()
    own = [m for m in turn.history if m.role == "user" and "?" not in m.text]
    by_id = {m.message_id: m for m in own}
    made = vectors_of(parts, [m.text for m in own])
    places = _places(all_memories(parts, turn))
    swept: set[str] = set()
    left = [by_id[i] for i in first if i in by_id]
    while left:  # what became of it
        one = left.pop()
        for other in _near(one, own, made, parts.policy.changes.forget_around):
            known = other.message_id in swept or other.message_id in first
            if known or other.at < one.at or one.message_id in final:
                continue
            if _undoes(parts, one, other, places) > 0:
                swept.add(other.message_id)
                left.append(other)
    new = max((by_id[i] for i in first if i in by_id), key=lambda m: m.at, default=None)
    while new is not None:  # how it stood before, step by step
        one, new = new, None
        earlier = [m for m in _near(one, own, made, parts.policy.changes.forget_around) if m.at < one.at]
        undone = {m.message_id: _undoes(parts, m, one, places) for m in earlier}
        best = max(earlier, key=lambda m: (undone[m.message_id], m.at), default=None)
        if best is not None and undone[best.message_id] > 0 and best.message_id not in swept:
            new = best
            swept.add(best.message_id)
    return swept - set(first)


def _places(records: Sequence[MemoryRecord]) -> dict[str, set[tuple[str, str | None]]]:
    """By message, whose life and which sides of it were told of."""
    out: dict[str, set[tuple[str, str | None]]] = {}
    for m in records:
        for source in m.source_message_ids:
            out.setdefault(source, set()).add((m.subject, m.attribute))
    return out


def _near(one: Message, own: Sequence[Message], made: Mapping[str, Sequence[float]], most: int) -> list[Message]:
    """What was said right before and after it, and what lies nearest to it."""
    at = own.index(one)
    beside = {m.message_id for m in own[max(0, at - 1) : at + 3]}
    others = [m for m in own if m.message_id != one.message_id]
    mine = made.get(one.text)
    others.sort(key=lambda m: (m.message_id in beside, cosine(mine, made.get(m.text))), reverse=True)
    return others[:most]


def _undoes(parts: Parts, old: Message, new: Message, places: Mapping[str, set[tuple[str, str | None]]]) -> float:
    """How surely the later words changed what the earlier told; 0.0 where they did not.

    Words of change, or the same side of the same life, speak for it; without either only a sure reader is believed.
    """
    policy, text = parts.policy, new.text
    heard = read(text, policy, vector=vector_of(parts, text), tokens=token_vectors_of(parts, text))
    held = as_held(parts, old.text, vector_of(parts, old.text))
    judged = surest(judge_all(held, read_news(parts, heard)[0], policy))
    alike = places.get(old.message_id, set()) & places.get(new.message_id, set())
    table = policy.changes
    least = table.forget_changed if alike or says_change(text, policy) else table.forget_changed_unsaid
    return judged.undone if judged is not None and judged.undone >= least else 0.0


def with_marks(done: Corrected, turn: Turn, policy: Policy) -> Corrected:
    """The words that told it go with it; they leave a mark that keeps them from coming back."""
    asked, made = turn.asked, None
    gone = {e.memory_id for e in done.events if e.kind is EventKind.INVALIDATED}
    told = {i for m in done.memories if m.memory_id in gone for i in m.source_message_ids}
    if asked.said:
        sources = tuple(dict.fromkeys((*asked.said, *asked.swept)))
        made = forgotten_words(asked.named, sources, turn.incoming.message_id, turn.at, policy)
    elif gone and not told.issuperset(asked.swept):
        made = forgotten_messages(asked.swept, turn.incoming.message_id, turn.at)
    if made is None:
        return done
    return replace(done, memories=(*done.memories, made[0]), events=(*done.events, made[1]), clarify=False)
