"""The built-in writer as a part: it keeps the promise of a writer, and all its words and rules are a kernel's."""

from __future__ import annotations

from clew.errors import ModelGarbage
from clew.kernel.compose.compose import compose
from clew.policy import Policy
from clew.ports.llm import WriterAnswer, WriterRequest

NAME = "composer"


class BuiltIn:
    """Writes replies from their plan alone: no weights, no network, the same words for the same turn."""

    name = NAME

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def write(self, request: WriterRequest) -> WriterAnswer:
        if request.plan is None or request.schema is not None:
            raise ModelGarbage(f"the built-in writer writes replies from a plan; it cannot {request.purpose}")
        return WriterAnswer(compose(request.plan, self._policy), model=NAME)
