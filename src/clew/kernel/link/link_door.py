"""`links` at the kernel door."""

from __future__ import annotations

from typing import Any

from clew.errors import InvalidInput
from clew.kernel.door import Mode
from clew.kernel.link.extract import Extraction, extract
from clew.model.fields import Fields
from clew.model.link import ExcludedRange, Exclusion
from clew.model.transcript import Line
from clew.model.verdict import Reason
from clew.policy import Policy


def links(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    at = payload.time("at", None)
    params = payload.child("params", None)
    found = extract(
        payload.id("session_id"),
        read_lines(payload),
        policy.link,
        dm=payload.strings("dm", ()),
        players=payload.strings("players", None),
        excluded=payload.each("excluded", _range),
        params=dict(params.data) if params is not None else None,
        emit_traces=payload.flag("traces", False),
        at_ms=0 if at is None else round(at.timestamp() * 1000),
    )
    return as_answer(found)


def as_answer(found: Extraction) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "links": [link.as_dict() for link in found.links],
        "mask": found.mask.as_dict(),
        "metrics": found.metrics,
        "provenance": found.params.provenance.as_dict(),
        "reasons": [reason.as_dict() for reason in _reasons(found)],
    }
    if found.traces is not None:
        answer["traces"] = [trace.as_dict() for trace in found.traces]
    return answer


def read_lines(payload: Fields) -> list[Line]:
    """Checked by hand: a transcript may hold a million of them."""
    out = []
    for n, item in enumerate(payload.items("lines")):
        if (
            type(item) is dict
            and type(index := item.get("index")) is int
            and type(speaker := item.get("speaker")) is str
            and type(text := item.get("text")) is str
            and index >= 0
            and "reply_to" not in item
            and _is_text(text)
            and _is_text(speaker)
        ):
            out.append(Line(index, speaker, text))
        else:
            out.append(_line(Fields(item, f"{payload.at('lines')}/{n}")))
    return out


def _is_text(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _line(item: Fields) -> Line:
    index = item.integer("index")
    if index < 0:
        raise InvalidInput(f"index must not be negative, got {index}", pointer=item.at("index"))
    return Line(index, item.text("speaker"), item.text("text"), reply_to=item.integer("reply_to", None))


def _range(item: Fields) -> ExcludedRange:
    start, end = item.integer("start_index"), item.integer("end_index")
    if end < start:
        raise InvalidInput(f"end_index {end} is before start_index {start}", pointer=item.at("end_index"))
    return ExcludedRange(start, end, item.enum("reason", Exclusion))


def _reasons(found: Extraction) -> list[Reason]:
    excluded = found.metrics["excluded_by_reason"]
    out = [Reason(f"link.mask.{name}", f"{n} lines") for name, n in excluded.items()]
    if found.sheet.general:
        out.append(Reason("link.general", "no game master: any other speaker may give the consequence"))
    elif not any(found.sheet.master):
        out.append(Reason("link.dm_silent", "no line is spoken by a game master"))
    if found.sheet.lines and not any(found.sheet.actors):
        out.append(Reason("link.players_silent", "no line is spoken by a player"))
    out.append(Reason(f"link.profile.{found.params.profile}", found.params.provenance.param_hash))
    return out
