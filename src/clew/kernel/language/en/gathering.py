"""Several things told of one life in one sentence: "Your husband Piotr is 41 and drives for Tesco"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.language.gathering import Bearer
from clew.model.key import relation_of
from clew.policy.compose import Gathering
from clew.programs import program

_YOU = "You"
_SEVERAL = 2


def run_on(sentences: Sequence[str], words: Gathering) -> tuple[str, ...]:
    """What is told of the user under one side of their life: "You are from Hull and live in Leeds"."""
    return tuple(_sentences((_YOU,), _YOU, _labelled(sentences, words), words))


def gathered(bearers: Sequence[Bearer], words: Gathering) -> tuple[str, ...]:
    """All who stand to the user in one relation: "You have two children: Olek, who is 8, and Zosia, who is 4"."""
    named = [b for b in bearers if b.name]
    kind = relation_of(named[0].subject) if named else None
    plural = words.plurals.get(kind[1], "") if kind else ""
    if len(named) < _SEVERAL or not plural:
        return tuple(s for b in bearers for s in (*_there(b), *_of_one(b, b.whose, words)))
    there = [s for b in bearers for s in b.there]
    told = {b.name: [p for s in b.told if (p := _predicate(s, _leads(b), words))] for b in named}
    each = all(len(told[b.name]) == 1 and _brief(told[b.name][0], words) for b in named)
    people = _listed([f"{b.name}, who {told[b.name][0]}" if each else b.name for b in named], words, aside=each)
    out = [*_counted(people, there, len(named), plural, words)]
    for b in named:
        by_itself = [s for s in b.told if not _predicate(s, _leads(b), words)]
        out += by_itself if each else _of_one(b, b.name, words) if b.told else []
    return (*out, *(s for b in bearers if not b.name for s in _of_one(b, b.whose, words)))


def fragment(sentence: str, bearer: Bearer | None, words: Gathering) -> str:
    """What a sentence tells of its bearer, as it stands in a longer one too; empty where it stands only by itself."""
    return _predicate(sentence, _leads(bearer) if bearer else (_YOU,), words)


def _there(bearer: Bearer) -> tuple[str, ...]:
    """Whoever is spoken of is there; a number tells more."""
    said = bearer.told or bearer.called
    return tuple(s for s in bearer.there if not said or any(c.isdigit() for c in s))


def _counted(people: str, there: Sequence[str], known: int, plural: str, words: Gathering) -> tuple[str, ...]:
    found = next((m for s in there if (m := program(words.number, re.I).search(s))), None)
    said = found.group().lower() if found else ""
    number = int(said) if said.isdigit() else words.numbers.index(said) if said in words.numbers else 0
    if number == known:
        return (words.counted.format(number=_number(number, words), plural=plural, people=people),)
    if number > known:
        some = {"number": _number(number, words), "known": _number(known, words)}
        return (words.among.format(plural=plural, people=people, **some),)
    return (words.listed.format(plural=plural, people=people),)


def _number(number: int, words: Gathering) -> str:
    return words.numbers[number] if number < len(words.numbers) else str(number)


def _of_one(bearer: Bearer, lead: str, words: Gathering) -> list[str]:
    if not bearer.told:
        return [bearer.called] if bearer.called else []
    return _sentences(_leads(bearer), lead, bearer.told, words, bearer.name)


def _leads(bearer: Bearer) -> tuple[str, ...]:
    bare = bearer.whose.removesuffix(f" {bearer.name}") if bearer.name else bearer.whose
    return tuple(dict.fromkeys((bearer.whose, *((f"{bare} {bearer.name}", bearer.name) if bearer.name else ()))))


def _sentences(
    leads: Sequence[str], lead: str, told: Sequence[str], words: Gathering, after: str = ""
) -> list[str]:
    """What can follow one lead in a sentence, so many at a time; the rest as it was told."""
    apart = [(s, _predicate(s, leads, words)) for s in dict.fromkeys(told)]
    joined = _folded([p for _, p in apart if p], words)
    # What is denied stands last: "don't eat pork and take warfarin" would deny both.
    joined.sort(key=lambda p: re.match(words.denied, p, re.I) is not None)
    first = next((n for n, (_, p) in enumerate(apart) if p), len(apart))
    out = [s for s, _ in apart[:first]]
    for n in range(0, len(joined), words.most):
        said = _listed(joined[n : n + words.most], words)
        opening = lead if not n or not after else after
        out.append(f"{opening[:1].upper()}{opening[1:]} {said}.")
    return [*out, *(s for s, p in apart[first:] if not p)]


def _predicate(sentence: str, leads: Sequence[str], words: Gathering) -> str:
    """ "lives in Leeds", of "Your mum lives in Leeds."; empty where it cannot stand beside another."""
    bare = sentence.rstrip(". ")
    for lead in leads:
        rest = bare[len(lead) :] if bare[: len(lead)].lower() == lead.lower() else ""
        if rest.startswith(" ") and not re.search(words.alone, rest, re.I):
            return rest.strip()
    return ""


def _brief(predicate: str, words: Gathering) -> bool:
    return len(predicate.split()) <= words.aside_words


def _folded(predicates: Sequence[str], words: Gathering) -> list[str]:
    """ "speaks Polish", "speaks English": speaks Polish and English; what another holds word for word is not told."""
    told: dict[str, list[str]] = {}
    whole = [p for p in predicates if not any(p != q and _tells_no_more(p, q, words) for q in predicates)]
    for said in whole:
        opening = re.match(words.folds, said, re.I)
        told.setdefault(opening.group() if opening else said, []).append(said[opening.end() :] if opening else "")
    return [opening + _listed(rest, words) if rest[0] else opening for opening, rest in told.items()]


def _tells_no_more(one: str, other: str, words: Gathering) -> bool:
    """ "works for Tesco" beside "drives for Tesco": where somebody works is told by what they do there."""
    short, long = one.lower(), other.lower()
    if f" {short} " in f" {long} ":
        return True
    bare = program(words.at_work).sub("", short) if words.at_work else short
    return bare != short and re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", long) is not None


def _labelled(sentences: Sequence[str], words: Gathering) -> list[str]:
    """Under one label what stands under it: "Coming up: the dentist; a party"."""
    told: dict[str, list[str]] = {}
    for said in sentences:
        label, colon, rest = said.partition(": ")
        shared = colon and label in words.labels
        told.setdefault(label if shared else said, []).append(rest.rstrip(". ") if shared else "")
    out = []
    for label, under in told.items():
        several = words.labels.get(label, label) if len(under) > 1 else label
        out.append(f"{several}: {words.under_label.join(under)}." if under[0] else label)
    return out


def _listed(items: Sequence[str], words: Gathering, *, aside: bool = False) -> str:
    """a, b and c; with a comma before the last where each has words of its own behind it."""
    if len(items) < _SEVERAL:
        return "".join(items)
    apart = aside or (len(items) > _SEVERAL and any(words.joiner in item for item in items))
    joiner = f",{words.joiner}" if apart else words.joiner
    return f"{', '.join(items[:-1])}{joiner}{items[-1]}"
