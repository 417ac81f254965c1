"""Looking for what answers a question about the user's life: memories, history, then their own words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.engine.by_rule import edible, looked_through, minded_first, only_tells, open_to_say_of, question_of
from clew.engine.overtaken import undone_by_name, undone_messages, with_earlier, without_overtaken
from clew.engine.parts import Parts
from clew.engine.recall import MEMORY, TURN, find
from clew.engine.recall import Found as Hit
from clew.engine.remembered import all_memories
from clew.engine.rights import Scope
from clew.engine.standing_now import as_it_stands, held_behind, in_full, with_plain
from clew.engine.turn_state import Turn
from clew.engine.vectors import vector_of
from clew.engine.weighing import Before, may_weigh, said_just_before, weighed
from clew.kernel.correct.commands import Said, hear_command
from clew.kernel.correct.forgotten import holds_forgotten, hushed, of_forgotten, without_forgotten
from clew.kernel.correct.wishes import command_words
from clew.kernel.keep.changed import overtakes
from clew.kernel.keep.keys import attribute_for, bare_value, row_of
from clew.kernel.keep.people import everybody
from clew.kernel.keep.telling import tell
from clew.kernel.keep.told_anew import told_anew
from clew.kernel.read.change_words import says
from clew.kernel.read.utterance import stated_in
from clew.kernel.read.wording import wording
from clew.kernel.recall.answers import (
    ANY,
    ANYBODY,
    HISTORY,
    WHEN,
    WHO,
    Moment,
    answers,
    as_held,
    died,
    finding_of,
    meant_by,
    plainly_held,
    tellable,
    wanted_attributes,
)
from clew.kernel.recall.narrowing import Wanted, wanted
from clew.kernel.recall.narrowing import held as terms_held
from clew.kernel.recall.own_words import Said as Stated
from clew.kernel.recall.own_words import introducing, leaning, plainly_told, without_old
from clew.kernel.recall.told_plainly import of_the_thing, told_plainly
from clew.kernel.recall.very_thing import BARE_NAMES, by_name, very_thing, who_one_is
from clew.kernel.statements.features import mentions
from clew.kernel.statements.needs import settled_by_needs
from clew.model.key import Key
from clew.model.memory import SELF, Command, MemoryRecord, MemoryStatus
from clew.model.notes import AnswerNote, AskNote, FindingNote
from clew.model.plan import MAYBE, Finding
from clew.model.turn import Pipeline
from clew.model.utterance import Act, Ask
from clew.policy import Policy

_EVERY = tuple(MemoryStatus)
# How surely a quotation answers that holds a word of the question's own.
_SHARED = 0.6


def answering(parts: Parts, turn: Turn) -> tuple[Finding, ...]:
    """Findings, the most needed first; one of source "none" when something was asked and nothing is known."""
    asks = turn.read.asks
    if turn.route.pipeline is Pipeline.REFUSAL or turn.route.crisis or turn.conversation is None:
        return ()
    own_fact = says(question_of(turn), "own_fact", parts.policy)
    if (needed := minded_first(parts, turn)) is not None:
        return needed
    if _to_us(turn, parts.policy) and not own_fact:
        return ()
    # What only tells is answered by nothing.
    weighs = may_weigh(parts, turn) and not (only_tells(turn) and turn.read.statements)
    if by_rule := looked_through(parts, turn):
        return by_rule
    if not weighs and (only_tells(turn) or not asks):
        return () if only_tells(turn) else _unread(parts, turn)
    with parts.store.read() as session:
        near = session.memories_by_attribute(*turn.scope, _looked_for(turn, parts.policy), statuses=_EVERY)
    both = {m.memory_id: m for m in (*turn.memories, *without_forgotten(near, turn.gone, parts.policy))}
    kept = [m for m in both.values() if m.attribute in BARE_NAMES or not hushed(m, turn.gone)]
    anew = told_anew(kept, parts.policy)
    records = open_to_say_of(parts, turn, {m.memory_id: m for m in anew})
    moment = Moment(turn.read.language, turn.at, turn.zone)
    question = wanted(question_of(turn), asks, turn.read.language, parts.policy)
    asks = _of_before_what(_meant(asks, turn, question, parts.policy), turn, parts.policy)
    asks = as_held(asks, records, parts.policy)
    others = () if says(question_of(turn), "own_asked", parts.policy) else question.own
    if not asks and not weighs:
        return _unread(parts, turn) or undone_by_name(parts, turn, question_of(turn))
    found = _of_whom(asks, answers(asks, records, parts.policy, moment, question)) if asks else ()
    heard: tuple[Hit, ...] = ()
    chances: dict[str, float] = {}
    who = next((a.name for a in asks if a.attribute == WHO and a.name), None)
    if who is not None and not _says_who(found, records, parts.policy):
        heard = _said_before(parts, turn, most=parts.policy.recall.answers_heard)
        found = _introduced(parts, turn, who, heard) or found
    settled = settled_by_needs(turn.text, turn.read.language, parts.policy)
    alone = settled or (_eats(turn, parts.policy) and not mentions(turn.text, parts.policy.reader))
    if weighs and not (found and (_by_rule(asks) or alone)):
        limits = parts.policy.recall
        marked = turn.heard.flags.is_question or any(s.act is Act.QUESTION for s in turn.read.sentences)
        at = limits.answers_marked if marked else limits.answers_unasked
        plainly = any(a.certainty >= limits.answers_look for a in asks)
        at = limits.answers_at if plainly and not only_tells(turn) else at
        heard = heard or _said_before(parts, turn, most=limits.answers_heard)
        best, chances = weighed(parts, turn, Before(asks, found, records, question, heard, question_of(turn)), at)
        asked = {(subject, a.attribute) for a in asks for subject in meant_by(a.subject, parts.policy)}
        if not best and not only_tells(turn):
            # Where nothing is likely, what stands under the very name that was asked for.
            best = tuple(
                f
                for f in found
                if (
                    f.named == 1
                    or (f.subject, f.attribute) in asked
                    or by_name(f, asks, parts.policy)
                    or _at_work(f, asks)
                )
                # Golf on Wednesdays is no answer to whether one smokes.
                and not (f.named < 1 and question.own and f.subject == SELF and row_of(f.attribute, parts.policy).many)
                # What a restaurant is called is not what the user is called.
                and not (question.own and f.subject == SELF and f.attribute in parts.policy.compose.identity)
            )
        elif not question.own and (own := [f for f in found if who_one_is(f, asks, parts.policy)]):
            best = tuple(own)
        elif best and (very := very_thing(best, asks, found, records, parts.policy)):
            best = very
        elif best and best[0].named == MAYBE:
            # Before a guess comes what is held of the very person under the very name.
            named = [f for f in found if f.named == 1 and (f.subject, f.attribute) in asked]
            named = [f for f in named if f.subject != SELF or not (question.own or f.past)]
            best = tuple(named or (f for f in found if by_name(f, asks, parts.policy))) or best
        held = plainly_held(asks, records, parts.policy, others)
        found = with_plain(best, held, asks, moment, parts.policy)
        found = _overtaken(parts, turn, _told_over(turn, found, records), records)
    else:
        held = plainly_held(asks, records, parts.policy, others)
        found = with_plain(found, held, asks, moment, parts.policy)
        found = _overtaken(parts, turn, _told_over(turn, found, records), records)
        if not _answers_itself(asks, found, records, parts.policy) and all(f.named < 1 for f in found):
            said = _by_words(parts, turn, {f.id for f in found}, records, question)
            # The user's own words on the very thing stand in place of what is only near it in the table.
            found = said if any(f.named >= _SHARED for f in said) else (*found, *said)
    if not only_tells(turn) and not any(a.subject != SELF for a in asks):
        found = of_the_thing(found, records, question.own, parts.policy, moment)
    found = edible(found, turn, parts.policy) if settled else found
    if settled and (named := [f for f in found if len(value := bare_value(f.value)) > 1 and value in turn.text]):
        found = tuple(named)  # 새우튀김 먹어도 돼?: the very thing that must not be
    found = without_overtaken(parts, turn, found, chances)
    if not found and not only_tells(turn):
        found = undone_by_name(parts, turn, question_of(turn))
    if not any(a.name for a in asks) and not any(m.subject != SELF for m in mentions(turn.text, parts.policy.reader)):
        found = with_earlier(parts, turn, found)
    found = _of_the_dead(asks, found, records, parts.policy, moment)
    found = of_forgotten(question_of(turn), found, turn.gone, parts.policy)
    found = tuple(_of_the_new(parts, turn, f, records) for f in found if not _gone(parts, turn, f))
    found = as_it_stands(parts, turn, found, question_of(turn))
    held_of = held_behind(parts, turn, found)
    told = tuple(told_plainly(f, held_of, asks, question_of(turn), parts.policy, moment) for f in found)
    found = in_full(parts, turn, told, question_of(turn))
    found = tuple(_with_lead(parts, turn, f, heard) for f in found)
    if not found and (gone := died(asks, records, parts.policy)):
        found = tuple(finding_of(m, 1.0, parts.policy, moment) for m in gone)
    unknown = own_fact or (bool(asks) and not all(a.attribute == WHO for a in asks))
    if not found and unknown and not only_tells(turn):
        found = (_unknown(turn.read.asks or asks, parts.policy),)
    turn.notes.add(
        AnswerNote(
            asks=tuple(AskNote(a.subject, a.attribute, a.name) for a in asks),
            findings=tuple(FindingNote(f.source, f.id, f.told, f.named) for f in found),
        )
    )
    return found


def _of_the_dead(
    asks: Sequence[Ask], found: tuple[Finding, ...], records: Sequence[MemoryRecord], policy: Policy, moment: Moment
) -> tuple[Finding, ...]:
    """ "How is Tibbles?": a guess from better days gives way to the news that somebody has died."""
    if found and (found[0].named != MAYBE or len(found) > 1):
        return found
    names = {a.name.lower() for a in asks if a.name}
    gone = [r for r in records if attribute_for(r, policy) == "death" and tellable(r, past=False)]
    mine = [r for r in gone if any(r.subject == a.subject != SELF for a in asks)]
    named = [r for r in mine if (key := Key.parse(r.memory_key)) is not None and (key.name or "") in names]
    return tuple(finding_of(r, 1.0, policy, moment) for r in (named or ([] if names else mine))[:1]) or found


def _at_work(found: Finding, asks: Sequence[Ask]) -> bool:
    """Asked what one does, where one works is told beside what is not known."""
    return found.attribute == "employer" and any((a.subject, a.attribute) == (found.subject, "job") for a in asks)


def _by_rule(asks: Sequence[Ask]) -> bool:
    """Everything, somebody by name, all of one kind, and one side of what was before are told by rule."""
    sided = any(a.attribute not in (ANY, WHO, WHEN, HISTORY) for a in asks)
    return any(
        a.attribute == ANY
        or (a.attribute == WHO and a.name is not None)
        or (a.attribute == HISTORY and sided)
        or a.subject in ANYBODY
        for a in asks
    )


def _stated(parts: Parts, turn: Turn, heard: Sequence[Hit]) -> list[Stated]:
    """The user's messages that state something, in the order of time, each with what came just before it."""
    before = said_just_before(heard, parts.policy)
    ordered = sorted(heard, key=lambda h: (h.at is not None, h.at, h.id))
    made = (Stated(h.id, stated_in(h.text, turn.read.language, parts.policy), before[h.id]) for h in ordered)
    return [one for one in made if one.words]


