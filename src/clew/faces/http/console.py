"""The console at `/`: one page for people, over the same REST door and the same keys as everybody else.

The page is a file without data, so it needs no key; what it shows it asks for under `/v1`.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files

from fastapi import APIRouter
from starlette.responses import Response

router = APIRouter()


@cache
def page() -> str:
    return (files("clew.faces.http") / "console.html").read_text(encoding="utf-8")


@cache
def headers() -> dict[str, str]:
    """Nothing runs but the script that is in the file, and it may talk to nobody but this server."""
    rules = (
        "default-src 'none'",
        f"script-src {_hash('script')}",
        f"style-src {_hash('style')}",
        "connect-src 'self'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
    return {
        "Content-Security-Policy": "; ".join(rules),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        # A page of the last version must not speak to a server of the next.
        "Cache-Control": "no-cache",
    }


@router.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
async def console() -> Response:
    return Response(page(), media_type="text/html", headers=headers())


def _hash(tag: str) -> str:
    """Of the one element of this kind, as a browser counts it: what stands between its tags."""
    (inside,) = re.findall(f"<{tag}>(.*?)</{tag}>", page(), re.DOTALL)
    return f"'sha256-{base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()}'"
