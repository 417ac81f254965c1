"""Likes and dislikes an experience tells: something done in free time, and words that lean one way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from clew.kernel.statements.categories import category_of, gerund, is_known
from clew.kernel.statements.items import Item, Liking, read_item, to_gerund
from clew.kernel.statements.own_words import is_own
from clew.kernel.statements.patterns import alternatives, pattern
from clew.kernel.text.normalize import normal
from clew.policy import Policy
from clew.policy.remember import SayPolicy
from clew.programs import program


@lru_cache(maxsize=8)
def pastimes(policy: Policy) -> frozenset[str]:
    """Gerunds that are pastimes for sure: those of the activities, and known items."""
    known = (name.split()[0] for names in policy.remember.items.categories.values() for name in names)
    return frozenset(policy.remember.say.activities.values()) | {w for w in known if gerund(w, policy)}


@lru_cache(maxsize=8)
def _did(say: SayPolicy) -> re.Pattern[str]:
    adverb = rf"(?:(?:{alternatives(say.adverbs)})\s)*"
    return program(
        rf"\bi(?:'ve|\shave|'m|\sam|\swas)?\s{adverb}(?:(?:{alternatives((*say.leads, *say.turned_to))})\s{adverb})*"
        rf"(?P<act>{alternatives(say.activities)}|[a-z]+ing|(?<=\bto\s)[a-z]+)\b\s*(?P<obj>.*)",
        re.I,
    )


@lru_cache(maxsize=8)
def _cues(say: SayPolicy) -> tuple[re.Pattern[str], frozenset[str], frozenset[str]]:
    both = alternatives((*say.pleased, *say.displeased, *say.contrast))
    return program(rf"(?<![\w'-])(?:{both})(?![\w'-])"), frozenset(say.pleased), frozenset(say.contrast)


def lean(statements: Sequence[str], policy: Policy) -> tuple[int, int]:
    """Weights for and against. The opening sentences say what the rest only colours,
    and within a sentence what follows a contrast is what is meant."""
    say = policy.remember.say
    pattern, pleased, contrast = _cues(say)
    good = bad = 0
    for place, sentence in enumerate(statements):
        text = normal(sentence).norm
        cues: list[bool] = []
        turn: int | None = None
        for match in pattern.finditer(text):
            cue = match.group()
            if cue in contrast and cue not in say.displeased:
                turn = len(cues)
                continue
            before = text[: match.start()].split()[-3:]
            cues.append((cue in pleased) != any(w.strip(",.") in say.negators for w in before))
        base = say.lean_places[min(place, len(say.lean_places) - 1)]
        for number, positive in enumerate(cues):
            weight = say.lean_plain if turn is None else say.lean_after if number >= turn else say.lean_before
            good, bad = (good + base * weight, bad) if positive else (good, bad + base * weight)
    return good, bad


def stance_of_lean(good: int, bad: int, policy: Policy) -> str | None:
    say = policy.remember.say
    total = good + bad
    if max(good, bad) < say.lean_least:
        return None
    if good * say.lean_share.denominator >= total * say.lean_share.numerator:
        return "like"
    if bad * say.lean_share.denominator >= total * say.lean_share.numerator:
        return "dislike"
    return None


def experienced(statements: Sequence[str], policy: Policy) -> Iterator[Liking]:
    """The first pastime a short message tells of, with the leaning of its words; long ones are accounts."""
    stance = stance_of_lean(*lean(statements, policy), policy)
    if stance is None or sum(len(s.split()) for s in statements) >= policy.remember.say.account_words:
        return
    if not any(pattern("evaluated_verdict", policy).search(s) for s in statements):
        return
    for sentence in statements:
        for match in _did(policy.remember.say).finditer(sentence):
            if is_own(sentence, match.start(), policy):
                item = _pastime(match["act"].lower(), match["obj"], policy)
                # One good evening is no liking; a pastime one has taken up is.
                if item and gerund(item.text.split()[0], policy):
                    yield Liking(stance, item, match.start())
                    return


def subject_of(statements: Sequence[str], policy: Policy) -> Item | None:
    """What a long account keeps coming back to: known things, earlier and longer ones first."""
    say = policy.remember.say
    if sum(len(s.split()) for s in statements) < say.account_words:
        return None
    if max(lean(statements, policy)) < say.account_lean:
        return None
    scores: dict[str, int] = {}
    for place, sentence in enumerate(statements):
        words = normal(sentence).no_punct.split()
        for size in (3, 2, 1):
            for start in range(len(words) - size + 1):
                name = " ".join(words[start : start + size])
                if is_known(name, policy):
                    base = say.lean_places[min(place, len(say.lean_places) - 1)]
                    scores[name] = scores.get(name, 0) + base * size
    if not scores:
        return None
    best = max(scores, key=lambda n: (scores[n], len(n)))
    category = category_of(best, policy)
    return Item(category, best) if category else None


def opening_pastime(sentence: str, policy: Policy) -> Item | None:
    """A sentence about doing something ("Traveling alone has its charms")."""
    match = pattern("evaluated_opens", policy).match(sentence)
    return read_item(match["rest"], policy) if match and match["act"].lower() in pastimes(policy) else None


def _pastime(act: str, rest: str, policy: Policy) -> Item | None:
    doing = to_gerund(act, policy)
    if doing not in pastimes(policy):
        return None
    if doing in ("trying", "starting", "going", "taking", "making", "enrolling", "registering", "signing"):
        rest = pattern("pastime_joint", policy).sub("", rest.strip())
        inner = read_item(rest, policy)
        return inner if inner and inner.category else None
    return read_item(f"{doing} {rest}", policy)
