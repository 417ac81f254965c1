"""Where a message may go. Users name the addresses, so a server could be sent against what only it can reach.

Only addresses of the public internet are taken, unless whoever runs the server says otherwise. The address that was
looked at is the one that is connected to: a name that changes its mind in between leads nowhere.
"""

from __future__ import annotations

import ipaddress
import socket

from clew.errors import DeliveryFailed, DeliveryRefused


def public(host: str, port: int) -> str:
    """One address of this name, all of which are public."""
    try:
        found = [str(row[4][0]) for row in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError) as why:
        raise DeliveryFailed(f"the name {host[:80]!r} leads nowhere: {why}") from None
    for address in found:
        if not _is_public(address):
            raise DeliveryRefused(f"{host[:80]!r} is not on the public internet; CLEW_PRIVATE_WEBHOOKS=1 allows it")
    return found[0]


def _is_public(address: str) -> bool:
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    inner = getattr(parsed, "ipv4_mapped", None) or getattr(parsed, "sixtofour", None)
    return parsed.is_global and not parsed.is_multicast and (inner is None or inner.is_global)
