"""DiscordChatExporter JSON."""

from __future__ import annotations

import json
from typing import Any

from clew.errors import InvalidInput
from clew.formats.transcript.draft import Draft, iso_time
from clew.model.transcript import LineKind, Transcript

_SPOKEN = ("Default", "Reply", "ThreadStarterMessage", "ChatInputCommand", "ContextMenuCommand", "20", "0", "19")


def discord(text: str) -> Transcript:
    """Ordered by time, then id as a number; a reply names its message."""
    draft = Draft("discord")
    data = json.loads(text)
    found = data.get("messages")
    if not isinstance(found, list):
        raise InvalidInput("messages must be a list", pointer="/messages")
    channel = data.get("channel")
    name = channel.get("name") if isinstance(channel, dict) else None
    places: dict[str, int] = {}
    for number, item in sorted(enumerate(found, 1), key=_order):
        if not isinstance(item, dict) or not isinstance(item.get("author"), dict):
            draft.skip(number, "message without author", str(item))
            continue
        said = item.get("content")
        kind = str(item.get("type", "Default"))
        if kind not in _SPOKEN:
            draft.skip(number, f"system message {kind}", str(said))
            continue
        body = said if isinstance(said, str) and said.strip() else _embedded(item)
        if not body:
            draft.skip(number, "no text (attachment, sticker or empty)", str(item.get("id", "")))
            continue
        author = item["author"]
        bot = author.get("isBot") is True
        reference = item.get("reference")
        answered = places.get(str(reference.get("messageId"))) if isinstance(reference, dict) else None
        places[str(item.get("id"))] = draft.say(
            str(author.get("nickname") or author.get("name") or "unknown"), body,
            at=iso_time(item.get("timestamp")), id=str(item.get("id")), reply_to=answered,
            kind=LineKind.ROLL if bot else LineKind.SPEECH, channel=name if isinstance(name, str) else None,
        )
    return draft.done()


def _order(pair: tuple[int, Any]) -> tuple[float, int, int]:
    number, item = pair
    if not isinstance(item, dict):
        return (float("inf"), 0, number)
    at = iso_time(item.get("timestamp"))
    key = str(item.get("id", ""))
    return (at.timestamp() if at else float("inf"), int(key) if key.isdigit() else 0, number)


def _embedded(item: dict[str, Any]) -> str:
    """Dice bots answer in embeds."""
    parts = []
    for embed in item.get("embeds") or ():
        if isinstance(embed, dict):
            parts += [embed.get(key) for key in ("title", "description")]
    return " ".join(part for part in parts if isinstance(part, str))
