"""A request as one OpenTelemetry span, and the trace id that log lines carry.

A span is made only where the process has set OpenTelemetry up; the turn's own spans then hang below it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

_TRACEPARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")


@dataclass(slots=True)
class Traced:
    trace: str
    span: Any = None

    def ended(self, method: str, route: str, status: int) -> None:
        if self.span is not None:
            self.span.update_name(f"{method} {route}")
            self.span.set_attribute("http.route", route)
            self.span.set_attribute("http.response.status_code", status)


@contextmanager
def traced(method: str, headers: Mapping[str, str], request_id: str) -> Iterator[Traced]:
    """The caller's trace where the request names one, else a trace of its own."""
    given = _TRACEPARENT.fullmatch(headers.get("traceparent", ""))
    found = Traced(given[1] if given else request_id)
    api = sys.modules.get("opentelemetry.trace")
    if api is None:
        yield found
        return
    from opentelemetry.propagate import extract

    with api.get_tracer("clew").start_as_current_span(
        method, context=extract(dict(headers)), kind=api.SpanKind.SERVER, attributes={"http.request.method": method}
    ) as span:
        if span.is_recording():
            found = Traced(f"{span.get_span_context().trace_id:032x}", span)
        yield found
