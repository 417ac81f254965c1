"""The ways to answer a question. Each gives what it would tell, or None where it has nothing to say to it; which of
them is heard is decided by the ladder in `answering`.

An empty answer is one too: there is nothing to tell, beyond what is held under the very name that was asked for.
"""

from __future__ import annotations

import re

from clew.engine.asking import Asking, eats
from clew.engine.by_rule import looked_through, minded_first, open_to_say_of
from clew.engine.overtaken import undone_by_name, undone_messages, without_overtaken
from clew.engine.own_words import SHARED, by_words
from clew.engine.recall import MEMORY
from clew.engine.remembered import all_memories
from clew.engine.settling import nothing_forgotten
from clew.kernel.correct.telling_words import told_words
from clew.kernel.keep.keys import row_of
from clew.kernel.keep.people import everybody
from clew.kernel.read.change_words import named_by, says
from clew.kernel.read.utterance import stated_in
from clew.kernel.recall.answers import WHO, died, finding_of
from clew.kernel.recall.before_that import before_that as before
from clew.kernel.recall.companions import by_the_word, companions, company_asked
from clew.kernel.recall.narrowing import wanted
from clew.kernel.recall.very_thing import by_name, very_thing, who_one_is
from clew.kernel.statements.features import mentions
from clew.model.memory import SELF
from clew.model.plan import MAYBE, Finding
from clew.model.utterance import Ask

Told = tuple[Finding, ...]


def minded(asking: Asking) -> Told | None:
    """What must be minded where something is eaten, drunk or taken."""
    return minded_first(asking.parts, asking.turn)


def nothing_of_theirs(asking: Asking) -> Told | None:
    """ "Do you like films?" asks for our life, "any advice?" for counsel; nothing the user said answers that."""
    policy, turn = asking.policy, asking.turn
    words = policy.compose.languages.get(turn.read.language)
    if asking.own_fact or words is None or not words.to_us:
        return None
    # "How is my wife?" asks for somebody of the user's.
    theirs = bool(mentions(asking.question, policy.reader))
    ours = not eats(turn, policy) and not theirs and bool(re.search(words.to_us, asking.question, re.I))
    return () if ours else None


def counted(asking: Asking) -> Told | None:
    """How many there are, what is on, whether there is one: all that is held was looked through."""
    return looked_through(asking.parts, asking.turn) or None


def in_company(asking: Asking) -> Told | None:
    """Whom the user lives with, or is with: by name, or in the words that told it."""
    company = None if asking.only_tells else company_asked(asking.question, asking.policy)
    if company is None:
        return None
    policy, turn = asking.policy, asking.turn
    held = open_to_say_of(asking.parts, turn, {m.memory_id: m for m in all_memories(asking.parts, turn)})
    own = [m for m in turn.history if m.role == "user"]
    said = {m.message_id: (stated_in(m.text, turn.read.language, policy), m.at) for m in own}
    out: dict[str, Finding] = {}
    for m in companions(company, held, policy):
        named, message = finding_of(m, 1.0, policy, asking.moment), m.source_message_ids[-1]
        words = said[message][0] if message in said else m.statement or ""
        quoted = Finding(words, "turn", message, m.subject, at=named.at, named=1.0)
        out[message] = named if by_the_word(company, m, policy) else quoted
    undone = undone_messages(asking.parts, turn)
    for message, (words, at) in reversed(said.items()):
        if says(words, company.told, policy) and message not in undone.by and message not in undone.hidden:
            out.setdefault(message, Finding(words, "turn", message, at=at, named=1.0))
    return tuple(out.values())[: policy.compose.findings_most] or None


def only_told(asking: Asking) -> Told | None:
    """What only tells is answered by nothing."""
    return () if asking.only_tells and not asking.may_weigh else None


def unread(asking: Asking) -> Told | None:
    """A question about oneself that no attribute was read from is answered by its words."""
    if asking.may_weigh or (asking.turn.read.asks and asking.asks):
        return None
    return _by_its_words(asking) or undone_by_name(asking.parts, asking.turn, asking.question)


def _by_its_words(asking: Asking) -> Told:
    parts, turn, policy = asking.parts, asking.turn, asking.policy
    flags = turn.heard.flags
    words = policy.compose.languages.get(turn.read.language)
    whose = words is not None and bool(words.who) and bool(re.search(words.who, turn.text, re.I))
    if not flags.is_question or not (flags.has_personal_pronoun or whose or _of_theirs(asking)):
        return ()
    if any(token.startswith(policy.recall.advice) for token in turn.heard.tokens):
        return ()
    records = open_to_say_of(parts, turn, {m.memory_id: m for m in turn.memories})
    question = wanted(asking.question, (), turn.read.language, policy)
    if turn.read.vector is None:
        return by_words(parts, turn, records, question, kinds=(MEMORY,))
    found = [f for f in by_words(parts, turn, records, question) if f.named >= SHARED]
    return without_overtaken(parts, turn, found)


