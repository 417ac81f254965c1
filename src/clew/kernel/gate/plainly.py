"""What plain shapes find in a draft, sentence by sentence (rulings S1, S9).

A shape that says it outright decides by itself. What only points to a wrong (a past or a name that nobody told, any "I
will") is a sign: it gives way where the learned reading is sure of a good reply (kernel/gate/drafts.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.gate.claims import brought, made_up, playing, recalled, strangers
from clew.kernel.gate.contradictions import contradicted
from clew.kernel.gate.coverage import uncovered, unheld
from clew.kernel.gate.grounded import held_words
from clew.kernel.gate.tastes import against_taste
from clew.kernel.gate.untold_past import untold_past
from clew.kernel.text.passage import Passage, passage
from clew.model.memory import EventKind
from clew.model.plan import Frame
from clew.pattern_table import PatternTable
from clew.policy import Policy
from clew.policy.gate import GateWords
from clew.policy.rows import Shape

MEMORY, IDENTITY, PROMISE = "FALSE_MEMORY", "FALSE_IDENTITY", "EMPTY_PROMISE"
HOSTILE = "SAFETY_HOSTILE"
# Among the events: a reminder of this user is set, and a job will keep it.
REMINDER = "reminder"
# What takes something out of memory.
_ERASING = frozenset((EventKind.INVALIDATED, EventKind.SUPPRESSED))
_QUOTED = re.compile(r"[\"“][^\"”]{2,}[\"”]|(?<!\w)['‘](?:[^'’\n]|(?<=\w)['’](?=\w)){8,}['’](?!\w)")
Shapes = Mapping[str, PatternTable]


@dataclass(frozen=True, slots=True)
class Breach:
    """A code, the sentence that shows it, and whether that only points to it."""

    code: str
    sentence: str
    sign: bool = False


def plainly_wrong(draft: Passage, frame: Frame, policy: Policy) -> dict[str, Breach]:
    """Each code with the first sentence that says it outright, else with the first that points to it."""
    words, held = policy.gate.languages[frame.language], held_by(frame, policy)
    bare = unquoted(draft)
    parts = passage(bare, policy).sentences if any(c.isalnum() for c in bare) else ()
    found = [one for part in parts for one in in_sentence(part, held, frame, words, policy)]
    if not any(one.code == HOSTILE for one in found) and (
        _brushes_off(draft, frame, words) or _cheers_on(draft, frame, words)
    ):
        found.append(Breach(HOSTILE, draft.text))
    out: dict[str, Breach] = {}
    for one in sorted(found, key=lambda one: one.sign):
        out.setdefault(one.code, one)
    return out


def unquoted(draft: Passage) -> str:
    """Words that the user may send to somebody else are no words of the friend's."""
    return _QUOTED.sub(" ", draft.text)


def held_by(frame: Frame, policy: Policy) -> frozenset[str]:
    """Stems of all that may be spoken of; what the friend itself said lately may be taken up again."""
    return held_words((*(frame.known or ()), frame.user_text, *frame.previous, *frame.recent_replies[-2:]), policy)


def in_sentence(part: str, held: frozenset[str], frame: Frame, words: GateWords, policy: Policy) -> list[Breach]:
    shapes = shapes_of(words)
    found = _untrue(part, held, frame, shapes, policy)
    if any_of(shapes["identity"], part) and not any_of(shapes["honest"], part):
        found.append(Breach(IDENTITY, part))
    if (any_of(shapes["erased"], part) and _ERASING.isdisjoint(frame.events) and not frame.reviewed) or (
        any_of(shapes["promise"], part) and not kept(part, frame, shapes)
    ):
        found.append(Breach(PROMISE, part))
    elif promises(part, shapes, frame) and not kept(part, frame, shapes):
        found.append(Breach(PROMISE, part, sign=True))
    claimed = without(shapes["denied"], part)
    if any_of(shapes["hostile"], claimed):
        found.append(Breach(HOSTILE, part))
    elif _urges(claimed, frame, shapes, words) or (_hears_pain(frame, shapes) and any_of(shapes["cold"], claimed)):
        found.append(Breach(HOSTILE, part, sign=True))
    return found


def _urges(part: str, frame: Frame, shapes: Shapes, words: GateWords) -> bool:
    """Toward harm, in earnest."""
    return any_of(shapes["urging"], part) and not playing((frame.user_text, *frame.previous), words)


