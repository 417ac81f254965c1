"""A memory in plain words, to its owner: "You live in Bristol, since last month" (rulings M1, M6).

The words are the attribute table's. What makes no sentence is told in the user's own words.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, tzinfo

from clew.kernel.keep.calling import as_called, holds, possessor, up_to
from clew.kernel.keep.keys import attribute_for, bare_value, row_of, stance_of
from clew.kernel.keep.second_person import retold, said_back, turned, well_spelt
from clew.kernel.keep.told_nouns import built_around, is_brand, noun_in, with_article, with_own_article
from clew.kernel.keep.told_times import dated, day_itself, tells_time, time_of, untimed
from clew.kernel.keep.values import affirmed, clause_around, is_clause
from clew.kernel.keep.work_told import is_deed, work_frame
from clew.kernel.language.pack import words_in
from clew.kernel.language.packs import pack, packs
from clew.kernel.language.scripts import has_syllables
from clew.kernel.statements.features import lexicon
from clew.kernel.statements.own_words import remembered_words
from clew.kernel.statements.people import introduced
from clew.kernel.text.slug import slug
from clew.model.key import Key, KeyKind, relation_of
from clew.model.memory import SELF, MemoryRecord, MemoryStatus, MemoryType
from clew.policy import Policy
from clew.policy.attributes import AttributeWords, Telling

_NOTHING = Telling()
_CONDITION, _DIET = "condition", "diet"
# Told with an article: she is a nurse.
_COUNTED = ("job",)
# Told with the article that the user gave it: you work for the hospital.
_THINGS = ("city", "home", "employer", "school", "possession", "device", "condition", "exists", "project")
# Told by what shall be done, as a noun where the language has one.
_DOINGS = ("plan", "goal")
_HAPPENS = ("plan", "event")
_ARTICLES = ("A", "An", "The", "My", "Our")
_SOMEBODY = "person:person"
_STOPS = ".!?~… "
_NAMES = ("name", "called")
# "You don't drink" says more than "no drink".
_DENIED_BACK = ("diet",)


def tell(
    record: MemoryRecord,
    language: str,
    policy: Policy,
    *,
    at: datetime | None = None,
    zone: tzinfo = UTC,
) -> str:
    """One sentence without a full stop. `at` lets it say "last month", and tell a plan whose day has passed as past."""
    told = well_spelt(_told(record, language, policy, at, zone), words_of(language, policy))
    name = name_of(record, policy)
    if name and name[:1].isupper() and "“" not in told:
        told = re.sub(rf"(?<![\w'’]){re.escape(name.lower())}(?!\w)", name, told)
    return told


def _told(record: MemoryRecord, language: str, policy: Policy, at: datetime | None, zone: tzinfo) -> str:
    words = words_of(language, policy)
    attribute = attribute_for(record, policy)
    value, no, when_told = bare_value(record.memory_value), False, record.when_text
    if record.type is MemoryType.FACT:
        value, no = affirmed(attribute, value, policy)
    value = _said(record, value)
    if value.islower() and not has_syllables(value) and (attribute in _NAMES or _is_place(attribute, value, words)):
        value = _as_name(value)
    if attribute in _DOINGS and (spoken := pack(language)):
        # Its time is told beside it, where it is known.
        value = spoken.as_noun(spoken.plan(value, policy) if attribute == "plan" and record.when_start else value)
    over = record.status is not MemoryStatus.ACTIVE or _passed(record, attribute, at)
    as_told = record
    if attribute == "plan" and (bare := untimed(record, value, words)) != value:
        record, value = replace(record, memory_value=bare, when_text=None), bare
    if attribute == "employer" and is_brand(value, record.statement or "", words):
        value = _as_name(value)
    template = _template(record, attribute, words, no=no, over=over)
    if attribute == "name" and record.subject == _SOMEBODY and words.heard_of:
        template = words.heard_of
    if attribute == _CONDITION and not (no or over) and words.is_you and re.search(words.adjectival, value, re.I):
        template = words.is_you if record.subject == SELF else words.is_they
    if no and words.denied_deed_you and re.search(words.denied_deed, value, re.I):
        template = words.denied_deed_you if record.subject == SELF else words.denied_deed_they
    if no and attribute == _DIET and words.unable_you and re.search(words.unable, record.statement or ""):
        template = words.unable_you if record.subject == SELF else words.unable_they
    own_article = attribute in _THINGS
    if attribute in _COUNTED and not (no or over):
        template, own_article = work_frame(record, value, template, words, policy)
    if attribute in _COUNTED and not (no or over) and words.done_you and re.search(words.done, value):
        template = words.done_you if record.subject == SELF else words.done_they
    whole = nameless(record, policy) or not template or (is_clause(value, policy) and ":" not in template)
    when = time_of(replace(record, when_text=when_told), words, at, zone, policy)
    whose = who(record, language, policy)
    known_by = "" if whose and value.startswith(whose) else whose  # 남편 생일: whose it is stands in it
    if attribute == "plan" and not over and (told := day_itself(value, when, known_by, words)):
        return _finished(told)
    back = ""
    known = not nameless(record, policy)
    denied = no and words.denied_back and attribute in _DENIED_BACK
    if record.statement and not over and known and (
        whole or ":" in template or denied or _verbal(record.statement, value, words)
    ):
        back = said_back(record.statement, value, who(record, language, policy), words, policy)
    if back:
        plain = tells_time(as_told, back, when, words, zone)
        return _capital(back if plain else dated(as_told, back, when, words))
    if attribute == "event" and _opens(value, words):
        return _capital(dated(record, value, when, words))
    named = with_own_article(value, record.statement or "", words, attribute) if own_article else value
    if known and not over and not no and (told := retold(attribute, named, whose, words, when)):
        told = _finished(told)
        early = when.endswith(" ")  # a time that goes before what it dates has no place behind a whole sentence
        plain = early or tells_time(record, told, when, words, zone)
        return _capital(told if plain else dated(record, told, when, words))
    if attribute in _COUNTED and not over and not own_article and not is_deed(value, words):
        value = with_article(value, words)
    if own_article:
        value = with_own_article(value, record.statement or "", words, attribute)
    if not whole and built_around(attribute, template) and has_syllables(value):
        noun = noun_in(value)
        whole, value = not noun and bool(record.statement), noun or value
    if whole:
        spoken_to = record.subject == SELF or not known
        template = words.said_you if spoken_to else words.said_they
        value = remembered_words(_own_clause(record, value, policy), policy).strip().rstrip(_STOPS + _laughs(policy))
    if attribute in _HAPPENS and tells_time(record, value, when, words, zone):
        when = ""
    if not whole and record.type is MemoryType.FACT and attribute not in _NAMES:
        value = turned(value, words)
    early = "{time}" in template
    told = template.format(value=value, who=who(record, language, policy), time=when if early else "")
    # Words that were quoted say their time themselves, where the language puts times in front.
    told = _capital(_finished(told))
    return told if early or when.endswith(" ") else dated(record, told, when, words)


def _finished(told: str) -> str:
    for own in packs():
        told = own.finished(told)
    return told


def nameless(record: MemoryRecord, policy: Policy) -> bool:
    """Somebody of whom not even the name stands here: nobody is "your person"."""
    return record.subject == _SOMEBODY and name_of(record, policy) is None


def _own_clause(record: MemoryRecord, value: str, policy: Policy) -> str:
    """Of a sentence that tells of several, the part about this one; all of it where the value is the sentence."""
    said = record.statement or value
    part = record.subject != SELF and value != said and value in said
    return clause_around(said, value, policy) if part else said


def _verbal(statement: str, value: str, words: AttributeWords) -> bool:
    """ "I teach year 4": the value holds the verb, so no other verb goes before it."""
    if not words.speaker or f"{words.speaker} {value}".lower() not in statement.lower():
        return False
    return re.search(rf"(?<![\w'’]){words.speaker} {re.escape(value)}(?!\w)", statement, re.I) is not None


def _opens(value: str, words: AttributeWords) -> bool:
    """ "you lived in Utrecht" is a sentence of its own."""
    return bool(words.turned) and value.startswith(f"{words.turned[words.speaker]} ")


def words_of(language: str, policy: Policy) -> AttributeWords:
    """A language without words of its own speaks that of the house."""
    return words_in(language, policy.attributes.languages)


def group_for(record: MemoryRecord, policy: Policy) -> str:
    return row_of(attribute_for(record, policy), policy).group


def who(record: MemoryRecord, language: str, policy: Policy) -> str:
    """The person or pet: your sister Mina; nobody when it is the user."""
    words = words_of(language, policy)
    other = relation_of(record.subject)
    if other is None:
        return ""
    kind, relation = other
    table = words.pets if kind is KeyKind.PET else words.relations
    name = name_of(record, policy)
    ways = table.get(relation, (relation.replace("-", " "),))
    beside = up_to(record.statement or "", name)
    said = beside if any(holds(beside.lower(), way.lower()) for way in ways) else record.statement or ""
    spoken = as_called(ways, said, words)
    if name is None and (beside_it := _named_in(record, language, policy)):
        return words.named.format(relation=spoken, name=beside_it)
    if name is None and spoken not in (record.statement or "") and (named := _topic(record, language, policy)):
        return named  # 현수는 다음 달에 군대 가요: by the name alone, where nothing says who that is
    # A memory of the name itself would say it twice.
    if name is not None and relation == "person":
        return name  # known by name alone
    if name is None or record.attribute == "name":
        return words.your.format(relation=spoken)
    ranked = any(holds(name.lower(), way.lower()) for way in (*table.get(relation, ()), spoken))
    if ranked or name.lower() in lexicon(policy.reader)[0]:
        return words.your.format(relation=name.lower())  # your older sister, 큰언니
    return words.named.format(relation=spoken, name=name)


def _named_in(record: MemoryRecord, language: str, policy: Policy) -> str | None:
    """친구 유나가 내년에 결혼해: whom an event of theirs is told of, where its own words give one name."""
    key = Key.parse(record.memory_key)
    if key is None or key.kind is not KeyKind.EVENT:
        return None
    given = {c.name for c in introduced(record.statement or "", language, policy) if c.subject == record.subject}
    return next(iter(given)) if len(given) == 1 else possessor(record.statement or "", record.memory_value, policy)


def _topic(record: MemoryRecord, language: str, policy: Policy) -> str | None:
    """Whom an event is told of by its own words."""
    key, own = Key.parse(record.memory_key), pack(language)
    if key is None or key.kind is not KeyKind.EVENT or own is None:
        return None
    found = own.topic(record.statement or "")
    # 다음 주는, 담달은: when it is, and nobody.
    when = found and (own.tells_when(found, policy) or found == (record.when_text or ""))
    return found if found and not when and found not in policy.reader.not_names else None


def name_of(record: MemoryRecord, policy: Policy) -> str | None:
    """As the user spelt it, where their words are kept."""
    key = Key.parse(record.memory_key)
    spelt = key.name if key else None
    if spelt is None:
        return None
    for text in (record.memory_value, *(record.statement or "").split()):
        bare = text.strip(".,!?;:'\"()").removesuffix("'s")
        if slug(bare, policy.text) == spelt:
            return _as_name(bare) if bare.islower() and not has_syllables(bare) else bare
    for word in (record.statement or "").split():  # 미나는: the name with its particle
        if has_syllables(word) and word.startswith(spelt):
            return spelt
    return " ".join(part.capitalize() if not has_syllables(part) else part for part in spelt.split("_"))


def _said(record: MemoryRecord, value: str) -> str:
    said = value.replace("_", " ") if record.type is MemoryType.PREFERENCE else value
    first, space, rest = said.partition(" ")
    return f"{first.lower()}{space}{rest}" if first in _ARTICLES else said


def _template(record: MemoryRecord, attribute: str, words: AttributeWords, *, no: bool, over: bool) -> str:
    row = words.told.get(attribute, _NOTHING)
    mine = record.subject == SELF
    if row.quote or record.type is MemoryType.NOTE:
        return ""
    stance = stance_of(record.memory_value) if record.type is MemoryType.PREFERENCE else None
    if over:
        return (row.was_you or words.was_you) if mine else (row.was_they or words.was_they)
    if no:
        return (row.no_you or words.no_you) if mine else (row.no_they or words.no_they)
    if stance == "dislike" and words.abstained and re.search(words.abstained, record.statement or "", re.I):
        # What somebody does not eat is told so, whatever else it may mean.
        row = words.told.get(_DIET, _NOTHING)
        return (row.no_you if mine else row.no_they) or (words.dislike_you if mine else words.dislike_they)
    if attribute == "dislike" or stance == "dislike":
        return words.dislike_you if mine else words.dislike_they
    if attribute == "like" or (stance == "like" and not row.you):
        return words.like_you if mine else words.like_they
    return row.you if mine else row.they


def _passed(record: MemoryRecord, attribute: str, at: datetime | None) -> bool:
    """A plan whose day has passed is told as past (ruling M6)."""
    end = record.when_end
    return attribute == "plan" and at is not None and end is not None and end < at


def _is_place(attribute: str, value: str, words: AttributeWords) -> bool:
    said = value.split()  # "leeds" is Leeds; a small town and the countryside are no names
    return attribute in ("city", "origin") and len(said) <= 2 and not {*said} & {*words.articles, *words.no_places}


def _as_name(spelt: str) -> str:
    return " ".join(map(_capital, spelt.split(" ")))  # rory is Rory


def _capital(told: str) -> str:
    return told[:1].upper() + told[1:]


def _laughs(policy: Policy) -> str:
    return "".join(words.laughs for words in policy.gate.languages.values())
