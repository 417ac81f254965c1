"""JSON Lines with one message a line: canonical, SillyTavern chats, Clew's own conversations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from clew.errors import InvalidInput
from clew.formats.transcript.draft import Draft, iso_time
from clew.model.fields import Fields
from clew.model.transcript import Line, LineKind, Transcript


def objects(text: str, draft: Draft) -> Iterator[tuple[int, dict[str, Any]]]:
    """Numbered objects of JSON Lines or of one array; what is no object is skipped with its reason."""
    if text.lstrip().startswith("["):
        for number, item in enumerate(json.loads(text), 1):
            if isinstance(item, dict):
                yield number, item
            else:
                draft.skip(number, "not an object", str(item))
        return
    for number, row in enumerate(text.split("\n"), 1):
        if not row.strip():
            continue
        try:
            item = json.loads(row)
        except ValueError as why:
            draft.skip(number, f"not JSON: {why}", row)
            continue
        if isinstance(item, dict):
            yield number, item
        else:
            draft.skip(number, "not an object", row)


def canonical(text: str) -> Transcript:
    """Index, speaker, text, at?, id?. The index is the caller's: it must rise."""
    draft = Draft("canonical")
    last = -1
    for number, item in objects(text, draft):
        fields = Fields(item, f"/{number}")
        index = fields.row_number("index")
        if index <= last:
            word = "repeated" if index == last else "out of order"
            raise InvalidInput(f"line {number}: index {index} is {word} (after {last})", pointer=f"/{number}/index")
        last = index
        kind = fields.enum("kind", LineKind, LineKind.SPEECH)
        draft.lines.append(
            Line(
                index, fields.text("speaker"), " ".join(fields.text("text").split("\n")), fields.time("at", None),
                fields.text("id", None), kind=kind, channel=fields.text("channel", None),
                reply_to=fields.integer("reply_to", None),
            )
        )
    return draft.done()


def sillytavern(text: str) -> Transcript:
    """A header, then `{name, is_user, is_system, send_date, mes, …}`; the shown swipe is `mes`."""
    draft = Draft("sillytavern")
    for number, item in objects(text, draft):
        said = item.get("mes")
        if "chat_metadata" in item or ("user_name" in item and said is None):
            continue
        if not isinstance(said, str) or not isinstance(item.get("name"), str):
            draft.skip(number, "no name or mes", str(item))
        elif item.get("is_system") is True:
            draft.skip(number, "hidden or system message", said)
        else:
            draft.say(item["name"], said, at=iso_time(item.get("send_date")), id=str(number - 1))
    return draft.done()


def conversation(text: str) -> Transcript:
    """Clew's own messages, as the export bundle writes them."""
    draft = Draft("clew")
    found = list(objects(text, draft))
    if all(isinstance(item.get("position"), int) for _, item in found):
        found.sort(key=lambda pair: (str(pair[1].get("conversation_id", "")), pair[1]["position"]))
    places: dict[str, int] = {}
    for number, item in found:
        said, role = item.get("text"), item.get("role")
        if not isinstance(said, str) or not isinstance(role, str):
            draft.skip(number, "no role or text", str(item))
            continue
        name = str(item.get("message_id", number))
        answered = places.get(str(item.get("reply_to", "")))
        places[name] = draft.say(
            role, said, at=iso_time(item.get("at")), id=name, reply_to=answered,
            channel=item.get("conversation_id") if isinstance(item.get("conversation_id"), str) else None,
        )
    return draft.done()
