"""Does what was found still hold, and how is it told? Each step takes what was found and gives what is left of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from clew.engine.asking import Asking
from clew.engine.by_rule import edible
from clew.engine.overtaken import with_earlier, without_overtaken
from clew.engine.own_words import SHARED, by_words, with_lead
from clew.engine.remembered import all_memories
from clew.engine.said_since import with_what_came_since
from clew.engine.standing_now import as_it_stands, held_behind, in_full, with_plain
from clew.engine.whether import ended_it, told_since
from clew.kernel.keep.changed import overtakes
from clew.kernel.keep.keys import attribute_for, bare_value, row_of
from clew.kernel.read.change_words import says, tells_change
from clew.kernel.recall.answers import finding_of, plainly_held, tellable
from clew.kernel.recall.kinds_asked import kinds_asked, loses_kind
from clew.kernel.recall.narrowing import held as terms_held
from clew.kernel.recall.own_words import without_old
from clew.kernel.recall.told_plainly import of_the_thing, told_plainly
from clew.kernel.recall.very_thing import BARE_NAMES
from clew.kernel.statements.features import mentions
from clew.model.key import Key
from clew.model.memory import SELF, MemoryStatus
from clew.model.plan import MAYBE, Finding

# So many letters more tell something more.
_MORE = 4
Told = tuple[Finding, ...]
Step = Callable[[Asking, Told], Told]


def plainly(asking: Asking, found: Told) -> Told:
    """What is held under the very name that plain words ask for is not passed over."""
    others = () if says(asking.question, "own_asked", asking.policy) else asking.wanted.own
    held = plainly_held(asking.asks, asking.records, asking.policy, others)
    return with_plain(found, held, asking.asks, asking.moment, asking.policy)


def in_the_words_that_ended_it(asking: Asking, found: Told) -> Told:
    """What is over, in the words that ended it, where they are still at hand.

    Asked what it was, and not whether it still is, words that do not hold it tell nothing.
    """
    ended = {m.memory_id: m.ended_at for m in asking.records if m.status is MemoryStatus.INVALID}
    said = {m.at: m for m in asking.turn.history if m.role == "user"}
    out: dict[str, Finding] = {}
    for f in found:
        over = ended.get(f.id) if f.past else None
        message = said.get(over) if over is not None else None
        if message is not None and (_asks_whether(asking) or _shares(message.text, f.value, asking)):
            whose, what = f.subject, f.value
            f = Finding(message.text, "turn", message.message_id, whose, value=what, at=message.at, past=True)
        out.setdefault(f.id, f)
    return tuple(out.values())


def _asks_whether(asking: Asking) -> bool:
    words = asking.policy.checks.languages.get(asking.turn.read.language)
    shape = words.question_kinds.get("whether") if words else None
    return shape is None or re.search(shape.pattern, asking.question.strip(), re.I) is not None


def _shares(text: str, value: str, asking: Asking) -> bool:
    """A word of the one is in the other."""
    return bool(terms_held(text, asking.policy) & terms_held(bare_value(value), asking.policy))


def as_said_since(asking: Asking, found: Told) -> Told:
    """What the user has said since, in their words, where it undoes what is held."""
    known = {m.memory_id: m for m in asking.records}
    out: dict[str, Finding] = {}
    for f in found:
        held = known.get(f.id)
        later = [
            m
            for m in asking.turn.history
            if held is not None
            and f.source == "memory"
            and m.role == "user"
            and m.at > held.last_confirmed_at
            and "?" not in m.text
            and overtakes(m.text, held, asking.policy)
            and not _of_before(m.text, asking)
        ]
        if later and not f.past:
            f = Finding(later[-1].text, "turn", later[-1].message_id, at=later[-1].at, named=f.named)
        out.setdefault(f.id, f)
    return tuple(out.values())


def _of_before(text: str, asking: Asking) -> bool:
    """ "Before that Utrecht was only a place I changed trains" tells of earlier days and ends nothing."""
    words = asking.policy.compose.languages.get(asking.turn.read.language)
    return words is not None and bool(words.before) and bool(re.search(words.before, text, re.I))


def with_own_words(asking: Asking, found: Told) -> Told:
    """Where only something near is held, the user's own words on the very thing stand in its place."""
    if asking.weighs or any(f.named >= 1 for f in found) or _answers_itself(asking, found):
        return found
    ids = frozenset(f.id for f in found)
    said = by_words(asking.parts, asking.turn, asking.records, asking.wanted, ids)
    return said if any(f.named >= SHARED for f in said) else (*found, *said)


