"""Praise of what is on offer, and praise that a negation takes back."""

from __future__ import annotations

from clew.kernel.ground.endings import endings_of
from clew.kernel.ground.lexicon import Words
from clew.kernel.ground.phrases import Tokens

# "absolutely not", "i'd rather not".
SHORT = 5


def unpraised(body: Tokens, lists: Words) -> bool:
    """ "those don't sound good", "that would not work": praise that a negation takes back."""
    if lists.not_refusals.inside(body) or body[0] in lists.auxiliaries or body[0] in lists.wh_words:
        return False
    place = lists.acceptance.at(body)
    starts = [i for i, t in enumerate(body) if t in lists.acceptance_words or t in lists.praise_verbs]
    starts += [place[0]] if place else []
    return any(not lists.negations.isdisjoint(body[max(0, i - 2) : i]) for i in starts)


def accepts(body: Tokens, lists: Words) -> bool:
    if place := lists.acceptance.at(body):
        after = body[place[1] :]
        likes = body[place[1] - 1] in lists.grammar["liking"]
        if likes and after and after[0] in lists.grammar["infinitive"]:
            return not lists.search_verbs.head(after[1:])
        return not likes or not after or bool(lists.deictic_words & set(after))
    return any(
        t in lists.acceptance_words
        and lists.negations.isdisjoint(body[max(0, i - 3) : i])
        and _predicate(body, i, lists)
        for i, t in enumerate(body)
    )


def _predicate(body: Tokens, at: int, lists: Words) -> bool:
    """ "that one is good for me" praises; "with a good rating" describes something."""
    after = body[at + 1 : at + 2]
    if own := endings_of(body[at], lists):
        # Where the verb comes last, praise leads its clause, or ends a short one: 그 집 좋아요.
        return (at == 0 or len(body) < SHORT - 1) and not (after and after[0].startswith(own.doing))
    return at <= 2 or not after or after[0] in lists.label_stop_words or after[0] in lists.acceptance_words
