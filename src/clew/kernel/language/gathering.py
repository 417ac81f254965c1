"""Of one of the user's people or pets, all that is told at once, before a language makes sentences of it."""

from __future__ import annotations

from clew.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Bearer:
    """whose: "your son Tom", as each sentence of `told` opens, or should. called: the sentence that tells only the
    name. there: the sentences that tell only that there is such a one."""

    subject: str
    name: str
    whose: str
    told: tuple[str, ...] = ()
    called: str = ""
    there: tuple[str, ...] = ()
