"""The inbox, events, reminders, channels and the worker, over real HTTP, from Python and in the terminal."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

import clew
from clew.adapters.delivery.webhook import WebhookSender
from clew.engine import service
from clew.engine.jobs import ASKED, Worker
from clew.engine.reaching import reach_user
from clew.faces.http.app import make_app
from clew.faces.http.settings import Settings
from clew.model.event import Event
from clew.model.profile import UserControls
from clew.model.relationship import RelationshipState, Stage
from clew.model.rows import put_controls, put_relationship, put_user
from clew.testing.fakes import HeldClock
from tests.clients.serving import Served, Voice, make, running

CLEW = [sys.executable, "-m", "clew"]
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    voice = Voice()
    clock = HeldClock(NOON)
    parts = replace(make(f"sqlite:///{tmp_path}/talk.db", voice), clock=clock, senders={"webhook": WebhookSender(private=True)})
    app = make_app(parts, Settings(rate=""), mcp=False)
    with running(app) as where:
        yield Served(where, app, parts, voice)
    parts.store.close()


@pytest.fixture
def api(served: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=served.url, timeout=20) as client:
        client.put("/v1/users/alex")
        yield client


def written_to(served: Served, user: str = "alex") -> None:
    """A friend of a day's silence gets a message."""
    parts = served.parts
    place = service.arrive(parts, user)
    who = place.user.user_id
    answers = replace(place.user.answers, client_timezone="UTC")
    state = RelationshipState(Stage.FRIEND, 50, parts.clock.now() - timedelta(days=2), sessions_count=5)
    puts = (
        put_user(replace(place.user, answers=answers)), put_controls(who, UserControls()),
        put_relationship(who, place.friend.friend_id, state),
    )  # fmt: skip
    with parts.store.write() as session:
        session.append([Event("test", parts.clock.now(), who, "p", changes=puts)])
    assert reach_user(parts, who, place.friend.friend_id, parts.clock.now()).sent


def test_the_inbox_tells_what_came_and_what_was_seen(served: Served, api: httpx.Client) -> None:
    assert api.get("/v1/users/alex/inbox").json()["items"] == []
    written_to(served)
    (message,) = api.get("/v1/users/alex/inbox", params={"unseen": True}).json()["items"]
    assert message["status"] == "DELIVERED" and message["delivered_at"] and message["text"]
    assert api.post("/v1/users/alex/inbox/seen", json={"ids": [message["id"]]}).json() == {"seen": 1}
    assert api.get("/v1/users/alex/inbox", params={"unseen": True}).json()["items"] == []
    assert api.get("/v1/users/bob/inbox").status_code == 404


def test_the_inbox_is_read_by_the_page_newest_first(served: Served, api: httpx.Client) -> None:
    due = served.parts.clock.now()
    for number in range(7):
        wanted = {"text": f"thing {number}", "due_at": (due + timedelta(minutes=number + 1)).isoformat()}
        assert api.post("/v1/users/alex/reminders", json=wanted).status_code == 200
    for _ in range(4):  # two of them come at the same moment
        served.parts.clock.pass_(minutes=2)  # type: ignore[attr-defined]
        Worker(served.parts, ASKED).drain()
    got: list[dict[str, Any]] = []
    cursor = None
    while True:
        page = api.get("/v1/users/alex/inbox", params={"limit": 2, **({"cursor": cursor} if cursor else {})}).json()
        got += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert len(got) == len({m["id"] for m in got}) == 7
    assert [m["created_at"] for m in got] == sorted((m["created_at"] for m in got), reverse=True)


def test_why_nothing_comes_is_a_rule_and_a_sentence(served: Served, api: httpx.Client) -> None:
    answer = api.get("/v1/users/alex/outreach/why").json()
    assert answer["would_send"] is False and answer["skip_reason"] == "proactive_disabled"
    assert answer["told"] == "Not sent because writing first is switched off; “you can write first” switches it on."
    assert answer["reasons"][0]["rule"] == "reach.proactive_disabled"
    assert "보내지 않은" in api.get("/v1/users/alex/outreach/why", params={"language": "ko"}).json()["told"]


