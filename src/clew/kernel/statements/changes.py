"""A change told in a plain shape: a new place, a new value under its label, one thing swapped for another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.language.pack import HOUSE
from clew.kernel.statements.patterns import compiled
from clew.kernel.statements.people import Called
from clew.model.memory import SELF
from clew.model.utterance import Act, Sentence, Statement, Status
from clew.policy import Policy
from clew.policy.checks import CheckWords

# Where one lived before takes nothing from where one lives now.
_OVER = (Status.ENDED, Status.PAST)


def changes_told(
    text: str,
    sentences: Sequence[Sentence],
    kept: Sequence[Statement],
    words: CheckWords,
    called: Sequence[Called],
    policy: Policy,
) -> list[Statement]:
    """What was read, with what the shapes tell in place of what they know better."""
    shaped = [t for t in _told(text, sentences, words, called, policy) if not any(_of_another(s, t) for s in kept)]
    rest = [s for s in kept if not any(_same(s, t) for t in shaped)]
    return _swapped(text, [*rest, *shaped], words)


def _told(
    text: str, sentences: Sequence[Sentence], words: CheckWords, called: Sequence[Called], policy: Policy
) -> list[Statement]:
    """What a plain shape tells, whatever a reader took it for: "we're in Porto now", "new goal: a half marathon"."""
    out: list[Statement] = []
    for sentence in sentences:
        if sentence.act is not Act.STATEMENT:
            continue
        named = tuple(words.told)
        hits = [(named[place], m) for place, m in compiled(tuple(words.told.values())).matches(sentence.text)]
        for _, match in compiled(tuple(words.labelled.values())).matches(sentence.text):
            if row := _by_label(match["label"], policy):
                hits.append((row, match))
        for attribute, match in hits:
            whose = [c for c in called if sentence.start <= c.start < sentence.start + match.start("value")]
            subject, name = (whose[-1].subject, whose[-1].name) if whose else (SELF, None)
            start, value = sentence.start + match.start("value"), match["value"]
            end = start + len(value)
            out.append(Statement(subject, attribute, value, sentence.text, start, end, name=name))
    return out


def _by_label(label: str, policy: Policy) -> str | None:
    table = policy.attributes.languages[HOUSE].asked
    return next((a for a in policy.checks.labelled if label.strip().lower() in table.get(a, ())), None)


def _same(held: Statement, shaped: Statement) -> bool:
    """The shape knows better what the same words, or the same side of the same life, tell."""
    if held.subject != shaped.subject or held.sentence != shaped.sentence or held.status in _OVER:
        return False
    if held.name and shaped.name and held.name != shaped.name:
        return False
    return held.attribute == shaped.attribute or (held.start < shaped.end and shaped.start < held.end)


def _of_another(held: Statement, shaped: Statement) -> bool:
    """The same words were read as told of somebody else by name: "and Rory just turned 6" says nothing of Callum."""
    same = held.attribute == shaped.attribute and held.start < shaped.end and shaped.start < held.end
    return same and bool(held.name) and (held.subject, held.name) != (shaped.subject, shaped.name)


def _swapped(text: str, kept: Sequence[Statement], words: CheckWords) -> list[Statement]:
    """ "Swapped the Nokia for a Samsung": the one is over, the other is what it was."""
    out = list(kept)
    for _, match in compiled(tuple(words.swap.values())).matches(text):
        olds = [s for s in out if s.start < match.end("old") and s.end > match.start("old")]
        news = [s for s in out if s.start < match.end("new") and s.end > match.start("new")]
        out = [s for s in out if s not in olds]
        if olds and not news:
            start, end = match.span("new")
            out.append(replace(olds[0], value=match["new"], start=start, end=end, status=Status.IS))
    return out
