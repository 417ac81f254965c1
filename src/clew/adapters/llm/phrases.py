"""The composer's words: pools of clauses per language, and how their gaps are filled."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

LANGUAGES = ("en", "ko")
_GAP = re.compile(r"\{(\w+)\}")
# With a final consonant, without one.
_PARTICLES = {
    "을": ("을", "를"),
    "이": ("이", "가"),
    "은": ("은", "는"),
    "이라": ("이라", "라"),
    "이랑": ("이랑", "랑"),
    "이구나": ("이구나", "구나"),
    "으로": ("으로", "로"),
}
_AGREES = re.compile(r"\{[Tt]hing\} (?:is|has|was|isn't|\w+s)\b")
_VALUES = ("thing", "feeling", "value", "when", "name", "claim", "echo")
# 서울로, not 서울으로.
_RIEUL = 8
_SSANG = 20
# A plain statement and how it goes on.
_GOES_ON = (
    ("괜찮아", "괜찮고"), ("아니야", "아니고"), ("거야", "거고"), ("이야", "이고"),
    ("좋아", "좋고"), ("많아", "많고"), ("같아", "같고"), ("없어", "없고"), ("돼", "되고"),
    ("알아", "알고"), ("싶어", "싶고"), ("나아", "낫고"), ("필요해", "필요하고"),
    ("충분해", "충분하고"), ("당연해", "당연하고"), ("궁금해", "궁금하고"), ("못 해", "못 하고"),
    ("넉넉해", "넉넉하고"), ("생각해", "생각하고"), ("좋아해", "좋아하고"), ("줘", "주고"),
    ("몰라", "모르고"), ("쉬워", "쉽고"), ("고마워", "고맙고"),
)  # fmt: skip
_PAST = re.compile(
    r"\b(?:was|were|had|did|went|got|came|saw|met|took|made|said|told|lost|won|ate|fell|\w{2,}ed)\b"
)
_VOWEL = re.compile(r"(?i)^(?:[aeio]|u(?!ni|s))")


@dataclass(frozen=True, slots=True)
class Scene:
    """One thing that talk is about, how it is found, and what can be said of it."""

    name: str
    cues: re.Pattern[str]
    rows: Mapping[str, tuple[str, ...]]
    # What a line takes for granted must have been said.
    only: Mapping[str, re.Pattern[str]] = field(default_factory=dict)

    def true_of(self, row: str, text: str) -> tuple[str, ...]:
        return tuple(t for t in self.rows.get(row, ()) if t not in self.only or self.only[t].search(text))


@dataclass(frozen=True, slots=True)
class Pools:
    """Every table of one language, by name and kind."""

    tables: Mapping[str, Mapping[str, tuple[str, ...]]]
    scenes: tuple[Scene, ...] = ()

    def of(self, table: str, *kinds: str) -> tuple[str, ...]:
        """The pool of the first kind that has one."""
        rows = self.tables.get(table, {})
        return next((rows[k] for k in kinds if rows.get(k)), ())

    def scene(self, text: str) -> Scene | None:
        """The scene whose cue comes last: people lead up to what they mean."""
        best: tuple[int, int, int] | None = None
        for at, row in enumerate(self.scenes):
            last = max(((m.end(), len(m.group())) for m in row.cues.finditer(text)), default=None)
            if last and (best is None or last > best[:2]):
                best = (*last, at)
        return self.scenes[best[2]] if best else None


@cache
def pools(language: str) -> Pools:
    spoken = language if language in LANGUAGES else "en"
    tables = {t: {k: tuple(v) for k, v in rows.items()} for t, rows in _read("composer", spoken).items()}
    for name, rows in _read("acts", spoken).items():
        for table, key in (("heads", "heads"), ("bodies", "more"), ("questions", "ask")):
            if rows.get(key):
                tables[table][name] = tuple(rows[key])
    for table, rows in _read("long", spoken).items():
        tables[f"long_{table}"] = {k: tuple(v) for k, v in rows.items()}
    return Pools(tables, tuple(_scene(name, rows) for name, rows in _read("scenes", spoken).items()))


def _scene(name: str, rows: Mapping[str, Any]) -> Scene:
    """A line may begin with its own cue: "[mondays?] Mondays have never had good press"."""
    said: dict[str, tuple[str, ...]] = {}
    only: dict[str, re.Pattern[str]] = {}
    for key, lines in rows.items():
        if key == "cues":
            continue
        bare = []
        for line in lines:
            cue, bracket, text = (
                line.removeprefix("[").partition("] ") if line.startswith("[") else ("", "", line)
            )
            bare.append(text)
            if bracket:
                # Korean words carry their endings.
                only[text] = re.compile(rf"\b(?:{cue})\b" if cue.isascii() else cue, re.IGNORECASE)
        said[key] = tuple(bare)
    return Scene(name, re.compile(rf"(?<!\w)(?:{rows['cues']})", re.IGNORECASE), said, only)


def _read(name: str, language: str) -> dict[str, dict[str, Any]]:
    source = resources.files("clew.adapters.llm").joinpath("data", f"{name}_{language}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def gaps(template: str) -> frozenset[str]:
    return frozenset(_GAP.findall(template))


def stem(gap: str) -> str:
    """The value that a gap asks for: {A_value}, {value을} and {Value} all ask for value."""
    bare = gap.lower().removeprefix("a_")
    return next((v for v in _VALUES if bare.startswith(v)), bare)


def fits(template: str, values: Mapping[str, str]) -> bool:
    """Can every gap be filled, and does the verb agree? A name may always be missing."""
    if any(stem(g) != "name" and not values.get(stem(g)) for g in gaps(template)):
        return False
    return not (is_plural(values.get("thing", "")) and _AGREES.search(template))


def is_plural(thing: str) -> bool:
    last = thing.split()[-1].lower() if thing else ""
    return last.isascii() and last.endswith("s") and not last.endswith(("ss", "us", "is", "'s"))


def fill(template: str, values: Mapping[str, str], *, start: bool = True) -> str:
    """{thing} {Thing} {thing은} {a_value} {name}; a missing name takes its comma along."""
    if not values.get("name"):
        template = template.replace(", {name}", "").replace(" {name}", "").replace("{name}, ", "")
        template = template.replace("{name} ", "")

    def put(match: re.Match[str]) -> str:
        gap = match.group(1)
        if gap in values:
            return values[gap]
        if gap.startswith("a_"):
            return with_article(values.get(gap[2:], ""))
        if gap[0].isupper():
            return capitalized(values.get(gap.lower(), ""))
        for ending in sorted(_PARTICLES, key=len, reverse=True):
            if gap.endswith(ending) and gap[: -len(ending)] in values:
                return with_particle(values[gap[: -len(ending)]], ending)
        return ""

    filled = _GAP.sub(put, template)
    return capitalized(filled) if start and filled.isascii() else filled


def with_particle(word: str, ending: str) -> str:
    if ending == "으로" and word and "가" <= word[-1] <= "힣" and (ord(word[-1]) - ord("가")) % 28 == _RIEUL:
        return f"{word}로"
    return word + _PARTICLES[ending][0 if has_final(word) else 1]


def connected(text: str) -> str:
    """A Korean sentence that goes on: 좋아 → 좋고, 했어 → 했고; a comma where the ending stays as it is."""
    for ending, new in _GOES_ON:
        if text.endswith(ending) and len(text) > len(ending):
            return text.removesuffix(ending) + new
    if text.endswith("어") and len(text) > 1 and (ord(text[-2]) - ord("가")) % 28 == _SSANG:
        return text[:-1] + "고"
    return text + ","


def is_question(clause: str) -> bool:
    return clause.startswith(("what ", "who ", "where ", "when ", "how ", "why "))


def is_past(clause: str) -> bool:
    """Something happened, rather than is so: 깼구나, "you missed the bus"."""
    stem = clause.removesuffix("구나")
    if stem != clause:
        return bool(stem) and (ord(stem[-1]) - ord("가")) % 28 == _SSANG and stem[-1] not in "있겠"
    return bool(_PAST.search(clause))


def has_final(word: str) -> bool:
    """Does the last Hangul syllable end in a consonant? Latin words are guessed by their letter."""
    last = word[-1:]
    if "가" <= last <= "힣":
        return (ord(last) - ord("가")) % 28 != 0
    return last.lower() in "lmnbkpt136780"


def with_article(value: str) -> str:
    first = value.split()[0].lower() if value.split() else ""
    if not value or first in ("a", "an", "the", "my", "your"):
        return value
    return f"{'an' if _VOWEL.match(value) else 'a'} {value}"


def capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]
