"""How likely a proposed statement is right: small learned trees over what the tagger saw and how the value stands.

The tagger finds words that could be told; here each finding is looked at again beside the others of its message, with
who speaks, who is spoken of and what stands before and behind the value (weights are policy). What the rules dropped or
changed is looked at too: where it is much likelier than what the rules made of it, it comes back.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from clew.kernel.language.packs import language_of
from clew.kernel.read.trees import UNIT, Trees
from clew.kernel.statements.features import Mention, mentions
from clew.model.memory import SELF
from clew.model.utterance import Act, Evidence, Sentence, Statement, Status
from clew.policy import Policy
from clew.policy.reader import ReaderPolicy, weights

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ACTS, _STATUSES = tuple(Act), tuple(Status)
_STANCES = ("like", "dislike")
_READ_BY_RULE = Evidence(1.0, 1.0, 1.0, 0.0, 1.0)
_FAR = 200
_OWN_NAMES = ("name", "called")


class Beliefs(Trees):
    """The trees, and the words that they know: attributes, and what stands before and behind a value."""

    def __init__(self, arrays: Any) -> None:
        super().__init__(arrays)
        self.attributes = tuple(arrays["attributes"].tolist())
        self.before, self.behind = tuple(arrays["before"].tolist()), tuple(arrays["behind"].tolist())


def believed(
    text: str,
    sentences: Sequence[Sentence],
    told: Sequence[Statement],
    policy: Policy,
    proposed: Sequence[Statement] = (),
) -> tuple[Statement, ...]:
    """Those likely enough; what a plain shape told stays.

    proposed: what the tagger found before any rule looked at it.
    """
    trees = _trees(policy.reader.belief, policy.reader.belief_sha256)
    lost = dropped(told, proposed) if trees is not None else ()
    others = tuple(s for s in lost if _may_return(s, told, policy))
    if trees is None or not (told or others):
        return tuple(told)
    seen = features(text, sentences, (*told, *others), policy, trees, len(told))
    chances = dict(zip((*told, *others), trees.chances(seen), strict=True))
    bare = frozenset(s for s in (*told, *others) if s.evidence is not None and not borne_out(s, policy))
    return settled(told, others, chances, policy.reader, bare)


def settled(
    told: Sequence[Statement],
    others: Sequence[Statement],
    chances: Mapping[Statement, float],
    policy: ReaderPolicy,
    bare: Collection[Statement] = (),
) -> tuple[Statement, ...]:
    """What stays of `told`, and what comes back of `others`: likelier than its mark and than whatever stands there.

    bare: what no word of its sentence bears out; it needs as much as what comes back.
    """
    marks = {s: policy.restored_at if s in bare else policy.believed_at for s in told}
    kept = [s for s in told if s.evidence is None or chances[s] >= marks[s]]
    # Where nothing else is told, more is needed: the message may tell nothing at all.
    restored_at = policy.restored_at if kept else policy.restored_alone_at
    for other in sorted(others, key=lambda s: (-chances[s], s.start)):
        there = [s for s in kept if overlapping(s, other)]
        weaker = all(s.evidence is not None and chances[s] < chances[other] for s in there)
        if chances[other] >= restored_at and weaker:
            kept = [*(s for s in kept if s not in there), other]
    # Whoever something is believed of by name has that name.
    named = {(s.subject, s.name) for s in kept if s.name and s.attribute != "name"}
    names = [s for s in told if s.attribute == "name" and (s.subject, s.value) in named and s not in kept]
    return tuple(sorted((*kept, *names), key=lambda s: (*told, *others).index(s)))


def _may_return(one: Statement, told: Sequence[Statement], policy: Policy) -> bool:
    """The user's own name stays what the rules make of it, nobody gets a second job, and who is named is there."""
    if one.attribute in _OWN_NAMES and one.subject == SELF:
        return False
    if one.attribute == "exists" and any(t.subject == one.subject and t.attribute == "name" for t in told):
        return False
    has_one = one.attribute in policy.checks.single
    return not (has_one and any((t.subject, t.attribute) == (one.subject, one.attribute) for t in told))


def borne_out(told: Statement, policy: Policy) -> bool:
    """Some word of its sentence says so: of a death, of money, of a subject of study."""
    words = policy.attributes.languages.get(language_of(told.sentence, policy))
    needed = words.backed.get(told.attribute) if words else None
    return needed is None or re.search(needed, told.sentence, re.I) is not None


def dropped(told: Sequence[Statement], proposed: Sequence[Statement]) -> tuple[Statement, ...]:
    """What was proposed and is not told any more, or of somebody else, or as something else."""
    return tuple(
        s
        for s in dict.fromkeys(proposed)
        if s.evidence is not None
        and not any((s.subject, s.attribute) == (t.subject, t.attribute) and overlapping(s, t) for t in told)
    )


def overlapping(a: Statement, b: Statement) -> bool:
    return a.start < b.end and b.start < a.end