def _introduced(parts: Parts, turn: Turn, name: str, heard: Sequence[Hit]) -> tuple[Finding, ...]:
    """Who somebody is, in the words that first told it, where no more than a name is held."""
    one = introducing(name, _stated(parts, turn, heard), parts.policy)
    if one is None:
        return ()
    return (Finding(one.words, "turn", one.id, at=next(h.at for h in heard if h.id == one.id)),)


def _says_who(found: Sequence[Finding], records: Sequence[MemoryRecord], policy: Policy) -> bool:
    """More is held than a name, or the name with a plain word for who it is."""
    if any(f.attribute not in BARE_NAMES and f.subject != SELF for f in found):
        return True
    told = {m.memory_id: m.statement or "" for m in records if m.subject != SELF}
    return any(plainly_told(told[f.id], policy) for f in found if f.id in told)


def _with_lead(parts: Parts, turn: Turn, found: Finding, heard: Sequence[Hit]) -> Finding:
    """A quotation that leans on the words before it is told with them."""
    one = next((s for s in _stated(parts, turn, heard) if s.id == found.id), None) if found.source == "turn" else None
    if one is None or found.told != one.words or not leaning(one, question_of(turn), parts.policy):
        return found
    if holds_forgotten(one.before, found.at, turn.gone, parts.policy):
        return found
    undone = undone_messages(parts, turn)
    if any(h.text == one.before and (h.id in undone.by or h.id in undone.hidden) for h in heard):
        return found  # what it leans on holds no more
    lead = stated_in(one.before, turn.read.language, parts.policy).rstrip(" .!?~…")
    return replace(found, told=f"{lead} – {found.told}") if lead else found