def _answers_itself(asking: Asking, found: Sequence[Finding]) -> bool:
    """What one has once, asked for by its own name and held, needs no other words beside it."""
    asked = {(a.subject, a.attribute) for a in asking.asks if not row_of(a.attribute, asking.policy).many}
    known = {m.memory_id: (m.subject, m.attribute) for m in asking.records}
    return any(known.get(f.id) in asked for f in found if not f.past)


def of_the_thing_named(asking: Asking, found: Told) -> Told:
    """ "Where's my shop?": what the question names comes before what holds no word of it."""
    if asking.only_tells or any(a.subject != SELF for a in asking.asks):
        return found
    return of_the_thing(found, asking.records, asking.wanted.own, asking.question, asking.policy, asking.moment)


def of_what_is_eaten(asking: Asking, found: Told) -> Told:
    """Asked whether one may eat it: no cat hair, and where the very thing is named, that alone."""
    if not asking.settled:
        return found
    found = edible(found, asking.turn, asking.policy)
    named = [f for f in found if len(value := bare_value(f.value)) > 1 and value in asking.turn.text]
    return tuple(named) or found  # 새우튀김 먹어도 돼?: the very thing that must not be


def not_undone(asking: Asking, found: Told) -> Told:
    """A quotation that a later message undoes gives way to that message, where it speaks of what is asked for."""
    sure: set[str] = set()
    left = without_overtaken(asking.parts, asking.turn, found, asking.chances, sure)
    return left if any(f.source != "turn" for f in left) else tuple(_kept_to_the_point(asking, found, left, sure))


def _kept_to_the_point(asking: Asking, before: Told, after: Told, sure: Collection[str] = ()) -> Iterator[Finding]:
    """What took the place of a quotation, or the quotation where only that names the things the question names.

    sure: messages that undo it beyond doubt, whatever they name.
    """
    whole = {f.told for f in after}
    lost = [f for f in before if f.told not in whole]
    for f in after:
        took = len(before) == len(after) == 1 and lost and not f.past and not _tells_change(lost[0], f.told, asking)
        took = took and f.id not in sure
        yield lost[0] if took and _loses_words(asking, lost[0], f) else f


def _tells_change(before: Finding, told: str, asking: Asking) -> bool:
    """ "Now it's 9134", "88 this morning": a change, or a number for a number, needs no word of the question."""
    numbers = any(c.isdigit() for c in before.told) and any(c.isdigit() for c in told)
    return numbers or tells_change(told, asking.policy) or says(told, "shifted", asking.policy)


def _loses_words(asking: Asking, before: Finding, after: Finding) -> bool:
    """Of the question's own words that stand in the one, most are not in the other."""
    own = asking.wanted.own & terms_held(before.told, asking.policy)
    return 2 * len(own & terms_held(f"{after.told} {after.value}", asking.policy)) < len(own)


def beside_what_came_before(asking: Asking, found: Told) -> Told:
    """ "I collect maps too" is told with what it stands beside."""
    others = any(m.subject != SELF for m in mentions(asking.turn.text, asking.policy.reader))
    if others or any(a.name for a in asking.asks):
        return found
    return with_earlier(asking.parts, asking.turn, found)


def of_the_dead(asking: Asking, found: Told) -> Told:
    """ "How is Tibbles?": a guess from better days gives way to the news that somebody has died."""
    if found and (found[0].named != MAYBE or len(found) > 1):
        return found
    names = {a.name.lower() for a in asking.asks if a.name}
    dead = [r for r in asking.records if attribute_for(r, asking.policy) == "death" and tellable(r, past=False)]
    mine = [r for r in dead if any(r.subject == a.subject != SELF for a in asking.asks)]
    named = [r for r in mine if (key := Key.parse(r.memory_key)) is not None and (key.name or "") in names]
    first = (named or ([] if names else mine))[:1]
    return tuple(finding_of(r, 1.0, asking.policy, asking.moment) for r in first) or found


def nothing_forgotten(asking: Asking, found: Told) -> Told:
    """What the user had forgotten is not told, from memory or in their own words."""
    gone = asking.turn.gone
    left = gone.answers(asking.question, found)
    return tuple(f for f in left if f.source == "memory" or not gone.holds(f.told, f.at, f.id))


