"""One sampled persona (rulings P41, P42, P44, P47).

Order of draws: archetype; template within it; shuffle of the three categories (two draws);
then per mutated category, in shuffled order: speech_style = length, coin for emoji, emoji if the
coin says so; humor_mode; friend_energy. Once accepted: directness, follow-up rate.
"""

from __future__ import annotations

from dataclasses import replace

from clew.frozen import dataclass
from clew.kernel.cast.library import by_archetype, combo_key
from clew.kernel.cast.prng import Mulberry32
from clew.model.persona import (
    Directness,
    EmojiFreq,
    Energy,
    FollowupRate,
    Humor,
    Length,
    PersonaTemplate,
    StableStyleParams,
)
from clew.policy import Policy
from clew.policy.cast import CastPolicy

CATEGORIES = ("speech_style", "humor_mode", "friend_energy")


@dataclass(frozen=True, slots=True)
class Sample:
    template: PersonaTemplate
    length: Length
    emoji: EmojiFreq
    humor: Humor
    energy: Energy
    order: tuple[str, ...] = CATEGORIES

    @property
    def combo_key(self) -> str:
        return combo_key(self.template.core_archetype, self.humor, self.energy)


def of_template(template: PersonaTemplate) -> Sample:
    return Sample(
        template,
        template.sentence_length_bias,
        template.emoji_usage,
        template.humor_mode,
        template.friend_energy,
    )


def draw_sample(dice: Mulberry32, policy: Policy) -> Sample:
    """Archetype first and uniformly, so that archetypes with more templates are not favoured (P44)."""
    library = by_archetype(policy)
    template = dice.pick(library[dice.pick(tuple(library))])
    order = tuple(dice.shuffled(CATEGORIES))
    sample = replace(of_template(template), order=order)
    for category in order[: policy.cast.mutations]:
        sample = mutate(sample, category, dice, policy.cast)
    return sample


def mutate_third(sample: Sample, dice: Mulberry32, policy: CastPolicy) -> Sample:
    """Only after a cap violation (P41)."""
    for category in sample.order[policy.mutations :]:
        sample = mutate(sample, category, dice, policy)
    return sample


def mutate(sample: Sample, category: str, dice: Mulberry32, policy: CastPolicy) -> Sample:
    """A value other than the template's default. Quirks are never mutated (P42)."""
    template = sample.template
    if category == "humor_mode":
        return replace(sample, humor=dice.pick_other(tuple(Humor), template.humor_mode))
    if category == "friend_energy":
        return replace(sample, energy=dice.pick_other(tuple(Energy), template.friend_energy))
    length = dice.pick_other(tuple(Length), template.sentence_length_bias)
    emoji = sample.emoji
    if dice.under(policy.emoji_mutation):
        emoji = dice.pick_other(tuple(EmojiFreq), template.emoji_usage)
    return replace(sample, length=length, emoji=emoji)


def derive_style(sample: Sample, dice: Mulberry32, policy: CastPolicy) -> StableStyleParams:
    return StableStyleParams(
        msg_length_pref=sample.length,
        emoji_freq=sample.emoji,
        humor_mode=sample.humor,
        directness_level=_directness(sample.template.core_archetype, dice, policy),
        followup_question_rate=dice.pick(tuple(FollowupRate)),
        lexicon_bias=sample.template.language_cleanliness,
        punctuation_quirks=sample.template.punctuation_quirks,
    )


def _directness(archetype: str, dice: Mulberry32, policy: CastPolicy) -> Directness:
    if archetype in policy.blunt_archetypes:
        return Directness.BLUNT if dice.under(policy.leaning) else Directness.BALANCED
    if archetype in policy.soft_archetypes:
        return Directness.SOFT if dice.under(policy.leaning) else Directness.BALANCED
    return dice.pick(tuple(Directness))
