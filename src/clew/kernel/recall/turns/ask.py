"""A question against one conversation: its terms without the names of who speaks there, whom and when it means."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from clew.frozen import dataclass
from clew.kernel.recall.turns.dates import Span, spans
from clew.kernel.recall.turns.speakers import Names
from clew.kernel.text.terms import word_terms
from clew.model.inquiry import Inquiry
from clew.policy import Policy


@dataclass(frozen=True, slots=True)
class Ask:
    """One question against one conversation."""

    inquiry: Inquiry
    bare: str  # without speaker names: what is embedded
    terms: tuple[tuple[str, str], ...]  # distinct (term, word), speaker names left out
    speakers: frozenset[str]
    names: frozenset[str]
    dates: tuple[Span, ...]


def against(
    inquiry: Inquiry, names: Names, years: Collection[int], policy: Policy, at: datetime | None = None
) -> Ask:
    """`years` are those that the conversation goes through, `at` is when it is asked."""
    seen: dict[str, str] = {}
    for word in inquiry.words:
        if not names.name(word):
            for term, source in word_terms(word.text, policy):
                seen.setdefault(term, source)
    named = frozenset(name for word in inquiry.words if (name := names.name(word)))
    return Ask(
        inquiry=inquiry,
        bare=names.removed(inquiry.text, inquiry.words),
        terms=tuple(seen.items()),
        speakers=names.named_in(named),
        names=named,
        dates=spans(inquiry, at.date() if at else None, years),
    )
