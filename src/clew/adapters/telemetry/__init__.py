"""TELEMETRY. Enters: spans and events.
Leaves: OpenTelemetry.
Does not know: message contents.
"""
