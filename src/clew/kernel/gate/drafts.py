"""What a draft claims, promises and does to the one who reads it (rulings S1, S9, general ruling 6).

Plain shapes decide first, sentence by sentence; one learned reading of the whole draft beside the message it answers
adds what no list knows (kernel/gate/judging.py).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from clew.kernel.gate.claims import brought, claims, made_up, recalled, strangers
from clew.kernel.gate.contradictions import contradicted
from clew.kernel.gate.feelings import feelings
from clew.kernel.gate.grounded import held_in, held_words, new_in, shape
from clew.kernel.gate.judging import Draft, Judged, judge, numbers
from clew.kernel.gate.manner import manner
from clew.kernel.gate.network import odds
from clew.kernel.gate.untold_past import untold_past
from clew.kernel.text.passage import Passage, passage
from clew.model.memory import EventKind
from clew.model.plan import Frame, Violation
from clew.pattern_table import PatternGroups
from clew.policy import Policy
from clew.policy.gate import GateWords
from clew.policy.rows import Shape

MEMORY, IDENTITY, PROMISE = "FALSE_MEMORY", "FALSE_IDENTITY", "EMPTY_PROMISE"
HOSTILE, LEAK = "SAFETY_HOSTILE", "SAFETY_SYSTEM_LEAK"
# Among the events: a reminder of this user is set, and a job will keep it.
REMINDER = "reminder"
_MEMORY, _IDENTITY, _PROMISE = "false_memory", "false_identity", "empty_promise"
_LEAK = "prompt_leak"
_COLD, _CRUEL = "cold", "cruel"
# What takes something out of memory.
_ERASING = frozenset((EventKind.INVALIDATED, EventKind.SUPPRESSED))
# What the learned reading names, and the code that it becomes.
CODES = {
    _MEMORY: MEMORY, _IDENTITY: IDENTITY, _PROMISE: PROMISE, "cold": HOSTILE, "cruel": HOSTILE, _LEAK: LEAK,
}  # fmt: skip
_QUOTED = re.compile(r"[\"“][^\"”]{2,}[\"”]|(?<!\w)['‘](?:[^'’\n]|(?<=\w)['’](?=\w)){8,}['’](?!\w)")
_Shapes = PatternGroups


def wrongs(draft: Passage, frame: Frame, policy: Policy) -> list[Violation]:
    """Each code once, with the sentence that shows it."""
    words = policy.gate.languages.get(frame.language)
    if frame.kind != "reply" or words is None:
        return []
    held = _held(frame, policy)
    out = plainly_wrong(draft, frame, policy)
    if not frame.reviewed:
        for text, judged in _judged(draft, held, frame, words, policy):
            code = CODES[judged.name]
            if code not in out:
                out[code] = _worst(passage(text, policy), judged.name, held, frame, words, policy)
    return [
        Violation(code, said[:120], contradicted(said, frame, policy) if code == MEMORY else "")
        for code, said in out.items()
    ]


def plainly_wrong(draft: Passage, frame: Frame, policy: Policy) -> dict[str, str]:
    """What plain shapes find, sentence by sentence: each code with the first sentence that shows it."""
    words, held = policy.gate.languages[frame.language], _held(frame, policy)
    # Words that the user may send to somebody else are no words of the friend's.
    bare = _QUOTED.sub(" ", draft.text)
    parts = passage(bare, policy).sentences if any(c.isalnum() for c in bare) else ()
    out: dict[str, str] = {}
    for part in parts:
        for code in _plain(part, held, frame, words, policy):
            out.setdefault(code, part)
    if HOSTILE not in out and _acknowledged(draft, frame, words):
        out[HOSTILE] = draft.text
    return out


def wrong_sentence(sentence: str, code: str, reply_detail: str, frame: Frame, policy: Policy) -> bool:
    """Whether leaving this sentence out answers the violation."""
    if sentence[:120] == reply_detail:
        return True
    words = policy.gate.languages.get(frame.language)
    return words is not None and code in _plain(sentence, _held(frame, policy), frame, words, policy)


def runs(draft: Passage, policy: Policy) -> tuple[str, ...]:
    """The draft and, where it is long, what is judged on its own: a wrong sentence is lost among many good ones."""
    size = policy.gate.drafts.run
    parts = draft.sentences
    if len(parts) <= size:
        return (draft.text,)
    return (draft.text, *(" ".join(parts[i : i + size]) for i in range(0, len(parts), size)))


def _held(frame: Frame, policy: Policy) -> frozenset[str]:
    """Stems of all that may be spoken of; what the friend itself said lately may be taken up again."""
    return held_words((*(frame.known or ()), frame.user_text, *frame.previous, *frame.recent_replies[-2:]), policy)


def _plain(part: str, held: frozenset[str], frame: Frame, words: GateWords, policy: Policy) -> list[str]:
    shapes = _shapes(words)
    found: list[str] = []
    if (
        frame.known is not None
        and shapes.any("memory", part)
        and new_in(shape(part, held, frame.language, policy)) >= 1
    ):
        found.append(MEMORY)
    elif frame.known is not None and not frame.reviewed:
        asked = passage(frame.user_text, policy)
        told = (
            recalled(part, held, frame.language, policy)
            or made_up(part, asked, held, frame.language, policy)
            or brought(part, asked, frame.previous, held, frame.language, policy)
            or strangers(part, asked, frame.previous, held, frame.language, policy)
            or untold_past(part, frame, policy)
            or contradicted(part, frame, policy) != ""
        )
        if told and not shapes.any("honest", part):
            found.append(MEMORY)
    if shapes.any("identity", part) and not shapes.any("honest", part):
        found.append(IDENTITY)
    empty = _promises(part, shapes, frame) and not _kept(part, frame, shapes)
    if empty or (shapes.any("erased", part) and _ERASING.isdisjoint(frame.events) and not frame.reviewed):
        found.append(PROMISE)
    claimed = _without(shapes["denied"], part)
    if shapes.any("hostile", claimed) or (_hears_pain(frame, shapes) and shapes.any("cold", claimed)):
        found.append(HOSTILE)
    return found


def _hears_pain(frame: Frame, shapes: _Shapes) -> bool:
    """Someone hurting who did not ask for another subject. Reviewed sentences were read for this by people."""
    return frame.caring and not frame.reviewed and not shapes.any("diverted", frame.user_text)


def _acknowledged(draft: Passage, frame: Frame, words: GateWords) -> bool:
    """A reply brushes off someone hurting: a curt word without sympathy, or "okay" and a question on something else."""
    shapes = _shapes(words)
    if not _hears_pain(frame, shapes) or (shapes.any("warm", draft.text) or shapes.any("opens", draft.text)):
        return False
    curt = len(draft.read.no_punct.split()) <= words.curt and not shapes.any("asks", draft.text)
    return curt or shapes.any("turns", draft.text)


def _judged(
    draft: Passage, held: frozenset[str], frame: Frame, words: GateWords, policy: Policy
) -> list[tuple[str, Judged]]:
    """The verdict of the learned reader: it may hold back the whole draft or a run of its sentences."""
    marks = words.marks
    found: list[tuple[str, Judged]] = []
    # Who takes part in one sentence may inform or advise in the next: that is no coldness.
    warm = _shapes(words).any("warm", draft.text)
    for text in runs(draft, policy):
        said = passage(text, policy)
        judged = _read(said, held, frame, words, policy, barred=(_COLD,) if warm and text is not draft.text else ())
        if judged is None:
            return []
        mark = marks["care" if frame.caring else "draft"] + (marks["run"] if text is not draft.text else 0.0)
        mark -= marks["doubted"] if frame.doubted else 0.0
        if frame.vectors.get(text) is None:
            mark += marks["alone"]
        if judged.odds >= mark:
            found.append((text, judged))
        elif frame.grave and not warm and (cold := _hostile(said, held, frame, words, policy)) is not None:
            found.append((text, cold))
    return found


def _hostile(said: Passage, held: frozenset[str], frame: Frame, words: GateWords, policy: Policy) -> Judged | None:
    """After danger, harm or grave news, coldness alone is asked about, and far less of it is enough."""
    judged = _read(said, held, frame, words, policy, barred=(_MEMORY, _IDENTITY, _PROMISE, _LEAK))
    mark = words.marks["grave"] + (words.marks["alone"] if frame.vectors.get(said.text) is None else 0.0)
    return judged if judged is not None and judged.odds >= mark else None


def _read(
    said: Passage,
    held: frozenset[str],
    frame: Frame,
    words: GateWords,
    policy: Policy,
    *,
    alone: bool = False,
    barred: Collection[str] = (),
) -> Judged | None:
    shapes, text = _shapes(words), said.text
    parts = said.sentences or (text,)
    out = set(barred)
    if frame.known is None or not claims(said, held, frame.language, policy):
        out.add(_MEMORY)
    claimed = _without(shapes["denied"], text)
    if shapes.any("warm", text) and not (shapes.any("hostile", claimed) or shapes.any("cold", claimed)):
        # Who takes part is not cold. A warm word does not make good a cruel one beside it.
        out.add(_COLD)
    marked = shape(text, held, frame.language, policy)
    if not new_in(marked) and held_in(marked) >= policy.gate.drafts.known:
        # Contempt needs words of its own.
        out.update((_COLD, _CRUEL))
    if shapes.any("honest", text):
        out.add(_IDENTITY)
    promising = [p for p in parts if _promises(p, shapes, frame)] or parts
    if all(_kept(p, frame, shapes) for p in promising):
        out.add(_PROMISE)
    ones = () if alone or len(parts) < 2 else tuple(_draft(passage(p, policy), held, frame, policy) for p in parts)
    draft = replace(_draft(said, held, frame, policy, alone=alone), parts=ones)
    return judge(draft if alone else _beside(draft, frame, words, policy), policy.gate.drafts, out)


def _beside(draft: Draft, frame: Frame, words: GateWords, policy: Policy) -> Draft:
    """With what the network of drafts makes of it beside what is known, where there is an encoder."""
    if frame.tokens is None or frame.known is None or draft.vector is None or draft.asked is None:
        return draft
    known, gists = (*frame.known, *frame.previous), (draft.vector, draft.asked)
    said = odds(draft.text, known, frame.user_text, numbers(draft), gists, frame.tokens, policy.gate.network)
    return replace(draft, network=said, share=words.marks.get("network", 0.0))


def _draft(said: Passage, held: frozenset[str], frame: Frame, policy: Policy, *, alone: bool = False) -> Draft:
    marked = tuple(shape(said.text, held, frame.language, policy))
    vector = None if alone else frame.vectors.get(said.text)
    asked = None if alone else frame.vectors.get(frame.user_text)
    return Draft(
        said.text,
        marked,
        new_in(marked),
        len(said.sentences or (said.text,)),
        vector,
        asked,
        frame.caring,
        frame.crisis,
        manner_of(said, passage(frame.user_text, policy), frame.language, policy),
        feelings(said.text, vector, frame.user_text, asked, policy),
    )


def manner_of(said: Passage, user: Passage, language: str, policy: Policy) -> tuple[float, ...]:
    taken = held_in(shape(said.text, held_words((user.text,), policy), language, policy))
    return manner(said, user, taken, policy.gate.languages[language], language, policy.gate.drafts.languages)


def _promises(part: str, shapes: _Shapes, frame: Frame) -> bool:
    """Reviewed sentences say what the engine does: they are not asked about every "I'll"."""
    return shapes.any("promise", part) or (not frame.reviewed and shapes.any("commits", part))


def _kept(part: str, frame: Frame, shapes: _Shapes) -> bool:
    """A promise to listen or to explain is kept by saying it, unless it reaches beyond this chat or goes with a deed;
    one to remember, by what this turn stores; one to remind, by a reminder that is set."""
    if shapes.any("unable", part):
        return True
    if REMINDER in frame.events and shapes.any("reminding", part):
        return True
    if any(e != REMINDER for e in frame.events) and shapes.any("remembering", part):
        return True
    return (
        shapes.any("kept", part) and not shapes.any("lasting", part) and not shapes.any("promise", part)
    )


def _worst(said: Passage, name: str, held: frozenset[str], frame: Frame, words: GateWords, policy: Policy) -> str:
    """The sentence that reads most like what was found, by its words; the first where they read alike."""
    parts = said.sentences or (said.text,)
    if len(parts) == 1:
        return parts[0]

    def odds_of(part: str) -> tuple[bool, float]:
        judged = _read(passage(part, policy), held, frame, words, policy, alone=True)
        return (judged is not None and CODES[judged.name] == CODES[name], judged.odds if judged else 0.0)

    return max(parts, key=odds_of)


def _without(shapes: Iterable[re.Pattern[str]], part: str) -> str:
    for denied in shapes:
        part = denied.sub(" ", part)
    return part


@lru_cache(maxsize=8)
def _shapes(words: GateWords) -> _Shapes:
    rows = {
        "memory": words.memory, "identity": words.identity, "honest": words.honest, "promise": words.promise,
        "kept": words.kept, "hostile": words.hostile, "remembering": words.remembering,
        "reminding": words.reminding, "warm": words.warm, "commits": words.commits, "lasting": words.lasting,
        "unable": words.unable, "cold": words.cold, "diverted": words.diverted, "erased": words.erased,
        "turns": words.turns, "denied": words.denied,
        "opens": _row(words, "opens"), "asks": _row(words, "asks"),
    }  # fmt: skip
    return PatternGroups({name: tuple(s.pattern for s in row.values()) for name, row in rows.items()})


def _row(words: GateWords, name: str) -> Mapping[str, Shape]:
    return {name: words.manner[name]} if name in words.manner else {}
