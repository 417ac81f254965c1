"""The console: one page that holds nothing, runs nothing but its own script, and calls only what the REST door has."""

from __future__ import annotations

import base64
import hashlib
import re
import uuid
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.clients.serving import Served, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("console") / "talk.db") as found:
        yield found


@pytest.fixture(scope="module")
def got(served: Served) -> httpx.Response:
    return httpx.get(f"{served.url}/")


class Elements(HTMLParser):
    """Every element with its attributes, and what stands inside scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, list[str]] = {"script": [], "style": []}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem in self.inside:
            self.inside[self.cdata_elem].append(data)


def policy(response: httpx.Response) -> dict[str, str]:
    parts = response.headers["content-security-policy"].split("; ")
    return {name: rest for name, _, rest in (part.partition(" ") for part in parts)}


def calls(page: str) -> set[tuple[str, str]]:
    """Method and path of each call; lists are read page by page, with GET."""
    script = "".join(Elements(page).inside["script"])
    direct = set(re.findall(r'\bcall\(\s*"([A-Z]+)",\s*"([^"]+)"', script))
    return direct | {("GET", path) for path in re.findall(r'\ball\(\s*"([^"]+)"', script)}


def test_it_is_served_with_headers_that_bind_it(got: httpx.Response) -> None:
    assert got.status_code == 200
    assert got.headers["content-type"] == "text/html; charset=utf-8"
    assert got.headers["x-content-type-options"] == "nosniff"
    assert got.headers["referrer-policy"] == "no-referrer"
    assert got.headers["x-frame-options"] == "DENY"
    rules = policy(got)
    assert rules["default-src"] == rules["frame-ancestors"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["connect-src"] == "'self'"
    assert rules["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in got.headers["content-security-policy"]


def test_head_tells_the_same_without_the_page(served: Served, got: httpx.Response) -> None:
    head = httpx.head(f"{served.url}/")
    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-security-policy", "content-type", "content-length"):
        assert head.headers[name] == got.headers[name]


@pytest.mark.parametrize("tag", ["script", "style"])
def test_the_policy_lets_through_exactly_what_is_in_the_page(got: httpx.Response, tag: str) -> None:
    (inside,) = Elements(got.text).inside[tag]
    digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
    assert policy(got)[f"{tag}-src"] == f"'sha256-{digest}'"


def test_the_page_asks_nobody_else_for_anything(got: httpx.Response) -> None:
    assert re.findall(r"\w+://|[\"'(]//", got.text) == []
    for tag, attributes in Elements(got.text).found:
        assert tag not in {"img", "iframe", "object", "embed", "base"}
        for name in ("src", "href", "action", "srcset"):
            assert attributes.get(name) in (None, "data:,"), (tag, attributes)
        assert not any(name.startswith("on") or name == "style" for name in attributes), (tag, attributes)
    assert "@import" not in got.text and "url(" not in got.text


def test_texts_are_only_ever_texts(got: httpx.Response) -> None:
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "DOMParser"):
        assert word not in got.text, word


def test_the_key_is_kept_for_the_tab_only(got: httpx.Response) -> None:
    assert set(re.findall(r'"(\w+Storage)", "clew\.key"', got.text)) == {"sessionStorage"}
    assert set(re.findall(r'"localStorage", "([\w.]+)"', got.text)) == {"clew.user"}
    assert "document.cookie" not in got.text


def test_every_field_has_a_label(got: httpx.Response) -> None:
    elements = Elements(got.text).found
    labelled = {a["for"] for tag, a in elements if tag == "label"}
    assert {a["id"] for tag, a in elements if tag in ("input", "textarea")} == labelled
    live = {a["id"]: a.get("aria-live") for tag, a in elements if a.get("role") == "log"}
    assert live == {"log": "polite"}


def test_every_call_of_the_page_is_in_the_openapi_document(served: Served, got: httpx.Response) -> None:
    told = httpx.get(f"{served.url}/openapi.json").json()["paths"]
    described = {(method.upper(), path) for path, row in told.items() for method in row}
    made = calls(got.text)
    assert made <= described, made - described
    # No path is put together in a way that this test does not see.
    assert len(re.findall(r"/v1\b", got.text)) == len(re.findall(r'\b(?:call|all)\(\s*(?:"[A-Z]+",\s*)?"/v1/', got.text))
    assert {path.rpartition("/")[2] for _, path in made} >= {"turns", "why", "memories", "threads", "restore", "me"}


def test_the_page_is_not_part_of_the_document(served: Served) -> None:
    assert "/" not in httpx.get(f"{served.url}/openapi.json").json()["paths"]


def test_the_page_needs_no_key_and_what_it_calls_does(tmp_path: Path) -> None:
    with serving(tmp_path / "talk.db", needs_key=True, admin_key="open sesame") as guarded:
        assert httpx.get(f"{guarded.url}/").status_code == 200
        for method, path in calls(httpx.get(f"{guarded.url}/").text):
            where = guarded.url + re.sub(r"{\w+}", "x", path)
            assert httpx.request(method, where, json={}).status_code == 401, (method, path)


def test_what_the_page_relies_on(served: Served) -> None:
    """The walk of the page in a browser, as calls: looking makes nobody, a message sent twice is stored once."""
    with httpx.Client(base_url=f"{served.url}/v1", timeout=60) as api:
        assert api.get("/users/지민").status_code == 404
        talk = api.post("/users/지민/conversations", json={}).json()["conversation_id"]
        assert api.post("/users/지민/conversations", json={}).json()["conversation_id"] == talk
        said = {"message_id": str(uuid.uuid4()), "text": "I have a dog called Bori"}
        first, second = (api.post(f"/conversations/{talk}/turns", json=said).json() for _ in range(2))
        assert (first["replayed"], second["replayed"]) == (False, True)
        assert first["reply"] == second["reply"]
        (change,) = (c for c in first["memories"] if c["kind"] == "created")
        assert "Bori" in change["text"]
        assert [m["role"] for m in api.get(f"/conversations/{talk}/messages", params={"limit": 200}).json()["items"]] == [
            "user",
            "assistant",
        ]
        where = f"/users/지민/memories/{change['id']}"
        assert _held(api)[change["id"]] == ("ACTIVE", False)
        assert api.patch(where, json={"paused": True}).status_code == 200
        assert _held(api)[change["id"]] == ("ACTIVE", True)
        assert api.delete(where).status_code == 200
        assert _held(api)[change["id"]][0] == "INVALID"
        assert api.post(f"{where}/restore").status_code == 200
        assert _held(api)[change["id"]][0] == "ACTIVE"
        why = api.get(f"/conversations/{talk}/turns/{first['message_id']}/why").json()
        reasons = [r for room in why["trace"].values() if isinstance(room, dict) for r in room.get("reasons", ())]
        assert reasons and all({"rule", "detail"} <= set(r) for r in reasons)


def _held(api: httpx.Client) -> dict[str, tuple[Any, Any]]:
    items = api.get("/users/지민/memories", params={"status": "ALL", "limit": 200}).json()["items"]
    return {m["id"]: (m["status"], m["paused"]) for m in items}
