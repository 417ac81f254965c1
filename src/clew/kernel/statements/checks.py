"""Rules over what the learned readers propose: drop what says nothing, complete what a plain shape tells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.language.scripts import has_syllables
from clew.kernel.statements.bare_verbs import with_their_words
from clew.kernel.statements.belonging import belonging, empty, one_of_a_name, users_own
from clew.kernel.statements.changes import changes_told
from clew.kernel.statements.clause_owners import before_name, with_lead
from clew.kernel.statements.deeds import whole_deeds
from clew.kernel.statements.features import lexicon
from clew.kernel.statements.forms import in_form
from clew.kernel.statements.frames import framed_from
from clew.kernel.statements.given_names import (
    confirmed,
    names_told,
    of_their_row,
    of_those_named,
    own_name_told,
)
from clew.kernel.statements.habits import habits_told
from clew.kernel.statements.joined_parts import joined_parts, within_sentences
from clew.kernel.statements.kin import of_kin, of_their_kind
from clew.kernel.statements.named_ages import ages_of_named, with_those_read
from clew.kernel.statements.one_of_each import one_of_each
from clew.kernel.statements.patterns import compiled as _compiled
from clew.kernel.statements.patterns import pattern
from clew.kernel.statements.people import SPELLS, Called
from clew.kernel.statements.shaped import meant, stated_by_shape, whole_words
from clew.kernel.statements.timed import again_and_again, of_the_plan, stands_behind, timed
from clew.kernel.statements.values import town
from clew.kernel.statements.whole_values import at_words, planned, renamed
from clew.model.memory import SELF
from clew.model.utterance import Sentence, Statement, Status
from clew.policy import Policy
from clew.policy.checks import CheckWords

_PROPER = re.compile(r"[A-ZÀ-Þ][\w'’-]*(?: [A-ZÀ-Þ][\w-]*)*")
# Whose value may be the very word they are asked for by: vegan, single, a dog.
_LABELLED = ("diet", "relationship", "exists", "note", "code", "pronouns", "sleep", "possession", "plan", "limit")
_OF_THINGS = ("like", "dislike", "diet", "allergy", "hobby", "sport", "skill", "fear")
_EDGE = " .,!?;:'\"’”~()"
_BEGIN = re.compile(r"^\W*[A-ZÀ-Þ][^.!?]*[.!?]\s+[A-ZÀ-Þ]")


def checked_statements(
    text: str,
    language: str,
    sentences: Sequence[Sentence],
    found: Sequence[Statement],
    policy: Policy,
    called: Sequence[Called] = (),
) -> tuple[Statement, ...]:
    """The statements that say something, each of the right one, with its status; a name the user gives is added."""
    words = policy.checks.languages.get(language)
    if words is None:
        return tuple(found)
    own = framed_from(text, policy)
    if own < len(text):
        found = [s for s in found if s.end <= own]
        # What stands before it in its sentence states by itself: on the bus | some man shouted.
        sentences = [
            s if s.end <= own else replace(s, end=own, text=text[s.start : own]) for s in sentences if s.start < own
        ]
        called = [c for c in called if c.start < own]
        if not sentences:
            return ()
    found = within_sentences(found, sentences, words)
    found = [s for s in whole_words(text, language, found, words, policy, called) if not empty(s, words)]
    found = users_own(text, of_their_row(text, found, words), words)
    # 이름은 린이에요: the word for a name is nobody's name, nor is a word for somebody else.
    found = [replace(s, name=None) if s.name and _no_name(s.name, s.subject, words, policy) else s for s in found]
    joined = [planned(text, s, language, policy) for s in joined_parts(text, found, words)]
    shaped = in_form(renamed(joined, [_whole(text, s, words, policy) for s in joined]), words)
    owned = [one for s in shaped if (one := _owned(text, s, words, called, policy))]
    owned = [s for s in owned if not _verb_of(text, s, owned, policy)]
    kept = [timed(text, s, words, policy) for s in owned if _says_something(text, language, s, words, policy, called)]
    kept = of_the_plan(text, kept)
    kept = whole_deeds(text, one_of_each(kept, text, words, policy), words)
    kept = with_their_words(text, kept, words)
    kept = stated_by_shape(text, sentences, kept, words, policy, called)
    named = with_those_read(kept, called)
    kept = ages_of_named(text, sentences, kept, words, named)
    kept = habits_told(text, changes_told(text, sentences, kept, words, called, policy), words)
    kept = confirmed(text, language, kept, policy)
    theirs = names_told(text, language, sentences, kept, policy)
    mine = own_name_told(text, sentences, [*kept, *theirs], words)
    kept = [one for s in kept if (one := before_name(text, s, mine, words)) is not None]
    whose = of_kin(text, belonging(text, (*mine, *kept, *theirs), words, called), words, named, policy)
    whose = tuple(of_those_named(text, whose, words))
    whose = tuple(again_and_again(whose, words))
    return with_lead(text, _named_ones(whose, words, called, policy), called)


def may_return(text: str, language: str, found: Sequence[Statement], policy: Policy) -> tuple[Statement, ...]:
    """What the rules may have been wrong to drop: not what plainly means nothing; each as whole words."""
    words = policy.checks.languages.get(language)
    if words is None:
        return tuple(found)
    whole = at_words(text, language, found, words, policy)
    right = (one for s in whole if (one := meant(text, s, words, plainly=True)) is not None)
    cut = (_edges(text, s, words, policy) for s in right)
    return tuple(s for s in cut if not empty(s, words))


def _no_name(name: str, subject: str, words: CheckWords, policy: Policy) -> bool:
    """A word that is empty, or means another of the user's people: 딸내미 is nobody's son; the eldest is a child."""
    own = subject.partition(":")[2]
    return name in words.empty or lexicon(policy.reader)[0].get(name, own) != own


def _named_ones(
    told: tuple[Statement, ...], words: CheckWords, called: Sequence[Called], policy: Policy
) -> tuple[Statement, ...]:
    """ "a cat named Mog": whoever has a name is there; the word for what they are tells no more."""
    people, pets, _ = lexicon(policy.reader)
    bare = {**people, **pets}
    told = one_of_a_name(of_their_kind(told, words, called, policy))
    named = {s.subject for s in told if s.attribute == "name"}
    return tuple(
        # Whoever else is called so in this message, a name is its own.
        replace(s, name=s.value) if s.attribute == "name" and s.name and s.subject != SELF else s
        for s in told
        if not (s.attribute == "exists" and s.subject in named and s.value.lower() in bare)
    )




def _whole(text: str, told: Statement, words: CheckWords, policy: Policy) -> Statement:
    """Cuts the time behind a place or a job off the value, and drops places that are told of a thing."""
    told = _edges(text, told, words, policy)
    if told.attribute in ("like", "dislike") and (match := pattern("favourite_named", policy).search(told.value)):
        told = replace(told, value=told.value[match.end() :], start=told.start + match.end())
    lead = words.lead_in.get(told.attribute)
    if lead and (match := re.match(lead.pattern, told.value, re.IGNORECASE)) and match.end() < len(told.value):
        told = replace(told, value=told.value[match.end() :], start=told.start + match.end())
    if told.attribute == "city" and (place := town(told.value)) != told.value:
        told = replace(told, value=place, end=told.start + len(place))
    if told.attribute not in policy.checks.bare:
        return told
    if _compiled(tuple(words.part_of.values())).any(told.value):
        return replace(told, attribute="note")
    for shape in _compiled(tuple(words.time_tail.values())):
        match = shape.search(told.value)
        cut = replace(told, value=told.value[: match.start()], end=told.start + match.start()) if match else told
        if cut.value and not empty(cut, words):  # "live with my aunt" is nothing without her
            told = cut
    return told


def _edges(text: str, told: Statement, words: CheckWords, policy: Policy) -> Statement:
    """Without the "'s" before it and the "at" behind it."""
    start, end = told.start, told.end
    if text[start - 1 : start] in ("'", "’") and text[start : start + 2].lower() == "s ":
        start += 2
    phrase = told.attribute in policy.reader.phrases
    while (first := text[start:end].split(" ")[0].lower()) in words.lead_words and len(first) < end - start:
        if phrase and first not in words.lead_joins:
            break
        start += len(first) + 1
    while (last := text[start:end].split(" ")[-1].lower()) in words.trail_words and len(last) < end - start:
        end -= len(last) + 1
    if told.attribute == "name":
        parts = text[start:end].split(" ")
        while len(parts) > 1 and parts[0].lower() in words.trail_words:  # "called linda"
            start += len(parts.pop(0)) + 1
            told = replace(told, name=text[start:end]) if told.subject != SELF else told
        stop = next((k for k, part in enumerate(parts) if k and part.lower().replace("’", "'") in words.name_stops), 0)
        end = start + len(" ".join(parts[:stop])) if stop else end
        told = replace(told, name=text[start:end]) if stop and told.subject != SELF else told
    if told.attribute == "name" and (own := pattern("possessive_end", policy).search(text[start:end])):
        end = start + own.start()  # "zosia's party"
        told = replace(told, name=text[start:end]) if told.subject != SELF else told
    if told.attribute == "name" and told.subject != SELF and (name := _PROPER.search(text[start:end])):
        start += name.start()  # "lad Cathal"
        end = start + len(pattern("possessive_end", policy).sub("", name[0]))
        told = replace(told, name=text[start:end])
    tails, done = _compiled(tuple(words.tails.values())), -1
    while found := next((f for f in tails.matches(f"{text[start:end]}<>{text[end:]}") if f[0] > done), None):
        done, match = found
        end -= len(match["tail"])
    if (start, end) == (told.start, told.end):
        return told
    return replace(told, value=text[start:end], start=start, end=end)


def _owned(
    text: str, told: Statement, words: CheckWords, called: Sequence[Called], policy: Policy
) -> Statement | None:
    """Of the user, or of the one the clause is about; a value of nobody's is none."""
    if told.subject != SELF:
        return told
    before = text[max(0, told.start - policy.checks.reach) : told.start]
    if told.attribute in ("name", "called"):
        last = next((c for c in called if c.start < 0 and c.name is None), None)
        if last is not None and _compiled(tuple(words.last_name.values())).any(before):
            return replace(told, subject=last.subject, name=told.value)
        given = any(c.name and c.name.lower() == told.value.lower() for c in called)
        shown = not words.own_name or _compiled(tuple(words.own_name.values())).any(before)
        theirs = any(s.match(text[told.end :]) for s in _compiled(tuple(words.others_name.values())))
        return told if shown and not given and not theirs else None
    others = words.third_age if told.attribute == "age" else {}
    if _compiled((*words.third.values(), *others.values())).any(before):
        whose = [c for c in called if c.start < told.start]
        # Somebody else's, and nobody knows whose: kept in the user's words.
        if not whose:
            return replace(told, attribute="note")
        return replace(told, subject=whose[-1].subject, name=whose[-1].name)
    if told.attribute in policy.checks.single and told.certainty < policy.checks.fragment_at:
        sentence = told.sentence.strip().lower()
        # Where the verb stands last, what is told stands first.
        opens = not words.verb_last and sentence.startswith(told.value.lower())
        fragment = opens and not _compiled(tuple(words.own.values())).any(sentence)
        mine = told.attribute == "job" and before.lower().rstrip().endswith(words.further.mine)
        if fragment or mine:
            return replace(told, attribute="note")
    return told