def test_an_app_open_is_an_event(served: Served, api: httpx.Client) -> None:
    lost = api.post("/v1/users/alex/events", json={"type": "app_open", "notification_id": "never"}).json()
    assert lost == {"retention_ids": [], "reason": "reach.open_unknown_notification"}
    written_to(served)
    served.parts.clock.pass_(hours=1)  # type: ignore[attr-defined]
    (message,) = api.get("/v1/users/alex/inbox").json()["items"]
    sent = {"type": "app_open", "notification_id": message["notification_id"], "event_id": "e1"}
    assert api.post("/v1/users/alex/events", json=sent).json()["retention_ids"] == [message["id"]]
    (after,) = api.get("/v1/users/alex/outreach").json()["items"]
    assert (after["status"], after["acknowledged_by"]) == ("ACKNOWLEDGED", "APP_OPEN_NOTIFICATION")
    assert api.post("/v1/users/alex/events", json={"type": "wave"}).status_code == 422


def test_a_reply_elsewhere_is_an_event_too(served: Served, api: httpx.Client) -> None:
    written_to(served)
    served.parts.clock.pass_(hours=1)  # type: ignore[attr-defined]
    answer = api.post("/v1/users/alex/events", json={"type": "reply"}).json()
    assert len(answer["retention_ids"]) == 1
    assert api.get("/v1/users/alex/outreach").json()["items"][0]["acknowledged_by"] == "REPLY"


def test_reminders_by_rest(served: Served, api: httpx.Client) -> None:
    due = "2026-03-11T09:00:00+00:00"
    made = api.post("/v1/users/alex/reminders", json={"text": "call mum", "due_at": due}).json()
    again = api.post("/v1/users/alex/reminders", json={"text": "call mum", "due_at": due}).json()
    assert made["id"] == again["id"] and made["status"] == "SET"
    assert [r["text"] for r in api.get("/v1/users/alex/reminders").json()["items"]] == ["call mum"]
    assert api.delete(f"/v1/users/alex/reminders/{made['id']}").json()["status"] == "CANCELLED"
    assert api.delete(f"/v1/users/alex/reminders/{made['id']}").status_code == 404
    late = api.post("/v1/users/alex/reminders", json={"text": "x", "due_at": "2020-01-01T00:00:00Z"})
    assert late.status_code == 422 and "/due_at" in late.text


def test_channels_never_tell_their_secret(api: httpx.Client) -> None:
    body = {"kind": "webhook", "address": "https://example.test/hook", "secret": "sixteen letters and more"}
    made = api.post("/v1/users/alex/channels", json=body).json()
    assert "secret" not in made and made["kind"] == "webhook"
    assert "sixteen letters" not in api.get("/v1/users/alex/channels").text
    assert api.post("/v1/users/alex/channels", json={**body, "kind": "webpush"}).status_code == 422
    assert api.delete(f"/v1/users/alex/channels/{made['id']}").status_code == 204
    assert api.get("/v1/users/alex/channels").json()["items"] == []


@pytest.mark.parametrize(("mute", "until"), [("24h", "2026-03-11T12:00:00Z"), ("7d", "2026-03-17T12:00:00Z"), ("off", None)])
def test_mute_by_rest(api: httpx.Client, mute: str, until: str | None) -> None:
    answer = api.patch("/v1/users/alex/controls", json={"mute": mute}).json()
    assert answer["controls"]["mute_until"] == until
    for_ever = api.patch("/v1/users/alex/controls", json={"mute": "forever"}).json()["controls"]["mute_until"]
    assert for_ever.startswith("9999-12-31")


def test_the_server_keeps_reminders_by_itself(tmp_path: Path) -> None:
    parts = make(f"sqlite:///{tmp_path}/talk.db")
    with running(make_app(parts, Settings(rate="", worker=True), mcp=False)) as url, httpx.Client(base_url=url) as api:
        api.put("/v1/users/alex")
        due = (datetime.now(UTC) + timedelta(seconds=1)).isoformat()
        assert api.post("/v1/users/alex/reminders", json={"text": "stretch", "due_at": due}).status_code == 200
        until = time.monotonic() + 40
        found: list[Any] = []
        while not found and time.monotonic() < until:
            time.sleep(0.2)
            found = api.get("/v1/users/alex/inbox").json()["items"]
        assert found and "stretch" in found[0]["text"]
    parts.store.close()


# -- Python ---------------------------------------------------------------------------------------------