def features(
    text: str,
    sentences: Sequence[Sentence],
    told: Sequence[Statement],
    policy: Policy,
    known: Beliefs,
    ruled: int | None = None,
) -> Any:
    """A row of whole numbers for each statement. ruled: so many of them went through the rules; None for all."""
    import numpy as np

    ruled = len(told) if ruled is None else ruled

    people = mentions(text, policy.reader)
    whole = (text.isascii(), len(_WORD.findall(text)), len(sentences), len(told), len(people), "?" in text)
    by_rules, others = told[:ruled], told[ruled:]
    rows = [
        (
            *whole,
            *_row(text, sentences, s, told, people, policy.reader, known),
            *_standing(s, i < ruled, by_rules, others),
            borne_out(s, policy),
        )
        for i, s in enumerate(told)
    ]
    return np.rint(np.array(rows, dtype=np.float64) * UNIT).astype(np.int64)


def _row(
    text: str,
    sentences: Sequence[Sentence],
    told: Statement,
    others: Sequence[Statement],
    people: Sequence[Mention],
    policy: ReaderPolicy,
    known: Beliefs,
) -> Iterator[float]:
    seen = told.evidence or _READ_BY_RULE
    yield from (seen.told, seen.inside, seen.named, seen.named - seen.beside, seen.kind, told.evidence is not None)
    yield from (told.attribute == name for name in known.attributes)
    yield from (told.subject == SELF, told.subject.startswith("pet:"), told.name is not None)
    yield from (told.status is status for status in _STATUSES)
    yield from (told.stance == stance for stance in _STANCES)
    sentence = next((s for s in sentences if s.start <= told.start < s.end), Sentence(0, len(text), text))
    yield from (sentence.act is act for act in _ACTS)
    value = told.value
    yield from (len(value), len(value.split()), value[:1].isupper(), value.islower(), value[:1].isdigit())
    yield from (any(c.isdigit() for c in value), len(value) / max(1, len(sentence.text)), told.start - sentence.start)
    yield from (sentence.end - told.end, sentence.start, sentences[-1].end - sentence.end if sentences else 0)
    here = [m for m in people if sentence.start <= m.start < sentence.end]
    ahead = [m for m in here if m.end <= told.start]
    yield from (len(here), len(ahead), min(_FAR, told.start - ahead[-1].end) if ahead else _FAR)
    yield any(m.start < told.end and m.end > told.start for m in people)
    yield bool(ahead) and ahead[-1].subject == told.subject
    yield any(m.subject == told.subject for m in people)
    first = text[sentence.start : told.start]
    for words in (policy.speakers, policy.they):
        yield _count(first, words)
        yield _count(sentence.text, words)
        yield _count(text, words)
    alike = [s for s in others if s is not told and s.attribute == told.attribute]
    yield from (len(alike), sum(s.start < told.end and s.end > told.start for s in others) - 1)
    yield sum(s.certainty == 1 for s in others)
    before, behind = beside(text, told)
    yield from (before == word for word in known.before)
    yield from (behind == word for word in known.behind)


def _standing(
    one: Statement, ruled: bool, told: Sequence[Statement], others: Sequence[Statement]
) -> Iterator[float]:
    """What the rules made of it: whether they dropped it, and what else they or the tagger say of the same words."""
    rivals = [s for s in (others if ruled else told) if s is not one and overlapping(s, one)]
    yield from (not ruled, len(rivals), any(s.evidence is None for s in rivals))
    yield from (any(s.attribute != one.attribute for s in rivals), any(s.subject != one.subject for s in rivals))
    yield max((s.evidence.named for s in rivals if s.evidence is not None), default=0.0)
    yield from (len(told), len(others), any(s.attribute == one.attribute and s.subject == one.subject for s in told))


def beside(text: str, told: Statement) -> tuple[str, str]:
    """The word before the value, and what hangs on to it or, with a space, the word behind it."""
    words = _WORD.findall(text[max(0, told.start - 40) : told.start].lower())
    glued = bool(text[: told.start]) and not text[told.start - 1].isspace()
    behind = text[told.end : told.end + 24].lower()
    if behind[:1].isalnum() or behind[:1] in ("'", "’"):
        return (words[-1] if words else "^"), re.split(r"[\s.,!?;:~]", behind)[0]
    following = _WORD.findall(behind)
    stopped = behind.lstrip(" ")[:1]
    if not stopped:
        following = ["$"]
    elif not (stopped.isalnum()):
        following = [stopped]
    return ("~" if glued and words else "") + (words[-1] if words else "^"), " " + (following[0] if following else "$")


@lru_cache(maxsize=64)
def _listed(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(words)


def _count(text: str, words: tuple[str, ...]) -> int:
    held = _listed(words)
    return sum(word in held for word in text.lower().replace("’", "'").split())


@lru_cache(maxsize=4)
def _trees(name: str, sha256: str) -> Beliefs | None:
    arrays = weights(name, sha256)
    return None if arrays is None else Beliefs(arrays)
