"""A signed POST to an address of the caller's, within a stated time, without following anything it points to."""

from __future__ import annotations

import hashlib
import hmac
import json
import socket
import threading
from contextlib import suppress
from datetime import datetime
from urllib.parse import urlsplit

from clew.adapters.delivery.addresses import public
from clew.errors import DeliveryFailed, DeliveryRefused
from clew.model.canonical import iso
from clew.model.outreach import Channel
from clew.ports.delivery import Parcel

# Too many requests, too slow: asking again later may help.
_LATER = (408, 425, 429)


def signature(secret: str, moment: datetime, body: bytes) -> str:
    """`t=<seconds>,v1=<hex>`: HMAC-SHA256 of "<seconds>.<body>"; an old one is no good to whoever copied it."""
    seconds = str(int(moment.timestamp()))
    mark = hmac.new(secret.encode(), seconds.encode() + b"." + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={mark}"


class WebhookSender:
    """`private`: addresses inside the operator's own network are taken too."""

    def __init__(self, private: bool = False) -> None:
        self._private = private

    def send(self, channel: Channel, parcel: Parcel, timeout_seconds: float) -> None:
        body = json.dumps(
            {
                "type": "message.proactive",
                "retention_id": parcel.retention_id,
                "notification_id": parcel.notification_id,
                "user": parcel.user,
                "conversation_id": parcel.conversation_id,
                "kind": parcel.kind,
                "text": parcel.text,
                "at": iso(parcel.at),
            },
            ensure_ascii=False,
        ).encode()
        headers = {
            "Content-Type": "application/json; charset=utf-8",
            "Clew-Signature": signature(channel.secret, parcel.at, body),
            "Idempotency-Key": parcel.retention_id,
            "User-Agent": "clew",
        }
        status = _post(channel.address, body, headers, timeout_seconds, self._private)
        if 200 <= status < 300:
            return
        if status >= 500 or status in _LATER:
            raise DeliveryFailed(f"the webhook answered {status}")
        raise DeliveryRefused(f"the webhook answered {status}")


def _post(address: str, body: bytes, headers: dict[str, str], seconds: float, private: bool) -> int:
    """The status; the whole exchange, drip by drip or not, ends in time."""
    from http import client  # a process that sends nothing does not load it

    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise DeliveryRefused(f"not an http(s) address: {address[:80]!r}")
    kind = client.HTTPSConnection if parts.scheme == "https" else client.HTTPConnection
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    late = threading.Event()
    try:
        connection = kind(parts.hostname, parts.port, timeout=seconds)
    except ValueError as why:
        raise DeliveryRefused(f"not an http(s) address: {why}") from None
    if not private:
        looked_at = public(parts.hostname, connection.port)
        connection._create_connection = (  # type: ignore[attr-defined]
            lambda at, *more: socket.create_connection((looked_at, at[1]), *more)
        )

    def cut() -> None:
        late.set()
        with suppress(OSError):
            if connection.sock is not None:
                connection.sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        connection.request("POST", path, body, headers)
        return connection.getresponse().status
    except (OSError, client.HTTPException) as why:
        slow = late.is_set() or isinstance(why, TimeoutError)
        told = f"the webhook did not answer within {seconds:g} s" if slow else f"the webhook cannot be reached: {why}"
        raise DeliveryFailed(told) from None
    finally:
        timer.cancel()
        connection.close()