def test_a_promise_is_kept_from_python_alone(tmp_path: Path) -> None:
    clock = HeldClock(NOON)
    with clew.Chat(tmp_path / "talk.db", user="alex", clock=clock, embedder=False) as chat:
        assert "call mum" in chat.say("remind me tomorrow at 9 to call mum").text
        assert [r.text for r in chat.reminders()] == ["call mum"] and chat.inbox() == []
        clock.pass_(days=1)
        (kept,) = chat.inbox(unseen=True)
        assert "call mum" in kept.text and kept.kind == "REMINDER" and str(kept) == kept.text
        assert chat.inbox(unseen=True) == [] and len(chat.inbox()) == 1
        assert chat.why_silent().startswith("Not sent because")
        assert chat.opened() is None
    with clew.Memory(tmp_path / "talk.db", embedder=False) as memory:
        assert [m.kind for m in memory.inbox(user="alex")] == ["REMINDER"]


def test_the_asynchronous_twin_has_the_same(tmp_path: Path) -> None:
    async def talk() -> list[clew.Sent]:
        clock = HeldClock(NOON)
        async with clew.AsyncChat(tmp_path / "talk.db", user="alex", clock=clock, embedder=False) as chat:
            await chat.say("remind me tomorrow at 9 to call mum")
            assert len(await chat.reminders()) == 1
            clock.pass_(days=1)
            return await chat.inbox()

    assert ["call mum" in m.text for m in asyncio.run(talk())] == [True]


# -- the terminal ---------------------------------------------------------------------------------------


def clew_(*args: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([*CLEW, *args], input=lines, text=True, capture_output=True, timeout=180)


def test_the_open_chat_keeps_a_due_promise_and_says_so(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/talk.db"
    first = clew_("chat", "--db", db, "--no-embed", lines="remind me in 1 minutes to stretch\n/inbox\n")
    assert "I'll remind you today at" in first.stdout and "kept while a chat is open" in first.stdout
    assert "to come today" in first.stdout
    from clew.adapters.store.sql import SqlStore

    store = SqlStore(db)
    with store.write() as session:
        (job,) = session.jobs()
        session.put_job(replace(job, due_at=job.created_at))
    store.close()
    second = clew_("chat", "--db", db, "--no-embed", lines="hello\n")
    assert "stretch" in second.stdout and "a reminder you asked for" in second.stdout
    third = clew_("chat", "--db", db, "--no-embed", "--quiet", lines="hello\n")
    assert "stretch" not in third.stdout


def test_a_worker_does_what_is_due_and_jobs_shows_it(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/talk.db"
    clew_("chat", "--db", db, "--no-embed", lines="remind me tomorrow to stretch\n")
    done = clew_("worker", "--db", db, "--no-embed", "--once")
    assert done.returncode == 0 and "evaluate:" in done.stdout and "done" in done.stdout
    shown = clew_("jobs", "--db", db, "--kind", "remind", "--json")
    (job,) = [json.loads(line) for line in shown.stdout.splitlines()]
    assert job["status"] == "queued" and job["kind"] == "remind"
    assert clew_("jobs", "retry", "--db", db, job["job_id"]).returncode == 2
    assert clew_("jobs", "--db", db, "--failed").stdout.strip().endswith("0 failed")


def test_settings_mutes(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/talk.db"
    lines = "/settings mute 7d\n/settings\n/settings mute nonsense\n/settings mute off\n/settings mute forever\n/settings\n"
    shown = clew_("chat", "--db", db, "--no-embed", "--guest", lines=lines).stdout
    assert shown.count("Changed.") == 3 and "Like this: /settings mute 24h" in shown
    assert "mute     for ever" in shown


def test_a_message_id_used_for_a_proactive_message_is_not_the_users(served: Served, api: httpx.Client) -> None:
    written_to(served)
    (message,) = api.get("/v1/users/alex/inbox").json()["items"]
    body = {"message_id": message["id"], "text": "hi"}
    refused = api.post(f"/v1/conversations/{message['conversation_id']}/turns", json=body)
    assert refused.status_code == 422
    fine = {"message_id": str(uuid.uuid4()), "text": "hi"}
    assert api.post(f"/v1/conversations/{message['conversation_id']}/turns", json=fine).status_code == 200
