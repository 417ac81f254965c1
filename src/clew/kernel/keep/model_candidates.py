"""What of a model's answer is believed: only what the message itself says (rulings P81, M1–M3, M9).

Each candidate is read as a statement with its words in the message, and becomes a memory by the same rules as
one that the reading found. What no attribute fits is a note.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from clew.frozen import dataclass
from clew.kernel.keep.candidates import candidates as stated_candidates
from clew.kernel.keep.candidates import clause_of
from clew.kernel.keep.candidates import endings as stated_endings
from clew.kernel.keep.confidence import initial_confidence
from clew.kernel.keep.keys import attribute_of, bare_value, stance_of
from clew.kernel.keep.same_candidates import same_candidate
from clew.kernel.keep.values import tells_something, tidy
from clew.kernel.statements.checks import checked_statements
from clew.kernel.statements.own_words import statements
from clew.kernel.statements.people import Called, Known, spoken_of
from clew.kernel.statements.subjects import subject_of
from clew.kernel.text.guards import sides
from clew.kernel.text.normalize import normal
from clew.kernel.text.tokens import content_words
from clew.model.key import Key
from clew.model.memory import SELF, Candidate, Ending, Origin
from clew.model.utterance import Act, Statement, Status, Utterance
from clew.model.verdict import Reason
from clew.policy import Policy

_NOTE = "note"
# Claims that a denial in the words themselves does not turn round.
_MAY_DENY = ("dislike", "diet", "limit", "rule", "fear", _NOTE, "opinion")


@dataclass(frozen=True, slots=True)
class Refused:
    """A candidate that is not believed, and the rule that says why; `known`: the reading had it already."""

    rule: str
    detail: str = ""
    known: bool = False


@dataclass(frozen=True, slots=True)
class ModelReading:
    """What of the answer is kept. proposed = kept + changed + refused + known.

    changed: kept after a rule put it under another attribute or in other words; known: it was read already.
    """

    candidates: tuple[Candidate, ...] = ()
    endings: tuple[Ending, ...] = ()
    reasons: tuple[Reason, ...] = ()
    proposed: int = 0
    kept: int = 0
    changed: int = 0
    refused: int = 0
    known: int = 0

    @property
    def counts(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in ("proposed", "kept", "changed", "refused", "known")}


def unreadable(why: str) -> ModelReading:
    """An answer that is no list of candidates is one that was refused."""
    return ModelReading(reasons=(Reason("extract.model.unreadable", why),), proposed=1, refused=1)


def read_answer(
    answer: object,
    read: Utterance,
    stated: Sequence[Candidate],
    policy: Policy,
    *,
    at: datetime,
    zone: ZoneInfo,
    names: Mapping[str, str] | None = None,
) -> ModelReading:
    """Each candidate by itself: one that is refused costs the others nothing. `names` are people told of before."""
    items = answer.get("candidates") if isinstance(answer, Mapping) else None
    if not isinstance(items, list):
        return unreadable("no list of candidates")
    held = list(stated)
    unsure = {tidy(s.value, policy) for s in read.statements if s.certainty < 1}
    called = spoken_of(read.text, read.language, Known(names or {}), policy)
    out: list[Candidate] = []
    over: list[Ending] = []
    reasons: list[Reason] = []
    counts = {"kept": 0, "changed": 0, "refused": 0, "known": 0}
    for number, item in enumerate(items):
        told = _claim(item, read, policy, called) if number < policy.remember.extractor.candidates else None
        if told is None:
            told = Refused("extract.model.too_many", str(number + 1))
        made: tuple[Candidate, ...] = ()
        if isinstance(told, Statement):
            made = tuple(_of_model(c, policy) for c in stated_candidates([told], at, zone, policy))
            fresh = tuple(c for c in made if not any(_told_already(c, h, unsure, policy) for h in held))
            if not made:
                told = Refused("extract.model.not_kept", told.attribute)
            elif not fresh:
                told = Refused("extract.model.already_stated", made[0].key, known=True)
            made = fresh
        if isinstance(told, Refused):
            counts["known" if told.known else "refused"] += 1
            reasons.append(Reason(told.rule, told.detail))
            continue
        how = "kept" if _as_proposed(item, made[0]) else "changed"
        counts[how] += 1
        reasons.append(Reason(f"extract.model.{how}", made[0].key))
        over.extend(stated_endings([told], policy))
        held.extend(made)
        out.extend(made)
    return ModelReading(tuple(out), tuple(over), tuple(reasons), len(items), **counts)


def _of_model(candidate: Candidate, policy: Policy) -> Candidate:
    return replace(candidate, origin=Origin.LLM, confidence=initial_confidence(Origin.LLM, policy))


def _told_already(new: Candidate, held: Candidate, unsure: Set[str], policy: Policy) -> bool:
    """Under the same key what was plainly read stands; the same words are not told twice under another.

    Where the reading was not sure of its words, fewer of them under the same key are better ones.
    """
    if new.subject != held.subject:
        return False
    one, two = content_words(bare_value(new.value).lower()), content_words(bare_value(held.value).lower())
    if new.key == held.key:
        return not (one < two and tidy(held.value, policy) in unsure)
    if same_candidate(held, new, policy):
        return True
    again = new.statement == held.statement and new.attribute == held.attribute
    again = again and 2 * sum(_held(w, two) for w in one) >= min(len(one), len(two))
    return bool(one) and (one == two or again or (new.attribute == _NOTE and new.statement == held.statement))


def _as_proposed(item: object, made: Candidate) -> bool:
    proposed = _loose(item)
    if proposed is None:
        return False
    same = made.attribute == proposed["attribute"] or made.key == proposed["key"]
    return same and bare_value(made.value).lower() == " ".join(bare_value(proposed["value"]).split()).lower()


def _loose(item: object) -> dict[str, str] | None:
    """The fields of a candidate as plain strings; None when it holds no value."""
    if not isinstance(item, Mapping) or not isinstance(item.get("value"), str) or not item["value"].strip():
        return None
    names = ("subject", "name", "attribute", "status", "key", "value")
    return {name: given if isinstance(given := item.get(name), str) else "" for name in names}


def _claim(item: object, read: Utterance, policy: Policy, called: Sequence[Called]) -> Statement | Refused:
    """The candidate as a statement of the message, or why it is none."""
    fields = _loose(item)
    if fields is None:
        return Refused("extract.model.unreadable_item")
    subject, attribute, value = _addressed(fields, policy)
    name = " ".join(fields["name"].split())
    if subject is None:
        return Refused("extract.model.stranger", fields["subject"])
    if len(value) > policy.remember.extractor.value_characters:
        return Refused("extract.model.too_long", attribute)
    sentence = _holding(value, read, policy)
    if sentence is None:
        return Refused("extract.model.ungrounded", attribute)
    start, end = _span(value, sentence, read)
    told = Statement(subject, attribute, read.text[start:end] if end else value, sentence, start, end)
    if name and _held(name, content_words(normal(read.text).no_punct)):
        told = replace(told, name=name)
    if attribute == _NOTE and not tells_something(sentence, policy):
        return Refused("extract.model.ungrounded", _NOTE)
    if not _theirs(told, read, policy, called):
        return Refused("extract.model.anothers", f"{subject} {attribute}")
    told = replace(told, status=_status(fields["status"]), stance=_stance(fields))
    if _turned_round(told, policy):
        return Refused("extract.model.opposed", attribute)
    return _checked(told, read, policy, called) or Refused("extract.model.not_kept", attribute)


def _addressed(fields: Mapping[str, str], policy: Policy) -> tuple[str | None, str, str]:
    """Whose life, which row, which words; an answer may name a key of memory instead."""
    value = " ".join(bare_value(fields["value"]).split())
    if (key := Key.parse(fields["key"])) is not None:
        attribute = attribute_of(key, policy) or _NOTE
        if attribute == "like" and stance_of(fields["value"]) == "dislike":
            attribute = "dislike"
        return key.subject, attribute if attribute in policy.attributes.rows else _NOTE, value
    attribute = fields["attribute"].strip().lower()
    if attribute not in policy.attributes.rows:
        attribute = _NOTE
    return _subject(fields["subject"], policy), attribute, value


def _subject(said: str, policy: Policy) -> str | None:
    """The user, or one of their people or pets by a word that the table knows; None for anybody else (ruling M2)."""
    bare = tidy(said.lower().rpartition(":")[2].replace("_", " ").replace("-", " "), policy)
    if not bare or bare in policy.remember.extractor.own:
        return SELF
    for words in policy.attributes.languages.values():
        for kind, table in (("person", words.relations), ("pet", words.pets)):
            for name, spellings in table.items():
                if bare in (name, name.replace("-", " ")) or bare in spellings:
                    return f"{kind}:{name}"
    return None


def _holding(value: str, read: Utterance, policy: Policy) -> str | None:
    """The sentence of the user's own that holds the words; no question, wish or quotation does."""
    wanted = normal(value).no_punct
    best: tuple[bool, str] | None = None
    for sentence in statements(read.text, policy):
        acts = [s.act for s in read.sentences if sentence in s.text or s.text in sentence]
        if acts and Act.STATEMENT not in acts:
            continue
        if not _held(wanted, content_words(normal(sentence).no_punct)):
            continue
        whole = wanted in normal(sentence).no_punct
        if best is None or (whole and not best[0]):
            best = (whole, sentence)
    return best[1] if best else None


