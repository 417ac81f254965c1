"""What needs no conversation: kernels, grounding, links, transcripts and recall in them, the policy."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Query, Request

from clew.engine import histories as recalling
from clew.engine.bootstrap import make_index
from clew.errors import InvalidInput, NotFound, UnknownName
from clew.faces.http.access import Desk, Who, desk_of
from clew.faces.http.problems import Refused, answers
from clew.faces.http.schemas import RecallIn
from clew.formats.transcript.read import parse
from clew.kernel.door import DOORS, MEANING_DOORS, VECTORS, call
from clew.kernel.recall.turns.only import Only
from clew.model.canonical import derived_id, iso

router = APIRouter(prefix="/v1", tags=["tools"], responses=answers())
_MOST_LINES = 20_000


@router.get("/policy")
async def policy(request: Request, caller: Who) -> dict[str, Any]:
    """Which policy decides here."""
    return {"fingerprint": desk_of(request).parts.policy.fingerprint, "kernels": sorted(DOORS)}


@router.post("/kernels/{name}")
async def kernel(
    name: str,
    body: dict[str, Any],
    request: Request,
    caller: Who,
    mode: Literal["strict", "repair"] = "repair",
    embed: bool = Query(True, description="Fill vectors with the default embedder where a kernel takes one."),
) -> dict[str, Any]:
    """Ask one pure decision: the same object in and out as `clew kernel NAME`."""
    desk = desk_of(request)
    if name not in DOORS:
        raise UnknownName(f"no kernel named {name!r}; known: {', '.join(sorted(DOORS))}")
    return await desk.run(_ask, desk, name, body, mode, embed)


def _ask(
    desk: Desk, name: str, body: dict[str, Any], mode: Literal["strict", "repair"], embed: bool
) -> dict[str, Any]:
    if embed and (name in VECTORS or name in MEANING_DOORS) and desk.parts.embedder is not None:
        from clew.faces.cli.embed import filler

        fill = filler(name)
        body = fill(body) if fill is not None else body
    return call(name, body, mode=mode, policy=desk.parts.policy)


@router.post("/ground")
async def ground(
    body: dict[str, Any], request: Request, caller: Who
) -> dict[str, Any]:
    """Which of the candidates shown does this message mean? As the `ground` kernel."""
    desk = desk_of(request)
    return await desk.run(_ask, desk, "ground", body, "repair", True)


@router.post("/links")
async def links(
    body: dict[str, Any], request: Request, caller: Who
) -> dict[str, Any]:
    """Who tried what, and what came of it. As the `links` kernel."""
    desk = desk_of(request)
    lines = body.get("lines")
    if isinstance(lines, list) and len(lines) > _MOST_LINES:
        raise Refused(413, f"at most {_MOST_LINES:,} lines at once; `clew links` takes any number")
    return await desk.run(_ask, desk, "links", body, "repair", False)


@router.put(
    "/users/{user}/transcripts/{name}",
    openapi_extra={
        "requestBody": {"content": {"application/jsonl": {"schema": {"type": "string"}}}, "required": True}
    },
)
async def ingest(
    user: str,
    name: str,
    request: Request,
    caller: Who,
    format: str = Query("auto", max_length=40),
) -> dict[str, Any]:
    """Store a transcript in any format that is read; sending a line again changes nothing."""
    desk = desk_of(request)
    data = await request.body()

    def work() -> dict[str, Any]:
        place = desk.place(caller, user, create=True)
        try:
            transcript = parse(data.decode("utf-8-sig"), format, name=name)
        except UnicodeDecodeError as why:
            raise InvalidInput(f"not UTF-8 at byte {why.start}", pointer="/") from None
        index = _index(desk)
        where = _transcript(place.user.user_id, name)
        policy, embedder, owner = desk.parts.policy, desk.parts.embedder, place.user.user_id
        done = recalling.ingest(index, where, transcript.lines, policy, embedder, owner=owner)
        return {
            "transcript": name,
            "format": transcript.format,
            "turns": done.turns,
            "added": done.added,
            "changed": done.changed,
            "known": done.known,
            "skipped": [s.as_dict() for s in transcript.skipped],
        }

    return await desk.run(work)


@router.post("/users/{user}/transcripts/{name}/recall")
async def recall(
    user: str, name: str, body: RecallIn, request: Request, caller: Who
) -> dict[str, Any]:
    """The turns of a stored transcript that answer a question."""
    desk = desk_of(request)

    def work() -> dict[str, Any]:
        place = desk.place(caller, user)
        index = _index(desk)
        try:
            loaded = recalling.ready(
                index, _transcript(place.user.user_id, name), desk.parts.policy, desk.parts.embedder
            )
        except NotFound:
            raise NotFound(f"no transcript {name!r}", pointer="/name") from None
        only = Only(speaker=body.speaker, since=body.since, until=body.until)
        hits = loaded.recall(body.query, body.k, at=body.at, budget=body.budget, only=only)
        return {
            "results": [
                {
                    "id": h.line.id if h.line.id is not None else h.line.index,
                    "score": h.score,
                    "text": h.line.text,
                    "at": iso(h.line.at) if h.line.at else None,
                    "why": {**h.why, "speaker_name": h.line.speaker},
                    "parts": dict(h.parts),
                }
                for h in hits
            ]
        }

    return await desk.run(work)


def _index(desk: Desk) -> Any:
    return desk.parts.index or make_index(desk.parts.store)


def _transcript(user_id: str, name: str) -> str:
    return derived_id("transcript", user_id, name)
