"""Facts the user states about themself (English, ruling P79)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.kernel.statements.own_words import is_own
from clew.kernel.statements.patterns import openings, pattern
from clew.policy import Policy
from clew.policy.remember import SayPolicy

_WORD = re.compile(r"[^\s,.;:!?()\[\]…—–\"]+")
_PAUSE = re.compile(r"[,;:!?()\[\]…—–\"]|\.(?=\s|$)|\s-\s")


def facts(sentence: str, policy: Policy) -> Iterator[tuple[str, str]]:
    """(field, value) of every fact stated; a field may come twice, the last wins."""
    sentence = _each_with_its_subject(sentence, policy)
    for name, trigger in openings(policy):
        for match in trigger.finditer(sentence):
            if not is_own(sentence, match.start(), policy):
                continue
            if name == "im_a" and pattern("stated_passing", policy).search(sentence):
                continue  # "today I'm a patient" is no occupation
            found = _READERS[name](sentence[match.end() :], policy)
            if found:
                yield found


def _each_with_its_subject(sentence: str, policy: Policy) -> str:
    """ "I live in Oslo and work as a nurse" says two things of the same person."""
    if not pattern("stated_of_me", policy).match(sentence):
        return sentence
    return pattern("stated_goes_on", policy).sub(lambda m: f"{m.group(1)} I ", sentence)


def _value(rest: str, say: SayPolicy, *, words: int | None = None, keep: frozenset[str] = frozenset()) -> str:
    """Up to a few words, to the first stop word or pause, in the user's own spelling."""
    pause = _PAUSE.search(rest)
    kept: list[str] = []
    for word in _WORD.findall(rest[: pause.start()] if pause else rest):
        if word.lower() in say.value_stops and word.lower() not in keep:
            break
        kept.append(word)
        if len(kept) == (words or say.fact_words):
            break
    return " ".join(kept).rstrip(".'")


def _place(rest: str, say: SayPolicy) -> str:
    value = _value(rest, say)
    first, *more = value.lower().split() or [""]
    if first == "the":
        known = value.lower() in say.countries or bool(more and value.split()[1][:1].isupper())
        return value if known else ""
    return "" if first in say.city_deny else value


def _home(rest: str, policy: Policy) -> tuple[str, str] | None:
    """A country by the gazetteer, else a city."""
    say = policy.remember.say
    value = _place(rest, say)
    if not value:
        return None
    country = value.lower() in say.countries and value.lower() not in say.city_states
    return ("home_country" if country else "home_city"), value


def _home_city(rest: str, policy: Policy) -> tuple[str, str] | None:
    found = _home(rest, policy)
    return None if found is None or not found[1][:1].isalpha() else found


def _current_city(rest: str, policy: Policy) -> tuple[str, str] | None:
    """A country is no city and has no key of its own, so it is not stored."""
    say = policy.remember.say
    value = _place(rest, say)
    country = value.lower() in say.countries and value.lower() not in say.city_states
    return ("current_city", value) if value and not country and value[:1].isalpha() else None


def _job(rest: str, policy: Policy) -> tuple[str, str] | None:
    """ "My job is stable" names none: a job noun, or something with an article before it."""
    say = policy.remember.say
    bare = re.sub(r"^(?:an?|the|to)\s", "", rest.strip(), flags=re.I)
    value = _value(bare, say)
    found = _occupation(value, say)
    named = (
        bare != rest.strip()
        or value.lower().endswith("ing")
        or (value.lower().split() or [""])[-1] in say.jobs
    )
    return found if named else None


def _occupation(value: str, say: SayPolicy) -> tuple[str, str] | None:
    low = value.lower()
    words = low.split()
    if not words or low in say.not_jobs:
        return None
    if low in say.jobs or words[-1] in say.jobs or any(low.endswith(" " + j) for j in say.jobs):
        return "occupation", value
    # Without a known job noun: one plain word that no deny list knows.
    # "I'm a Hindu": what is written with a capital is who one is, not what one does.
    if any(w in say.not_jobs for w in words) or len(words) > 1 or not low.isalpha() or value[:1].isupper():
        return None
    return "occupation", value


