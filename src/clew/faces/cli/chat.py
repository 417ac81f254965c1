"""`clew chat`: talk in the terminal, and see after each reply what was decided and kept."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import click
from rich.text import Text

from clew.engine import identity
from clew.engine.claim import unanswered
from clew.engine.failures import set_aside, unplanned
from clew.engine.parts import Parts
from clew.errors import ClewError, InvalidInput, ModelFailure, NotFound
from clew.faces.cli import onboarding
from clew.faces.cli.commands import Chat, Leave, answer, obey
from clew.faces.cli.options import opened, store_options, user_id_of, writer_options
from clew.faces.cli.out import echo
from clew.faces.cli.screen import Screen
from clew.model.account import Conversation
from clew.model.profile import UserState

DEMO_LINES = (
    "hi! I'm Robin, I live in Leeds",
    "I love ramen, and I can't stand olives",
    "my exam is next week and I'm pretty nervous",
    "actually I moved to York last month",
    "what do you remember about me?",
    "forget the ramen thing",
    "thanks, that helped",
)


@click.command()
@store_options
@writer_options
@click.option("--demo", is_flag=True, help="Play a scripted newcomer through the real engine.")
def chat(
    db: str | None,
    policy_file: str | None,
    user: str,
    writer: str,
    model: str | None,
    no_embed: bool,
    demo: bool,
) -> int:
    """Chat in the terminal; one message per line when input is piped."""
    console = Screen(highlight=False, soft_wrap=True)
    if demo and db is None:
        db, user = "sqlite://", "demo"
    with opened(db, policy_file, writer=writer, model=model, embed=not no_embed) as parts:
        conversation = _arrive(parts, user, demo)
        room = Chat(parts, conversation, console)
        _greet(room, demo)
        piped = demo or not sys.stdin.isatty()
        _pick_up(room, piped)
        return _talk(room, _lines(room, demo), piped=piped)


def _arrive(parts: Parts, user: str, demo: bool) -> Conversation:
    """Sign up and onboard once; later runs find everything where it was."""
    user_id = user_id_of(user)
    found = identity.sign_up(parts, user_id)
    if found.state is UserState.CREATED:
        found = identity.start_onboarding(parts, user_id)
    with parts.store.read() as session:
        known = identity.account(session, user_id)
    if known.conversation is None:
        if demo:
            given = onboarding.DEMO
        elif sys.stdin.isatty():
            given = onboarding.ask(identity.read_answers)
        else:
            given = onboarding.defaults()
        known = identity.answer(parts, user_id, given)
    assert known.conversation is not None
    return known.conversation


def _greet(room: Chat, demo: bool) -> None:
    with room.parts.store.read() as session:
        friend = session.friend(room.conversation.friend_id)
        past = session.recent(room.conversation.conversation_id, 2)
    if friend is not None:
        kind = friend.assignment.combo_key.split(":")[0].replace("_", " ")
        room.dim(
            f"Your friend here is a {kind} ({friend.assignment.template_id}). /help lists commands, /quit ends."
        )
    if past and not demo:
        room.dim(f"Last time: {_short(past[-1].text)}")


def _pick_up(room: Chat, piped: bool) -> None:
    """Answer what was taken in and never answered, because the last run was cut off."""
    most = room.parts.policy.engine.turn_attempts
    for lease in unanswered(room.parts, room.conversation.conversation_id):
        if set_aside(lease, most):
            room.dim(f"Set aside after {most} attempts (/retry tries again): {_short(lease.text)}")
            continue
        room.dim(f"Cut off last time, answering now: {_short(lease.text)}")
        with _told(room, piped):
            answer(room, lease.text, lease.message_id)


def _lines(room: Chat, demo: bool) -> Iterator[str]:
    if demo:
        for line in DEMO_LINES:
            room.console.print(Text(f"you › {line}", style="bold"))
            yield line
        return
    if sys.stdin.isatty():
        while True:
            try:
                yield room.console.input("[bold]you ›[/bold] ")
            except EOFError:
                room.console.print()
                return
    for number, raw in enumerate(sys.stdin.buffer, 1):
        try:
            yield raw.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as why:
            room.failed = True
            echo(f"clew: invalid_input at line {number}: not UTF-8 at byte {why.start}", err=True)


def _talk(room: Chat, lines: Iterator[str], *, piped: bool) -> int:
    for line in lines:
        if not line.strip():
            if piped:
                continue
            room.dim("(say something, or /help)")
            continue
        try:
            with _told(room, piped):
                if line.startswith("/"):
                    obey(room, line)
                else:
                    answer(room, line, str(uuid.uuid4()))
        except Leave:
            break
    return 1 if room.failed else 0


@contextmanager
def _told(room: Chat, piped: bool) -> Iterator[None]:
    """What goes wrong with one message is said, and the chat goes on."""
    try:
        yield
    except KeyboardInterrupt:
        if piped:
            raise
        room.dim("Interrupted. A message that was being answered is kept; /retry answers it.")
    except ModelFailure as why:
        room.failed = piped
        echo(
            f"clew: {why.code}: {why.message}. Your message is kept; "
            + ("/retry sends it again." if why.retryable else "put that right, then /retry."),
            err=True,
        )
    except (InvalidInput, NotFound) as why:
        room.failed = piped
        where = f" at {why.pointer}" if why.pointer else ""
        echo(f"clew: {why.code}{where}: {why.message}", err=True)
    except ClewError as why:
        if not why.retryable:
            raise
        room.failed = piped
        echo(f"clew: {why.code}: {why.message}", err=True)
    except Leave:
        raise
    except Exception as why:
        room.failed = piped
        echo(f"clew: {unplanned(why)}", err=True)


def _short(text: str, most: int = 70) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
