"""From a transcript to its links: mask, intents, allocation."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from clew.frozen import dataclass
from clew.kernel.link.allocate import Claim, allocate, field, traces
from clew.kernel.link.bundle import bundled
from clew.kernel.link.consequences import classify, unmatched
from clew.kernel.link.intents import detect_all
from clew.kernel.link.mask import Mask, build
from clew.kernel.link.metrics import measure
from clew.kernel.link.params import Params, resolve
from clew.kernel.link.replies import reply_links
from clew.kernel.link.score import Scorer
from clew.kernel.link.sheet import Sheet, lay_out
from clew.model.canonical import NAMESPACE, canonical_json
from clew.model.fields import Fields
from clew.model.link import Allocation, CausalLink, ConsequenceType, ExcludedRange, Intent
from clew.model.transcript import Line
from clew.policy.link import LinkPolicy


@dataclass(frozen=True, slots=True)
class Extraction:
    links: tuple[CausalLink, ...]
    mask: Mask
    params: Params
    metrics: dict[str, Any]
    traces: tuple[Allocation, ...] | None
    sheet: Sheet


def extract(
    session_id: str,
    lines: Sequence[Line],
    policy: LinkPolicy,
    *,
    dm: Iterable[str] = (),
    players: Iterable[str] | None = None,
    excluded: Sequence[ExcludedRange] = (),
    params: dict[str, Any] | None = None,
    emit_traces: bool = False,
    at_ms: int = 0,
) -> Extraction:
    sheet = lay_out(session_id, lines, dm, players)
    run = resolve(Fields(params or {}, "/params"), policy, general=sheet.general)
    mask = build(sheet, policy, excluded, at_ms)
    bits, voices, actors = mask.bits, sheet.voices, sheet.actors
    positions = [p for p, voice in enumerate(voices) if not bits[p] and actors[voice] is not None]
    intents = detect_all(sheet, positions, policy)
    found: list[Allocation] | None
    if run.profile == "best" and sheet.general:
        intents, claims, found = reply_links(sheet, mask, intents, policy, run, emit_traces)
    else:
        if run.scoring.bundle_answers:
            intents = bundled(sheet, mask, intents, policy)
        space = field(sheet, mask, policy, run.scoring)
        scorer = Scorer(sheet, policy, run.scoring)
        claims = allocate(intents, space, scorer)
        found = traces(intents, claims, space, scorer) if emit_traces else None
    links = _links(sheet, intents, claims, policy, run, at_ms)
    return Extraction(links, mask, run, measure(links, mask), None if found is None else tuple(found), sheet)


def _links(
    sheet: Sheet, intents: list[Intent], claims: list[Claim], policy: LinkPolicy, run: Params, at_ms: int
) -> tuple[CausalLink, ...]:
    made = _Ids(sheet.session_id, run)
    kinds = classify(sheet.low, (c.position for c in claims if c.position is not None), policy)
    plain = unmatched(general=sheet.general)
    out = []
    for intent, (position, score, _) in zip(intents, claims, strict=True):
        if position is None:
            out.append(
                CausalLink(
                    made(intent.actor, intent.index, None), sheet.session_id, intent.actor, intent.text,
                    intent.type, intent.strength, intent.index, None, ConsequenceType.NONE, None, None, None,
                    False, at_ms,
                )
            )
            continue
        line = sheet.lines[position]
        out.append(
            CausalLink(
                made(intent.actor, intent.index, line.index), sheet.session_id, intent.actor, intent.text,
                intent.type, intent.strength, intent.index, line.text, kinds.get(position, plain), line.index,
                line.index - intent.index, score, True, at_ms,
                sheet.voices[intent.position] == sheet.voices[position],
            )
        )
    return tuple(out)


class _Ids:
    """Ruling C3: UUIDv5 of session, kernel version, parameter hash, actor, intent and consequence index.

    The same as `derived_id`, with the part that does not change hashed once.
    """

    def __init__(self, session_id: str, run: Params) -> None:
        origin = run.provenance
        head = canonical_json([session_id, origin.kernel_version, origin.param_hash])[:-1]
        self._head = hashlib.sha1(
            NAMESPACE.bytes + f"link\x1f{head},".encode("utf-8", "surrogatepass"), usedforsecurity=False
        )
        self._actors: dict[str, str] = {}

    def __call__(self, actor: str, intent: int, consequence: int | None) -> str:
        name = self._actors.get(actor)
        if name is None:
            name = self._actors[actor] = canonical_json(actor)
        digest = self._head.copy()
        tail = "null" if consequence is None else consequence
        digest.update(f"{name},{intent},{tail}]".encode("utf-8", "surrogatepass"))
        raw = bytearray(digest.digest()[:16])
        raw[6] = raw[6] & 0x0F | 0x50
        raw[8] = raw[8] & 0x3F | 0x80
        text = raw.hex()
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
