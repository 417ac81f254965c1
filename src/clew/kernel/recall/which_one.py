"""Which one: a question for a kind is answered by what is called so. 나 무슨 부야? means the 농구부."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.keep.keys import bare_value
from clew.kernel.recall.answers import tellable
from clew.model.memory import SELF, MemoryRecord
from clew.policy import Policy

_WHICH = "which"


def which_one(
    question: str, language: str, records: Sequence[MemoryRecord], policy: Policy
) -> tuple[MemoryRecord, ...]:
    """What is held of the user whose value ends in the word for the kind, the newest first."""
    spoken = policy.checks.languages.get(language)
    shape = spoken.question_kinds.get(_WHICH) if spoken else None
    asked = re.search(shape.pattern, question.strip(), re.I) if shape else None
    if asked is None:
        return ()
    own = [r for r in records if r.subject == SELF and tellable(r, past=False)]
    found = [r for r in own if _ends(bare_value(r.memory_value), asked["what"])]
    return tuple(sorted(found, key=lambda r: (r.last_confirmed_at, r.memory_id), reverse=True)[:1])


def _ends(value: str, kind: str) -> bool:
    return len(value) > len(kind) and value.endswith(kind)
