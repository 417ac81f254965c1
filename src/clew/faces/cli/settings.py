"""What the user told about themself, and who their friend is: seen and changed in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from clew.engine import friends, identity, pointing, service
from clew.faces.cli.onboarding import words_for
from clew.faces.cli.sitting import Chat
from clew.kernel.introduce.answers import read_answer
from clew.kernel.language.packs import language_of
from clew.kernel.reach.wishes import mute_until
from clew.kernel.read.short_answers import short_answer
from clew.model.shown import Item
from clew.policy import Policy

# What a person calls each setting.
NAMES = {
    "name": "preferred_name",
    "age": "age_band",
    "country": "country_or_region",
    "zone": "client_timezone",
    "work": "occupation_category",
    "first": "proactive_messages_enabled",
    "topics": "suppressed_topics",
    "mute": "mute_until",
}
_CONTROLS = ("proactive_messages_enabled", "suppressed_topics")


def settings(room: Chat, rest: str) -> None:
    name, _, value = rest.partition(" ")
    words = words_for(room.parts, room.language)
    if not name:
        with room.parts.store.read() as session:
            known = identity.account(session, room.conversation.user_id)
        held: dict[str, Any] = {**asdict(known.user.answers), **asdict(known.controls)}
        for short, field in NAMES.items():
            empty = words.screen["no"] if short == "mute" else words.lines["unknown"]
            kept: Any = held[field]
            if short == "topics":
                kept = [words.topic_names.get(topic, topic) for topic in kept]
            label = room.words[f"setting_{short}"]
            beside = "" if label == short else f" ({label})"
            room.show(f"{short:<8}{beside} {_shown(kept, empty, room.words)}")
        room.show(room.words["settings_change"])
        return
    if name.lower() == "mute":
        _mute(room, value)
        return
    field = NAMES.get(name.lower(), name)
    if field not in NAMES.values():
        room.show(room.words["settings_unknown"].format(name=name, known=", ".join(NAMES)))
        return
    if not value:
        room.show(words.questions[field])
        return
    said = read_answer(field, short_answer(value), room.parts.policy, identity.places())
    if said.unclear:
        room.show(words.lines["unclear"])
        return
    cleared = (field,) if said.skipped and field not in _CONTROLS else ()
    identity.change(room.parts, room.conversation.user_id, said.values, cleared)
    room.show(room.words["changed" if said.values or cleared else "unchanged"])


def _mute(room: Chat, value: str) -> None:
    """`/settings mute 24h`, `7d`, `a week`, `until Monday`, `forever`, `off`."""
    user_id, at = room.conversation.user_id, room.parts.clock.now()
    off = value.strip().lower() in _lifting(room.parts.policy)
    until = None if off else mute_until(value, at, room.zone, room.parts.policy)
    if until is None and not off:
        room.show(room.words["mute_how"])
        return
    identity.mute(room.parts, user_id, until)
    room.show(room.words["changed"])


def _shown(value: Any, unknown: str, words: Mapping[str, str]) -> str:
    if value is None:
        return unknown
    if isinstance(value, datetime):
        return words["for_ever"] if value.year == datetime.max.year else f"{value:%Y-%m-%d %H:%M} UTC"
    if isinstance(value, bool):
        return words["yes" if value else "no"]
    if isinstance(value, (tuple, list)):
        return "; ".join(str(v) for v in value) or words["none"]
    return str(value)


def persona(room: Chat, rest: str) -> None:
    verb, _, named = rest.partition(" ")
    if not rest:
        _list(room)
    elif verb == "again":
        _meet(room, friends.recast(room.parts, room.conversation).assignment.template_id, "again")
    elif verb == "name":
        if not named.strip():
            room.show(room.words["persona_name_how"])
            return
        place = service.place_of(room.parts, room.conversation.conversation_id)
        words = room.parts.policy.plan.languages[language_of(named, room.parts.policy, room.language)]
        service.put(room.parts, place, "rule:called", words.named.format(name=named.strip()))
        room.show(room.words["persona_named"].format(name=named.strip()))
    elif verb == "try":
        wanted = friends.find(room.parts, named or "1")
        tried = room.words["persona_try"]
        room.show(friends.described(wanted, room.words))
        room.dim(f"{room.words['persona_you']} › {tried}")
        room.show(f"clew › {friends.sample_reply(room.parts, wanted.id, tried)}")
    else:
        chosen = friends.find(room.parts, rest.removeprefix("choose "))
        friends.recast(room.parts, room.conversation, chosen.id)
        _meet(room, chosen.id, "chosen")


def _meet(room: Chat, persona_id: str, how: str) -> None:
    described = friends.described(friends.find(room.parts, persona_id), room.words)
    room.show(room.words[f"persona_{how}"].format(persona=described))


def _list(room: Chat) -> None:
    with room.parts.store.read() as session:
        friend = session.friend(room.conversation.friend_id)
    now = friend.assignment.template_id if friend else ""
    words, cast = room.words, room.parts.policy.cast.templates
    listed = [Item(t.id, t.core_archetype, friends.described(t, words)) for t in cast]
    pointing.show(room.parts, room.conversation, "personas", listed)
    for number, known in enumerate(cast, 1):
        mark = "→" if known.id == now else " "
        room.show(f"{mark} {number:>2}. {friends.described(known, words)}")
    room.show(words["persona_how"])


def _lifting(policy: Policy) -> frozenset[str]:
    """Words that switch a setting off, in every language."""
    return frozenset(w for words in policy.introduce.languages.values() for w in words.off)
