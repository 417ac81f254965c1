"""A rich console on which no text can act as a command to the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.segment import Segment

from clew.faces.cli.out import safe


class Screen(Console):
    """The console's own controls pass; what it is given to print is only ever text."""

    def render(self, *given: Any, **more: Any) -> Iterable[Segment]:
        for segment in super().render(*given, **more):
            yield segment if segment.control else Segment(safe(segment.text), segment.style)
