"""Reading a question: what kind of answer it wants, whose words are meant, and when."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import regex

from clew.errors import InvalidInput
from clew.kernel.language.packs import packs
from clew.kernel.language.scripts import opens_in_syllables
from clew.kernel.read.questions import is_question
from clew.kernel.text.normalize import normal
from clew.kernel.text.words_in import words_in
from clew.model.inquiry import Back, Inquiry, NamedDate, Word
from clew.policy import Policy
from clew.programs import program

_ISO = regex.compile(r"\b(\d{4})-(\d{1,2})(?:-(\d{1,2}))?\b")
_YEAR = regex.compile(r"(?<!\d)((?:19|20)\d{2})(?!\d)")


def inquiry(text: str, policy: Policy) -> Inquiry:
    if not text.strip():
        raise InvalidInput("query must not be empty", pointer="/query")
    # Beyond this nothing new is asked; the beginning and the end carry a long question.
    most = policy.recall.query_max
    if len(text) > most:
        text = text[: most // 2] + " " + text[-most // 2 :]
    found = words_in(text, policy)
    padded = f" {normal(text).no_punct} "

    def holds(*lists: str) -> bool:
        return any(_pattern(policy, name).search(padded) is not None for name in lists)

    summed, past = holds("sum_cues"), holds("past_cues")
    latest = holds("latest_cues") and not (summed or past)
    amount = holds("amount_cues")
    dates = named_dates(text.casefold(), policy)
    # How it is now, or (an amount, "originally") how it was; what happened once is neither, nor how it was on a day.
    state = not summed and (amount or past or latest or _asks_of_now(text, padded, policy))
    state = state and not any(named.year for named in dates)
    looks_back = holds("remember_cues", "shared_cues", "when_cues") or _happened(padded, policy)
    # A suggestion has no older or newer value, unless the newest is asked for in so many words.
    helped = holds("help_cues") and not (summed or amount or past or latest or looks_back)
    return Inquiry(
        text=text,
        words=found,
        role=None if holds("shared_cues") else _role(found, policy),
        dates=dates,
        back=_back(text.casefold(), policy),
        wants_time=holds("when_cues"),
        wants_amount=amount,
        wants_name=holds("name_cues"),
        wants_place=holds("place_cues"),
        wants_reason=holds("reason_cues"),
        wants_past=past,
        wants_state=state and not helped,
        wants_latest=latest,
        wants_many=summed,
        wants_help=helped,
    )


def _asks_of_now(text: str, padded: str, policy: Policy) -> bool:
    return is_question(normal(text), policy) and not _happened(padded, policy)


def _happened(padded: str, policy: Policy) -> bool:
    return any(language.happened(padded, policy) for language in packs())


def named_dates(low: str, policy: Policy) -> tuple[NamedDate, ...]:
    """As numbers everywhere (2023-05-07), then in each language's own way; a year alone only where no more is named."""
    found = [NamedDate(*(int(g) if g else None for g in m.groups())) for m in _ISO.finditer(low)]
    rest = _ISO.sub(" ", low)
    for language in packs():
        more, rest = language.dates(rest, policy)
        found.extend(more)
    return tuple(found) or tuple(NamedDate(int(m.group(1))) for m in _YEAR.finditer(rest))


def _back(low: str, policy: Policy) -> tuple[Back, ...]:
    """last week, two weeks ago, 3일 전."""
    out: list[Back] = []
    for own in policy.recall.languages.values():
        out.extend(Back(*span) for words, span in own.relative_days.items() if words in low)
    pattern, numbers, units = _ago(policy)
    for count, unit in pattern.findall(low):
        step = units[unit]
        amount = numbers.get(count)
        middle = step * (int(count) if amount is None else amount)
        out.append(Back(middle - step // 2, 2 * (step // 2)))
    return tuple(out)


@lru_cache(maxsize=4)
def _ago(policy: Policy) -> tuple[regex.Pattern[str], dict[str, int], dict[str, int]]:
    languages = policy.recall.languages.values()
    numbers = {word: n for own in languages for word, n in own.small_numbers.items()}
    units = {word: n for own in languages for word, n in own.unit_days.items()}
    small = "|".join(map(regex.escape, sorted(numbers)))
    named = "|".join(sorted(map(regex.escape, units), key=lambda u: (-len(u), u)))
    behind = "|".join(_whole(word) for word in policy.recall.said("ago"))
    pattern = rf"(?<![\p{{L}}\p{{N}}])(\d{{1,3}}|{small})\s*({named})s?\s*(?:{behind})"
    return regex.compile(pattern), numbers, units


def _whole(word: str) -> str:
    """Endings are hung on a word that is written in syllables, so it may go on."""
    return regex.escape(word) if opens_in_syllables(word) else rf"{regex.escape(word)}\b"


def _role(found: Sequence[Word], policy: Policy) -> str | None:
    """ "What did you recommend?" means the assistant; "can you tell me" and "my sister" the one who asks."""
    told, telling, first, second, helpers = _verbs(policy)
    said = [word.text for word in found]
    for i, word in enumerate(said):
        if word not in second:
            continue
        after = said[i + 1 : i + 4]
        asked_back = i > 0 and said[i - 1] in helpers
        if any(w in told for w in after) or (asked_back and any(w in telling for w in after)):
            return "assistant"
    return "user" if any(w in first for w in said) else None


@lru_cache(maxsize=4)
def _verbs(policy: Policy) -> tuple[frozenset[str], ...]:
    told, telling, *others = (
        frozenset(policy.recall.said(name))
        for name in ("told_verbs", "telling_verbs", "first_person", "second_person", "past_helpers")
    )
    return told, told | telling, *others


@lru_cache(maxsize=64)
def _pattern(policy: Policy, name: str) -> re.Pattern[str]:
    """Whole words; those written in syllables anywhere, their endings vary."""
    cues = policy.recall.said(name)
    shapes = (re.escape(c) if opens_in_syllables(c) else rf" {re.escape(c)}(?= )" for c in cues)
    return program("|".join(shapes) or "(?!)")
