"""Errors in OpenAI's shape, with the headers its SDK obeys."""

from __future__ import annotations

from fastapi.responses import JSONResponse

_TYPES = {
    400: "invalid_request_error", 401: "authentication_error", 403: "permission_error",
    404: "invalid_request_error", 409: "conflict_error", 413: "invalid_request_error",
    422: "invalid_request_error", 429: "rate_limit_error",
}  # fmt: skip


def body(status: int, code: str, message: str, param: str | None = None) -> dict[str, object]:
    kind = _TYPES.get(status, "server_error")
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def shape(
    status: int,
    code: str,
    message: str,
    pointer: str | None,
    *,
    retry: bool = False,
    headers: dict[str, str] | None = None,
) -> JSONResponse:
    param = pointer.strip("/").replace("/", ".") or None if pointer else None
    told = {"x-should-retry": "true" if retry else "false", **(headers or {})}
    return JSONResponse(body(status, code, message, param), status_code=status, headers=told)
