"""How a message feels: valence in [-1, 1], tags, and whether it is strong (P66, P67).

Words are added up with negation, intensifiers and turns ("but"); a linear head on the embedder's
vector is added where a vector is given. Only sums, products and square roots: the same everywhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from clew.kernel.language.scripts import SYLLABLE, TYPED_LETTER, has_signs
from clew.kernel.read.heads import score
from clew.kernel.read.phrases import Folded
from clew.model.signals import Emotion
from clew.model.verdict import Reason
from clew.policy.listen import EmotionPolicy, Head

_EDGE = "|"
_QUARTER = 0.25
_PIECES = re.compile(rf"{SYLLABLE}+|{TYPED_LETTER}+|[a-z0-9']+|\||[^\s\w]")
_POINTS = 10_000
_CALM = Emotion(0.0, (), False)


class _Table:
    """The policy's words as the loop below wants them."""

    def __init__(self, policy: EmotionPolicy) -> None:
        self.values = {
            w: int(q) * _QUARTER
            for table in (policy.words, policy.stems)
            for q, words in table.items()
            for w in words.split()
        }
        self.tags: dict[str, str] = {w: tag for tag, ws in policy.tags.items() for w in ws}
        named = frozenset(self.values) | frozenset(self.tags)
        self.known = frozenset(w for w in named if not has_signs(w))
        self.begun = named - self.known
        self.strong = math.ceil(policy.strong_at * _POINTS)
        self.negators = frozenset(policy.negators)
        self.intensifiers = frozenset(policy.intensifiers)
        self.diminishers = frozenset(policy.diminishers)
        self.turns = frozenset(policy.turns)
        self.openers = frozenset(policy.self_openers)
        self.verbs = frozenset(policy.self_verbs)
        self.objects = frozenset(policy.self_objects)


@lru_cache(maxsize=8)
def _table(policy: EmotionPolicy) -> _Table:
    return _Table(policy)


def emotion(
    text: Folded,
    families: Sequence[str],
    idioms: Sequence[str],
    policy: EmotionPolicy,
    heads: Mapping[str, Head],
    vector: Sequence[float] | None = None,
) -> Emotion:
    """`families` and `idioms` are the labels of listed phrases that were found in the text."""
    table = _table(policy)
    places = _readings(text.marked, table, policy, every=False)
    if not places and not families and not idioms and vector is None:
        return _CALM
    z = sum(map(int, idioms)) * _QUARTER
    tags: dict[str, None] = dict.fromkeys(families)
    own = bool(families)
    denied: set[str] = set()
    for at, word, factor in places:
        z += table.values.get(word, 0.0) * factor
        tag = table.tags.get(word)
        if factor < 0:
            denied.add(tag or "")
        elif tag is not None:
            tags[tag] = None
            own = own or has_signs(word) or _own_state(text.marked, at, table, policy)
    softness, most = policy.softness, _POINTS
    if vector is not None and "valence" in heads:
        weight = policy.head_weight_negated if denied else policy.head_weight
        z += weight * score(heads["valence"], vector)
        softness = policy.softness_head
        if "strong" in heads and score(heads["strong"], vector) < policy.strong_head_at:
            most = table.strong - 1
        for tag in (t for t in policy.tags if t in heads and t not in denied):
            if score(heads[tag], vector) >= policy.tag_at:
                tags[tag] = None
    if not z and not tags:
        return _CALM
    points = max(-most, min(most, round(_POINTS * z / math.sqrt(z * z + softness))))
    return Emotion(
        valence=points / _POINTS,
        tags=tuple(tags),
        strong=bool(families) or abs(points) >= table.strong,
        self_state=own,
        reasons=tuple(Reason(f"listen.emotion.{name}") for name in families),
    )


def readings(
    marked: Sequence[str], policy: EmotionPolicy, *, every: bool = False
) -> Iterator[tuple[str, float]]:
    """Each word that may carry a feeling and how its place bends it; the trainer reads `every` word."""
    for _, word, factor in _readings(marked, _table(policy), policy, every=every):
        yield word, factor


def _readings(
    marked: Sequence[str], table: _Table, policy: EmotionPolicy, *, every: bool
) -> list[tuple[int, str, float]]:
    known = table.known
    places: list[tuple[int, str]] = []
    for at, token in enumerate(marked):
        if token in known:
            places.append((at, token))
        elif has_signs(token):
            places.extend((at, stem) for stem in _stems(token, policy, every))
        elif every:
            places.append((at, token))
    if not places:
        return []
    turn = next((i for i, t in enumerate(marked) if t in table.turns), None) if len(marked) > 2 else None
    out: list[tuple[int, str, float]] = []
    # One long token may hold many words: what follows it is read once.
    after: dict[int, float] = {}
    for at, word in places:
        factor = _bent(at, marked, table, policy)
        if has_signs(word):
            if at not in after:
                after[at] = _bent_after(at, marked, policy)
            factor *= after[at]
        if turn is not None:
            factor *= policy.before_turn if at < turn else policy.after_turn
        out.append((at, word, factor))
    return out


@lru_cache(maxsize=8192)
def _stems(token: str, policy: EmotionPolicy, every: bool) -> tuple[str, ...]:
    """좋다ㅋㅋ is 좋다 and ㅋㅋ; each is read from its start."""
    table = _table(policy)
    out: list[str] = []
    for piece in _PIECES.findall(token):
        if not has_signs(piece):
            if every or piece in table.known:
                out.append(piece)
            continue
        for length in range(1, min(len(piece), policy.stem_max) + 1):
            stem = piece[:length]
            if every or stem in table.begun:
                out.append(stem)
    return tuple(out)


def _bent(at: int, marked: Sequence[str], table: _Table, policy: EmotionPolicy) -> float:
    factor = 1.0
    for back in range(1, policy.window + 1):
        before = marked[at - back] if at >= back else _EDGE
        if before == _EDGE:
            break
        if before in table.negators:
            factor *= policy.negated
        elif back <= 2 and before in table.intensifiers:
            factor *= policy.intensified
        elif back <= 2 and before in table.diminishers:
            factor *= policy.diminished
    return factor


def _bent_after(at: int, marked: Sequence[str], policy: EmotionPolicy) -> float:
    """좋지 않다: some languages negate after the word, or inside it."""
    token = marked[at]
    if any(mark in token for mark in policy.negated_inside):
        return policy.negated
    after = marked[at + 1] if at + 1 < len(marked) else _EDGE
    return policy.negated if token.endswith(policy.negated_stem) and after.startswith(policy.negated_after) else 1.0


def _own_state(marked: Sequence[str], at: int, table: _Table, policy: EmotionPolicy) -> bool:
    """i'm / i feel / it makes me + feeling; "i hate mushrooms" is an opinion."""
    near = marked[max(0, at - policy.self_reach) : at]
    for i, token in enumerate(near):
        if token == _EDGE:
            continue
        if token in ("i'm", "im", "feeling"):
            return True
        after = near[i + 1] if i + 1 < len(near) else ""
        if token in table.openers and after in table.verbs:
            return True
        if token in table.verbs and after in table.objects:
            return True
    return False
