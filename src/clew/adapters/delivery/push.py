"""Web Push through the browser's own service; needs the extra clew[push] and a VAPID key of the operator's."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

from clew.adapters.delivery.addresses import public
from clew.errors import DeliveryFailed, DeliveryRefused
from clew.model.outreach import Channel
from clew.ports.delivery import Parcel

# The subscription is no more.
_GONE = (404, 410)


class PushSender:
    """`secret` of a channel is the subscription's keys as JSON: {"p256dh": …, "auth": …}."""

    def __init__(self, private_key: str, subject: str, private: bool = False) -> None:
        self._private = private
        self._key = private_key
        self._subject = subject

    def send(self, channel: Channel, parcel: Parcel, timeout_seconds: float) -> None:
        import requests
        from pywebpush import WebPushException, webpush

        asked = urlsplit(channel.address)
        if not self._private:
            public(asked.hostname or "", 443)
        subscription: dict[str, Any] = {"endpoint": channel.address, "keys": json.loads(channel.secret)}
        note = {
            "notification_id": parcel.notification_id,
            "conversation_id": parcel.conversation_id,
            "text": parcel.text,
        }
        try:
            webpush(
                subscription,
                json.dumps(note, ensure_ascii=False),
                vapid_private_key=self._key,
                vapid_claims={"sub": self._subject},
                ttl=24 * 3600,
                timeout=timeout_seconds,
            )
        except WebPushException as why:
            status = getattr(why.response, "status_code", None)
            if status in _GONE or (status is not None and 400 <= status < 500 and status != 429):
                raise DeliveryRefused(f"the push service answered {status}") from None
            raise DeliveryFailed(f"the push service: {status or why}") from None
        except requests.RequestException as why:
            raise DeliveryFailed(f"the push service cannot be reached: {why}") from None
        except ValueError as why:
            raise DeliveryRefused(f"not a push subscription: {why}") from None
