"""Plain statements about oneself, read without any learned weight, by the shapes of each language's pack.

Each shape opens a sentence and has the user or one of theirs as its subject.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.language.packs import packs
from clew.kernel.language.telling import Telling
from clew.kernel.statements.features import Mention
from clew.kernel.statements.values import trimmed
from clew.model.utterance import Act, Sentence, Statement, Status
from clew.policy.reader import ReaderPolicy


def plain_statements(
    text: str, language: str, sentences: Sequence[Sentence], found: Sequence[Mention], policy: ReaderPolicy
) -> list[Statement]:
    """One statement for each shape that a stating sentence has."""
    out: list[Statement] = []
    for sentence in sentences:
        if sentence.act is not Act.STATEMENT or sentence.negated or sentence.text.rstrip().endswith(("?", "？")):
            continue
        # In one order, whichever language is asked first elsewhere.
        for telling in (row for p in sorted(packs(), key=lambda p: p.code) for row in p.tellings(sentence.text)):
            for m in telling.shape.finditer(sentence.text):
                made = _made(telling, m, text, sentence, found, policy)
                if made and not any(made.start < s.end and s.start < made.end for s in out):
                    out.append(made)
    return sorted(out, key=lambda s: s.start)


def _made(
    telling: Telling, m: re.Match[str], text: str, sentence: Sentence, found: Sequence[Mention], policy: ReaderPolicy
) -> Statement | None:
    subject = "self"
    if "who" in m.re.groupindex:
        at = sentence.start + m.start("who"), sentence.start + m.end("who")
        known = [x.subject for x in found if x.start < at[1] and at[0] < x.end]
        if not known:
            return None
        subject = known[-1]
    start, end = sentence.start + m.start("value"), sentence.start + m.end("value")
    start, end = trimmed(text, start, end, (), telling.attribute in policy.phrases, policy)
    if start >= end or text[start:end].lower() in policy.no_values:
        return None
    return Statement(
        subject, telling.attribute, text[start:end], sentence.text, start, end, telling.stance, Status.IS
    )