def _held(wanted: str, said: frozenset[str]) -> bool:
    """Every word that says something is one of the message's, apart from endings and particles."""
    value = content_words(normal(wanted).no_punct) or frozenset(normal(wanted).no_punct.split())
    return bool(value) and all(
        w in said or any((s.startswith(w) and len(w) > 1) or (w.startswith(s) and len(s) > 2) for s in said)
        for w in value
    )


def _span(value: str, sentence: str, read: Utterance) -> tuple[int, int]:
    """Where the words stand together, from the sentence that holds them on; (0, 0) where they are apart."""
    start = max(read.text.find(sentence), 0)
    found = re.compile(rf"(?<!\w){re.escape(value)}", re.I).search(read.text, start)
    return found.span() if found else (0, 0)


def _theirs(told: Statement, read: Utterance, policy: Policy, called: Sequence[Called]) -> bool:
    """Is it said of the one the model names? Told of another by the same words, it is not the user's."""
    low = told.value.lower()
    for known in read.statements:
        if known.value.lower() == low and known.certainty == 1 and known.subject != told.subject:
            return False
    if told.subject != SELF:
        return any(c.subject == told.subject for c in called)
    if not told.end or told.attribute in (_NOTE, "exists"):
        return True
    here = next(((s.start, s.end) for s in read.sentences if s.start <= told.start < s.end), (0, len(read.text)))
    found = [c.mention for c in called]
    return subject_of(read.text, told.start, told.end, here, found, (SELF, 0.0), policy.reader) == SELF


def _checked(told: Statement, read: Utterance, policy: Policy, called: Sequence[Called]) -> Statement | None:
    """By the rules that check what the learned reader proposes; None when they drop it."""
    if not told.end or read.text[told.start : told.end] != told.value:
        return told
    found = checked_statements(read.text, read.language, read.sentences, [told], policy, called)
    here = [s for s in found if s.start < told.end and told.start < s.end and s.subject == told.subject]
    return next((s for s in here if s.attribute == told.attribute), here[0] if here else None)


def _status(said: str) -> Status:
    return Status(said) if said in Status.__members__.values() else Status.IS


def _stance(fields: Mapping[str, str]) -> str | None:
    given = fields["attribute"].strip().lower() or stance_of(fields["value"])
    return given if given in ("like", "dislike") else None


def _turned_round(told: Statement, policy: Policy) -> bool:
    """The words deny what the model claims, or claim what it denies."""
    negated = sides(clause_of(told, policy), policy.text).negated
    if told.status is Status.NOT:
        return not negated
    return negated and told.status is not Status.ENDED and told.attribute not in _MAY_DENY
