"""Users name where their messages go; a server is not to be sent against what only it can reach."""

from __future__ import annotations

import socket
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from clew.adapters.delivery.addresses import public
from clew.adapters.delivery.push import PushSender
from clew.adapters.delivery.webhook import WebhookSender
from clew.errors import DeliveryFailed, DeliveryRefused
from clew.model.outreach import Channel
from clew.ports.delivery import Parcel

AT = datetime(2026, 1, 1, tzinfo=UTC)
PARCEL = Parcel("r", "n", "u", "t", "GENERIC_SAFE", "hi", AT)
SECRET = "sixteen letters and more"


def channel(address: str, kind: str = "webhook", secret: str = SECRET) -> Channel:
    return Channel("c", "u", kind, address, secret, AT)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "0.0.0.0", "10.0.0.5", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "::1",
     "fe80::1", "fd00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "224.0.0.1", "2130706433", "0x7f000001"],
)  # fmt: skip
def test_an_address_inside_is_refused(host: str) -> None:
    with pytest.raises(DeliveryRefused):
        public(host, 80)


@pytest.mark.parametrize("host", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"])
def test_a_public_one_is_taken(host: str) -> None:
    assert public(host, 443) == host


def test_a_name_with_one_address_inside_is_refused_and_one_without_any_may_come_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def looked_up(host: str, port: int, **_: Any) -> Any:
        if host == "nowhere.example":
            raise socket.gaierror("no such name")
        return [(2, 1, 6, "", ("93.184.216.34", port)), (2, 1, 6, "", ("169.254.169.254", port))]

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    with pytest.raises(DeliveryRefused):
        public("two.example", 80)
    with pytest.raises(DeliveryFailed) as told:
        public("nowhere.example", 80)
    assert not isinstance(told.value, DeliveryRefused)


def test_no_sender_reaches_a_server_inside_unless_it_is_allowed() -> None:
    got: list[str] = []

    class Inside(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Inside)
    Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://localhost:{server.server_address[1]}/admin"
    with pytest.raises(DeliveryRefused, match="CLEW_PRIVATE_WEBHOOKS"):
        WebhookSender().send(channel(address), PARCEL, 5)
    with pytest.raises(DeliveryRefused, match="CLEW_PRIVATE_WEBHOOKS"):
        PushSender("key", "mailto:a@b.example").send(channel(address, "webpush", "{}"), PARCEL, 5)
    assert got == []
    WebhookSender(private=True).send(channel(address), PARCEL, 5)
    assert got == ["/admin"]
    server.shutdown()
    server.server_close()


def test_the_address_that_was_looked_at_is_the_one_that_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that answers differently the second time does not lead inside."""
    called: list[Any] = []

    def connect(address: Any, *_: Any) -> Any:
        called.append(address)
        raise OSError("stopped here")

    answers = iter([[(2, 1, 6, "", ("93.184.216.34", 80))], [(2, 1, 6, "", ("127.0.0.1", 80))]])
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: next(answers))
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(DeliveryFailed):
        WebhookSender().send(channel("http://changes.example/"), PARCEL, 5)
    assert called == [("93.184.216.34", 80)]
