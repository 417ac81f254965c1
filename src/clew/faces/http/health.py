"""Is it alive, can it serve, and how does it do: `/healthz`, `/readyz`, `/metrics`."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from clew.faces.http.access import Desk, desk_of
from clew.faces.http.problems import answers

router = APIRouter(tags=["operations"])
REGISTRY = CollectorRegistry()
_REQUESTS = Counter(
    "clew_requests", "Requests by route and status.", ("method", "route", "status"), registry=REGISTRY
)
_SECONDS = Histogram(
    "clew_request_seconds",
    "How long requests took.",
    ("route",),
    registry=REGISTRY,
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
_READY = Gauge("clew_ready", "1 once the server is warm.", registry=REGISTRY)


def count(method: str, route: str, status: int, seconds: float) -> None:
    _REQUESTS.labels(method, route, str(status)).inc()
    _SECONDS.labels(route).observe(seconds)


def mark(desk: Desk) -> None:
    """Warm: the first caller does not wait for word lists and weights."""
    from clew.kernel.door import call

    call("read", {"text": "hello"}, policy=desk.parts.policy)
    if desk.parts.embedder is not None:
        desk.parts.embedder.embed(["hello"])
    _READY.set(1)


@router.get("/healthz", response_class=PlainTextResponse)
async def healthz() -> str:
    """The process answers."""
    return "ok"


@router.get("/readyz", response_class=PlainTextResponse, responses=answers())
async def readyz(request: Request) -> str:
    """The database answers too."""
    desk = desk_of(request)

    def ask() -> None:
        with desk.parts.store.read() as session:
            session.user("nobody")

    await desk.run(ask)
    return "ready"


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics() -> PlainTextResponse:
    """In Prometheus' text format; no names, no texts."""
    return PlainTextResponse(generate_latest(REGISTRY).decode(), media_type="text/plain; version=0.0.4")
