"""What the user has said since: their own words, undone by later ones, are not told as if they still held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from clew.engine.changing import read_news
from clew.engine.parts import Parts
from clew.engine.turn_state import Turn
from clew.engine.vectors import heads_fit, token_vectors_of, vector_of, vectors_of
from clew.kernel.keep.change_reader import Verdict, judge
from clew.kernel.keep.change_signs import Held, cosine
from clew.kernel.read.utterance import read
from clew.model.account import Message
from clew.model.memory import SELF
from clew.model.plan import Finding
from clew.model.utterance import Act


def without_overtaken(
    parts: Parts, turn: Turn, found: Sequence[Finding], chances: Mapping[str, float] | None = None
) -> tuple[Finding, ...]:
    """A quotation that a later message undoes gives way to that message; one that was denied falls silent.

    chances: how likely each message answers what was asked. What does not bear on the question undoes nothing of its
    answer, whatever it ends: "we broke up" is no news of the English course.
    """
    if not heads_fit(parts) or not any(f.source == "turn" and not f.past for f in found):
        return tuple(found)
    said = [m for m in turn.history if m.role == "user" and "?" not in m.text]
    out: dict[str, Finding] = {}
    for f in found:
        at = f.at
        least = (chances or {}).get(f.id, 0.0) * parts.policy.changes.bears_on
        later = [
            m
            for m in said
            if at is not None and m.at > at and m.message_id != f.id and (chances or {}).get(m.message_id, 0.0) >= least
        ]
        if f.source == "turn" and not f.past and later:
            f = _newest(parts, f, later)
        out.setdefault(f.id, f)
    return tuple(f for f in out.values() if f.told)


def _newest(parts: Parts, found: Finding, later: Sequence[Message]) -> Finding:
    table = parts.policy.changes
    made = vectors_of(parts, [found.told, *(m.text for m in later)])
    mine = made.get(found.told)
    near = sorted(later, key=lambda m: cosine(mine, made.get(m.text)), reverse=True)[: table.overtaken]
    tokens = token_vectors_of(parts, found.told)
    held = Held(found.told, SELF, "note", found.told, mine, mine, tokens)
    for message in sorted(near, key=lambda m: m.at, reverse=True):
        text = message.text
        heard = read(text, parts.policy, vector=vector_of(parts, text), tokens=token_vectors_of(parts, text))
        if all(s.act is not Act.STATEMENT for s in heard.sentences):
            continue
        judged = judge(message.message_id, held, read_news(parts, heard)[0], parts.policy)
        if judged is None or judged.undone < table.undone_at:
            continue
        told = "" if judged.undoing is Verdict.DENIES else text
        past = judged.undoing is Verdict.ENDS
        return replace(found, told=told, id=message.message_id, at=message.at, past=past)
    return found
