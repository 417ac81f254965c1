"""Errors as RFC 9457 problem documents: one table from our tree to HTTP."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from clew.errors import ClewError, NotReady

MEDIA = "application/problem+json"
# What a framework refuses by itself, in our words.
_TITLES = {
    400: ("bad_request", "The request cannot be read"),
    401: ("unauthorized", "A valid key is needed"),
    403: ("forbidden", "This key may not do that"),
    404: ("not_found", "There is nothing here"),
    405: ("method_not_allowed", "This cannot be done here"),
    409: ("conflict", "Something else is going on here"),
    413: ("too_large", "The request is too large"),
    415: ("unsupported_media_type", "This content type is not taken"),
    421: ("wrong_host", "This server does not answer to that name"),
    422: ("invalid_input", "The request is not valid"),
    429: ("rate_limited", "Too many requests"),
    500: ("error", "Something went wrong here"),
    503: ("unavailable", "The server cannot serve now"),
}


class Refused(Exception):
    """A door's own no: status, code and detail, with headers that go along."""

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, headers or {}

    @property
    def code(self) -> str:
        return _TITLES[self.status][0]


def document(
    status: int, code: str, detail: str, *, title: str | None = None, instance: str = "", **more: Any
) -> dict[str, Any]:
    body = {
        "type": f"urn:clew:problem:{code}",
        "title": title or _TITLES.get(status, (code, code.replace("_", " ").capitalize()))[1],
        "status": status,
        "detail": detail,
        "code": code,
        **more,
    }
    if instance:
        body["instance"] = instance
    return body


def of_error(why: ClewError, instance: str = "") -> dict[str, Any]:
    more: dict[str, Any] = {"retryable": why.retryable}
    if why.pointer is not None:
        more["errors"] = [{"pointer": why.pointer, "detail": why.message}]
    if isinstance(why, NotReady) and why.missing:
        more["missing"] = list(why.missing)
    title = why.code.replace("_", " ").capitalize()
    return document(why.status, why.code, why.message, title=title, instance=instance, **more)


def respond(body: dict[str, Any], headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse(body, status_code=body["status"], media_type=MEDIA, headers=headers)


def under_openai(request: Request) -> bool:
    return request.url.path.startswith("/openai/")


def install(app: FastAPI) -> None:
    from clew.faces.openai.errors import shape

    @app.exception_handler(ClewError)
    async def _ours(request: Request, why: ClewError) -> JSONResponse:
        if under_openai(request):
            return shape(why.status, why.code, why.message, why.pointer, retry=why.retryable)
        headers = {"Retry-After": "1"} if why.retryable and why.status in (409, 429, 503) else None
        return respond(of_error(why, _urn(request)), headers)

    @app.exception_handler(Refused)
    async def _refused(request: Request, why: Refused) -> JSONResponse:
        if under_openai(request):
            return shape(why.status, why.code, why.detail, None, retry=why.status == 429, headers=why.headers)
        return respond(document(why.status, why.code, why.detail, instance=_urn(request)), why.headers)

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, why: RequestValidationError) -> JSONResponse:
        errors = [
            {"pointer": "/" + "/".join(str(p) for p in e["loc"][1:]), "detail": e["msg"], "in": str(e["loc"][0])}
            for e in why.errors()
        ]
        if any(e["loc"] == ("body",) for e in why.errors()) and not _is_json(request):
            kind = request.headers.get("content-type", "nothing")
            return await _refused(request, Refused(415, f"send application/json, not {kind[:80]}"))
        detail = "; ".join(f"{e['pointer']}: {e['detail']}" for e in errors[:3])
        if under_openai(request):
            return shape(400, "invalid_input", detail, errors[0]["pointer"] if errors else None)
        return respond(document(422, "invalid_input", detail, instance=_urn(request), errors=errors))

    @app.exception_handler(HTTPException)
    async def _http(request: Request, why: HTTPException) -> JSONResponse:
        code = _TITLES.get(why.status_code, ("error", ""))[0]
        headers = dict(why.headers or {})
        if under_openai(request):
            return shape(why.status_code, code, str(why.detail), None, headers=headers)
        return respond(document(why.status_code, code, str(why.detail), instance=_urn(request)), headers)

    @app.exception_handler(Exception)
    async def _broken(request: Request, why: Exception) -> JSONResponse:
        # What went wrong inside is for the log; the caller gets the id to ask about.
        detail = "an unexpected error; the log has it under this instance"
        if under_openai(request):
            return shape(500, "error", detail, None)
        return respond(document(500, "error", detail, instance=_urn(request)))


def _is_json(request: Request) -> bool:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "application/json" or kind.endswith("+json")


def _urn(request: Request) -> str:
    found = getattr(request.state, "request_id", "")
    return f"urn:clew:request:{found}" if found else ""


PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
        "code": {"type": "string"},
        "retryable": {"type": "boolean"},
        "missing": {"type": "array", "items": {"type": "string"}},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "pointer": {"type": "string"},
                    "detail": {"type": "string"},
                    "in": {"type": "string"},
                },
                "required": ["detail"],
            },
        },
    },
    "required": ["type", "title", "status", "detail", "code"],
}


def answers(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The problems a path documents."""
    always = {400, 401, 404, 409, 413, 415, 421, 422, 429, 503}
    return {
        status: {
            "description": _TITLES.get(status, ("", "A model failed"))[1],
            "content": {MEDIA: {"schema": PROBLEM_SCHEMA}},
        }
        for status in sorted(always | set(statuses))
    }