def _of_the_new(parts: Parts, turn: Turn, found: Finding, records: Sequence[MemoryRecord]) -> Finding:
    """What took another's place is quoted without what it replaced."""
    policy = parts.policy
    mine = next((m for m in records if m.memory_id == found.id), None)
    message = next(iter(reversed(mine.source_message_ids)), "") if mine else found.id
    said = (mine.statement if mine else None) or found.told
    if not message or said not in found.told:
        return found
    told = [m for m in all_memories(parts, turn) if message in m.source_message_ids or m.superseded_by]
    new = [m for m in told if message in m.source_message_ids and m.status is MemoryStatus.ACTIVE]
    ids = {m.memory_id for m in new}
    gone = (bare_value(m.memory_value).replace("_", " ") for m in told if m.superseded_by in ids)
    # What the question itself names belongs to the answer: "has gran got a stairlift?"
    asked = terms_held(question_of(turn), policy)
    old = [value for value in gone if not terms_held(value, policy) <= asked]
    values = [bare_value(m.memory_value) for m in new if m.attribute != "event" and m.memory_value != m.statement]
    return replace(found, told=found.told.replace(said, without_old(said, old, values, turn.read.language, policy)))


def _looked_for(turn: Turn, policy: Policy) -> tuple[str, ...]:
    """The attributes that are asked for or stand beside them, and those most likely asked for."""
    chances = dict(turn.read.asked_for)
    first = sorted((a for a in chances if a in policy.attributes.rows), key=lambda a: (-chances[a], a))
    most = first[: policy.recall.answers_attributes]
    return tuple(dict.fromkeys((*wanted_attributes(turn.read.asks, policy), *most, "death")))


