"""OpenTelemetry for a process of ours, set up as its own variables say; nothing is sent unless they name where."""

from __future__ import annotations

import os

from clew.errors import InvalidInput


def configure() -> None:
    """OTEL_EXPORTER_OTLP_ENDPOINT sends spans there; OTEL_TRACES_EXPORTER=console prints them; `none` does neither."""
    endpoint = any(
        os.environ.get(name) for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    )
    wanted = os.environ.get("OTEL_TRACES_EXPORTER", "otlp" if endpoint else "none").strip().lower()
    if wanted in ("", "none"):
        return
    if wanted not in ("otlp", "console"):
        raise InvalidInput(f"{wanted[:40]!r} is not known; use otlp, console or none", pointer="OTEL_TRACES_EXPORTER")
    from opentelemetry import trace
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter, SpanExporter

    exporter: SpanExporter
    if wanted == "console":
        exporter = ConsoleSpanExporter()
    else:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        exporter = OTLPSpanExporter()
    named = {} if "OTEL_SERVICE_NAME" in os.environ else {"service.name": "clew"}
    provider = TracerProvider(resource=Resource.create(named))
    # Its own thread sends them; what is left is sent when the process ends.
    provider.add_span_processor(BatchSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