def _im_a(rest: str, policy: Policy) -> tuple[str, str] | None:
    say = policy.remember.say
    value = _value(rest, say, words=say.fact_words + 1)
    low = value.lower()
    # "a 32-year-old software engineer", "a native English speaker"
    value = re.sub(r"^\d+[- ]years?[- ]old\s", "", value, flags=re.I)
    if low.startswith("native ") or low.endswith(("speaker", "student at")):
        return None
    first = low.split()[0] if low else ""
    if first in say.not_jobs and not any(low.endswith(j) for j in say.jobs):
        return None
    known = [
        w
        for w in range(len(value.split()), 0, -1)
        if " ".join(value.lower().split()[:w]).endswith(tuple(f" {j}" for j in say.jobs))
        or " ".join(value.lower().split()[:w]) in say.jobs
    ]
    if known:
        return "occupation", " ".join(value.split()[: known[0]])
    return _occupation(" ".join(value.split()[: say.fact_words]), say)


def _known_job(rest: str, policy: Policy) -> tuple[str, str] | None:
    """One becomes many things: only a job noun is a job."""
    say = policy.remember.say
    value = _value(rest, say)
    words = value.lower().split()
    named = bool(words) and (" ".join(words) in say.jobs or words[-1] in say.jobs)
    return ("occupation", value) if named else None


def _majoring(rest: str, policy: Policy) -> tuple[str, str] | None:
    return _study(rest.partition(" major")[0], policy)


def _school(rest: str, policy: Policy) -> tuple[str, str] | None:
    """Only what names a school: "i go to bed" is none (ruling P79)."""
    say = policy.remember.say
    value = _value(
        re.sub(r"^the\s", "", rest.strip(), flags=re.I),
        say,
        words=say.fact_words + 2,
        keep=frozenset(("of", "at", "in")),
    )
    low = value.lower()
    words = low.split()
    if not words or words[0] in (
        "a",
        "an",
        "my",
        "this",
        "school",
        "college",
        "university",
        "high",
        "medical",
        "law",
    ):
        return None
    named = any(w in say.school_words for w in words) or any(
        low == s or low.startswith(s + " ") for s in say.schools
    )
    if not named:
        return None
    ends = [i for i, w in enumerate(words) if w in say.school_words]
    if not ends:
        return "school", " ".join(
            value.split()[: max(len(s.split()) for s in say.schools if low.startswith(s))]
        )
    stop = ends[-1] + 1
    if (
        words[ends[-1]] in ("university", "college", "institute")
        and len(words) > stop + 1
        and words[stop] == "of"
    ):
        stop += 2
    return "school", " ".join(value.split()[:stop])


def _school_named(rest: str, policy: Policy) -> tuple[str, str] | None:
    say = policy.remember.say
    value = _value(rest, say, keep=frozenset(("of",)))
    first = value.lower().split()[0] if value else ""
    capital = (
        value[:1].isupper()
        or value.lower() in say.schools
        or any(w in say.school_words for w in value.lower().split())
    )
    return (
        ("school", value)
        if value and capital and first not in ("a", "an", "so", "very", "really", "closed", "the")
        else None
    )


def _major(rest: str, policy: Policy) -> tuple[str, str] | None:
    value = _value(rest, policy.remember.say)
    return (
        ("major", value)
        if value and value.lower() not in ("the", "a", "it", "that", "this", "undecided")
        else None
    )


def _study(rest: str, policy: Policy) -> tuple[str, str] | None:
    """ "I study hard" and "i'm studying for a test" name no major; only known subjects count."""
    say = policy.remember.say
    words = _value(rest, say).split()
    for size in range(len(words), 0, -1):
        value = " ".join(words[:size])
        if value.lower() in say.majors:
            return "major", value
    return None


def _language(rest: str, policy: Policy) -> tuple[str, str] | None:
    say = policy.remember.say
    words = _value(rest, say, words=1)
    return ("language_primary", words) if words.lower() in say.languages else None


def _timezone(rest: str, policy: Policy) -> tuple[str, str] | None:
    value = _value(rest, policy.remember.say, words=1)
    fits = re.fullmatch(
        r"[A-Z]{2,5}(?:[+-]\d{1,2}(?::?\d\d)?)?|[A-Z][A-Za-z]+/[A-Za-z_/]+|(?:utc|gmt|kst|pst|est|cet|jst|ist|bst|cst|mst|pdt|edt)(?:[+-]\d{1,2})?",
        value,
    )
    return ("timezone", value) if fits else None


_READERS = {
    "home": _home,
    "home_city": _home_city,
    "current_city": _current_city,
    "job": _job,
    "im_a": _im_a,
    "school": _school,
    "school_named": _school_named,
    "major": _major,
    "study": _study,
    "known_job": _known_job,
    "majoring": _majoring,
    "mother_tongue": _language,
    "language": _language,
    "native": _language,
    "timezone": _timezone,
}
