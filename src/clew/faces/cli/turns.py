"""`clew turns`: messages that could not be answered, and why."""

from __future__ import annotations

import click

from clew.engine.claim import unanswered
from clew.engine.failures import as_dict
from clew.engine.turn import take_turn
from clew.errors import NotFound
from clew.faces.cli.options import conversation_of, opened, store_options, writer_options
from clew.faces.cli.out import echo, to_json
from clew.faces.cli.turn import outcome_fields
from clew.model.exchange import Incoming

_SHOWN = 70


@click.group()
def turns() -> None:
    """Turns that failed: which, why, and once more."""


@turns.command()
@store_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object per message, with its text.")
def failed(db: str | None, policy_file: str | None, user: str, as_json: bool) -> int:
    """List messages that were taken in and not answered, with the place where it broke."""
    with opened(db, policy_file, embed=False, existing=True) as parts:
        most = parts.policy.engine.turn_attempts
        found = [as_dict(x, most) for x in unanswered(parts, conversation_of(parts, user).conversation_id)]
    if as_json:
        for turn in found:
            echo(to_json(turn))
        return 0
    for turn in found:
        text = turn["text"] if len(turn["text"]) <= _SHOWN else turn["text"][: _SHOWN - 1] + "…"
        state = "set aside" if turn["set_aside"] else "waiting"
        echo(f"{turn['message_id']}  {turn['at']}  {turn['code']}, attempts {turn['attempts']}, {state}")
        echo(f"  said   {text}")
        if turn["error"]:
            echo(f"  error  {turn['error']}")
        for place in turn["where"]:
            echo(f"  at     {place}")
    if not found:
        echo("every message was answered")
    return 0


@turns.command()
@store_options
@writer_options
@click.argument("message_id")
def retry(
    db: str | None,
    policy_file: str | None,
    user: str,
    writer: str,
    model: str | None,
    no_embed: bool,
    message_id: str,
) -> int:
    """Answer the message MESSAGE_ID now, with the words that were kept."""
    with opened(db, policy_file, existing=True, writer=writer, model=model, embed=not no_embed) as parts:
        waiting = unanswered(parts, conversation_of(parts, user).conversation_id)
        lease = next((x for x in waiting if x.message_id == message_id), None)
        if lease is None:
            raise NotFound(f"no message {message_id!r} of {user!r} waits for an answer", pointer="/message_id")
        outcome = take_turn(parts, Incoming(lease.message_id, lease.conversation_id, lease.text))
        echo(to_json(outcome_fields(outcome)))
    return 1 if outcome.set_aside else 0
