"""A message leaves the house: signed, within a time, tried again, and never as if it had arrived when it had not."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.server
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

import pytest

from clew.adapters.delivery.webhook import WebhookSender, signature
from clew.engine import inbox
from clew.engine.jobs import Worker
from clew.engine.parts import Parts
from clew.engine.reaching import reach_user
from clew.errors import DeliveryFailed, DeliveryRefused, InvalidInput
from clew.model.account import Conversation
from clew.model.event import Event
from clew.model.job import JobKind, JobStatus
from clew.model.outreach import AttemptStatus, Channel
from clew.model.relationship import RelationshipState, Stage
from clew.model.rows import put_relationship
from clew.ports.delivery import Parcel
from clew.testing.fakes import HeldClock
from clew.testing.parts import onboard, say

START = datetime(2026, 3, 2, 6, tzinfo=UTC)
SECRET = "a secret of sixteen letters"
Engine = Callable[..., Parts]


class Hook(http.server.BaseHTTPRequestHandler):
    """Answers with the next of `answers`; "hang" and "drip" never end."""

    answers: ClassVar[list[Any]] = []
    got: ClassVar[list[tuple[dict[str, str], bytes]]] = []
    release = threading.Event()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        Hook.got.append((dict(self.headers), body))
        answer = Hook.answers.pop(0) if Hook.answers else 200
        if answer == "hang":
            Hook.release.wait(20)
            return
        if answer == "drip":
            for letter in b"HTTP/1.1 200 OK\r\nX-Slow: ":
                self.wfile.write(bytes([letter]))
                if Hook.release.wait(0.1):
                    return
            return
        self.send_response(answer)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def hook() -> Iterator[str]:
    Hook.answers, Hook.got = [], []
    Hook.release.clear()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/hook?x=1"
    Hook.release.set()
    server.shutdown()
    server.server_close()


def reached(engine: Engine, address: str) -> tuple[Parts, Conversation]:
    """A friend with a webhook, silent for a day, and the message that is on its way to them."""
    parts = engine(clock=HeldClock(START), senders={"webhook": WebhookSender(private=True)})
    talk = onboard(parts)
    say(parts, talk, "hello there", 1)
    state = RelationshipState(Stage.FRIEND, 50, last_interaction_at=START, sessions_count=5)
    with parts.store.write() as session:
        put = put_relationship(talk.user_id, talk.friend_id, state)
        session.append([Event("test", START, talk.user_id, "p", changes=(put,))])
    inbox.add_channel(parts, talk.user_id, "webhook", address, SECRET)
    parts.clock.pass_(hours=24)
    looked = reach_user(parts, talk.user_id, talk.friend_id, parts.clock.now())
    assert looked.message is not None and looked.message.status is AttemptStatus.SCHEDULED
    assert looked.message.delivered_at is None
    return parts, talk


def work(parts: Parts) -> list[Any]:
    return [r.job for r in Worker(parts, (JobKind.DELIVER,)).drain()]


def test_it_is_signed_and_delivered_once_and_only_then_said(engine: Engine, hook: str) -> None:
    parts, talk = reached(engine, hook)
    assert inbox.messages(parts, talk.user_id) == []
    with parts.store.read() as session:
        assert session.recent(talk.conversation_id, 1)[0].source == "chat"
    (job,) = work(parts)
    assert job.status is JobStatus.DONE and work(parts) == []
    (message,) = inbox.messages(parts, talk.user_id)
    assert message.status is AttemptStatus.DELIVERED and message.delivered_at == parts.clock.now()
    ((headers, body),) = Hook.got
    told = json.loads(body)
    assert told["text"] == message.text and told["notification_id"] == message.notification_id
    assert headers["Idempotency-Key"] == message.retention_id
    stamp, _, mark = headers["Clew-Signature"].partition(",v1=")
    expected = hmac.new(SECRET.encode(), stamp[2:].encode() + b"." + body, hashlib.sha256).hexdigest()
    assert mark == expected and headers["Clew-Signature"] == signature(SECRET, parts.clock.now(), body)
    with parts.store.read() as session:
        assert session.recent(talk.conversation_id, 1)[0].text == message.text


@pytest.mark.parametrize("trouble", [500, 503, 429])
def test_a_webhook_that_fails_is_tried_again_until_it_arrives(engine: Engine, hook: str, trouble: int) -> None:
    parts, talk = reached(engine, hook)
    Hook.answers = [trouble, trouble, 200]
    for _ in range(3):
        (job,) = work(parts)
        parts.clock.pass_(minutes=10)
    assert job.status is JobStatus.DONE and len(Hook.got) == 3
    assert len({h["Idempotency-Key"] for h, _ in Hook.got}) == 1
    assert len(inbox.messages(parts, talk.user_id)) == 1


def test_one_that_never_works_is_given_up_with_a_reason(engine: Engine, hook: str) -> None:
    parts, talk = reached(engine, hook)
    Hook.answers = [500] * 99
    for _ in range(12):
        work(parts)
        parts.clock.pass_(minutes=45)
    (message,) = inbox.attempts(parts, talk.user_id)
    assert message.status is AttemptStatus.SKIPPED and message.delivered_at is None
    assert inbox.told(message, "en", parts).startswith("Not sent because")
    assert inbox.messages(parts, talk.user_id) == []


def test_while_one_is_on_its_way_no_other_is_made(engine: Engine, hook: str) -> None:
    parts, talk = reached(engine, hook)
    for _ in range(3):
        parts.clock.pass_(hours=1)
        assert not reach_user(parts, talk.user_id, talk.friend_id, parts.clock.now()).sent
    with parts.store.read() as session:
        (one,) = session.candidates(("", ""), None, 10)
        (attempt,) = session.attempts_of([one.user_id], START)[one.user_id]
    assert attempt.delivered_at is not None
    assert len(inbox.attempts(parts, talk.user_id)) == 1


def test_one_that_is_gone_is_taken_off_and_not_asked_again(engine: Engine, hook: str) -> None:
    parts, talk = reached(engine, hook)
    Hook.answers = [410]
    (job,) = work(parts)
    assert job.status is JobStatus.DONE and job.result["skipped"] == "delivery_failed"
    assert inbox.channels(parts, talk.user_id) == [] and len(Hook.got) == 1


@pytest.mark.parametrize("trouble", ["hang", "drip"])
def test_one_that_hangs_or_drips_ends_in_time(hook: str, trouble: str) -> None:
    Hook.answers = [trouble]
    channel = Channel("c", "u", "webhook", hook, SECRET, START)
    parcel = Parcel("r", "n", "u", "t", "GENERIC_SAFE", "hi", START)
    started = time.monotonic()
    with pytest.raises(DeliveryFailed, match="within"):
        WebhookSender(private=True).send(channel, parcel, 0.5)
    assert time.monotonic() - started < 3
    Hook.release.set()


def test_nobody_there_is_a_failure_that_may_pass() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/"
    channel = Channel("c", "u", "webhook", address, SECRET, START)
    with pytest.raises(DeliveryFailed) as error:
        WebhookSender(private=True).send(channel, Parcel("r", "n", "u", "t", "k", "hi", START), 2)
    assert not isinstance(error.value, DeliveryRefused)


def test_a_redirect_is_not_followed(engine: Engine, hook: str) -> None:
    parts, talk = reached(engine, hook)
    Hook.answers = [302]
    work(parts)
    assert len(Hook.got) == 1 and inbox.messages(parts, talk.user_id) == []


@pytest.mark.parametrize("words", ["don't write first", "mute for a week", "hello again"])
def test_whoever_mutes_or_writes_meanwhile_is_not_written_to(engine: Engine, hook: str, words: str) -> None:
    parts, talk = reached(engine, hook)
    Hook.answers = [500]
    work(parts)
    parts.clock.pass_(minutes=1)
    say(parts, talk, words, 2)
    parts.clock.pass_(minutes=10)
    work(parts)
    assert len(Hook.got) == 1
    (message,) = inbox.attempts(parts, talk.user_id)
    assert message.status is AttemptStatus.SKIPPED and message.reason


def test_a_late_retry_does_not_come_at_night(engine: Engine, hook: str) -> None:
    parts, talk = reached(engine, hook)  # 15:00 in Seoul
    Hook.answers = [500]
    work(parts)
    parts.clock.pass_(hours=6)
    work(parts)
    assert len(Hook.got) == 1
    assert inbox.attempts(parts, talk.user_id)[0].reason == "outside_attempt_window"


def test_a_reminder_is_delivered_by_the_channel_too(engine: Engine, hook: str) -> None:
    parts = engine(clock=HeldClock(START), senders={"webhook": WebhookSender(private=True)})
    talk = onboard(parts)
    inbox.add_channel(parts, talk.user_id, "webhook", hook, SECRET)
    say(parts, talk, "remind me tonight at 11pm to lock the door", 1)
    parts.clock.pass_(hours=9)
    Worker(parts).drain()
    assert "lock the door" in json.loads(Hook.got[0][1])["text"]
    assert len(inbox.messages(parts, talk.user_id)) == 1


@pytest.mark.parametrize(
    ("kind", "address", "secret", "pointer"),
    [
        ("pigeon", "http://x/", SECRET, "/kind"), ("webhook", "ftp://x/", SECRET, "/address"),
        ("webhook", "http://x/", "short", "/secret"),
    ],
)  # fmt: skip
def test_a_bad_channel_is_refused_by_its_field(
    engine: Engine, kind: str, address: str, secret: str, pointer: str
) -> None:
    parts = engine(clock=HeldClock(START), senders={"webhook": WebhookSender(private=True)})
    talk = onboard(parts)
    with pytest.raises(InvalidInput) as error:
        inbox.add_channel(parts, talk.user_id, kind, address, secret)
    assert error.value.pointer == pointer


def test_web_push_is_encrypted_for_the_browser_and_a_dead_subscription_is_refused(hook: str) -> None:
    pytest.importorskip("pywebpush", reason="Web Push comes with the push extra")
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    from clew.adapters.delivery.push import PushSender

    def raw(key: Any) -> str:
        point = key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return base64.urlsafe_b64encode(point).rstrip(b"=").decode()

    browser, vapid = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    number = vapid.private_numbers().private_value.to_bytes(32, "big")
    sender = PushSender(base64.urlsafe_b64encode(number).rstrip(b"=").decode(), "mailto:ops@example.test", private=True)
    keys = json.dumps({"p256dh": raw(browser), "auth": base64.urlsafe_b64encode(b"0" * 16).decode().rstrip("=")})
    channel = Channel("c", "u", "webpush", hook, keys, START)
    parcel = Parcel("r", "n", "u", "t", "GENERIC_SAFE", "a quiet hello", START)
    Hook.answers = [201, 410, 500]
    sender.send(channel, parcel, 5)
    headers, body = {k.title(): v for k, v in Hook.got[0][0].items()}, Hook.got[0][1]
    assert b"a quiet hello" not in body and headers["Content-Encoding"] == "aes128gcm"
    assert "vapid" in headers["Authorization"].lower()
    with pytest.raises(DeliveryRefused):
        sender.send(channel, parcel, 5)
    with pytest.raises(DeliveryFailed):
        sender.send(channel, parcel, 5)


def test_a_message_is_stale_after_some_hours(engine: Engine, hook: str) -> None:
    parts, talk = reached(engine, hook)
    parts.clock.pass_(hours=20)  # 11:00 the next day
    work(parts)
    assert Hook.got == [] and inbox.attempts(parts, talk.user_id)[0].status is AttemptStatus.SKIPPED


def test_the_moment_of_the_signature_is_in_it() -> None:
    later = signature(SECRET, START + timedelta(seconds=1), b"{}")
    assert later != signature(SECRET, START, b"{}")
