"""What a draft claims, promises and does to the one who reads it (rulings S1, S9, general ruling 6).

Plain shapes decide first, sentence by sentence (kernel/gate/plainly.py); one learned reading of the whole draft beside
the message it answers adds what no list knows (kernel/gate/judging.py), and where it is sure of a good reply, what only
points to a wrong gives way to it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from clew.kernel.gate.claims import claims
from clew.kernel.gate.contradictions import contradicted
from clew.kernel.gate.feelings import feelings
from clew.kernel.gate.grounded import held_in, held_words, new_in, shape
from clew.kernel.gate.judging import Draft, Judged, judge, numbers
from clew.kernel.gate.manner import manner
from clew.kernel.gate.network import odds
from clew.kernel.gate.plainly import (
    HOSTILE,
    IDENTITY,
    MEMORY,
    PROMISE,
    any_of,
    held_by,
    in_sentence,
    kept,
    plainly_wrong,
    promises,
    shapes_of,
    without,
)
from clew.kernel.text.passage import Passage, passage
from clew.model.plan import Frame, Violation
from clew.model.turn import Pipeline
from clew.policy import Policy
from clew.policy.gate import GateWords

LEAK = "SAFETY_SYSTEM_LEAK"
_MEMORY, _IDENTITY, _PROMISE = "false_memory", "false_identity", "empty_promise"
_LEAK = "prompt_leak"
_COLD, _CRUEL = "cold", "cruel"
# What the learned reading names, and the code that it becomes.
CODES = {
    _MEMORY: MEMORY, _IDENTITY: IDENTITY, _PROMISE: PROMISE, "cold": HOSTILE, "cruel": HOSTILE, _LEAK: LEAK,
}  # fmt: skip


def wrongs(draft: Passage, frame: Frame, policy: Policy) -> list[Violation]:
    """Each code once, with the sentence that shows it."""
    words = policy.gate.languages.get(frame.language)
    if frame.kind != "reply" or words is None:
        return []
    held = held_by(frame, policy)
    plain = plainly_wrong(draft, frame, policy)
    good = any(one.sign for one in plain.values()) and _surely_good(draft, held, frame, words, policy)
    kept = not good and PROMISE in plain and plain[PROMISE].sign and _no_promise(draft, held, frame, words, policy)
    out = {code: one.sentence for code, one in plain.items() if not (one.sign and (good or (kept and code == PROMISE)))}
    if not frame.reviewed:
        for text, judged in _judged(draft, held, frame, words, policy):
            code = CODES[judged.name]
            if code not in out:
                out[code] = _worst(passage(text, policy), judged.name, held, frame, words, policy)
    return [
        Violation(code, said[:120], contradicted(said, frame, policy) if code == MEMORY else "")
        for code, said in out.items()
    ]


def wrong_sentence(sentence: str, code: str, reply_detail: str, frame: Frame, policy: Policy) -> bool:
    """Whether leaving this sentence out answers the violation."""
    if sentence[:120] == reply_detail:
        return True
    words = policy.gate.languages.get(frame.language)
    if words is None:
        return False
    return any(one.code == code for one in in_sentence(sentence, held_by(frame, policy), frame, words, policy))


def runs(draft: Passage, policy: Policy) -> tuple[str, ...]:
    """The draft and, where it is long, what is judged on its own: a wrong sentence is lost among many good ones."""
    size = policy.gate.drafts.run
    parts = draft.sentences
    if len(parts) <= size:
        return (draft.text,)
    return (draft.text, *(" ".join(parts[i : i + size]) for i in range(0, len(parts), size)))


def _surely_good(draft: Passage, held: frozenset[str], frame: Frame, words: GateWords, policy: Policy) -> bool:
    """With its vector, the learned reading finds next to nothing wrong.

    What is left of a wrong draft is doubted; after danger, harm or grave news nothing gives way.
    """
    if frame.reviewed or frame.doubted or frame.grave or frame.vectors.get(draft.text) is None:
        return False
    judged = _read(draft, held, frame, words, policy)
    return judged is not None and judged.odds < words.marks["good"]


def _no_promise(draft: Passage, held: frozenset[str], frame: Frame, words: GateWords, policy: Policy) -> bool:
    """Of promises alone, with its vector, the learned reading finds next to nothing: "I'll" may begin anything."""
    if frame.reviewed or frame.doubted or frame.vectors.get(draft.text) is None:
        return False
    judged = _read(draft, held, frame, words, policy, barred=tuple(name for name in CODES if name != _PROMISE))
    return judged is not None and judged.odds < words.marks["no_promise"]


def _judged(
    draft: Passage, held: frozenset[str], frame: Frame, words: GateWords, policy: Policy
) -> list[tuple[str, Judged]]:
    """The verdict of the learned reader: it may hold back the whole draft or a run of its sentences."""
    marks = words.marks
    found: list[tuple[str, Judged]] = []
    # Who takes part in one sentence may inform or advise in the next: that is no coldness.
    warm = any_of(shapes_of(words)["warm"], draft.text)
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
    shapes, text = shapes_of(words), said.text
    parts = said.sentences or (text,)
    out = set(barred)
    of_the_world = frame.pipeline is Pipeline.INFO_QA and not frame.caring
    if frame.known is None or not claims(said, held, frame.language, policy):
        out.add(_MEMORY)
    if of_the_world and shapes["addressing"] and not any_of(shapes["addressing"], text):
        # What tells of the world alone tells nothing of the user.
        out.add(_MEMORY)
    if of_the_world and shapes["speaking"] and not any_of(shapes["speaking"], text):
        out.add(_IDENTITY)
    claimed = without(shapes["denied"], text)
    if any_of(shapes["warm"], text) and not any(any_of(shapes[name], claimed) for name in ("hostile", "cold")):
        # Who takes part is not cold. A warm word does not make good a cruel one beside it.
        out.add(_COLD)
    warns = any_of(shapes["risky"], frame.user_text) and any_of(shapes["warning"], text)
    if warns and not any_of(shapes["hostile"], claimed):
        # Who holds back from a danger may be short about it.
        out.update((_COLD, _CRUEL))
    marked = shape(text, held, frame.language, policy)
    if not new_in(marked) and held_in(marked) >= policy.gate.drafts.known:
        # Contempt needs words of its own.
        out.update((_COLD, _CRUEL))
    if any_of(shapes["honest"], text):
        out.add(_IDENTITY)
    promising = [p for p in parts if promises(p, shapes, frame)] or parts
    if all(kept(p, frame, shapes) for p in promising):
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


def _worst(said: Passage, name: str, held: frozenset[str], frame: Frame, words: GateWords, policy: Policy) -> str:
    """The sentence that reads most like what was found, by its words; the first where they read alike."""
    parts = said.sentences or (said.text,)
    if len(parts) == 1:
        return parts[0]

    def odds_of(part: str) -> tuple[bool, float]:
        judged = _read(passage(part, policy), held, frame, words, policy, alone=True)
        return (judged is not None and CODES[judged.name] == CODES[name], judged.odds if judged else 0.0)

    return max(parts, key=odds_of)
