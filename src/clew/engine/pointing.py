"""What was listed last, and follow-ups that point at it: "forget the second one", through the turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from clew.engine.meanings import lend
from clew.engine.parts import Parts, user_lock
from clew.engine.texts import say
from clew.engine.turn_state import Pointed, Turn, Words
from clew.kernel.correct.commands import hear_command
from clew.kernel.keep.telling import tell
from clew.model.account import Conversation
from clew.model.event import Event
from clew.model.evidence import Candidate, GroundOutcome
from clew.model.language import HOUSE
from clew.model.memory import MemoryRecord
from clew.model.notes import GroundNote
from clew.model.plan import Snippet
from clew.model.shown import Item, Kind, ShownList, put_shown
from clew.model.turn import Pipeline

if TYPE_CHECKING:
    from clew.kernel.ground.pick import Understood

# What is done with an item of which list.
_FORGET, _CLOSE, _PERSONAS = "memories", "threads", "personas"
_CALLED: dict[Kind, str] = {"memories": "memory", "threads": "thread", "personas": "persona"}
# What showing a list amounts to.
_LISTED = "Here they are:"
_NAMED = ("ground.label", "ground.described", "ground.pointed.name")
_COUNTED = ("ground.ordinal", "ground.pointed.place")
_WHOLE = ("ground.pointed.all", "ground.pointed.left")
_NETWORK = "ground.network"


def memory_item(parts: Parts, memory: MemoryRecord, language: str = HOUSE) -> Item:
    """Pointed at by its value, told in a sentence."""
    return Item(memory.memory_id, Snippet.of(memory).words, tell(memory, language, parts.policy))


def show(parts: Parts, conversation: Conversation, kind: Kind, items: Sequence[Item]) -> None:
    """Remember what is on the table; a new list replaces the old one."""
    at = parts.clock.now()
    shown = ShownList(kind, at, tuple(items))
    with parts.store.write(user_lock(conversation.user_id)) as session:
        session.append(
            [
                Event(
                    kind="list.shown",
                    at=at,
                    user_id=conversation.user_id,
                    policy=parts.policy.fingerprint,
                    changes=(put_shown(conversation.conversation_id, conversation.user_id, shown),),
                )
            ]
        )


def ground(parts: Parts, turn: Turn) -> Turn:
    """Which item of the shown list the message means, and what it wants done with it; mostly none."""
    shown = turn.shown
    if shown is None or not shown.items or turn.arranged.reply:
        return turn
    if turn.route.pipeline is Pipeline.REFUSAL or turn.route.crisis:
        return turn
    if turn.at - shown.at > timedelta(minutes=parts.policy.engine.list_minutes):
        return turn
    if shown.told and not _fresh(turn, shown):
        return turn  # what a reply told in passing is pointed at right after it, or not at all
    if shown.told and any(a.name or a.attribute in parts.policy.compose.exact for a in turn.read.asks):
        return turn  # "what's Hanna's last name?" points at no last one
    from clew.kernel.ground.pick import understand  # loaded where a list is on the table, seldom

    found = understand(
        turn.text,
        _candidates(shown),
        parts.policy.ground,
        last_assistant_text=_said(turn, shown),
        last=shown.last,
        destructive=None,
        meanings=lend(parts.embedder),
    )
    pointed = _asked_about(parts, turn, shown, found) or _pointed(parts, turn, shown, found)
    if pointed is None:
        return turn
    turn.notes.add(
        GroundNote(
            rule=found.reasons[0].rule,
            choice=found.choice_ids[0] if found.choice_ids else None,
            verb=found.verb,
            matches=found.matches,
            forget=pointed.forget,
            close=pointed.close,
            persona=pointed.persona,
        )
    )
    return replace(turn, pointed=pointed)


def _candidates(shown: ShownList) -> tuple[Candidate, ...]:
    """Each is of the list's own kind: "the third persona" counts along it."""
    return tuple(Candidate(i.id, i.label, i.sublabel or None, type=_CALLED[shown.kind]) for i in shown.items)


def _fresh(turn: Turn, shown: ShownList) -> bool:
    """Nobody spoke since the list was shown."""
    return not turn.history or turn.history[-1].at <= shown.at


def _said(turn: Turn, shown: ShownList) -> str:
    """Right after a list the list is what was said; later it is the reply that came in between."""
    last = next((m.text for m in reversed(turn.history) if m.role == "assistant"), "")
    return _LISTED if _fresh(turn, shown) or not last else last