def _says_something(
    text: str, language: str, told: Statement, words: CheckWords, policy: Policy, called: Sequence[Called]
) -> bool:
    tokens = told.value.lower().split()
    if empty(told, words):
        return False
    spoken = policy.remember.languages.get(language)
    if told.attribute in _OF_THINGS and spoken is not None and told.value in spoken.adverbs:
        return False  # 엄청 좋아해요: how much, and not what
    names = {c.name.lower() for c in called if c.name}
    of_people = told.attribute in ("name", "called", "exists")
    if not of_people and any(c.name and c.start <= told.start and told.end <= c.end for c in called):
        return False  # the younger sister is not "younger"
    if told.attribute not in ("name", "called", "exists") and told.subject != SELF and told.value.lower() in names:
        return False
    given = names - {told.value.lower()}
    if told.attribute == "name" and told.subject != SELF and told.value[:1].islower() and given:
        return False  # another name was given beside the relation
    small = told.value.islower() or has_syllables(told.value)
    if told.attribute == "name" and small and told.value in policy.reader.not_names:
        return False  # "ex husband btw"
    if told.attribute == "name" and told.evidence is not None and told.value.islower() and _spells(text):
        return False  # "She is better, elhamdulillah": whoever spells with capitals spells names so
    if told.attribute == "like" and pattern("favourite_kind", policy).search(text[: told.start]):
        return False  # the kind of thing, not the thing
    labels = {t for w in _labels(told.attribute, language, policy) for t in w.split()}
    over = told.status in (Status.ENDED, Status.NOT)  # no religion at all
    if not over and told.attribute not in _LABELLED and all(t in labels for t in tokens):
        return False  # "scared" of what?
    # "since March" dates something else and is no plan of its own; "from Recife" and "for physics" date nothing.
    bare = len(tokens) == 1 and told.attribute in policy.checks.timed
    return not (bare and stands_behind(text, told, words.since, policy))


def _spells(text: str) -> bool:
    """Capitals stand inside a sentence, or where each of several begins."""
    return SPELLS.search(text) is not None or _BEGIN.search(text) is not None


def _verb_of(text: str, told: Statement, others: Sequence[Statement], policy: Policy) -> bool:
    """ "I drive a Skoda": the word right behind "I" belongs to the thing it is said of, and is nothing by itself."""
    if " " in told.value or not pattern("speaker_before", policy).search(text[: told.start]):
        return False
    behind = [text[told.end : s.start] for s in others if s is not told and told.end < s.start]
    parted = pattern("between_clauses", policy)
    return any(len(between.split()) <= 1 and not parted.search(between) for between in behind)


def _labels(attribute: str, language: str, policy: Policy) -> tuple[str, ...]:
    words = policy.attributes.languages.get(language)
    return ("new", *words.asked.get(attribute, ())) if words else ()
