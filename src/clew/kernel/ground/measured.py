"""Numbers with their unit said in several words, and the candidates that they fit."""

from __future__ import annotations

from clew.kernel.ground.cards import Card
from clew.kernel.language.measures import agree, measures, same_hour
from clew.kernel.language.numerals import in_digits
from clew.policy.ground import PointingPolicy


def measured(
    words: tuple[str, ...], cards: tuple[Card, ...], policy: PointingPolicy
) -> list[frozenset[int]]:
    """ "the two litre", "three bedrooms", 십삼일: a number with its unit, said in words."""
    plain = " ".join(policy.same.get(w, w) for w in words)
    text = in_digits(plain, policy)
    if text == " ".join(words) and not _several_words(words):
        return []
    out = []
    for measure in measures(text, policy):
        if measure.kind == "number" and measure.value <= 12:
            continue
        near = frozenset(p for p, own in enumerate(cards) if any(agree(measure, o) for o in own.measures))
        near = near or frozenset(p for p, own in enumerate(cards) if any(same_hour(measure, o) for o in own.measures))
        if near and len(near) < len(cards):
            out.append(near)
    return out


def _several_words(words: tuple[str, ...]) -> bool:
    """11시 45분, 9 May: a measure of more than one word."""
    return sum(w[0].isdigit() for w in words) > 1
