"""Likes and dislikes that somebody states in English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.statements.categories import category_of, kinds
from clew.kernel.statements.items import Item, Liking, phrase, read_item, read_items
from clew.kernel.statements.own_words import is_own
from clew.kernel.statements.patterns import alternatives, pattern
from clew.kernel.text.normalize import normal
from clew.policy import Policy
from clew.programs import program

_PAST = ("loved", "enjoyed", "liked", "hated", "disliked", "adored", "appreciated", "detested")


@dataclass(frozen=True, slots=True)
class _Forms:
    verb: re.Pattern[str]
    bare: re.Pattern[str]
    state: re.Pattern[str]
    noun: re.Pattern[str]
    joined: re.Pattern[str]
    away: re.Pattern[str]
    finds: re.Pattern[str]
    once: re.Pattern[str]
    likes: frozenset[str]


@lru_cache(maxsize=8)
def _forms(policy: Policy) -> _Forms:
    say = policy.remember.say
    denial = policy.remember.patterns["liking_not"]
    adverb = rf"(?:(?:{alternatives(say.adverbs)})\s)*"
    verbs = alternatives((*say.like_verbs, *say.dislike_verbs))
    single = alternatives(v for v in (*say.like_verbs, *say.dislike_verbs) if " " not in v)
    states = alternatives((*say.like_states, *say.dislike_states))
    fan = r"(?:a|an)\s(?:[\w-]+\s){0,2}(?:fan|lover|admirer|enthusiast)\sof"
    return _Forms(
        verb=program(
            rf"\bi(?:'ve|\shave)?\s{adverb}(?P<neg>{denial}\s)?{adverb}(?P<word>{verbs})\b(?!\s(?:if|it\sif|how|when))\s*(?P<rest>.*)",
            re.I,
        ),
        bare=program(
            rf"^(?:{adverb})(?P<word>love|hate|adore|can't\sstand|cant\sstand|loving|hating|big\sfan\sof|huge\sfan\sof|not\sa\sfan\sof)\s(?P<rest>.*)",
            re.I,
        ),
        state=program(
            rf"\bi(?:'m|\sam|m|'ve\sbeen|\shave\sbeen|'ve\sbecome|\shave\sbecome|\sbecame|\swas|\sgot|\sfeel|\sfelt|'ve\sgrown|\shave\sgrown|'ve\salways\sbeen|\shave\salways\sbeen)"
            rf"\s{adverb}(?P<neg>not\s|no\slonger\s|never\s)?{adverb}(?P<word>{fan}|{states})\s(?P<rest>.*)",
            re.I,
        ),
        noun=program(
            rf"\bi(?:'ve|\shave)?\s{adverb}(?:{alternatives(say.noun_verbs)})\s(?:a\s|an\s|my\s|the\s|such\sa\s|some\s|great\s|immense\s)?(?:\w+\s){{0,2}}?(?P<word>{alternatives(say.like_nouns)})\s(?P<rest>.*)",
            re.I,
        ),
        joined=program(
            rf"(?:\b(?:and|but|yet)\s|,\s(?=(?:{alternatives(say.dislike_verbs)})\b)){adverb}(?P<neg>{denial}\s)?{adverb}"
            rf"(?P<word>{single}|can't\sstand)\s(?P<rest>.*)|\bbut\s(?:really\s|definitely\s|certainly\s)?not\s(?P<other>.*)",
            re.I,
        ),
        away=program(
            rf"\bi(?:'ve|\shave|'m)?\s?{adverb}(?:{alternatives(say.turned_away)}|(?:{alternatives(say.away_choices)})\sto\s(?:{alternatives(say.away_acts)}))\s(?P<rest>.*)"
            rf"|\bi\b.*\b(?:instead\sof|rather\sthan)\s(?P<other>[a-z]+ing\b.*)",
            re.I,
        ),
        finds=program(
            rf"\bi\s{adverb}(?:find|found)\s(?P<item>(?!it\b|that\b|this\b|them\b|myself\b)(?:[\w'-]+\s){{1,7}}?)(?:to\sbe\s)?(?:(?:so|very|really|quite|rather|incredibly|extremely|too|pretty|such|a|bit|more|deeply|truly|both)\s)*(?P<word>[\w-]+)\b",
            re.I,
        ),
        once=program(
            rf"\bi\s{adverb}used\sto\s{adverb}(?:be\s{adverb})?(?:{verbs}|{states}|{fan})\s(?P<rest>.*)", re.I
        ),
        likes=frozenset((*say.like_verbs, *say.like_states)),
    )


def likings(sentence: str, policy: Policy, unknown: str | None = None) -> Iterator[Liking]:
    """Every liking the sentence states outright, in order of its verbs."""
    forms = _forms(policy)
    seen = False
    known = [
        (match.start(), item)
        for match in forms.once.finditer(sentence)
        if is_own(sentence, match.start(), policy)
        for item in read_items(match["rest"], policy, unknown)
    ]
    for form in (forms.verb, forms.state, forms.noun):
        for match in _all(form, sentence):
            if not is_own(sentence, match.start(), policy):
                continue
            known.extend((match.start(), item) for item in read_items(match["rest"], policy, unknown))
            noun = form is forms.noun
            found = list(_liked(match, forms, policy, unknown, fixed="like" if noun else None))
            # "I like tea but I don't love it" stays a liking; a turn is told by its time.
            turned = pattern("liking_turn", policy).search(sentence)
            if not found and turned and pattern("liking_pronoun", policy).match(match["rest"]):
                before = [item for start, item in known if start < match.start()]
                found = list(_liked(match, forms, policy, unknown, meant=before[-1:]))
            seen = seen or bool(found)
            yield from found
    bare = forms.bare.match(sentence)
    if bare and not seen:
        stance = "dislike" if re.match(r"hat|can|not", bare["word"], re.I) else "like"
        yield from (Liking(stance, item, bare.start()) for item in read_items(bare["rest"], policy))
    yield from _favourites(sentence, forms, policy)
    for match in _all(forms.away, sentence):
        if is_own(sentence, match.start(), policy):
            item = read_item(match["rest"] or match["other"], policy)
            if item and (" " in item.text or match["rest"]):
                yield Liking("dislike", item, match.start())


def _all(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Matches may overlap: `rest` runs to the end, and the next verb stands inside it."""
    at = 0
    while match := pattern.search(text, at):
        yield match
        at = match.start("rest") if "rest" in pattern.groupindex else match.end()
        at = at if at > 0 else match.end()


