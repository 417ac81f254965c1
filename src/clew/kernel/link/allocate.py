"""Phase 2: strong intents claim first and alone, weak ones after and may share
(rulings C1, C7, C8, C14, C17, C20, C23)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from clew.frozen import dataclass
from clew.kernel.link.consequences import is_prompt
from clew.kernel.link.mask import Mask
from clew.kernel.link.score import Scorer
from clew.kernel.link.sheet import Sheet
from clew.kernel.read.remark import Remark
from clew.model.link import Allocation, ClaimReason, Intent, PossibleConsequence, Strength
from clew.policy.link import LinkPolicy, Scoring


class Claim(NamedTuple):
    """`position` is None when nothing was claimed."""

    position: int | None
    score: float | None
    reason: ClaimReason


_NOTHING = Claim(None, None, ClaimReason.NO_CANDIDATE)


@dataclass(slots=True)
class Field:
    """The lines that can be consequences, and how far each intent sees."""

    sheet: Sheet
    mask: Mask
    policy: LinkPolicy
    scoring: Scoring
    answering: list[int]
    prompts: set[int]

    def window(self, intents: list[Intent]) -> Iterator[list[int]]:
        """For each intent, in order, the positions of its candidates (rulings C1, C8, C20)."""
        index, walls, voices = self.sheet.index, self.mask.walls, self.sheet.voices
        answering, prompts = self.answering, self.prompts
        counted = self.scoring.k_mode == "dm_count"
        reach = self.scoring.max_span if counted else self.scoring.k_local
        most = self.scoring.k_local if counted else len(answering)
        total = len(answering)
        first = 0
        for intent in intents:
            at = intent.position
            while first < total and answering[first] <= at:
                first += 1
            limit = intent.index + reach
            wall, voice = walls[at], voices[at]
            found: list[int] = []
            n = first
            while n < total and len(found) < most:
                position = answering[n]
                if index[position] > limit or walls[position] != wall:
                    break
                if voices[position] != voice:
                    found.append(position)
                n += 1
            if prompts and found:
                plain = [p for p in found if p not in prompts]
                yield plain or found
            else:
                yield found


def field(sheet: Sheet, mask: Mask, policy: LinkPolicy, scoring: Scoring) -> Field:
    bits, voices, master = mask.bits, sheet.voices, sheet.master
    if sheet.general:
        return Field(sheet, mask, policy, scoring, [p for p in range(len(bits)) if not bits[p]], set())
    answering = [p for p, voice in enumerate(voices) if master[voice] and not bits[p]]
    low = sheet.low
    prompts = {p for p in answering if "?" in low[p] and is_prompt(Remark(low[p]), policy)}
    return Field(sheet, mask, policy, scoring, answering, prompts)


def allocate(intents: list[Intent], space: Field, scorer: Scorer) -> list[Claim]:
    if space.scoring.allocation == "global":
        return _best_pairs_first(intents, space, scorer)
    claims: list[Claim] = [_NOTHING] * len(intents)
    windows = list(space.window(intents))
    taken: set[int] = set()
    for n, intent in enumerate(intents):
        if intent.strength is Strength.STRONG and windows[n]:
            claim = _pick(intent, windows[n], scorer, space.scoring.strong_min_score, taken)
            claims[n] = claim
            if claim.position is not None:
                taken.add(claim.position)
    for n, intent in enumerate(intents):
        if intent.strength is Strength.WEAK and windows[n]:
            claims[n] = _pick(intent, windows[n], scorer, space.scoring.weak_min_score, None)
    return claims


def _pick(intent: Intent, window: list[int], scorer: Scorer, least: float, taken: set[int] | None) -> Claim:
    """Higher score, then smaller distance, then smaller index (ruling C17): the window is in order,
    so the first of equals stays."""
    best, chosen = -1.0, -1
    index, hills = scorer.index, scorer.hills
    for position in window:
        nearness = hills[index[position] - intent.index]
        # Nothing further away can win any more, or pass.
        if (ceiling := scorer.ceiling(nearness, intent.type)) <= best or ceiling < least:
            break
        if taken is not None and position in taken:
            continue
        shared = scorer.overlap(intent.position, position)
        score = scorer.combine(nearness, shared, scorer.answer(intent, position))
        if score > best:
            best, chosen = score, position
    if chosen < 0 or best < least:
        return _NOTHING
    reason = ClaimReason.SCORE_THRESHOLD if taken is None else ClaimReason.STRONG_PRECEDENCE
    return Claim(chosen, best, reason)


def _best_pairs_first(intents: list[Intent], space: Field, scorer: Scorer) -> list[Claim]:
    """Ruling C14: all strong pairs by score, distance, intent, consequence; each end is claimed once."""
    claims: list[Claim] = [_NOTHING] * len(intents)
    edges: list[tuple[float, int, int, int, int]] = []
    for n, window in enumerate(space.window(intents)):
        intent = intents[n]
        if intent.strength is Strength.WEAK:
            claims[n] = _pick(intent, window, scorer, space.scoring.weak_min_score, None)
            continue
        for position in window:
            distance = scorer.index[position] - intent.index
            shared = scorer.overlap(intent.position, position)
            score = scorer.combine(scorer.hills[distance], shared, scorer.answer(intent, position))
            if score >= space.scoring.strong_min_score:
                edges.append((-score, distance, intent.index, position, n))
    edges.sort()
    taken: set[int] = set()
    for minus, _, _, position, n in edges:
        if claims[n].position is None and position not in taken:
            taken.add(position)
            claims[n] = Claim(position, -minus, ClaimReason.EDGE_GREEDY)
    return claims


def traces(intents: list[Intent], claims: list[Claim], space: Field, scorer: Scorer) -> list[Allocation]:
    """Every candidate of every intent with its parts, the winner, and who shares it (ruling C7)."""
    index = scorer.index
    bidders: dict[int, list[int]] = {}
    owners: dict[int, int] = {}
    for intent, claim in zip(intents, claims, strict=True):
        if claim.position is not None:
            bidders.setdefault(claim.position, []).append(intent.index)
            if intent.strength is Strength.STRONG:
                owners[claim.position] = intent.index
    out = []
    for intent, claim, window in zip(intents, claims, space.window(intents), strict=True):
        rows = []
        for position in window:
            distance = index[position] - intent.index
            near, shared = scorer.hills[distance], scorer.overlap(intent.position, position)
            answer = scorer.answer(intent, position)
            owner = owners.get(position)
            rows.append(
                PossibleConsequence(
                    index[position], distance, scorer.combine(near, shared, answer), near, shared, answer,
                    position in space.prompts, owner if owner != intent.index else None,
                )
            )
        winner = None if claim.position is None else index[claim.position]
        rivals = () if claim.position is None else bidders[claim.position]
        others = tuple(i for i in rivals if i != intent.index)
        strong = intent.strength is Strength.STRONG
        least = space.scoring.strong_min_score if strong else space.scoring.weak_min_score
        out.append(
            Allocation(
                intent.index, intent.actor, intent.strength, intent.rule, tuple(rows), winner, claim.reason,
                _detail(rows, winner, least, others), others,
            )
        )
    return out


def _detail(rows: list[PossibleConsequence], winner: int | None, least: float, others: tuple[int, ...]) -> str:
    if winner is not None:
        return f"shared with {', '.join(map(str, others))}" if others else "alone"
    if not rows:
        return "no eligible line within reach"
    free = [r for r in rows if r.taken_by is None]
    if free and max(r.score for r in free) < least:
        return f"best free candidate is below {least}"
    return "every candidate that passes is taken" if rows else ""
