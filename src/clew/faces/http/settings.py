"""What a server is told when it starts."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from clew.errors import InvalidInput

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1", "[::1]", "testserver"})


@dataclass(frozen=True, slots=True)
class Settings:
    host: str = "127.0.0.1"
    port: int = 8420
    # Set, every call needs a key or a token; also when any key exists in the database.
    needs_key: bool = False
    # A key from the environment, for a first start in a container.
    admin_key: str = ""
    jwks: str = ""
    issuer: str = ""
    audience: str = ""
    # In the words of the limits package, per key; empty for none.
    rate: str = "1200/minute"
    max_bytes: int = 2_000_000
    max_import_bytes: int = 200_000_000
    workers: int = 8
    # Do jobs too: the hourly look, reminders, deliveries. Off where `clew worker` runs beside it.
    worker: bool = False
    # An OpenAI-compatible URL that `memory/<model>` passes requests on to.
    upstream: str = ""
    upstream_key: str = ""
    upstream_timeout: float = 300.0
    context_tokens: int = 800
    # Names this server answers to, beside loopback; checked only where no key is needed.
    hosts: tuple[str, ...] = ()
    telemetry_content: bool = False

    @property
    def is_local(self) -> bool:
        if self.host in LOOPBACK:
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def check(self, has_key: bool) -> None:
        """Anybody who reaches an open server owns its memories; so it is open on this machine only."""
        if not self.is_local and not (has_key or self.admin_key or self.jwks):
            raise InvalidInput(
                f"{self.host} is not this machine alone, and there is no key: make one with `clew keys new NAME`, "
                "or set CLEW_SERVER_KEY",
                pointer="--host",
            )
