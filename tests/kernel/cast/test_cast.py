"""Casting without cloning (rulings P40–P47)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.errors import InvalidInput
from clew.kernel.cast.assign import assign, cast_among, max_allowed
from clew.kernel.cast.library import all_combos, by_archetype, combo_key, template
from clew.kernel.cast.prng import Mulberry32
from clew.kernel.cast.sample import CATEGORIES, draw_sample, mutate_third
from clew.kernel.door import call
from clew.model.persona import Directness, Energy, FollowupRate, Humor, PersonaTemplate, Placed
from clew.policy import default, from_tables

POLICY = default()
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
FACTS = Path(__file__).parents[3].parent / "shared" / "spec" / "facts.md"
SEEDS = st.integers(-(2**31), 2**32 - 1)


def test_mulberry32_gives_the_published_sequence() -> None:
    random = Mulberry32(42)
    assert [random.draw() / 2**32 for _ in range(3)] == [
        0.6011037519201636, 0.44829055899754167, 0.8524657934904099,
    ]  # fmt: skip
    assert Mulberry32(-5).draw() == Mulberry32(2**32 - 5).draw()


@given(SEEDS, st.lists(st.integers(), max_size=12))
def test_a_shuffle_keeps_everything(seed: int, items: list[int]) -> None:
    assert sorted(Mulberry32(seed).shuffled(items)) == sorted(items)


def row(t: PersonaTemplate) -> list[str]:
    short = {"POLITICS": "P", "RELIGION": "R", "SEXUAL_JOKES": "J"}
    return [
        t.id, t.core_archetype, t.sentence_length_bias, t.emoji_usage, " ".join(t.punctuation_quirks) or "-",
        t.language_cleanliness, ", ".join(t.hint_tokens), t.humor_mode, t.emotional_expression_level,
        "+".join(short[x] for x in t.taboo_soft_bounds), t.friend_energy,
    ]  # fmt: skip


@pytest.mark.rule("P45")
@pytest.mark.skipif(not FACTS.exists(), reason="the specification is not beside the repository")
def test_the_library_is_the_specifications_table() -> None:
    lines = [x for x in FACTS.read_text(encoding="utf-8").splitlines() if re.match(r"\| PT\d\d \|", x)]
    table = [[c.strip().replace("’", "'") for c in x.strip("|").split("|")] for x in lines]
    assert len(table) == 24
    assert [row(t) for t in POLICY.cast.templates] == table


@pytest.mark.rule("P43")
def test_the_library_covers_twenty_three_combinations_with_one_known_duplicate() -> None:
    keys = Counter(combo_key(t.core_archetype, t.humor_mode, t.friend_energy) for t in POLICY.cast.templates)
    assert len(POLICY.cast.templates) == 24 and len(keys) == 23
    assert [k for k, n in keys.items() if n == 2] == ["Warm_Caregiver:light_sarcasm:proactive"]
    assert len(all_combos(POLICY)) == 120


def test_the_combo_key_spells_archetypes_with_underscores() -> None:
    assert combo_key("Low-Key Companion", Humor.NONE, Energy.PASSIVE) == "Low_Key_Companion:none:passive"


@pytest.mark.parametrize(("total", "most"), [(1, 1), (28, 1), (29, 2), (42, 2), (43, 3), (99, 6), (100, 7)])
def test_the_cap_is_computed_in_integers(total: int, most: int) -> None:
    assert max_allowed(total, POLICY.cast) == most


@pytest.mark.rule("P44")
def test_archetypes_are_drawn_uniformly_whatever_their_templates() -> None:
    counts = Counter(draw_sample(Mulberry32(seed), POLICY).template.core_archetype for seed in range(4000))
    assert len(counts) == 10
    assert max(counts.values()) * 10 < 4000 * 13 // 10


@pytest.mark.rule("P41")
@given(SEEDS)
def test_exactly_two_categories_are_mutated_and_a_third_only_when_asked(seed: int) -> None:
    random = Mulberry32(seed)
    sample = draw_sample(random, POLICY)
    assert sorted(sample.order) == sorted(CATEGORIES)
    assert changed(sample) == set(sample.order[:2])
    assert changed(mutate_third(sample, random, POLICY.cast)) == set(CATEGORIES)


def changed(sample: object) -> set[str]:
    t = sample.template  # type: ignore[attr-defined]
    out = set()
    if sample.length is not t.sentence_length_bias:  # type: ignore[attr-defined]
        out.add("speech_style")
    if sample.humor is not t.humor_mode:  # type: ignore[attr-defined]
        out.add("humor_mode")
    if sample.energy is not t.friend_energy:  # type: ignore[attr-defined]
        out.add("friend_energy")
    return out


@pytest.mark.rule("P42")
def test_speech_style_always_changes_the_length_and_half_the_time_the_emoji_never_the_quirks() -> None:
    samples = [draw_sample(Mulberry32(seed), POLICY) for seed in range(3000)]
    spoken = [s for s in samples if "speech_style" in s.order[:2]]
    assert all(s.length is not s.template.sentence_length_bias for s in spoken)
    share = sum(s.emoji is not s.template.emoji_usage for s in spoken) / len(spoken)
    assert 0.45 < share < 0.55
    untouched = [s for s in samples if "speech_style" not in s.order[:2]]
    assert all(s.emoji is s.template.emoji_usage for s in untouched)
    for seed in range(50):
        made = assign(seed, (), NOW, POLICY).assignment
        known = template(made.template_id, POLICY)
        assert known is not None
        assert made.stable_style_params.punctuation_quirks == known.punctuation_quirks
        assert made.stable_style_params.lexicon_bias is known.language_cleanliness


@pytest.mark.rule("P47")
def test_directness_leans_with_the_archetype_and_follow_ups_are_low_or_medium() -> None:
    made = [assign(seed, (), NOW, POLICY).assignment for seed in range(3000)]
    by: dict[str, Counter[Directness]] = {}
    for a in made:
        by.setdefault(a.combo_key.split(":")[0], Counter())[a.stable_style_params.directness_level] += 1
    assert by["Blunt_Honest"][Directness.SOFT] == 0 and by["Calm_Listener"][Directness.BLUNT] == 0
    blunt = by["Blunt_Honest"][Directness.BLUNT] / sum(by["Blunt_Honest"].values())
    assert 0.6 < blunt < 0.8
    assert len(by["Hype_Bestie"]) == 3
    assert {a.stable_style_params.followup_question_rate for a in made} == set(FollowupRate)


@pytest.mark.rule("P40")
@given(SEEDS)
def test_the_energy_kept_is_the_energy_of_the_combo_key(seed: int) -> None:
    made = assign(seed, (), NOW, POLICY).assignment
    _archetype, humor, energy = made.combo_key.split(":")
    assert made.friend_energy.value == energy
    assert made.stable_style_params.humor_mode.value == humor
    known = template(made.template_id, POLICY)
    assert known is not None and combo_key(known.core_archetype, Humor(humor), Energy(energy)) == made.combo_key


def window(keys: Sequence[str], age: timedelta = timedelta(hours=1)) -> list[Placed]:
    return [Placed(k, NOW - age) for k in keys]


def test_only_the_last_day_before_now_counts() -> None:
    free = assign(7, (), NOW, POLICY)
    key = free.assignment.combo_key
    for age in (timedelta(hours=24, seconds=1), timedelta(0), -timedelta(hours=1)):
        assert assign(7, window([key] * 3, age), NOW, POLICY) == free
    for age in (timedelta(hours=24), timedelta(seconds=1)):
        assert assign(7, window([key], age), NOW, POLICY).assignment.combo_key != key


@pytest.mark.rule("P41")
def test_a_capped_combination_is_left_by_the_third_mutation_or_the_next_sample() -> None:
    rules = set()
    for seed in range(60):
        key = assign(seed, (), NOW, POLICY).assignment.combo_key
        result = assign(seed, window([key]), NOW, POLICY)
        assert result.assignment.combo_key != key and not result.fallback
        rules.add((result.reasons[0].rule, result.attempts == 1))
    assert rules == {("cast.third_mutation", True), ("cast.sampled", False)}


@pytest.mark.rule("P46")
def test_after_fifty_samples_the_rarest_combination_is_taken() -> None:
    keys = [combo_key(*c) for c in all_combos(POLICY)]
    free = "Soft_Nerd:none:passive"
    counts = dict.fromkeys(keys, 500) | {free: 400}
    stuck = cast_among(11, counts, 2000, NOW, POLICY)
    assert stuck.fallback and stuck.attempts == 50
    assert stuck.assignment.combo_key == free
    assert stuck.assignment.friend_energy is Energy.PASSIVE


@pytest.mark.rule("P46")
def test_ties_in_the_fallback_follow_the_seed_not_the_alphabet() -> None:
    counts = {combo_key(*c): 500 for c in all_combos(POLICY)}
    chosen = {cast_among(seed, counts, 2000, NOW, POLICY).assignment.combo_key for seed in range(20)}
    assert len(chosen) > 10
    assert cast_among(3, counts, 2000, NOW, POLICY) == cast_among(3, counts, 2000, NOW, POLICY)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(SEEDS, st.integers(0, 7200)), min_size=1, max_size=80))
def test_no_assignment_ever_passes_the_cap(arrivals: list[tuple[int, int]]) -> None:
    placed: list[Placed] = []
    at = NOW
    for seed, wait in arrivals:
        at += timedelta(seconds=wait + 1)
        made = assign(seed, placed, at, POLICY).assignment
        recent = [p for p in placed if at - timedelta(hours=24) <= p.assigned_at < at]
        same = sum(p.combo_key == made.combo_key for p in recent)
        assert same + 1 <= max(1, 7 * (len(recent) + 1) // 100)
        placed.append(Placed(made.combo_key, at))


def test_the_door_answers_with_every_field_of_the_contract() -> None:
    answer = call("cast", {"seed": 42, "window": [], "now": "2026-01-01T00:00:00Z"})
    assert {
        "template_id", "combo_key", "friend_energy", "stable_style_params", "attempts", "fallback", "policy",
        "reasons",
    } <= answer.keys()  # fmt: skip
    assert answer["template_id"] == "PT17" and answer["attempts"] == 1 and answer["fallback"] is False
    assert answer["stable_style_params"]["punctuation_quirks"] == []


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"seed": 2**32}, "/seed"),
        ({"seed": "7"}, "/seed"),
        ({"seed": 1.5}, "/seed"),
        ({"now": "noon"}, "/now"),
        ({"window": [{"combo_key": "a:b:c"}]}, "/window/0/assigned_at"),
        ({"window": "all"}, "/window"),
    ],
)
def test_a_bad_field_is_named(change: dict[str, object], pointer: str) -> None:
    with pytest.raises(InvalidInput) as error:
        call("cast", {"seed": 1, "window": [], "now": "2026-01-01T00:00:00Z"} | change)
    assert error.value.pointer == pointer


def test_a_persona_file_with_a_missing_field_is_refused_and_named() -> None:
    with pytest.raises(InvalidInput) as error:
        from_tables({"cast": {"templates": [{"id": "X1", "core_archetype": "Odd One"}]}})
    assert error.value.pointer == "/cast/templates/0/sentence_length_bias"


def test_a_persona_file_with_an_unknown_value_is_refused_and_named() -> None:
    known = {
        "id": "X1", "core_archetype": "Odd One", "sentence_length_bias": "huge", "emoji_usage": "none",
        "punctuation_quirks": [], "language_cleanliness": "clean", "hint_tokens": [], "humor_mode": "none",
        "emotional_expression_level": "normal", "taboo_soft_bounds": [], "friend_energy": "balanced",
    }  # fmt: skip
    with pytest.raises(InvalidInput) as error:
        from_tables({"cast": {"templates": [known]}})
    assert error.value.pointer == "/cast/templates/0/sentence_length_bias"


def test_a_users_own_library_is_cast_from() -> None:
    mine = {
        "id": "X1", "core_archetype": "Odd One", "sentence_length_bias": "short", "emoji_usage": "none",
        "punctuation_quirks": [], "language_cleanliness": "clean", "hint_tokens": [], "humor_mode": "none",
        "emotional_expression_level": "normal", "taboo_soft_bounds": [], "friend_energy": "balanced",
    }  # fmt: skip
    policy = from_tables({"cast": {"templates": [mine]}})
    assert assign(1, (), NOW, policy).assignment.template_id == "X1"
    assert list(by_archetype(policy)) == ["Odd One"]
