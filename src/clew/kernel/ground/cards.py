"""One candidate as people see it: its words and its measures, and whether a said word means it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from rapidfuzz.distance import OSA

from clew.kernel.language.measures import Measure, agree, decade, measures, same_hour, told
from clew.kernel.language.numerals import in_digits
from clew.kernel.language.packs import singular, writer
from clew.kernel.language.scripts import SYLLABLE, has_syllables
from clew.kernel.text.normalize import normalize
from clew.model.evidence import Candidate
from clew.policy.ground import PointingPolicy

_TOKEN = re.compile(r"\d+(?:[.:]\d+)+|[^\W_]+(?:'[^\W_]+)*")
_PART = re.compile(r"\d+|[^\W\d_]+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
# A number begins where no digit stands before it: a long run of digits is read once.
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_COUNTED = re.compile(rf"(?<!\d)(\d+(?:\.\d+)?)\s?([^\W\d_]{{2,}}|{SYLLABLE})")

# Shorter Korean words are too close to each other for a slip.
_SLIP_SYLLABLES = 3
_LONGEST_CLIPPED = 5
# So many words are remembered for each candidate.
_FITS_KEPT = 256
# How Unicode counts syllables: by their final consonants.

# How well a word fits: in the name, in what else is told, or nearly.
NAMED, TOLD, NEARLY_NAMED, NEARLY_TOLD = 4, 3, 2, 1


@dataclass(frozen=True, slots=True)
class Card:
    name: frozenset[str]
    told: frozenset[str]
    # Name and the rest without spaces, for parts of Korean compounds.
    joined: str
    rest: str
    initials: str
    measures: tuple[Measure, ...]
    # How many of what: "3 seats", "20커밋".
    counted: Mapping[str, float]
    # Words that are a whole label, or all that stands between two commas beside it.
    alone: frozenset[str]
    # How well words that were said fit it: several signs ask again.
    fits: dict[str, int] = field(default_factory=dict, compare=False, repr=False)


@lru_cache(maxsize=4096)
def card(candidate: Candidate, policy: PointingPolicy) -> Card:
    # Apart from each other: "3:42" beside the type "song" is no number of songs.
    extra = ", ".join(x for x in (candidate.sublabel, candidate.path, candidate.type, candidate.owner) if x)
    known = ", ".join(_field_words(name, value) for name, value in candidate.fields)
    name, told = tokens(candidate.label), tokens(f"{extra} {known}")
    return Card(
        _spelled(name, policy),
        _spelled(told, policy),
        "".join(name),
        "".join(told),
        "".join(t[0] for t in name) if len(name) > 2 else "",
        # What stands beside the name first: a title may hold any number.
        tuple(
            dict.fromkeys((*_typed(candidate, policy), *measures(extra, policy), *measures(candidate.label, policy)))
        ),
        counted_in(f"{candidate.label}, {extra}") | _field_counts(candidate),
        _alone(candidate),
    )


def _alone(candidate: Candidate) -> frozenset[str]:
    told = (candidate.label, *(candidate.sublabel or "").split(","), candidate.type or "")
    return frozenset(w[0] for w in map(tokens, told) if len(w) == 1)


def _field_words(name: str, value: str) -> str:
    """A field that is simply so is told by its name: {"vegan": true}."""
    return name if value == "yes" else value


def _field_counts(candidate: Candidate) -> dict[str, float]:
    found = ((normalize(name), value) for name, value in candidate.fields)
    return {name: float(value) for name, value in found if _NUMBER.fullmatch(value)}


def _typed(candidate: Candidate, policy: PointingPolicy) -> Iterator[Measure]:
    """A field says itself what its number measures: {"price": 84}."""
    for name, value in candidate.fields:
        kind = next((policy.fields[w] for w in tokens(name) if w in policy.fields), None)
        if kind is None or not _NUMBER.fullmatch(value):
            yield from measures(value, policy)
        else:
            yield Measure(kind, float(value))


def counted_in(shown: str) -> dict[str, float]:
    """How many of what: "3 seats", 20커밋."""
    out: dict[str, float] = {}
    for found in _COUNTED.finditer(_THOUSANDS.sub("", normalize(shown))):
        noun = found.group(2)
        out.setdefault(noun, float(found.group(1)))
        out.setdefault(singular(noun), float(found.group(1)))
    return out


def tokens(told: str) -> tuple[str, ...]:
    """The words of a label, or of what else is told of a candidate."""
    return tuple(_TOKEN.findall(normalize(told)))


def _spelled(words: tuple[str, ...], policy: PointingPolicy) -> frozenset[str]:
    out: set[str] = set()
    for word in words:
        # A unit on a number is no name: 일 of 28일.
        parts = [p for p in _PART.findall(word) if len(p) > 1 or not has_syllables(p)] if not word.isalpha() else ()
        for form in (word, word.removesuffix("'s"), *parts):
            out.add(form)
            out.add(policy.same.get(form, form))
            out.add(singular(form))
        if has_syllables(word):
            # 아버지는 in a sentence is 아빠 as well.
            out.update(policy.same[form] for form in forms(word, policy) if form in policy.same)
    return frozenset(out)


@lru_cache(maxsize=2048)
def forms(word: str, policy: PointingPolicy) -> tuple[str, ...]:
    """The word, its other spellings, and what is left of it without its particles, longest first."""
    plain = word.removesuffix("'s").replace("'", "")
    out = [word, plain, policy.same.get(plain, plain), singular(plain)]
    out.append(policy.same.get(out[-1], out[-1]))
    if plain.isalpha() is False and not plain.isdigit():
        out.append(plain.removesuffix("s"))
    out.extend(writer(plain).as_listed(plain))
    stem = plain
    for _ in range(3):
        shorter = next(
            (stem.removesuffix(p) for p in _particles(policy) if stem.endswith(p) and len(stem) > len(p)),
            None,
        )
        if shorter is None:
            break
        stem = shorter
        out.extend((stem, policy.same.get(stem, stem)))
    if has_syllables(plain):
        # 삼년짜리로 is 3년, whatever hangs on it.
        out.extend(in_digits(f, policy) for f in out[:])
    return tuple(dict.fromkeys(f for f in out if f))


@lru_cache(maxsize=8)
def _particles(policy: PointingPolicy) -> tuple[str, ...]:
    return tuple(sorted(policy.particles, key=len, reverse=True))


def fit(word: str, own: Card, policy: PointingPolicy) -> int:
    """How well this word fits that candidate; 0 when it does not."""
    known = own.fits.get(word)
    if known is None:
        if len(own.fits) >= _FITS_KEPT:
            own.fits.clear()
        known = own.fits[word] = _fit(word, own, policy)
    return known


def _fit(word: str, own: Card, policy: PointingPolicy) -> int:
    said = forms(word, policy)
    if not own.name.isdisjoint(said):
        return NAMED
    if not own.told.isdisjoint(said):
        return TOLD
    if any(not own.name.isdisjoint(more) or not own.told.isdisjoint(more) for more in _kinds(word, policy)):
        return TOLD
    if any(not own.told.isdisjoint(more) or not own.name.isdisjoint(more) for more in _of_kind(word, policy)):
        return NEARLY_TOLD
    if word[0].isdigit() or decade(word) or word in policy.limits.clock:
        if not any(agree(m, o) for m in told(word, policy) for o in own.measures):
            near = any(same_hour(m, o) for m in told(word, policy) for o in own.measures)
            return NEARLY_TOLD if near else 0
        # 2관 is hall 2 before it is any other number two.
        bare = all(m.kind == "number" for m in told(word, policy))
        return NEARLY_TOLD if bare and not _NUMBER.fullmatch(word) and has_syllables(word) else TOLD
    if has_syllables(word):
        return _in_compound(said, own) or _short_noun(word, own, policy)
    return _nearly(said, own, policy)


@lru_cache(maxsize=2048)
def _kinds(word: str, policy: PointingPolicy) -> tuple[tuple[str, ...], ...]:
    return tuple(policy.kinds[f] for f in forms(word, policy) if f in policy.kinds)


@lru_cache(maxsize=2048)
def _of_kind(word: str, policy: PointingPolicy) -> tuple[tuple[str, ...], ...]:
    """핑크 beside 분홍: what is of a kind may be told by it."""
    own = frozenset(forms(word, policy))
    return tuple((kind,) for kind, words in policy.kinds.items() if not own.isdisjoint(words))


def _in_compound(said: tuple[str, ...], own: Card) -> int:
    """A part of a compound: 박물관 in 국립박물관, or the compound around it."""
    for form in said:
        if len(form) < 2 or not has_syllables(form):
            continue
        if form in own.joined or any(len(n) > 1 and form.startswith(n) for n in own.name):
            return NEARLY_NAMED
        if form in own.rest or any(len(n) > 1 and form.startswith(n) and has_syllables(n) for n in own.told):
            return NEARLY_TOLD
        if _shortened(form, own.initials) or any(_slips(form, n) or _clipped(form, n) for n in own.name):
            return NEARLY_NAMED
    return 0


def _short_noun(word: str, own: Card, policy: PointingPolicy) -> int:
    """떡으로 beside 떡케이크: a noun of one syllable, told by what only nouns carry, at either end of a word."""
    noun = next((word[0] for end in policy.cut.noun_ends if word[1:] == end), "")
    if not noun or noun in policy.empty:
        return 0
    for words, found in ((own.name, NEARLY_NAMED), (own.told, NEARLY_TOLD)):
        if any(len(w) > 1 and has_syllables(w) and (w.startswith(noun) or w.endswith(noun)) for w in words):
            return found
    return 0


def _slips(form: str, name: str) -> bool:
    """템플렛 is 템플릿: one letter of a syllable is another."""
    if len(form) != len(name) or len(form) < _SLIP_SYLLABLES:
        return False
    return OSA.distance(_letters(form), _letters(name), score_cutoff=1) == 1


@lru_cache(maxsize=2048)
def _letters(word: str) -> str:
    return unicodedata.normalize("NFD", word)


def _shortened(form: str, initials: str) -> bool:
    """별밤 is 별이 빛나는 밤에: the first syllables of its words, in order."""
    left = iter(initials)
    return form[0] == initials[:1] and all(syllable in left for syllable in form)


def _clipped(form: str, name: str) -> bool:
    """카톡 is 카카오톡, 스샷 is 스크린샷: first and last syllable stand, something between them is left out."""
    if not 1 < len(form) < len(name) or len(name) > _LONGEST_CLIPPED or form[0] != name[0] or form[-1] != name[-1]:
        return False
    left = iter(name)
    return all(syllable in left for syllable in form)


def _nearly(said: tuple[str, ...], own: Card, policy: PointingPolicy) -> int:
    """The beginning of a word, a slip of one letter, or the initials of the name."""
    for form in said:
        if len(form) >= policy.prefix_length and form == own.initials:
            return NEARLY_NAMED
        for words, found in ((own.name, NEARLY_NAMED), (own.told, NEARLY_TOLD)):
            for other in words:
                if len(form) >= policy.prefix_length and other.startswith(form) and not form.isdigit():
                    return found
                long = min(len(form), len(other)) >= policy.typo_length and form.isalpha()
                if long and OSA.distance(form, other, score_cutoff=1) <= 1:
                    return found
                if len(other) >= policy.typo_length and form.startswith(other) and form.isalpha():
                    return found
                if len(form) >= policy.suffix_length and form.isalpha() and other.endswith(form):
                    return found
        if len(form) >= policy.typo_length and form.isalpha() and form in own.joined:
            return NEARLY_NAMED
    return 0
