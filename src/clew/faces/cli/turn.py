"""`clew turn` and `clew why`: one turn for programs, and the story of a stored one."""

from __future__ import annotations

import gc
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import click

from clew.engine.preview import preview
from clew.engine.story import story
from clew.engine.turn import take_turn
from clew.errors import InvalidInput, NotFound
from clew.faces.cli.options import conversation_of, extract_option, opened, store_options, writer_options
from clew.faces.cli.out import echo, to_json
from clew.model.canonical import plain
from clew.model.exchange import Incoming, Outcome


@click.command()
@store_options
@writer_options
@extract_option
@click.argument("text", required=False)
@click.option("--message-id", help="A UUID; the same id always gives the same reply.")
@click.option(
    "--show-prompt", is_flag=True, help="Print what the model would see and what was left out; store nothing."
)
def turn(
    db: str | None,
    policy_file: str | None,
    user: str,
    writer: str,
    model: str | None,
    no_embed: bool,
    extract: str | None,
    text: str | None,
    message_id: str | None,
    show_prompt: bool,
) -> int:
    """Take one turn with TEXT (or standard input) and print the outcome as JSON."""
    if text is None:
        try:
            text = sys.stdin.buffer.read().decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as why:
            raise InvalidInput(f"not UTF-8 at byte {why.start}", pointer="/text") from None
    opening = opened(db, policy_file, existing=True, writer=writer, model=model, embed=not no_embed, extract=extract)
    with _without_collecting(), opening as parts:
        conversation = conversation_of(parts, user)
        incoming = Incoming(message_id or str(uuid.uuid4()), conversation.conversation_id, text)
        if show_prompt:
            for line in preview(parts, incoming):
                echo(line)
            return 0
        outcome = take_turn(parts, incoming)
        echo(to_json(outcome_fields(outcome)))
    return 1 if outcome.set_aside else 0


@contextmanager
def _without_collecting() -> Iterator[None]:
    """One turn and the process ends: looking through the loaded tables for garbage finds none, and takes long."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def outcome_fields(outcome: Outcome) -> dict[str, object]:
    return {
        "message_id": outcome.message_id,
        "reply_id": outcome.reply_id,
        "reply": outcome.reply,
        "pipeline": outcome.pipeline.value,
        "user_state": outcome.user_state.value,
        "replayed": outcome.replayed,
        "set_aside": outcome.set_aside,
        "missing_fields": list(outcome.missing),
        "surfaced_memory_ids": list(outcome.surfaced_memory_ids),
        "memory_events": plain(list(outcome.memory_events)),
    }


@click.command()
@store_options
@click.argument("message_id")
@click.option("--json", "as_json", is_flag=True, help="The whole trace as JSON.")
def why(db: str | None, policy_file: str | None, user: str, message_id: str, as_json: bool) -> int:
    """Tell why the turn MESSAGE_ID went as it did, rule by rule."""
    with opened(db, policy_file, embed=False, existing=True) as parts:
        conversation = conversation_of(parts, user)
        with parts.store.read() as session:
            trace = session.trace(message_id)
            said, reply = session.message(message_id), session.reply_to(message_id)
        if trace is None or trace.user_id != conversation.user_id:
            raise NotFound(f"no turn {message_id!r} of {user!r}", pointer="/message_id")
        if as_json:
            echo(to_json(trace.body, indent=2))
        else:
            for line in story(trace.told, said.text if said else "", reply.text if reply else ""):
                echo(line)
    return 0