def without_what_it_replaced(asking: Asking, found: Told) -> Told:
    return tuple(_of_the_new(asking, f) for f in found)


def _of_the_new(asking: Asking, found: Finding) -> Finding:
    """What took another's place is quoted without what it replaced."""
    policy, turn = asking.policy, asking.turn
    mine = next((m for m in asking.records if m.memory_id == found.id), None)
    message = next(iter(reversed(mine.source_message_ids)), "") if mine else found.id
    said = (mine.statement if mine else None) or found.told
    unheld = found.source == "memory" and (mine is None or not mine.statement)
    if not message or unheld or said not in found.told:
        return found
    every = [m for m in all_memories(asking.parts, turn) if message in m.source_message_ids or m.superseded_by]
    new = [m for m in every if message in m.source_message_ids and m.status is MemoryStatus.ACTIVE]
    ids = {m.memory_id for m in new}
    gone = (bare_value(m.memory_value).replace("_", " ") for m in every if m.superseded_by in ids)
    # What the question itself names belongs to the answer: "has gran got a stairlift?"
    asked = terms_held(asking.question, policy)
    old = [value for value in gone if not terms_held(value, policy) <= asked]
    values = [bare_value(m.memory_value) for m in new if m.attribute != "event" and m.memory_value != m.statement]
    told = found.told.replace(said, without_old(said, old, values, turn.read.language, policy))
    cut = replace(found, told=told)
    lacks = loses_kind(asking.question, found.told, told, turn.read.language, policy)
    return found if lacks or _loses_words(asking, found, cut) else cut


def as_it_stands_now(asking: Asking, found: Told) -> Told:
    """A quotation of a plan is told as the plan stands, where that still speaks of what is asked for."""
    left = as_it_stands(asking.parts, asking.turn, found, asking.question, asking.chances)
    return tuple(_kept_to_the_point(asking, found, left))


def in_plain_words(asking: Asking, found: Told) -> Told:
    """What was read from the quoted words is told in their place, where it is the answer."""
    held = held_behind(asking.parts, asking.turn, found)
    told = tuple(told_plainly(f, held, asking.asks, asking.question, asking.policy, asking.moment) for f in found)
    told = tuple(_in_their_words(f, asking) if _says_nothing_new(f, asking) else f for f in told)
    return in_full(asking.parts, asking.turn, told, asking.question)


def _says_nothing_new(found: Finding, asking: Asking) -> bool:
    """Asked which medicine, "a medicine" is no answer; whether there is one is answered by it."""
    value = terms_held(bare_value(found.value).replace("_", " "), asking.policy)
    said = terms_held(asking.question, asking.policy)
    of_a_kind = kinds_asked(asking.question, asking.turn.read.language, asking.policy)
    if found.source != "memory" or found.past or found.day or of_a_kind or found.attribute in BARE_NAMES:
        return False  # a name is told with who bears it
    return bool(value) and value <= said and not _asks_whether(asking)


def _in_their_words(found: Finding, asking: Asking) -> Finding:
    """The message it was read from, where that tells more than was read."""
    mine = next((m for m in asking.records if m.memory_id == found.id), None)
    if mine is None or not mine.statement or not mine.source_message_ids:
        return found
    more = len(mine.statement) > len(bare_value(mine.memory_value)) + _MORE
    return replace(found, told=mine.statement, source="turn", id=mine.source_message_ids[-1]) if more else found


def with_what_it_leans_on(asking: Asking, found: Told) -> Told:
    """ "She's 91" is told with the words before it."""
    if all(f.source != "turn" for f in found):
        return found
    heard = asking.heard if asking.weighs or asking.introduced else ()
    return tuple(with_lead(asking.parts, asking.turn, f, heard) for f in found)


# In this order: what is told, whether it holds, how it is told.
STEPS: tuple[Step, ...] = (
    plainly,
    in_the_words_that_ended_it,
    as_said_since,
    with_own_words,
    of_the_thing_named,
    of_what_is_eaten,
    not_undone,
    told_since,
    beside_what_came_before,
    of_the_dead,
    nothing_forgotten,
    without_what_it_replaced,
    as_it_stands_now,
    in_plain_words,
    ended_it,
    with_what_it_leans_on,
    with_what_came_since,
)


def settled(asking: Asking, found: Told) -> Told:
    """What is left of it to tell."""
    for step in STEPS:
        found = step(asking, found)
    return found
