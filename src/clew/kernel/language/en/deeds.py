"""What the user tells of doing: pastimes taken up, courses joined, feelings for a thing (English)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from clew.kernel.statements.categories import category_of, gerund
from clew.kernel.statements.items import Item, phrase, read_item, to_gerund
from clew.kernel.statements.own_words import is_own
from clew.kernel.statements.patterns import alternatives, pattern
from clew.policy import Policy
from clew.policy.remember import SayPolicy
from clew.programs import program


def deed(sentence: str, policy: Policy) -> Item | None:
    """What a sentence of a long account tells of doing, of feeling for something, or opens with."""
    return _engaged(sentence, policy) or _felt_for(sentence, policy) or _opening_pastime(sentence, policy)


def pastimes(sentence: str, policy: Policy) -> Iterator[tuple[int, Item]]:
    """Every pastime that the user says they do, and where it is told."""
    for match in _did(policy.remember.say).finditer(sentence):
        if is_own(sentence, match.start(), policy):
            item = _pastime(match["act"].lower(), match["obj"], policy)
            # One good evening is no liking; a pastime one has taken up is.
            if item and gerund(item.text.split()[0], policy):
                yield match.start(), item


def taken_up(sentence: str, policy: Policy) -> Iterator[tuple[int, Item]]:
    """Every known thing that was tried or joined, and where it is told."""
    for match in pattern("account_taken_up", policy).finditer(sentence):
        if is_own(sentence, match.start(), policy):
            text = phrase(match["rest"], policy)
            item = _thing(match["rest"], policy)
            if item is not None and text and category_of(text, policy):
                yield match.start(), item


@lru_cache(maxsize=8)
def _names_of_pastimes(policy: Policy) -> frozenset[str]:
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


def _opening_pastime(sentence: str, policy: Policy) -> Item | None:
    """A sentence about doing something ("Traveling alone has its charms")."""
    match = pattern("evaluated_opens", policy).match(sentence)
    return read_item(match["rest"], policy) if match and match["act"].lower() in _names_of_pastimes(policy) else None


def _pastime(act: str, rest: str, policy: Policy) -> Item | None:
    doing = to_gerund(act, policy)
    if doing not in _names_of_pastimes(policy):
        return None
    if doing in ("trying", "starting", "going", "taking", "making", "enrolling", "registering", "signing"):
        rest = pattern("pastime_joint", policy).sub("", rest.strip())
        inner = read_item(rest, policy)
        return inner if inner and inner.category else None
    return read_item(f"{doing} {rest}", policy)


@lru_cache(maxsize=8)
def _engaging(policy: Policy) -> re.Pattern[str]:
    say, table = policy.remember.say, policy.remember.account
    adverb = rf"(?:(?:{alternatives((*say.adverbs, *table.adverbs))}|\w+ly)\s)*"
    away = rf"(?:{alternatives(say.away_choices)})\sto\s(?:{alternatives(say.away_acts)})"
    leads = rf"(?:{away}|{alternatives((*say.leads, *say.turned_to, *say.turned_away, *table.leads))})"
    return program(
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
