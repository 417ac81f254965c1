"""The options that every command with a database shares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from clew import policy as policies
from clew.engine import bootstrap, prepared
from clew.engine.identity import account
from clew.engine.parts import Parts
from clew.errors import InvalidInput, NotFound, NotReady
from clew.model.account import Conversation
from clew.model.canonical import derived_id
from clew.policy.extractor import AskModel

F = TypeVar("F", bound=Callable[..., Any])

LOCAL_USER = "me"


def store_options(command: F) -> F:
    for option in (
        click.option(
            "--db",
            metavar="URL",
            help="sqlite:///path or postgresql://… (default: your data folder, or CLEW_DB).",
        ),
        click.option(
            "--policy",
            "policy_file",
            metavar="FILE",
            help="A TOML file laid over the shipped policy (or CLEW_POLICY).",
        ),
        click.option("--user", default=LOCAL_USER, show_default=True, help="Whose conversation."),
    ):
        command = option(command)
    return command


def writer_options(command: F) -> F:
    for option in (
        click.option(
            "--writer",
            default="composer",
            show_default=True,
            metavar="NAME|FILE.gguf|URL",
            help="composer (built in), local, a GGUF file, or an OpenAI-compatible URL (key in CLEW_API_KEY).",
        ),
        click.option("--model", metavar="NAME", help="The model's name at the URL (or CLEW_MODEL)."),
        click.option("--no-embed", is_flag=True, help="Do without the local embedder."),
    ):
        command = option(command)
    return command


def extract_option(command: F) -> F:
    """For commands that take messages in."""
    return click.option(
        "--extract",
        type=click.Choice([ask.value for ask in AskModel]),
        help="How often the model at the URL is asked what to remember (default: what the policy says, chosen).",
    )(command)


def user_id_of(name: str) -> str:
    if not name.strip():
        raise InvalidInput("the user's name is empty", pointer="--user")
    return derived_id("user", name)


@contextmanager
def opened(
    db: str | None, policy_file: str | None, *, existing: bool = False, **more: Any
) -> Iterator[Parts]:
    """`existing`: a command that only looks must not leave an empty database behind a mistyped path."""
    url = db or bootstrap.default_db()
    path = url.removeprefix("sqlite:///")
    if (
        existing
        and path not in (url, "", ":memory:")
        and not Path(path.partition("?")[0]).expanduser().exists()
    ):
        raise NotFound(f"no database at {path}; start with: clew chat", pointer="--db")
    parts = bootstrap.build(db, policy_file=policy_file, **more)
    try:
        yield parts
    finally:
        parts.store.close()
        if parts.policy is policies.default():
            prepared.keep_programs()


def known_user(parts: Parts, user: str) -> str:
    with parts.store.read() as session:
        if session.user(user_id_of(user)) is None:
            raise NotFound(f"no user {user!r} in this database", pointer="--user")
    return user_id_of(user)


def conversation_of(parts: Parts, user: str) -> Conversation:
    with parts.store.read() as session:
        try:
            found = account(session, user_id_of(user)).conversation
        except NotFound:
            raise NotFound(f"no user {user!r} in this database; start with: clew chat") from None
    if found is None:
        raise NotReady(f"{user!r} has not finished onboarding; start with: clew chat")
    return found
