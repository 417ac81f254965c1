"""A long account of something done tells one liking: which way it leans, and what it is about.

Such a message seldom says "I like it". Words of praise and blame, their places, and the vector of the whole message
where there is one are weighed together (weights: bench/train/memory_stance.py). Asides that lean the other way
("while I love music, …") are background, not the user's point.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from clew.kernel.language.packs import house
from clew.kernel.read.heads import score, size
from clew.kernel.statements.categories import category_of, gerund
from clew.kernel.statements.experiences import lean, opening_pastime, stance_of_lean, subject_of
from clew.kernel.statements.items import Item, Liking, phrase, read_item, to_gerund
from clew.kernel.statements.own_words import is_own
from clew.kernel.statements.patterns import alternatives, pattern
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
        for match in pattern("account_taken_up", policy).finditer(sentence):
            if is_own(sentence, match.start(), policy):
                text = phrase(match["rest"], policy)
                item = _thing(match["rest"], policy)
                if item is not None and text and category_of(text, policy):
                    yield Liking(stance, item, match.start())
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
        for find in (_engaged, _felt_for, opening_pastime):
            item = find(sentence, policy)
            if item is not None:
                return item
    return subject_of(full, policy)


@lru_cache(maxsize=8)
def _engaging(policy: Policy) -> re.Pattern[str]:
    say, table = policy.remember.say, policy.remember.account
    adverb = rf"(?:(?:{alternatives((*say.adverbs, *table.adverbs))}|\w+ly)\s)*"
    away = rf"(?:{alternatives(say.away_choices)})\sto\s(?:{alternatives(say.away_acts)})"
    leads = rf"(?:{away}|{alternatives((*say.leads, *say.turned_to, *say.turned_away, *table.leads))})"
    return re.compile(
        rf"\bi(?:'ve|\shave|'m|\sam|\swas|(?P<did>\sdid)|'d|\shad)?\s{adverb}(?P<lead>(?:{leads}\s{adverb})*)"
        rf"(?P<act>(?:{alternatives(table.light_verbs)})|[a-z-]+)\b\s*(?P<obj>.*)",
        re.I,
    )


def _engaged(sentence: str, policy: Policy) -> Item | None:
    """ "I signed up for a film workshop", "I decided to stop baking", "I used to collect stamps"."""
    table = policy.remember.account
    at = 0
    while match := _engaging(policy).search(sentence, at):
        at = match.start("act")
        if not is_own(sentence, match.start(), policy):
            continue
        act, rest = " ".join(match["act"].lower().split()), match["obj"]
        if act.endswith("ed") and pattern("account_state", policy).search(
            match.group()[: at - match.start()]
        ):
            continue  # "i was enchanted", "i found myself pressured": done to, not doing
        light = act in table.light_verbs
        doing = (
            "" if light else _doing(act, bool(match["did"]) or match["lead"].lower().endswith("to "), policy)
        )
        if not light and not doing:
            if not match["lead"]:
                continue
            rest = f"{match['act']} {rest}"  # "I dropped my Spanish class": the lead was the verb
        item = _thing(f"{doing} {rest}".strip(), policy)
        if item is not None:
            return item
    return None


def _doing(verb: str, bare: bool, policy: Policy) -> str:
    """The pastime a verb tells of, as a gerund, or nothing."""
    table = policy.remember.account
    base = verb[:-3] + "ying" if verb.endswith("ied") else verb[:-2] + "ing"
    if verb in policy.remember.say.activities:
        doing = policy.remember.say.activities[verb]
    elif verb.endswith("ing"):
        doing = verb
    elif verb.endswith("ed") and len(verb) > 4:
        doing = base
    elif bare:
        doing = to_gerund(verb, policy)
    else:
        return ""
    return doing if gerund(doing, policy) and doing not in table.not_pastimes else ""


def _thing(rest: str, policy: Policy) -> Item | None:
    """What was done, or the thing itself; a duty is no pastime."""
    table = policy.remember.account
    rest = pattern("account_when", policy).sub("", pattern("account_of_mine", policy).sub("", rest))
    text = phrase(rest, policy)
    words = text.split()
    if not words or any(w in table.duties for w in words):
        return None
    if words[0] in table.trying and len(words) > 1:
        inner = read_item(" ".join(rest.split()[1:]), policy)
        if inner is not None:
            return _with_topic(inner, rest, policy)
    known = read_item(rest, policy)
    if known is not None:
        return _with_topic(known, rest, policy)
    refused = policy.remember.say.not_items
    if len(words) < 2 or words[0] in refused or words[-1] in refused:
        return None
    # Taken up in one's free time, whatever it is.
    return _with_topic(Item(category_of(text, policy) or "hobby", text), rest, policy)


def _with_topic(item: Item, rest: str, policy: Policy) -> Item:
    """ "A course" says little, "a course on music theory" what is meant."""
    table = policy.remember.account
    place = rest.lower().find(item.text)
    if place < 0 or item.text.split()[-1] not in table.works:
        return item
    more = pattern("account_on", policy).match(rest[place + len(item.text) :])
    topic = phrase(more["topic"], policy).split() if more else []
    if more is None or not topic or topic[0] in policy.remember.say.not_items:
        return item
    return Item(item.category, " ".join((item.text, more["on"].lower(), *topic[: table.topic_words])))


def _felt_for(sentence: str, policy: Policy) -> Item | None:
    """ "My fascination with film history has faded": a feeling and what it is for."""
    match = pattern("account_feeling_for", policy).search(sentence)
    if match is None or not is_own(sentence, match.start(), policy):
        return None
    return _thing(match["rest"] or match["other"], policy)
