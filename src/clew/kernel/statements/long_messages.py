"""A long account of something done tells one liking: which way it leans, and what it is about.

Such a message seldom says "I like it". Words of praise and blame, their places, and the vector of the whole message
where there is one are weighed together (weights: bench/train/memory_stance.py). Asides that lean the other way
("while I love music, …") are background, not the user's point.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from clew.kernel.language.packs import house
from clew.kernel.read.heads import score, size
from clew.kernel.statements.experiences import lean, stance_of_lean, subject_of
from clew.kernel.statements.items import Item, Liking
from clew.kernel.statements.patterns import pattern
from clew.policy import Policy


def is_account(said: Sequence[str], policy: Policy) -> bool:
    """Long, the user's own story from the start, and told for its own sake: who asks for help tells why."""
    say = policy.remember.say
    if sum(len(s.split()) for s in said) < say.account_words:
        return False
    if any(pattern("account_request", policy).search(s) for s in said):
        return False
    opening = said[: say.lean_reach]
    if any(pattern("account_mine", policy).search(s) for s in opening):
        return True
    others = any(pattern("account_theirs", policy).search(s) for s in opening)
    return not others and any(pattern("evaluated_self", policy).search(s) for s in said)


def told(said: Sequence[str], policy: Policy, vector: Sequence[float] | None = None) -> Iterator[Liking]:
    """What the account is about with its stance, and likings it states outright that go the same way."""
    table = policy.remember.account
    outright = [list(house().rules.likings(sentence, policy, None)) for sentence in said]
    stance = stance_of(said, outright, policy, vector)
    if stance is None:
        if len({liking.stance for likings in outright for liking in likings}) == 1:
            yield from (liking for likings in outright[: table.opening] for liking in likings)
        return
    agreeing = [liking for likings in outright for liking in likings if liking.stance == stance]
    early = [liking for likings in outright[: table.opening] for liking in likings if liking in agreeing]
    if not early:
        item = about(said, policy)
        if item is not None:
            yield Liking(stance, item)
    yield from agreeing


def taken_up(said: Sequence[str], policy: Policy) -> Iterator[Liking]:
    """A short message: something known was tried or joined, and judged in so many words."""
    stance = stance_of_lean(*lean(said, policy), policy)
    if stance is None or not any(pattern("account_verdict", policy).search(s) for s in said):
        return
    for sentence in said:
        for start, item in house().rules.taken_up(sentence, policy):
            yield Liking(stance, item, start)
            return


def stance_of(
    said: Sequence[str], outright: Sequence[Sequence[Liking]], policy: Policy, vector: Sequence[float] | None
) -> str | None:
    """None when nothing judges, or when it is not sure."""
    table = policy.remember.stance
    seen = features(said, outright, policy)
    if not any(seen):
        return None
    total = leaning(seen, policy, vector)
    least = table.with_vector_least if _heard(vector, policy) else table.words_only_least
    return None if abs(total) < least else "like" if total > 0 else "dislike"


def leaning(seen: Sequence[float], policy: Policy, vector: Sequence[float] | None) -> float:
    """Above zero it leans to a liking; about one in size is sure."""
    table = policy.remember.stance
    heard = _heard(vector, policy)
    weights = table.with_vector if heard else table.words_only
    total = weights[0] + math.fsum(w * x for w, x in zip(weights[1:], seen, strict=True))
    return total + score(table.heads["stance"], heard) if heard else total


def _heard(vector: Sequence[float] | None, policy: Policy) -> Sequence[float] | None:
    """A vector the head was trained for; any other says nothing here."""
    head = policy.remember.stance.heads.get("stance")
    return vector if vector and head is not None and len(vector) == size(head) else None


def features(said: Sequence[str], outright: Sequence[Sequence[Liking]], policy: Policy) -> tuple[float, ...]:
    """Lean of the opening, the second sentence, the rest and all; likings stated early and late."""
    reach = policy.remember.account.opening
    leans = []
    for part in (said[:1], said[1:2], said[2:], said):
        good, bad = lean(part, policy)
        leans.append((good - bad) / (good + bad + policy.remember.say.lean_least))
    stances = [
        float(any(x.stance == stance for likings in part for x in likings))
        for part in (outright[:reach], outright[reach:])
        for stance in ("like", "dislike")
    ]
    return (*leans, *stances)


def about(said: Sequence[str], policy: Policy) -> Item | None:
    """The first thing the user tells of doing; else what the account keeps coming back to."""
    say = policy.remember.say
    full = [s for s in said if len(s.split()) >= policy.remember.account.sentence_words]
    for sentence in full[: say.lean_reach]:
        item = house().rules.deed(sentence, policy)
        if item is not None:
            return item
    return subject_of(full, policy)
