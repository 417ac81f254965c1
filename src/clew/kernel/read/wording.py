"""The words of a text in one spelling, whole and cut into clauses; each text is cut once."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.kernel.text.normalize import normalize
from clew.model.utterance import Clause, Wording
from clew.policy import Policy

_QUOTED = re.compile(r"[\"“”«»][^\"“”«»]*[\"“”«»]")
_SENTENCE = re.compile(r"[^.!?;…\n。？！]+[.!?;…\n。？！]*")
_COMMA = re.compile(r"\s*[,:，、]\s*|\s+[-–—]+\s+")
_ASKS = ("?", "？")


def wording(text: str | Wording, policy: Policy) -> Wording:
    """Of a text; what is cut already is given back. A command stands among the first words, so only those are cut."""
    return text if isinstance(text, Wording) else _cut(text, policy.remember.correct.reach)


@lru_cache(maxsize=256)
def _cut(text: str, reach: int) -> Wording:
    norm = normalize(text[:reach])
    own = normalize(_QUOTED.sub(" ", text[:reach]))
    clauses: list[Clause] = []
    for sentence in _SENTENCE.findall(own):
        asks = sentence.rstrip().endswith(_ASKS)
        bare = sentence.strip(" .!?;…。？！")
        clauses += [Clause(part.strip(), asks) for part in _COMMA.split(bare) if part.strip()]
    return Wording(text, norm, own, norm.rstrip().endswith(_ASKS), tuple(clauses))
