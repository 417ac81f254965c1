"""The exact near-duplicate index: recall and precision 1.0 against a scan."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.kernel.text.similarity import jaccard
from clew.kernel.weave import index as module
from clew.kernel.weave.index import LoopIndex, Match

THRESHOLDS = [Fraction(58, 100), Fraction(62, 100), Fraction(66, 100), Fraction(2, 5), Fraction(1)]
SETS = st.frozensets(st.sampled_from([f"t{i}" for i in range(18)]), min_size=1, max_size=9)


def scan(
    stored: dict[str, frozenset[str]], wanted: frozenset[str], threshold: Fraction
) -> set[tuple[str, Fraction]]:
    scores = {key: jaccard(tokens, wanted) for key, tokens in stored.items()}
    return {(key, score) for key, score in scores.items() if score >= threshold}


def found(matches: tuple[Match, ...]) -> set[tuple[str, Fraction]]:
    return {(m.key, m.similarity) for m in matches}


@pytest.mark.parametrize("threshold", THRESHOLDS)
@settings(max_examples=40, deadline=None)
@given(
    steps=st.lists(st.tuples(st.integers(0, 30), SETS, st.booleans()), max_size=60),
    wanted=st.lists(SETS, max_size=8),
)
def test_it_finds_exactly_what_a_scan_finds(
    threshold: Fraction, steps: list[tuple[int, frozenset[str], bool]], wanted: list[frozenset[str]]
) -> None:
    index, stored = LoopIndex(threshold), {}
    for number, (key, tokens, drop) in enumerate(steps):
        name = f"k{key}"
        if drop:
            assert index.remove(name) == (stored.pop(name, None) is not None)
        else:
            index.add(name, tokens)
            stored[name] = tokens
        if number % 17 == 16:
            index.pack()
    assert len(index) == len(stored) and set(index) == set(stored)
    for tokens in wanted:
        assert found(index.query(tokens)) == scan(stored, tokens, threshold)
        assert found(index.query(tokens | {"unseen"})) == scan(stored, tokens | {"unseen"}, threshold)


@settings(max_examples=40, deadline=None)
@given(items=st.lists(SETS, max_size=40), wanted=SETS)
def test_built_at_once_and_filled_one_by_one_answer_alike_and_in_order(
    items: list[frozenset[str]], wanted: frozenset[str]
) -> None:
    pairs = [(f"k{i}", tokens) for i, tokens in enumerate(items)]
    built = LoopIndex.build(Fraction(58, 100), pairs)
    filled = LoopIndex(Fraction(58, 100))
    for key, tokens in pairs:
        filled.add(key, tokens)
    answer = built.query(wanted)
    assert answer == filled.query(wanted)
    assert list(answer) == sorted(answer, key=lambda m: (-m.similarity, int(m.key[1:])))


def test_a_stricter_question_is_answered_and_a_laxer_one_refused() -> None:
    index = LoopIndex.build(Fraction(58, 100), [("a", frozenset("abcdefg")), ("b", frozenset("abcdefgh"))])
    assert [m.key for m in index.query(frozenset("abcdefg"), Fraction(9, 10))] == ["a"]
    with pytest.raises(ValueError, match="higher threshold"):
        index.query(frozenset("abc"), Fraction(1, 2))
    with pytest.raises(ValueError, match="threshold"):
        LoopIndex(Fraction(0))


def test_it_packs_itself_when_it_has_doubled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FIRST_PACK", 8)
    index, stored = LoopIndex(Fraction(2, 3)), {}
    for i in range(100):
        stored[f"k{i}"] = frozenset(f"t{(i * j) % 13}" for j in range(1, 6))
        index.add(f"k{i}", stored[f"k{i}"])
        wanted = stored[f"k{i // 2}"]
        assert found(index.query(wanted)) == scan(stored, wanted, Fraction(2, 3))
    for i in range(0, 100, 3):
        index.remove(f"k{i}")
        del stored[f"k{i}"]
    index.pack()
    assert all(found(index.query(s)) == scan(stored, s, Fraction(2, 3)) for s in stored.values())
