"""`clew export`, `clew import`, `clew erase`: a user's whole history."""

from __future__ import annotations

import json
from pathlib import Path

import click

from clew.engine.archive import erase_history, erase_user, export_user, import_bundle
from clew.engine.bootstrap import make_index
from clew.errors import NotFound
from clew.faces.cli.options import known_user, opened, store_options, user_id_of
from clew.faces.cli.out import echo


@click.command("export")
@store_options
@click.argument("file", type=click.Path(path_type=Path))
def export(db: str | None, policy_file: str | None, user: str, file: Path) -> None:
    """Write everything about a user to FILE: a zip of JSON Lines, the same bytes for the same state."""
    with opened(db, policy_file, embed=False, existing=True) as parts:
        size = export_user(parts, known_user(parts, user), file)
        echo(f"wrote {file} ({size:,} bytes)")


@click.command("import")
@store_options
@click.argument("file", type=click.Path(path_type=Path))
def import_(db: str | None, policy_file: str | None, user: str, file: Path) -> None:
    """Take in a bundle that `clew export` wrote, whole or not at all, or what another program keeps.

    Known by their structure: exports of ChatGPT and Claude (the zip file or its conversations.json), chats of
    SillyTavern, memories of mem0 as JSON, and Chroma's chroma.sqlite3. Taking in the same file again changes nothing.
    """
    from clew.faces.python.memory import Memory, is_bundle

    if not file.exists() or is_bundle(file):
        with opened(db, policy_file, embed=False) as parts:
            taken = import_bundle(parts, file)
    else:
        with Memory(db, policy=policy_file) as memory:
            taken = memory.import_(file, user=user)
    for table, rows in taken.items():
        echo(f"{table:<14} {rows}")


@click.command()
@store_options
@click.option("--conversation", metavar="ID", help="An ingested conversation instead of a user.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase(db: str | None, policy_file: str | None, user: str, conversation: str | None, yes: bool) -> int:
    """Erase a user, or a history that was ingested, beyond recovery; print a receipt."""
    what = f"the ingested conversation {conversation!r}" if conversation else f"everything about {user!r}"
    if not yes:
        click.confirm(f"Erase {what}? This cannot be undone", abort=True)
    with opened(db, policy_file, embed=False, existing=True) as parts:
        if conversation:
            receipt = erase_history(parts.store, parts.index or make_index(parts.store), conversation)
        else:
            try:
                receipt = erase_user(parts, user_id_of(user))
            except NotFound:
                raise NotFound(f"no user {user!r} in this database", pointer="--user") from None
        echo(json.dumps(receipt.as_dict(), indent=2))
        return 0 if receipt.clean else 1
