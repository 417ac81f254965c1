"""What Clew says in its own words, chosen by content so that the same turn says the same."""

from __future__ import annotations

import hashlib

from clew.kernel.compose.choosing import levelled
from clew.kernel.language.packs import pack
from clew.model.language import HOUSE
from clew.policy import Policy


def say(
    text_id: str, language: str, message_id: str, policy: Policy, avoid: tuple[str, ...] = (), heard: str = ""
) -> str:
    """Rotates by the message, and past anything said lately; as politely as the user writes in `heard`."""
    table = policy.engine.texts[text_id]
    polite = politely(language, heard, avoid)
    choices = [levelled(way, polite=polite) for way in table.get(language) or table[HOUSE]]
    start = int.from_bytes(hashlib.sha256(message_id.encode()).digest()[:4], "big")
    ordered = [choices[(start + i) % len(choices)] for i in range(len(choices))]
    return next((c for c in ordered if c not in avoid), ordered[0])


def politely(language: str, heard: str, replies: tuple[str, ...]) -> bool:
    """As the user writes now, else as we wrote before."""
    spoken = pack(language)
    told = (spoken.polite(said) for said in (heard, *reversed(replies))) if spoken is not None else ()
    return next((polite for polite in told if polite is not None), False)


def topic_name(topic: str, language: str, policy: Policy) -> str | None:
    """What people call a topic in their language; None for what is no topic."""
    tables = policy.introduce.languages
    return (tables.get(language) or tables[HOUSE]).topic_names.get(topic)