def _of_theirs(asking: Asking) -> bool:
    """One of the user's people is named."""
    said = f" {' '.join(asking.turn.heard.tokens)} "
    return any(f" {name} " in said or f" {name}'s " in said for name in everybody(asking.turn.memories))


def whole(asking: Asking) -> Told | None:
    """Everything, somebody by name, what must be minded: told as it is held, with nothing to weigh."""
    return None if asking.weighs else asking.by_place


def before_that(asking: Asking) -> Told | None:
    """What stood before the thing that is named, or before what stands now."""
    if asking.only_tells:
        return None
    gone = before(asking.question, asking.asks, asking.records, asking.policy)
    found = tuple(finding_of(m, 1.0, asking.policy, asking.moment) for m in gone) or _told_before(asking)
    return nothing_forgotten(asking, found) or None


def _told_before(asking: Asking) -> Told:
    """The likeliest words of the user's that do not hold the thing before which it was."""
    policy, named = asking.policy, named_by(asking.question, "before_what", asking.policy)
    now = told_words(named[-1], policy) if named else frozenset()
    language, least = asking.turn.read.language, policy.recall.answers_before
    heard = [h for h in asking.heard if now and not now & told_words(h.text, policy)]
    heard = [h for h in heard if asking.chances.get(h.id, 0.0) >= least and stated_in(h.text, language, policy)]
    best = max(heard, key=lambda h: asking.chances[h.id], default=None)
    return (Finding(stated_in(best.text, language, policy), "turn", best.id, at=best.at),) if best else ()


def who_i_am(asking: Asking) -> Told | None:
    """One's own name or birthday, asked for and held, where the question names nothing else."""
    if not asking.likeliest or asking.wanted.own:
        return None
    return tuple(f for f in asking.by_place if who_one_is(f, asking.asks, asking.policy)) or None


def the_very_thing(asking: Asking) -> Told | None:
    """One side of the life of somebody of the user's, asked for by its name, where something else weighs more."""
    if not asking.likeliest:
        return None
    return very_thing(asking.likeliest, asking.asks, asking.by_place, asking.records, asking.policy) or None


def likely(asking: Asking) -> Told | None:
    """What the chooser finds, surely enough to be told as the answer."""
    return None if _guessed(asking) else asking.likeliest or None


def under_its_name(asking: Asking) -> Told | None:
    """Before a guess comes what is held of the very person under the very name."""
    if not _guessed(asking):
        return None
    named = [f for f in asking.by_place if f.named == 1 and (f.subject, f.attribute) in asking.places]
    named = [f for f in named if f.subject != SELF or not (asking.wanted.own or f.past)]
    return tuple(named or (f for f in asking.by_place if by_name(f, asking.asks, asking.policy))) or None


def guessed(asking: Asking) -> Told | None:
    """What is only likely, told as a guess."""
    return asking.likeliest if _guessed(asking) else None


def _guessed(asking: Asking) -> bool:
    return bool(asking.likeliest) and asking.likeliest[0].named == MAYBE


def held_near(asking: Asking) -> Told | None:
    """Where nothing is likely, what stands under the very name that was asked for."""
    if asking.likeliest or asking.only_tells:
        return None if asking.likeliest else ()
    policy, own = asking.policy, asking.wanted.own
    return tuple(
        f
        for f in asking.by_place
        if (
            f.named == 1
            or (f.subject, f.attribute) in asking.places
            or by_name(f, asking.asks, policy)
            or _at_work(f, asking)
        )
        # Golf on Wednesdays is no answer to whether one smokes.
        and not (f.named < 1 and own and f.subject == SELF and row_of(f.attribute, policy).many)
        # What a restaurant is called is not what the user is called.
        and not (own and f.subject == SELF and f.attribute in policy.compose.identity)
    )


def _at_work(found: Finding, asking: Asking) -> bool:
    """Asked what one does, where one works is told beside what is not known."""
    return found.attribute == "employer" and (found.subject, "job") in {(a.subject, a.attribute) for a in asking.asks}


def over_by_name(asking: Asking) -> Told | None:
    """The thing that the question names is over or gave way: told in the words that undid it."""
    return None if asking.only_tells else undone_by_name(asking.parts, asking.turn, asking.question)


def passed_away(asking: Asking) -> Told | None:
    """Of whom nothing is held that answers, that they died is the answer."""
    gone = died(asking.asks, asking.records, asking.policy)
    return tuple(finding_of(m, 1.0, asking.policy, asking.moment) for m in gone)


def unknown(asking: Asking) -> Told | None:
    """An honest "you haven't told me", where a fact of the user's was asked for.

    What is lacking has its name only where it was plainly asked for: who asks about a present lacks no hobby.
    """
    if asking.only_tells or not (asking.own_fact or any(a.attribute != WHO for a in asking.asks)):
        return None
    asked = next(iter(asking.turn.read.asks or asking.asks), None)
    plainly = asked is not None and asked.certainty >= asking.policy.recall.answers_asked_plainly
    first = asked if asked is not None and plainly else Ask(SELF, "note")
    return (Finding("", "none", subject=first.subject, attribute=first.attribute, value=first.name or "", named=0.0),)