def _to_us(turn: Turn, policy: Policy) -> bool:
    """ "Do you like films?" asks for our life, "any advice?" for counsel; nothing the user said answers that."""
    words = policy.compose.languages.get(turn.read.language)
    if words is None or not words.to_us:
        return False
    # "How is my wife?" asks for somebody of the user's.
    theirs = bool(mentions(question_of(turn), policy.reader))
    return not _eats(turn, policy) and not theirs and bool(re.search(words.to_us, question_of(turn), re.I))


def _eats(turn: Turn, policy: Policy) -> bool:
    """What to eat is answered from allergies and tastes, all of them."""
    words = policy.compose.languages.get(turn.read.language)
    food = words.moments.get("food") if words else None
    return food is not None and bool(re.search(food.pattern, turn.text, re.I))


def _meant(asks: tuple[Ask, ...], turn: Turn, question: Wanted, policy: Policy) -> tuple[Ask, ...]:
    """Everything is asked for only by who says so; "what's on my list?" is about a list, "who works the till?" is not
    "who am I?"."""
    words = policy.compose.languages.get(turn.read.language)
    if words is None or not words.whole or not question.own or re.search(words.whole, turn.text, re.I):
        return asks
    return tuple(a for a in asks if a.attribute not in (ANY, WHO) or a.name or a.subject != SELF)


def _of_before_what(asks: tuple[Ask, ...], turn: Turn, policy: Policy) -> tuple[Ask, ...]:
    """ "Where did I live before?" asks for what was, of one side of a life: the likeliest."""
    if not asks or any(a.attribute != HISTORY for a in asks):
        return asks
    chances = {a: c for a, c in turn.read.asked_for if a in policy.attributes.rows}
    best = max(chances, key=lambda a: (chances[a], a), default="")
    named = chances.get(best, 0.0) >= policy.recall.answers_side
    return (*asks, replace(asks[0], attribute=best)) if named else asks


