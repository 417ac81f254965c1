"""A writer that follows a script: for tests, demonstrations and rehearsed failures."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from clew.adapters.llm.answer import usable
from clew.errors import (
    ModelFailure,
    ModelGarbage,
    ModelRateLimited,
    ModelRefused,
    ModelTimeout,
    ModelUnavailable,
    UnknownName,
)
from clew.frozen import dataclass
from clew.ports.llm import WriterAnswer, WriterRequest

FAILURES: dict[str, type[ModelFailure]] = {
    "timeout": ModelTimeout,
    "rate_limited": ModelRateLimited,
    "unavailable": ModelUnavailable,
    # The grounding contract's word for the same thing.
    "transport_error": ModelUnavailable,
    "refused": ModelRefused,
    "garbage": ModelGarbage,
}


@dataclass(frozen=True, slots=True)
class Fails:
    """One step of a script that fails by name."""

    name: str

    def __post_init__(self) -> None:
        if self.name not in FAILURES:
            raise UnknownName(f"no failure named {self.name!r}; known: {', '.join(FAILURES)}")


Step = str | Fails | Callable[[WriterRequest], str]


class ScriptedWriter:
    """Answers in order; past the end it is unavailable, so a test sees the call it did not expect."""

    def __init__(self, script: Iterable[Step] = ()) -> None:
        self._script = tuple(script)
        self.requests: list[WriterRequest] = []

    @classmethod
    def from_lines(cls, lines: Iterable[str]) -> ScriptedWriter:
        """One answer per line; `!timeout` fails by that name; empty lines and # lines are skipped."""
        kept = [line.strip() for line in lines]
        kept = [line for line in kept if line and not line.startswith("#")]
        return cls([Fails(line[1:]) if line.startswith("!") else line for line in kept])

    @property
    def name(self) -> str:
        return "scripted"

    def write(self, request: WriterRequest) -> WriterAnswer:
        self.requests.append(request)
        number = len(self.requests)
        if number > len(self._script):
            raise ModelUnavailable(f"the script has {len(self._script)} answers; this is call {number}")
        step = self._script[number - 1]
        if isinstance(step, Fails):
            raise FAILURES[step.name](f"scripted {step.name} at call {number}")
        text = step if isinstance(step, str) else step(request)
        return WriterAnswer(text=usable(text, request), model=self.name)
