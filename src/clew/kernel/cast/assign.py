"""Who the friend will be, without cloning (rulings P40, P41, P46)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from clew.kernel.cast.library import all_combos, by_archetype, combo_key
from clew.kernel.cast.prng import Mulberry32
from clew.kernel.cast.sample import Sample, derive_style, draw_sample, mutate, mutate_third, of_template
from clew.model.persona import Assignment, Casting, Placed
from clew.model.verdict import Reason
from clew.policy import Policy
from clew.policy.cast import CastPolicy


def assign(seed: int, window: Sequence[Placed], now: datetime, policy: Policy) -> Casting:
    since = now - timedelta(hours=policy.cast.window_hours)
    counts = Counter(p.combo_key for p in window if since <= p.assigned_at < now)
    return cast_among(seed, counts, sum(counts.values()), now, policy)


def cast_among(seed: int, counts: Mapping[str, int], total: int, now: datetime, policy: Policy) -> Casting:
    """As `assign`, for a caller that keeps the window's counts itself."""
    dice = Mulberry32(seed)
    most = max_allowed(total + 1, policy.cast)
    for attempt in range(1, policy.cast.max_samples + 1):
        sample = draw_sample(dice, policy)
        if counts.get(sample.combo_key, 0) + 1 <= most:
            reason = Reason("cast.sampled", f"sample {attempt}, two mutations")
            return _casting(seed, sample, dice, now, policy, attempt, False, reason)
        sample = mutate_third(sample, dice, policy.cast)
        if counts.get(sample.combo_key, 0) + 1 <= most:
            reason = Reason("cast.third_mutation", f"sample {attempt}, the cap of {most} was met")
            return _casting(seed, sample, dice, now, policy, attempt, False, reason)
    sample = _least_used(counts, dice, policy)
    reason = Reason("cast.fallback", f"{policy.cast.max_samples} samples met the cap of {most}")
    return _casting(seed, sample, dice, now, policy, policy.cast.max_samples, True, reason)


def max_allowed(total: int, policy: CastPolicy) -> int:
    """max(1, floor(cap * N)) in integers."""
    return max(policy.cap_at_least, policy.cap.numerator * total // policy.cap.denominator)


def _least_used(counts: Mapping[str, int], dice: Mulberry32, policy: Policy) -> Sample:
    """The rarest combination; ties go to the first in the seed's own order, not the alphabet's (P46)."""
    order = dice.shuffled(all_combos(policy))
    archetype, humor, energy = min(order, key=lambda c: counts.get(combo_key(*c), 0))
    template = dice.pick(by_archetype(policy)[archetype])
    sample = replace(of_template(template), humor=humor, energy=energy)
    changed = (humor is not template.humor_mode) + (energy is not template.friend_energy)
    if changed < policy.cast.mutations:
        sample = mutate(sample, "speech_style", dice, policy.cast)
    return sample


def _casting(
    seed: int,
    sample: Sample,
    dice: Mulberry32,
    now: datetime,
    policy: Policy,
    attempts: int,
    fallback: bool,
    reason: Reason,
) -> Casting:
    assignment = Assignment(
        template_id=sample.template.id,
        seed=seed,
        combo_key=sample.combo_key,
        friend_energy=sample.energy,
        stable_style_params=derive_style(sample, dice, policy.cast),
        taboo_soft_bounds=sample.template.taboo_soft_bounds,
        assigned_at=now,
    )
    return Casting(assignment, attempts, fallback, (reason,))