def _of_whom(asks: tuple[Ask, ...], found: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """ "Who is Arjun?": what is told of him, not all that was said in one breath with his name."""
    name = next((a.name.lower() for a in asks if a.attribute == WHO and a.name), None)
    if name is None:
        return found
    about = [f for f in found if name in f.told.lower() and f.subject != SELF]
    return tuple(about or [f for f in found if name in f"{f.told} {f.value}".lower()] or found)


def _answers_itself(
    asks: Sequence[Ask], found: Sequence[Finding], records: Sequence[MemoryRecord], policy: Policy
) -> bool:
    """What one has once, asked for by its own name and held, needs no other words beside it."""
    asked = {(a.subject, a.attribute) for a in asks if not row_of(a.attribute, policy).many}
    known = {m.memory_id: (m.subject, m.attribute) for m in records}
    return any(known.get(f.id) in asked for f in found if not f.past)


def _gone(parts: Parts, turn: Turn, found: Finding) -> bool:
    """The user's own words that hold what they had forgotten since."""
    return found.source != MEMORY and holds_forgotten(found.told, found.at, turn.gone, parts.policy, found.id)


def _of_theirs(parts: Parts, turn: Turn) -> bool:
    """One of the user's people is named."""
    said = f" {' '.join(turn.heard.tokens)} "
    return any(f" {name} " in said or f" {name}'s " in said for name in everybody(turn.memories))


def _told_over(turn: Turn, found: tuple[Finding, ...], records: list[MemoryRecord]) -> tuple[Finding, ...]:
    """What is over, in the words that ended it, where they are still at hand."""
    ended = {m.memory_id: m.ended_at for m in records if m.status is MemoryStatus.INVALID}
    said = {m.at: m for m in turn.history if m.role == "user"}
    out: dict[str, Finding] = {}
    for f in found:
        over = ended.get(f.id) if f.past else None
        message = said.get(over) if over is not None else None
        if message is not None:
            whose, what = f.subject, f.value
            f = Finding(message.text, "turn", message.message_id, whose, value=what, at=message.at, past=True)
        out.setdefault(f.id, f)
    return tuple(out.values())


def _overtaken(
    parts: Parts, turn: Turn, found: tuple[Finding, ...], records: list[MemoryRecord]
) -> tuple[Finding, ...]:
    """What the user has said since, in their words, where it undoes what is held."""
    known = {m.memory_id: m for m in records}
    out: dict[str, Finding] = {}
    for f in found:
        held = known.get(f.id)
        later = [
            m
            for m in turn.history
            if held is not None
            and f.source == "memory"
            and m.role == "user"
            and m.at > held.last_confirmed_at
            and "?" not in m.text
            and overtakes(m.text, held, parts.policy)
            and not _of_before(m.text, turn, parts.policy)
        ]
        if later and not f.past:
            f = Finding(later[-1].text, "turn", later[-1].message_id, at=later[-1].at, named=f.named)
        out.setdefault(f.id, f)
    return tuple(out.values())


def _of_before(text: str, turn: Turn, policy: Policy) -> bool:
    """ "Before that Utrecht was only a place I changed trains" tells of earlier days and ends nothing."""
    words = policy.compose.languages.get(turn.read.language)
    return words is not None and bool(words.before) and bool(re.search(words.before, text, re.I))


def _forgotten(parts: Parts, turn: Turn, hits: Sequence[Hit]) -> set[str]:
    """What was said before the user asked to forget the thing it names, whether or not a memory held it."""
    out: set[str] = set()
    for message in turn.history:
        said = _command(parts, turn, message.text) if message.role == "user" else None
        if said is None or said.command is not Command.FORGET_TARGET or not said.named:
            continue
        named = terms_held(said.named, parts.policy) - terms_held("about thing said", parts.policy)
        for hit in hits:
            before = hit.at is None or hit.at <= message.at
            if before and named and len(named & terms_held(hit.text, parts.policy)) * 2 >= len(named):
                out.add(hit.id)
    return out


def _unread(parts: Parts, turn: Turn) -> tuple[Finding, ...]:
    """A question about oneself that no attribute was read from is answered by its words."""
    flags, limits = turn.heard.flags, parts.policy.recall
    words = parts.policy.compose.languages.get(turn.read.language)
    whose = words is not None and bool(words.who) and bool(re.search(words.who, turn.text, re.I))
    if not flags.is_question or not (flags.has_personal_pronoun or whose or _of_theirs(parts, turn)):
        return ()
    if any(token.startswith(limits.advice) for token in turn.heard.tokens):
        return ()
    records = open_to_say_of(parts, turn, {m.memory_id: m for m in turn.memories})
    question = wanted(question_of(turn), (), turn.read.language, parts.policy)
    if turn.read.vector is None:
        return _by_words(parts, turn, set(), records, question, kinds=(MEMORY,))
    found = [f for f in _by_words(parts, turn, set(), records, question) if f.named >= _SHARED]
    return without_overtaken(parts, turn, found)


def _by_words(
    parts: Parts,
    turn: Turn,
    already: set[str],
    records: list[MemoryRecord],
    question: Wanted,
    kinds: tuple[str, ...] = (MEMORY, TURN),
) -> tuple[Finding, ...]:
    """What the words of the question lead to: memories under another name, and what the user once said."""
    limits = parts.policy.recall
    hits = _said_before(parts, turn, kinds)
    floors = {MEMORY: limits.memory_kind_floor, TURN: limits.answers_floor}
    shared = {h.id: len(question.own & terms_held(h.text, parts.policy)) for h in hits}
    best = [
        h
        for h in hits
        if h.id not in already
        and h.score >= (limits.answers_floor_shared if shared[h.id] else floors[h.kind])
    ]
    # What tells a change comes before what it changed.
    best.sort(key=lambda h: (-shared[h.id], not _changes(h.text, parts.policy)))
    most = limits.answers_quoted if TURN in kinds else limits.answers_each
    made = ((_quoted(parts, turn, h, records), shared[h.id]) for h in best)
    told = [replace(x, named=_SHARED) if n else x for x, n in made if x is not None]
    return tuple(told[:most])


def _said_before(
    parts: Parts, turn: Turn, kinds: tuple[str, ...] = (TURN,), most: int | None = None
) -> tuple[Hit, ...]:
    """What the search by words finds of the user's, without what is outdated or was to be forgotten."""
    asked = question_of(turn)
    hits = find(
        parts,
        Scope(*turn.scope),
        asked,
        k=most or parts.policy.recall.answers_by_words,
        at=turn.at,
        vector=turn.read.vector if asked == turn.text else None,
        kinds=kinds,
        speaker="user",
        exclude_message_ids=(turn.incoming.message_id, *undone_messages(parts, turn).hidden),
    )
    gone = _forgotten(parts, turn, hits)
    return tuple(h for h in hits if h.id not in gone and not _forgets(parts, turn, h.text))


def _command(parts: Parts, turn: Turn, text: str) -> Said:
    policy = parts.policy
    said = command_words(wording(text, policy), turn.read.language, vector_of(parts, text), policy)
    return hear_command(said, policy)


def _forgets(parts: Parts, turn: Turn, text: str) -> bool:
    """A wish to forget names what was to be forgotten, and is never quoted."""
    return _command(parts, turn, text).command in (Command.FORGET, Command.FORGET_TARGET, Command.SUPPRESS_TOPIC)


def _changes(text: str, policy: Policy) -> bool:
    return says(text, "instead", policy) or says(text, "ended", policy)


def _quoted(parts: Parts, turn: Turn, hit: Hit, records: list[MemoryRecord]) -> Finding | None:
    """A memory as it is told; a message by its sentences that state something. A question answers nothing."""
    language = turn.read.language
    if hit.kind == MEMORY:
        record = next((r for r in records if r.memory_id == hit.id), None)
        if record is not None and not record.statement:
            told = tell(record, language, parts.policy, at=turn.at, zone=turn.zone)
            return Finding(told, "memory", hit.id, at=hit.at, named=0.4)
        # Found by its words, so it is told in them: it may answer another question than its attribute's.
        return Finding(record.statement or hit.text if record else hit.text, "turn", hit.id, at=hit.at, named=0.4)
    stated = stated_in(hit.text, language, parts.policy)
    return Finding(stated, "turn", hit.id, at=hit.at, named=0.4) if stated else None


def _unknown(asks: tuple[Ask, ...], policy: Policy) -> Finding:
    """What is lacking, by its name where it was plainly asked for: who asks about a present lacks no hobby."""
    first = asks[0] if asks and asks[0].certainty >= policy.recall.answers_asked_plainly else Ask(SELF, "note")
    return Finding("", "none", subject=first.subject, attribute=first.attribute, value=first.name or "", named=0.0)