def _liked(
    match: re.Match[str],
    forms: _Forms,
    policy: Policy,
    unknown: str | None,
    fixed: str | None = None,
    meant: Sequence[Item] = (),
) -> Iterator[Liking]:
    """`meant` is what "it" stands for, named earlier in the sentence."""
    word = " ".join(match["word"].lower().split())
    groups = match.groupdict()
    fan = word.endswith(("fan of", "lover of", "admirer of", "enthusiast of")) and not word.startswith("not")
    liked = fixed == "like" or word in forms.likes or fan
    negated = bool(groups.get("neg"))
    if negated and not liked:
        return  # "i don't hate it" is no liking
    before = match.group()[: match.start("word") - match.start()].lower()
    if "used to" in before or (negated and pattern("liking_unknown", policy).search(before)):
        return  # "i didn't know i like jazz" denies the knowing
    stance = "like" if liked and not negated else "dislike"
    rest = match["rest"]
    items = list(meant or read_items(rest, policy, unknown))
    if (
        word in _PAST
        and not negated
        and items
        and not items[0].text.split()[0].endswith("ing")
        and " " not in items[0].text
    ):
        return  # one evening's film says nothing about films
    for item in items:
        yield Liking(stance, item, match.start())
    joined = forms.joined.search(rest)
    if joined and joined["other"]:  # "i love sushi but not wasabi"
        more = read_item(joined["other"], policy) if stance == "like" else None
        if more and more.text == normal(joined["other"]).no_punct:
            yield Liking("dislike", more, match.start())
    elif joined:
        other = " ".join(joined["word"].lower().split())
        negated = bool(joined["neg"])
        if not (negated and other not in forms.likes):
            turn = "like" if other in forms.likes and not negated else "dislike"
            yield from (Liking(turn, item, match.start()) for item in read_items(joined["rest"], policy))


def _favourites(sentence: str, forms: _Forms, policy: Policy) -> Iterator[Liking]:
    table = kinds(policy.remember.items)
    for match in _all(pattern("liking_favourite", policy), sentence):
        if not is_own(sentence, match.start(), policy):
            continue
        stance = "dislike" if match["least"] else "like"
        kind = table.get((match["kind"] or "").lower())
        text = phrase(match["rest"], policy)
        category = kind or (category_of(text, policy) if text else None)
        if text and category and text.split()[0] not in policy.remember.say.not_items:
            yield Liking(stance, Item(category, text), match.start())
    told = pattern("liking_opener", policy).sub("", sentence)
    for name in ("liking_is_favourite", "liking_my_thing"):
        said = pattern(name, policy).match(told)
        if not said or not is_own(told, said.start(), policy):
            continue
        groups = said.groupdict()
        against = bool(groups.get("least") or groups.get("neg") or groups.get("not"))
        if not against and "for me" in said.group().lower():
            continue
        text = phrase(said["item"], policy)
        kind = table.get((groups.get("kind") or "").lower())
        category = (category_of(text, policy) or kind) if text else None
        if (
            category
            and text.split()[0] not in policy.remember.say.not_items
            and len(said["item"].split()) <= policy.remember.say.item_words + 1
        ):
            yield Liking("dislike" if against else "like", Item(category, text), said.start())
    for match in forms.finds.finditer(sentence):
        word = match["word"].lower()
        say = policy.remember.say
        stance = "like" if word in say.pleased else "dislike" if word in say.displeased else ""
        if stance and is_own(sentence, match.start(), policy):
            item = read_item(match["item"], policy)
            if item:
                yield Liking(stance, item, match.start())
