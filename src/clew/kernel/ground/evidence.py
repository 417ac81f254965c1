"""The evidence pack, its fingerprint, and what enrichment may add to it.

The fingerprint is SHA-256 over canonical JSON: arrays sorted, times and other volatile
fields left out (rulings G3, G4, G5), so that the same evidence always has the same name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.turn import Turn
from clew.model.canonical import canonical_json, sha256
from clew.model.evidence import DISAMBIGUATORS, Candidate, EvidenceType, Excerpt
from clew.model.verdict import Reason
from clew.policy.ground import GroundPolicy

EVIDENCE_TYPES = frozenset(t.value for t in EvidenceType)


def payload(turn: Turn, policy: GroundPolicy, excerpts: tuple[str, ...] = ()) -> dict[str, Any]:
    """The canonical fingerprint payload, all six fields."""
    signed = turn.options.pool.signatures()
    return {
        "activeOptionSetId": turn.option_set_id,
        "candidateIds": [row["id"] for row in signed],
        "candidateSignatures": signed,
        "continuitySchemaVersion": policy.schema_version,
        "excerptHashes": sorted({*excerpts, *(excerpt_hash(e) for e in turn.excerpts)}),
        "scopeBinding": {"activeScope": turn.scope.kind, "instanceId": turn.scope.instance_id},
    }


def fingerprint(turn: Turn, policy: GroundPolicy, excerpts: tuple[str, ...] = ()) -> str:
    pack = (turn.scope, turn.option_set_id, excerpts, turn.excerpts, policy.schema_version)
    memo = turn.options.memo
    if pack not in memo:
        memo[pack] = sha256(written(turn, policy, excerpts))
    return memo[pack]


def written(turn: Turn, policy: GroundPolicy, excerpts: tuple[str, ...] = ()) -> str:
    """Canonical JSON of the payload; ten thousand rows are written without being made first."""
    ids, signatures = turn.options.pool.written()
    hashes = sorted({*excerpts, *(excerpt_hash(e) for e in turn.excerpts)})
    scope = {"activeScope": turn.scope.kind, "instanceId": turn.scope.instance_id}
    return (
        f'{{"activeOptionSetId":{canonical_json(turn.option_set_id)},"candidateIds":[{ids}],'
        f'"candidateSignatures":[{signatures}],"continuitySchemaVersion":{canonical_json(policy.schema_version)},'
        f'"excerptHashes":{canonical_json(hashes)},"scopeBinding":{canonical_json(scope)}}}'
    )


def excerpt_hash(excerpt: Excerpt) -> str:
    return excerpt.excerpt_hash or sha256([excerpt.excerpt_id, excerpt.source_id, excerpt.text])


@dataclass(frozen=True, slots=True)
class Wanted:
    """Evidence types to fetch, in order, and why others were refused."""

    types: tuple[EvidenceType, ...]
    reasons: tuple[Reason, ...] = ()
    detail: str | None = None


def wanted(asked: tuple[str, ...], turn: Turn, policy: GroundPolicy) -> Wanted:
    """The model may hint; allowlist, scope and count decide. Without a hint the scope decides."""
    allowed = policy.enrichment_by_scope.get(turn.scope.kind, policy.enrichment_by_scope["none"])
    if not asked:
        return Wanted(allowed)
    reasons: list[Reason] = []
    types: list[EvidenceType] = []
    for name in dict.fromkeys(asked):
        if name not in EVIDENCE_TYPES:
            reasons.append(Reason("ground.unknown_evidence_type", name[:60]))
        elif EvidenceType(name) not in allowed:
            reasons.append(Reason("ground.evidence_out_of_scope", name))
        else:
            types.append(EvidenceType(name))
    detail = None
    if not types:
        unknown = all(r.rule == "ground.unknown_evidence_type" for r in reasons)
        detail = "invalid_needed_context" if unknown else "scope_not_available"
    return Wanted(tuple(types[: policy.needed_evidence_types_max]), tuple(reasons), detail)


@dataclass(frozen=True, slots=True)
class Enriched:
    options: OptionSet
    excerpts: tuple[str, ...]
    reasons: tuple[Reason, ...]


def enrich(options: OptionSet, added: Mapping[str, Any]) -> Enriched:
    """Metadata for candidates that are already here; new ids stay out (candidate freeze)."""
    excerpts: list[str] = []
    reasons: list[Reason] = []
    changed: dict[int, Candidate] = {}
    for kind in sorted(added):
        metadata, rest = _metadata(added[kind], options)
        for identity, extra in metadata:
            position = options.position.get(identity)
            if position is None:
                reasons.append(Reason("ground.candidate_freeze", identity[:60]))
                continue
            before = changed.get(position, options.candidates[position])
            known: dict[str, Any] = {
                k: v for k, v in extra.items() if k in DISAMBIGUATORS and isinstance(v, str)
            }
            changed[position] = replace(before, **known)
        if rest:
            excerpts.append(sha256([kind, canonical_json(rest)]))
    if not any(changed[p] != options.candidates[p] for p in changed):
        return Enriched(options, tuple(excerpts), tuple(reasons))
    candidates = tuple(changed.get(i, c) for i, c in enumerate(options.candidates))
    return Enriched(OptionSet(candidates, options.blocked), tuple(excerpts), tuple(reasons))


def _metadata(added: Any, options: OptionSet) -> tuple[list[tuple[str, Mapping[str, Any]]], Any]:
    """Accepts {id: {…}}, {"candidates": [{id, …}]} or [{id, …}]; the rest is an excerpt."""
    if isinstance(added, Mapping):
        items = added.get("candidates", added.get("items"))
        if isinstance(items, (list, tuple)):
            rest = {k: v for k, v in added.items() if k not in ("candidates", "items")}
            return _metadata(items, options)[0], rest
        by_id = [(k, v) for k, v in added.items() if isinstance(v, Mapping)]
        rest = {k: v for k, v in added.items() if not isinstance(v, Mapping)}
        if isinstance(items, Mapping):
            by_id = [(k, v) for k, v in items.items() if isinstance(v, Mapping)]
        return by_id, rest
    if isinstance(added, (list, tuple)):
        pairs = [(i["id"], i) for i in added if isinstance(i, Mapping) and isinstance(i.get("id"), str)]
        return pairs, [i for i in added if not isinstance(i, Mapping)]
    return [], added
