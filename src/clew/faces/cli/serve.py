"""`clew serve` and `clew keys`: the doors for other programs, and who may use them."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from clew.engine import bootstrap
from clew.errors import InvalidInput, NotFound
from clew.faces.cli.options import extract_option, opened, writer_options
from clew.faces.cli.out import echo
from clew.model.canonical import iso

_DB = click.option(
    "--db", metavar="URL", help="sqlite:///path or postgresql://… (default: your data folder, or CLEW_DB)."
)
_POLICY = click.option(
    "--policy", "policy_file", metavar="FILE", help="A TOML file laid over the shipped policy (or CLEW_POLICY)."
)


@click.command()
@_DB
@_POLICY
@writer_options
@extract_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Elsewhere than here only with a key.")
@click.option("--port", default=8420, show_default=True, type=click.IntRange(0, 65535))
@click.option(
    "--upstream",
    metavar="URL",
    envvar="CLEW_UPSTREAM",
    help="An OpenAI-compatible URL behind memory/<model> (or CLEW_UPSTREAM).",
)
@click.option("--jwks", metavar="URL", help="Take tokens signed by these keys, too.")
@click.option("--issuer", metavar="NAME", help="Only tokens of this issuer.")
@click.option("--audience", metavar="NAME", help="Only tokens for this audience.")
@click.option("--rate", default="1200/minute", show_default=True, help="Requests per key; empty for no limit.")
@click.option("--workers", default=8, show_default=True, type=click.IntRange(1, 64), help="Threads for turns.")
@click.option("--no-worker", is_flag=True, help="Do no jobs here; `clew worker` does them.")
def serve(
    db: str | None,
    policy_file: str | None,
    writer: str,
    model: str | None,
    no_embed: bool,
    extract: str | None,
    host: str,
    port: int,
    upstream: str | None,
    jwks: str | None,
    issuer: str | None,
    audience: str | None,
    rate: str,
    workers: int,
    no_worker: bool,
) -> int:
    """Serve the console (/), REST (/v1), OpenAI-compatible (/openai/v1), MCP (/mcp), /healthz, /readyz and /metrics.

    CLEW_SERVER_KEY is a key for a first start, CLEW_UPSTREAM_KEY the key for --upstream.
    """
    import uvicorn

    from clew.faces.cli import telemetry
    from clew.faces.http import logs
    from clew.faces.http.app import make_app
    from clew.faces.http.settings import Settings

    settings = Settings(
        host=host,
        port=port,
        admin_key=os.environ.get("CLEW_SERVER_KEY", ""),
        jwks=jwks or "",
        issuer=issuer or "",
        audience=audience or "",
        rate=rate,
        workers=workers,
        worker=not no_worker,
        upstream=upstream or "",
        upstream_key=os.environ.get("CLEW_UPSTREAM_KEY", ""),
        needs_key=bool(os.environ.get("CLEW_SERVER_KEY") or jwks),
    )
    _may_listen(host, port)
    # Before anything else sets logging up in a way of its own.
    logs.configure()
    telemetry.configure()
    with opened(db, policy_file, writer=writer, model=model, embed=not no_embed, extract=extract) as parts:
        app = make_app(parts, settings)
        # The server ends by the signal it was sent; whatever stands open around it is closed first.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        echo(f"Clew on http://{host}:{port}  console /  REST /v1  OpenAI /openai/v1  MCP /mcp  (Ctrl-C ends)")
        # An idle connection is kept longer than proxies keep theirs: one that is closed just as its next request comes
        # breaks that request.
        uvicorn.run(
            app, host=host, port=port, log_config=None, access_log=False, timeout_graceful_shutdown=30,
            timeout_keep_alive=75, server_header=False,
        )  # fmt: skip
    return 0


def _may_listen(host: str, port: int) -> None:
    """Asked before the address is told: what cannot be listened on is said in one line."""
    try:
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except OSError as why:
        told = why.strerror or str(why)
        raise InvalidInput(f"cannot listen on {host}:{port}: {told}", pointer="--port") from None


@click.group()
def keys() -> None:
    """Make, list and revoke API keys."""


@keys.command("new")
@click.argument("name")
@click.option("--tenant", default="", help="Whose data; without one, that of this database's own users.")
@click.option("--user", help="A key that acts for this user only.")
@_DB
def new(name: str, tenant: str, user: str | None, db: str | None) -> int:
    """Make a key called NAME and print it, once: only its hash is kept."""
    if not name.strip():
        raise InvalidInput("the key's name is empty", pointer="NAME")
    with _tables(db) as (tables, parts):
        _, secret = tables.make_key(name, tenant, user, iso(parts.clock.now()))
    echo(secret)
    return 0


@keys.command("list")
@_DB
def list_(db: str | None) -> int:
    """List keys, one JSON object a line; never their secrets."""
    with _tables(db) as (tables, _):
        for key in tables.all_keys():
            row = {name: getattr(key, name) for name in key.__dataclass_fields__}
            echo(json.dumps(row, ensure_ascii=False))
    return 0


@keys.command("revoke")
@click.argument("key_id", metavar="ID")
@_DB
def revoke(key_id: str, db: str | None) -> int:
    """Revoke the key ID at once. To rotate a key: make a new one, then revoke the old."""
    with _tables(db) as (tables, parts):
        if not tables.revoke_key(key_id, iso(parts.clock.now())):
            raise NotFound(f"no key {key_id!r} that is not revoked already", pointer="ID")
    echo(f"Revoked {key_id}.")
    return 0


@contextmanager
def _tables(db: str | None) -> Iterator[tuple[Any, Any]]:
    parts = bootstrap.build(db, embed=False)
    try:
        yield bootstrap.open_doors(parts.store), parts
    finally:
        parts.store.close()
