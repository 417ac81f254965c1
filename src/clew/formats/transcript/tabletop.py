"""Virtual tabletops: Foundry VTT messages and log, Roll20's saved chat archive."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

from clew.formats.transcript.draft import Draft, epoch_ms, plain_text
from clew.formats.transcript.json_lines import objects
from clew.model.transcript import LineKind, Transcript

LOG_HEAD = re.compile(r"^\[(\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4},? \d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?)\] (.+?)\s*$")
_LOG_RULE = re.compile(r"^-{5,}\s*$")
_LOG_TIMES = ("%m/%d/%Y, %I:%M:%S %p", "%m/%d/%Y, %H:%M:%S", "%d/%m/%Y, %H:%M:%S", "%d.%m.%Y, %H:%M:%S")
# style since v12, numeric type before: 0 other, 1 out of character, 2 in character, 3 emote, 4 whisper, 5 roll
_STYLES = {1: LineKind.OOC, 2: LineKind.SPEECH, 3: LineKind.EMOTE}


def foundry(text: str) -> Transcript:
    """NDJSON (`messages.db`) or a JSON array of ChatMessages."""
    draft = Draft("foundry")
    good = []
    for number, item in objects(text, draft):
        if isinstance(item.get("content", ""), str):
            good.append((number, item))
        else:
            draft.skip(number, "not a chat message", str(item))
    for number, item in sorted(good, key=lambda pair: (_stamp(pair[1]), pair[0])):
        _foundry_message(draft, number, item)
    return draft.done()


def _stamp(item: dict[str, Any]) -> float:
    at = item.get("timestamp")
    return float(at) if isinstance(at, (int, float)) and not isinstance(at, bool) else 0.0


def _foundry_message(draft: Draft, number: int, item: dict[str, Any]) -> None:
    speaker = item.get("speaker")
    name = speaker.get("alias") if isinstance(speaker, dict) else None
    said = plain_text(f"{item.get('flavor') or ''} {item.get('content') or ''}")
    if item.get("whisper"):
        draft.skip(number, "whisper", said)
        return
    style = item.get("style", item.get("type"))
    kind = _STYLES.get(style, LineKind.SPEECH) if isinstance(style, int) else LineKind.SPEECH
    totals = _totals(item.get("rolls", item.get("roll")))
    if totals:
        kind = LineKind.ROLL
        said = f"{plain_text(str(item.get('flavor') or ''))} rolls {', '.join(totals)}".strip()
    if not said:
        draft.skip(number, "no text", str(item.get("_id", "")))
        return
    draft.say(
        str(name or item.get("alias") or item.get("user") or item.get("author") or "unknown"), said,
        at=epoch_ms(item.get("timestamp")), id=str(item.get("_id", number)), kind=kind,
    )


def _totals(rolls: object) -> list[str]:
    """Rolls are JSON strings with a total; older ones a single string."""
    out = []
    for roll in rolls if isinstance(rolls, list) else [rolls]:
        if isinstance(roll, str):
            try:
                roll = json.loads(roll)
            except ValueError:
                continue
        if isinstance(roll, dict) and isinstance(roll.get("total"), (int, float)):
            out.append(f"{roll['total']:g}")
    return out


def foundry_log(text: str) -> Transcript:
    """`[1/30/2024, 10:43:07 PM] Name`, then the body until the next head."""
    draft = Draft("foundry_log")
    head: tuple[int, str, datetime | None] | None = None
    body: list[str] = []

    def close() -> None:
        if head is None:
            return
        said = " ".join(" ".join(body).split())
        if said:
            draft.say(head[1], said, at=head[2], id=str(head[0]))
        else:
            draft.skip(head[0], "no text", head[1])

    for number, row in enumerate(text.split("\n"), 1):
        found = LOG_HEAD.match(row)
        if found:
            close()
            head, body = (number, found[2], _log_time(found[1])), []
        elif _LOG_RULE.match(row):
            continue
        elif head is None and row.strip():
            draft.skip(number, "before the first message", row)
        else:
            body.append(row)
    close()
    return draft.done()


def _log_time(stamp: str) -> datetime | None:
    for pattern in _LOG_TIMES:
        try:
            return datetime.strptime(stamp, pattern).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


class _Roll20(HTMLParser):
    """`div.message.<type>` with `.by`, `.tstamp`; the name is left out when the speaker stays."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.messages: list[dict[str, str]] = []
        self._depth = 0
        self._part: list[tuple[int, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        classes = (dict(attrs).get("class") or "").split()
        if not self._depth:
            if tag == "div" and "message" in classes:
                self._depth = 1
                self.messages.append({"kinds": " ".join(classes), "by": "", "tstamp": "", "body": "", "total": ""})
            return
        if tag in ("br", "img", "input", "hr", "meta", "link"):
            self._add("body", " ")
            return
        self._depth += 1
        for name in ("by", "tstamp", "avatar", "rolled"):
            if name in classes:
                self._part.append((self._depth, "total" if name == "rolled" else name))
        if tag in ("div", "p", "tr"):
            self._add("body", " ")

    def handle_endtag(self, tag: str) -> None:
        if not self._depth or tag in ("br", "img", "input", "hr", "meta", "link"):
            return
        if self._part and self._part[-1][0] == self._depth:
            self._part.pop()
        self._depth -= 1

    def handle_data(self, data: str) -> None:
        if self._depth:
            self._add(self._part[-1][1] if self._part else "body", data)

    def _add(self, name: str, data: str) -> None:
        message = self.messages[-1]
        message[name] = message.get(name, "") + data


def roll20(text: str) -> Transcript:
    draft = Draft("roll20")
    reader = _Roll20()
    reader.feed(text)
    reader.close()
    speaker = ""
    for number, message in enumerate(reader.messages, 1):
        kinds = message["kinds"].split()
        speaker = message["by"].strip().rstrip(":").strip() or speaker
        said = " ".join(message["body"].split())
        if "rollresult" in kinds or "gmrollresult" in kinds:
            total = " ".join(message["total"].split())
            said = f"rolls {total}" if total else said
        if "whisper" in kinds or "private" in kinds:
            draft.skip(number, "whisper", said)
        elif "system" in kinds or "error" in kinds:
            draft.skip(number, "system message", said)
        elif not said:
            draft.skip(number, "no text", speaker)
        elif not speaker and "desc" not in kinds:
            draft.skip(number, "no speaker before the first name", said)
        else:
            kind = LineKind.ROLL if said.startswith("rolls ") else LineKind.SPEECH
            kind = LineKind.EMOTE if "emote" in kinds else kind
            draft.say("Narration" if "desc" in kinds else speaker, said, kind=kind, id=str(number - 1))
    return draft.done()
