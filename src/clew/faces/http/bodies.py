"""Reading a request's body: JSON, and said what is wrong with it. Its size was bounded before."""

from __future__ import annotations

import json
from typing import Any

from fastapi import Request

from clew.faces.http.problems import Refused


async def json_body(request: Request) -> Any:
    kind = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind not in ("application/json", "") and not kind.endswith("+json"):
        raise Refused(415, f"send application/json, not {kind[:80]}")
    try:
        return json.loads((await request.body()).decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as why:
        raise Refused(400, f"not JSON: {why}") from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
