"""One thing under several keys: "jazz music" is jazz (ruling P78 across slugs, with the guards of `similar`)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from clew.kernel.compare.likeness import memory_veto
from clew.kernel.compare.wording import listed
from clew.model.key import Key, KeyKind
from clew.policy import Policy


def same_thing(a: str, b: str, policy: Policy) -> bool:
    """Do two keys name one thing? Only of many things of one slot, whatever their stance."""
    if a == b:
        return True
    one, other = _thing(a, policy), _thing(b, policy)
    if one is None or other is None or one[0] != other[0] or one[2] != other[2]:
        return False
    return memory_veto(one[1], other[1], policy) is None


def same_things(key: str, among: Iterable[str], policy: Policy) -> tuple[str, ...]:
    return tuple(k for k in among if same_thing(key, k, policy))


@lru_cache(maxsize=4096)
def _thing(key: str, policy: Policy) -> tuple[tuple[str, ...], str, frozenset[str]] | None:
    """Slot, the item without the nouns that only repeat it, and its words; None when it is not one of many.

    What happened is known by its own words and month only.
    """
    parsed = Key.parse(key)
    if parsed is None or parsed.item is None or parsed.kind is KeyKind.EVENT:
        return None
    words = parsed.item.split("_")
    tails = policy.remember.items.tails.get(parsed.field or "", ())
    while len(words) > 1 and words[-1] in tails:
        words.pop()
    named = words[1:] if len(words) > 1 and words[0] in policy.remember.records.leading else words
    return parsed.slot, " ".join(words), frozenset(_bare(w, policy) for w in named)


def _bare(word: str, policy: Policy) -> str:
    """Without its plural and in its commonest spelling. Every word counts: k-pop is not pop, plan A not plan B.
    """
    bare = word if len(word) == 1 else listed(word)
    return policy.remember.likeness.same_words.get(bare, bare)
