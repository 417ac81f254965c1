"""What was told since: a later message on the very thing that is asked for stands beside the answer, or in its place.

Who hears "I run a café" and later "sold the machine, the keys are back" tells both, or the last alone; which words
speak of the same thing is known from both readers: the one of answers and the one of change.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from clew.engine.asking import Asking
from clew.engine.changing import read_news
from clew.engine.overtaken import as_held, surest, undone_messages
from clew.engine.remembered import all_memories
from clew.engine.vectors import heads_fit, token_vectors_of, vector_of
from clew.kernel.correct.telling_words import told_words
from clew.kernel.keep.change_reader import Verdict, judge_all
from clew.kernel.keep.keys import row_of
from clew.kernel.read.change_words import says, says_change
from clew.kernel.read.utterance import read, stated_in
from clew.kernel.recall.answers import HISTORY, WHEN
from clew.kernel.recall.kinds_asked import kinds_asked, loses_kind
from clew.kernel.recall.narrowing import held as terms_held
from clew.model.account import Message
from clew.model.plan import MAYBE, Finding

Told = tuple[Finding, ...]


def with_what_came_since(asking: Asking, found: Told) -> Told:
    """The one thing found, with or without what the user said of it since."""
    words = asking.policy.checks.languages.get(asking.turn.read.language)
    if words is None or not words.asks_now:
        return found  # where a language has no words for now, the other steps decide
    if len(found) != 1 or found[0].past or not asking.weighs or not heads_fit(asking.parts):
        return found
    if any(a.attribute in (HISTORY, WHEN) for a in asking.asks):
        return found
    first = found[0]
    record = next((m for m in asking.records if m.memory_id == first.id), None)
    if record is not None and row_of(record.attribute, asking.policy).timeless:
        return found  # a name or a birthday is told alone
    sources = record.source_message_ids if record is not None else (first.id,)
    own = [m for m in asking.turn.history if m.role == "user" and m.message_id in sources]
    before = stated_in(own[-1].text, asking.turn.read.language, asking.policy) if own else ""
    later = _later(asking, {first.id, *sources}, own[-1].at, before) if before else []
    told = next((t for one in later if (t := _told(asking, first, before, *one))), None)
    return told or found


def _later(asking: Asking, told: set[str], since: datetime, words: str) -> list[tuple[Message, float, bool]]:
    """What the user said after it: first what names the same things, then by how likely it answers beside the found.

    Each with that share of its likelihood, and whether it names the same things.
    """
    turn, chances = asking.turn, asking.chances
    whole = max((chances.get(i, 0.0) for i in told), default=0.0)
    undone = undone_messages(asking.parts, turn)
    gone = {*told, *undone.hidden, *undone.by}
    said = [m for m in turn.history if m.role == "user" and m.at > since and m.message_id not in gone]
    said = [m for m in said if "?" not in m.text and not turn.gone.holds(m.text, m.at, m.message_id)]
    share = {m.message_id: chances.get(m.message_id, 0.0) / whole if whole else 0.0 for m in said}
    # Of what hardly answers only the last few are asked, and only where it is asked how things are now.
    table = asking.policy.changes
    few = table.since_looked if _asks_for_now(asking) else 0
    rest = [m.message_id for m in said if share[m.message_id] < table.bears_since]
    last = set(rest[-few:]) if few else set()
    named = told_words(f"{words} {asking.question}", asking.policy)
    found = [
        (m, share[m.message_id], bool(named & told_words(m.text, asking.policy)))
        for m in reversed(said)
        if share[m.message_id] >= table.bears_since or m.message_id in last
    ]
    return sorted(found, key=lambda one: (not one[2], -one[1]))


def _told(asking: Asking, first: Finding, before: str, later: Message, share: float, named: bool) -> Told:
    """The answer with what was said since, that alone, or nothing where it is no news of it."""
    policy, language, table = asking.policy, asking.turn.read.language, asking.policy.changes
    text = stated_in(later.text, language, policy)
    if not text or text in first.told:
        return ()
    parts = asking.parts
    heard = read(text, policy, vector=vector_of(parts, text), tokens=token_vectors_of(parts, text))
    judged = surest(judge_all(as_held(parts, before, vector_of(parts, before)), read_news(parts, heard)[0], policy))
    if judged is None or judged.undoing is Verdict.DENIES:
        return ()
    since = replace(first, told=text, source="turn", id=later.message_id, value=first.value or first.told, at=later.at)
    lacks = loses_kind(asking.question, f"{before} {first.told}", text, language, policy)
    now = _asks_for_now(asking)
    # Asked for one's job, what else was told of it is not asked for, and no errand takes its place.
    plainly = first.source == "memory" and first.attribute in policy.recall.answers_plainly and not now
    least = table.undone_apart_since if first.named == MAYBE else table.undone_since
    least = table.undone_surely if plainly and not says_change(text, policy) else least
    surely = judged.undone >= least and judged.undone > judged.of(Verdict.COEXISTS)
    if share >= table.bears_since and surely and not lacks:
        return (replace(since, past=judged.undoing is Verdict.ENDS),)
    if first.named == MAYBE or plainly:
        return ()
    if share < table.bears_since:
        return (first, since) if judged.undone >= (table.undone_apart_since if named else table.undone_surely) else ()
    # A mood or a sigh is no news; what was read from it, or what may have undone the answer, is.
    tells = judged.undone >= table.undone_a_little
    tells = tells or any(later.message_id in m.source_message_ids for m in all_memories(parts, asking.turn))
    still = now and (named or share >= table.bears_unnamed)
    return (first, since) if tells and not lacks and (still or _names_as_much(asking, before, text)) else ()


def _asks_for_now(asking: Asking) -> bool:
    """Whether it is so, or how it is now: the last word on it counts, whatever it names."""
    words = asking.policy.checks.languages.get(asking.turn.read.language)
    shape = words.question_kinds.get("whether") if words else None
    whether = shape is not None and re.search(shape.pattern, asking.question.strip(), re.I) is not None
    return whether or any(says(asking.question, kind, asking.policy) for kind in ("asks_if", "asks_now"))


def _names_as_much(asking: Asking, before: str, later: str) -> bool:
    """The other has every word of the question's that the one has: one exam is no news of another."""
    policy, language = asking.policy, asking.turn.read.language
    own = terms_held(asking.question, policy) & terms_held(before, policy)
    return bool(own) and not kinds_asked(asking.question, language, policy) and own <= terms_held(later, policy)