def _untrue(part: str, held: frozenset[str], frame: Frame, shapes: Shapes, policy: Policy) -> list[Breach]:
    """A claim of the user's life that nothing holds."""
    if frame.known is None:
        return []
    if any_of(shapes["memory"], part) and unheld(without(shapes["memory"], part), held, frame, policy) >= 1:
        return [Breach(MEMORY, part)]
    if frame.reviewed or any_of(shapes["honest"], part):
        return []
    asked, language = passage(frame.user_text, policy), frame.language
    if made_up(part, asked, held, language, policy) or contradicted(part, frame, policy) != "":
        return [Breach(MEMORY, part)]
    if against_taste(part, frame, policy):
        return [Breach(MEMORY, part)]
    told = (
        recalled(part, held, language, policy)
        or brought(part, asked, frame.previous, held, language, policy)
        or strangers(part, asked, frame.previous, held, language, policy)
        or untold_past(part, frame, policy)
        or uncovered(part, held, frame, policy)
    )
    return [Breach(MEMORY, part, sign=True)] if told else []


def _hears_pain(frame: Frame, shapes: Shapes) -> bool:
    """Someone hurting who did not ask for another subject. Reviewed sentences were read for this by people."""
    return frame.caring and not frame.reviewed and not any_of(shapes["diverted"], frame.user_text)


def _brushes_off(draft: Passage, frame: Frame, words: GateWords) -> bool:
    """A reply brushes off someone hurting: a curt word without sympathy, or "okay" and a question on something else."""
    shapes = shapes_of(words)
    if not _hears_pain(frame, shapes) or any(any_of(shapes[name], draft.text) for name in ("warm", "opens")):
        return False
    curt = len(draft.read.no_punct.split()) <= words.curt and not any_of(shapes["asks"], draft.text)
    return curt or any_of(shapes["turns"], draft.text)


def _cheers_on(draft: Passage, frame: Frame, words: GateWords) -> bool:
    """To drive drunk, to leave off a medicine, to starve, to take revenge: approved of, without a word of warning."""
    shapes = shapes_of(words)
    if not any_of(shapes["risky"], frame.user_text) or frame.reviewed or any_of(shapes["warning"], draft.text):
        return False
    return any_of(shapes["cheering"], draft.text) and not playing((frame.user_text, *frame.previous), words)


def promises(part: str, shapes: Shapes, frame: Frame) -> bool:
    """Reviewed sentences say what the engine does: they are not asked about every "I'll"."""
    return any_of(shapes["promise"], part) or (not frame.reviewed and any_of(shapes["commits"], part))


def kept(part: str, frame: Frame, shapes: Shapes) -> bool:
    """A promise to listen or to explain is kept by saying it, unless it reaches beyond this chat or goes with a deed;
    one to remember, by what this turn stores; one to remind, by a reminder that is set."""
    if any_of(shapes["unable"], part):
        return True
    if REMINDER in frame.events and any_of(shapes["reminding"], part):
        return True
    if any(e != REMINDER for e in frame.events) and any_of(shapes["remembering"], part):
        return True
    return (
        any_of(shapes["kept"], part)
        and not any_of(shapes["lasting"], part)
        and not any_of(shapes["promise"], part)
    )


def any_of(shapes: PatternTable, part: str) -> bool:
    return shapes.any(part)


def without(shapes: PatternTable, part: str) -> str:
    for denied in shapes:
        part = denied.sub(" ", part)
    return part


@lru_cache(maxsize=8)
def shapes_of(words: GateWords) -> Shapes:
    rows = {
        "memory": words.memory, "identity": words.identity, "honest": words.honest, "promise": words.promise,
        "kept": words.kept, "hostile": words.hostile, "remembering": words.remembering,
        "reminding": words.reminding, "warm": words.warm, "commits": words.commits, "lasting": words.lasting,
        "unable": words.unable, "cold": words.cold, "diverted": words.diverted, "erased": words.erased,
        "turns": words.turns, "denied": words.denied,
        "opens": _row(words, "opens"), "asks": _row(words, "asks"),
        "addressing": words.addressing, "speaking": words.speaking, "urging": words.urging,
        "risky": words.risky, "cheering": words.cheering, "warning": words.warning,
    }  # fmt: skip
    return {name: PatternTable([s.pattern for s in row.values()]) for name, row in rows.items()}


def _row(words: GateWords, name: str) -> Mapping[str, Shape]:
    return {name: words.manner[name]} if name in words.manner else {}
