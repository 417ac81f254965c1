"""The words of a value: what is part of the thing and what is not, denied values, and what is sensitive (M8, M9)."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.kernel.keep.keys import bare_value
from clew.kernel.language.packs import writer
from clew.kernel.statements.own_words import fold, without_wish
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.match import Lexicon
from clew.kernel.text.normalize import normal
from clew.model.memory import MemoryRecord
from clew.policy import Policy
from clew.policy.attributes import AttributesPolicy, AttributeWords, Identity
from clew.programs import program

_EDGES = " \t\n.,;:!?…~\"'“”‘’()[]-–—*_"
_WORD = re.compile(r"[\w'’.-]+")


def _either(phrases: list[str]) -> str:
    return "|".join(re.escape(p) for p in sorted(phrases, key=lambda p: (-len(p), p))) or r"(?!)"


@lru_cache(maxsize=4)
def _edges(table: AttributesPolicy) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    words = table.languages.values()
    mine = _either([w for language in words for w in language.value_mine])
    lead = _either([w for language in words for w in (*language.value_lead, *language.value_mine)])
    trail = _either([w for language in words for w in language.value_trail])
    return (
        program(rf"^(?:{mine})\s+", re.I),
        program(rf"^(?:{lead})\s+", re.I),
        program(rf"[\s,]+(?:{trail})$", re.I),
    )


def spoken(value: str, policy: Policy) -> str:
    """The value as it can be told back: an old Corolla."""
    mine, _, trail = _edges(policy.attributes)
    bare = " ".join(fold(value).split()).strip(_EDGES)
    bare = trail.sub("", bare).strip(_EDGES) or bare
    return mine.sub("", bare).strip(_EDGES) or bare


def tidy(value: str, policy: Policy) -> str:
    """The thing itself, without quotes, articles in front and adverbs behind: "sushi a lot" is sushi (ruling M8)."""
    _, lead, trail = _edges(policy.attributes)
    bare, before = " ".join(fold(value).split()).strip(_EDGES), None
    while bare != before:
        before = bare
        bare = trail.sub("", bare).strip(_EDGES) or bare
        bare = lead.sub("", bare).strip(_EDGES) or bare
    return bare


def item_of(value: str, sentence: str, identity: Identity, policy: Policy) -> str:
    """What names the one of many (ruling M8)."""
    if identity is Identity.UNVERSIONED:
        return program(policy.attributes.version, re.I).sub("", value).strip(_EDGES) or value
    if identity is Identity.LABEL:
        stop = {w for words in policy.attributes.languages.values() for w in words.label_stop}
        beside = fold(sentence).replace(value, " ")
        told = [w for w in _WORD.findall(without_wish(beside, policy)) if normal(w).no_punct]
        label = [w for w in told if w.lower().strip(_EDGES) not in stop]
        return " ".join(label[: policy.attributes.item_words]) or value
    return value


def clause_around(sentence: str, value: str, policy: Policy) -> str:
    """The part of a sentence that tells the value; a part with a subject of its own is another."""
    place = sentence.find(value)
    if place < 0:
        return sentence.strip()
    ends = tuple(pattern("value_clause", policy).finditer(sentence))
    before = [m.end() for m in ends if m.end() <= place]
    after = [m.start() for m in ends if m.start() >= place + len(value)]
    return sentence[max(before, default=0) : min(after, default=len(sentence))].strip(" .!?") or value


def is_clause(value: str, policy: Policy) -> bool:
    """A value with a verb of its own, or so long that no sentence can be made around it."""
    table = policy.attributes
    if len(value) > table.told_characters or len(value.split()) > table.told_words:
        return True
    low = set(value.lower().split())
    return any(low & set(words.clause) or ends_clause(value, words) for words in table.languages.values())


def ends_clause(value: str, words: AttributeWords) -> bool:
    """무릎이 안 좋아서: the verb stands at the end of the value."""
    return re.search(words.clause_ends, value) is not None


@lru_cache(maxsize=4)
def _private(policy: Policy) -> Lexicon:
    words = [w for language in policy.attributes.languages.values() for w in language.sensitive]
    return Lexicon({"sensitive": words}, policy.text)


def is_sensitive(attribute: str, text: str, policy: Policy) -> bool:
    """By its attribute, or by what it says (ruling M9)."""
    row = policy.attributes.rows.get(attribute)
    return (row is not None and row.sensitive) or bool(_private(policy).hits(text))


# -- denied values -----------------------------------------------------------------------------


def _denials(attribute: str | None, policy: Policy) -> list[str]:
    out: list[str] = []
    for words in policy.attributes.languages.values():
        told = words.told.get(attribute or "")
        out.extend(t for t in (told.denied if told else "", words.denied) if t)
    return out


def denied(attribute: str, value: str, policy: Policy) -> str:
    """How a denied value is written down, in the language of the value: no pork, 돼지고기 안 먹음."""
    words = policy.attributes.languages.get(writer(value).code)
    if words is None:
        return f"not {value}"
    told = words.told.get(attribute)
    return ((told.denied if told else "") or words.denied).format(value=value)


def affirmed(attribute: str | None, value: str, policy: Policy) -> tuple[str, bool]:
    """The value itself, and whether it was written down as denied."""
    for form in _denials(attribute, policy):
        head, _, tail = form.partition("{value}")
        if value.startswith(head) and value.endswith(tail) and len(value) > len(head) + len(tail):
            return value[len(head) : len(value) - len(tail)], True
    return value, False


def abstains(record: MemoryRecord, policy: Policy) -> bool:
    """It was written down as what one does not do or have: quitting it again ends nothing."""
    return affirmed(record.attribute, bare_value(record.memory_value), policy)[1]


def tells_something(words: str, policy: Policy) -> bool:
    """ "Don't forget my birthday" tells nothing yet; "my locker code is 4417" does."""
    stop = {w for language in policy.attributes.languages.values() for w in language.label_stop}
    told = [w for w in _WORD.findall(words.lower()) if w.strip(_EDGES) not in stop]
    return len(told) > 1 or any(c.isdigit() for c in words)


@lru_cache(maxsize=4)
def _off(policy: Policy) -> Lexicon:
    words = [w for language in policy.attributes.languages.values() for w in language.unrecorded]
    return Lexicon({"unrecorded": words}, policy.text)


def off_the_record(text: str, policy: Policy) -> bool:
    """The user says that this message is not to be kept (ruling M4)."""
    return bool(_off(policy).hits(text[: policy.attributes.note_characters]))