def told_list(parts: Parts, turn: Turn, words: Words, at: datetime) -> ShownList | None:
    """Memories that a reply tells one after the other, in the order in which it tells them."""
    if turn.pointed.reply or (turn.shown is not None and _fresh(turn, turn.shown)):
        return None
    low = words.text.lower()
    told = [
        m
        for m in turn.memories
        if m.memory_id in words.surfaced or (m.statement is not None and m.statement.lower() in low)
    ]
    if len(told) < 2:
        return None
    items = [memory_item(parts, m, turn.read.language) for m in told]
    placed = sorted((low.find(i.label.lower()), n) for n, i in enumerate(items) if i.label.lower() in low)
    if len(placed) < 2:
        return None
    return ShownList("memories", at, tuple(items[n] for _, n in placed), told=True)


def _asked_about(parts: Parts, turn: Turn, shown: ShownList, found: Understood) -> Pointed | None:
    """ "Tell me more about the last one": what is known of it, and when it was said."""
    if found.outcome is not GroundOutcome.ANSWER or not _fresh(turn, shown):
        return None
    from clew.kernel.ground.options import OptionSet
    from clew.kernel.ground.point import point

    meant = point(turn.text, OptionSet(_candidates(shown)), None, parts.policy.ground)
    if meant.winner is None or meant.how != "place":
        return None
    item = shown.items[meant.winner]
    after = shown.pointed_at(item.id)
    memory = next((m for m in turn.memories if m.memory_id == item.id), None)
    if memory is None or memory.statement is None:
        return Pointed(_words(parts, turn, "pointed_item", _told(item)), shown=after)
    day = memory.created_at.astimezone(turn.zone)
    told = _words(parts, turn, "pointed_more", _told(item))
    text = told.text.replace("{day}", f"{day:%Y-%m-%d}").replace("{said}", memory.statement)
    return Pointed(replace(told, text=text), shown=after)


def _pointed(parts: Parts, turn: Turn, shown: ShownList, found: Understood) -> Pointed | None:
    verbs = parts.policy.engine.pointing[shown.kind]
    fresh, rule = _fresh(turn, shown), found.reasons[0].rule
    if found.verb in verbs and found.excluded and fresh and not found.choice_ids:
        # "All but the name" never forgets the name: what is left is asked about.
        left = [i.label for i in shown.items if i.id not in found.excluded]
        return Pointed(_words(parts, turn, "pointed_which", ", ".join(left))) if left else None
    taken = rule in (*_COUNTED, *_WHOLE) or rule.startswith((*_NAMED, _NETWORK))
    if shown.told and not (fresh and taken and found.verb in verbs):
        return None
    if rule.startswith("ground.deictic") and not (fresh and _only_points(parts, turn.text)):
        return None
    if not found.choice_ids:
        if shown.kind == _PERSONAS and fresh and rule.startswith(_NAMED) and found.question:
            return Pointed(Words(found.question, "pointing"))
        if found.verb in verbs and len(found.matches) > 1:
            labels = ", ".join(shown.item(i).label for i in found.matches)
            return Pointed(_words(parts, turn, "pointed_which", labels))
        return None
    if found.verb is not None and found.verb not in verbs:
        return None
    # "I love ramen" is something said, whatever is listed; only a bare number right after the list is a choice.
    names_a_persona = shown.kind == _PERSONAS and rule.startswith((*_NAMED, _NETWORK))
    if found.verb is None and not (fresh and (rule in _COUNTED or names_a_persona)):
        return None
    items, after = [shown.item(i) for i in found.choice_ids], shown.pointed_at(found.choice_ids[0])
    if shown.kind == _PERSONAS:
        if len(items) > 1:
            return Pointed(_words(parts, turn, "pointed_which", ", ".join(i.label for i in items)))
        chosen = _words(parts, turn, "pointed_persona", items[0].label)
        return Pointed(chosen, persona=items[0].id, shown=after)
    if found.verb is None:
        return Pointed(_words(parts, turn, "pointed_item", "; ".join(map(_told, items))), shown=after)
    if shown.kind == _FORGET:
        reply = _words(parts, turn, "pointed_forgotten", "; ".join(map(_told, items)))
        return Pointed(reply, forget=found.choice_ids, shown=after)
    closed = _words(parts, turn, "pointed_closed", ", ".join(i.label for i in items))
    return Pointed(closed, close=found.choice_ids, shown=after)


def _told(item: Item) -> str:
    return item.sublabel or item.label


def _words(parts: Parts, turn: Turn, text_id: str, what: str) -> Words:
    said = say(text_id, turn.read.language, turn.incoming.message_id, parts.policy, heard=turn.text)
    return Words(said.format(what=what), "pointing")


def _only_points(parts: Parts, text: str) -> bool:
    """ "Forget that" may mean what is listed; "forget that I live in Rome" names its own memory (ruling P73)."""
    return hear_command(text, parts.policy).named is None
