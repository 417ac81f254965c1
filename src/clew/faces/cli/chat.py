"""`clew chat`: talk in the terminal. One quiet line says what was kept; `--verbose` says what was decided.

A line that is no command goes through `answer` (faces/cli/commands.py) to `take_turn` (engine/turn.py), as anywhere.
"""

from __future__ import annotations

import sys
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress

import click
from rich.text import Text

from clew.engine import friends, identity, service
from clew.engine.claim import unanswered
from clew.engine.failures import set_aside, unplanned
from clew.engine.parts import Parts
from clew.errors import ClewError, InvalidInput, ModelFailure, NotFound
from clew.faces.cli import onboarding
from clew.faces.cli.commands import COMMANDS, answer, obey
from clew.faces.cli.editing import line_of, ready
from clew.faces.cli.options import extract_option, opened, store_options, user_id_of, writer_options
from clew.faces.cli.out import echo
from clew.faces.cli.screen import Screen
from clew.faces.cli.sitting import Chat, Leave
from clew.faces.cli.waiting import Watch, keep_promises
from clew.kernel.read.utterance import read
from clew.model.account import Conversation

DEMO_LINES = (
    "hi! I'm Robin, I live in Leeds",
    "I love ramen, and I can't stand olives",
    "my exam is next week and I'm pretty nervous",
    "actually I moved to York last month",
    "what do you remember about me?",
    "forget the ramen thing",
    "thanks, that helped",
)
_SHOWN = 4


@click.command()
@store_options
@writer_options
@extract_option
@click.option("--demo", is_flag=True, help="Play a scripted newcomer through the real engine.")
@click.option("--guest", is_flag=True, help="Start without any question; what you do not tell stays unknown.")
@click.option("--verbose", is_flag=True, help="Show keys, scores and rules under each reply.")
@click.option("--quiet", is_flag=True, help="Show replies only.")
def chat(
    db: str | None,
    policy_file: str | None,
    user: str,
    writer: str,
    model: str | None,
    no_embed: bool,
    extract: str | None,
    demo: bool,
    guest: bool,
    verbose: bool,
    quiet: bool,
) -> int:
    """Chat in the terminal; one message per line when input is piped."""
    piped = demo or not sys.stdin.isatty()
    console = Screen(highlight=False, soft_wrap=not sys.stdout.isatty())
    if demo and db is None:
        db, user = "sqlite://", "demo"
    with opened(db, policy_file, writer=writer, model=model, embed=not no_embed, extract=extract) as parts:
        if not piped:
            _warm(parts)
        conversation, new = _arrive(parts, user)
        room = Chat(parts, conversation, console, verbose=verbose, quiet=quiet)
        spoken = onboarding.spoken_here(parts.policy) if new else room.language
        if new and demo:
            identity.change(parts, conversation.user_id, onboarding.DEMO)
        elif new and not piped and not guest:
            with suppress(EOFError, KeyboardInterrupt):
                spoken = onboarding.ask(parts, conversation.user_id, lambda q: line_of(f"{q} "), room.show)
        _greet(room, spoken, past=not demo)
        _pick_up(room, piped)
        keep_promises(room)
        with nullcontext() if piped else Watch(room):
            return _talk(room, _lines(room, demo), piped=piped)


def _warm(parts: Parts) -> None:
    """What the first message needs is loaded while it is typed."""

    def load() -> None:
        with suppress(Exception):
            read("hello", parts.policy)
            if parts.embedder is not None:
                parts.embedder.embed(["hello"])

    threading.Thread(target=load, daemon=True).start()


def _arrive(parts: Parts, user: str) -> tuple[Conversation, bool]:
    """The conversation of this user, and whether it is new; whoever is new is a guest until they say more."""
    try:
        with parts.store.read() as session:
            known = identity.account(session, user_id_of(user)).conversation
    except NotFound:
        known = None
    if known is not None:
        return known, False
    return service.arrive(parts, user).conversation, True


def _greet(room: Chat, spoken: str, *, past: bool) -> None:
    with room.parts.store.read() as session:
        friend = session.friend(room.conversation.friend_id)
        said = session.recent(room.conversation.conversation_id, _SHOWN) if past else []
    if room.quiet:
        return
    words = onboarding.words_for(room.parts, spoken)
    if friend is not None:
        kind = friends.find(room.parts, friend.assignment.template_id).core_archetype
        room.dim(words.lines["friend"].format(kind=kind))
    for message in said:
        room.dim(f"{'you' if message.role == 'user' else 'clew'}: {_short(message.text)}")


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
        with room.parts.store.read() as session:
            before = session.recent(room.conversation.conversation_id, 200, "user")
        ready([m.text for m in before], [f"/{name}" for name in COMMANDS])
        while True:
            try:
                yield line_of("you › ")
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
            room.dim(onboarding.words_for(room.parts, onboarding.spoken_here(room.parts.policy)).lines["blank"])
            continue
        try:
            with _told(room, piped):
                if line.startswith("/"):
                    obey(room, line)
                else:
                    answer(room, line, str(uuid.uuid4()))
        except Leave:
            break
        keep_promises(room)
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
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
