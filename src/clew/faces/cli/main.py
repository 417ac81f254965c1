"""`clew`: one row per command; a command's module is loaded only when it is called."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module

import click

from clew import __version__
from clew.errors import ClewError
from clew.faces.cli.out import echo

# name -> (module:attribute of a click command, one line of help)
COMMANDS: dict[str, tuple[str, str]] = {
    "threads": ("clew.faces.cli.threads:threads", "Check open loops against the thread contract."),
    "chat": ("clew.faces.cli.chat:chat", "Talk in the terminal and see what is remembered and why."),
    "turn": (
        "clew.faces.cli.turn:turn",
        "Take one turn; JSON out. --show-prompt shows what a model would see.",
    ),
    "turns": ("clew.faces.cli.turns:turns", "List turns that failed, and try one again."),
    "why": ("clew.faces.cli.turn:why", "Tell why a stored turn went as it did."),
    "memories": ("clew.faces.cli.memories:memories", "List, edit, pause, pin, forget, restore memories."),
    "replay": (
        "clew.faces.cli.replay:replay",
        "Rebuild the state from the journal, or ask old turns under a new policy.",
    ),
    "export": ("clew.faces.cli.data:export", "Everything about a user as one zip file."),
    "import": ("clew.faces.cli.data:import_", "Take in such a file, or what another program keeps."),
    "card": ("clew.faces.cli.cards:card", "Look into character cards and lorebooks, and write them anew."),
    "erase": ("clew.faces.cli.data:erase", "Erase a user, with a receipt."),
    "ingest": ("clew.faces.cli.ingest:ingest", "Store a conversation history from a file."),
    "recall": (
        "clew.faces.cli.recall:recall",
        "Find the turns of a stored conversation that answer a question.",
    ),
    "links": ("clew.faces.cli.links:links", "Find who tried what in a transcript, and what came of it."),
    "serve": ("clew.faces.cli.serve:serve", "Serve REST, OpenAI-compatible and MCP on this machine."),
    "keys": ("clew.faces.cli.serve:keys", "Make, list and revoke API keys of the server."),
    "worker": ("clew.faces.cli.jobs:worker", "Do jobs: reminders, messages written first, deliveries, upkeep."),
    "jobs": ("clew.faces.cli.jobs:jobs", "Show what is to be done, what was done, and what failed."),
    "simulate": ("clew.faces.cli.simulate:simulate_", "Run synthetic users on a simulated clock; plot what is sent."),
    "mcp": ("clew.faces.cli.mcp:mcp", "Speak MCP on standard input and output."),
    "doctor": ("clew.faces.cli.doctor:doctor", "Check what Clew needs, and say how to put it right."),
    "kernel": ("clew.faces.cli.kernel:kernel", "Ask one pure decision, JSON Lines in and out."),
}


# The matrices here are small: several threads of the number library wait for one another longer than they work.
# It reads these once, when it is loaded; whoever sets them keeps them.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")


class LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, attribute = COMMANDS[name][0].split(":")
        # Modules stay: nothing that is made while they load is garbage.
        collects = gc.isenabled()
        gc.disable()
        try:
            command: click.Command = getattr(import_module(module), attribute)
        finally:
            if collects:
                gc.enable()
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="clew")
def cli() -> None:
    """Clew decides what a message is, what to remember and what may be said, and shows why."""


def _source_of(module: str) -> str:
    """What to install for a module that is missing: the extra that brings it, as our own package tells."""
    import re
    from importlib import metadata

    for line in metadata.requires("clew") or ():
        named = re.match(r"([\w.-]+).*extra == ['\"](\w+)", line)
        package = named[1].lower() if named else ""
        wanted = module.replace("_", "-").lower()
        if named and named[2] != "dev" and (package in (wanted, f"py{wanted}") or package.startswith(f"{wanted}-")):
            return f"'clew[{named[2]}]'"
    return module


def main(argv: list[str] | None = None) -> int:
    """Errors of our own tree become one clear line and a non-zero exit status."""
    try:
        status = cli.main(args=argv, prog_name="clew", standalone_mode=False)
    except ClewError as why:
        where = f" at {why.pointer}" if why.pointer else ""
        echo(f"clew: {why.code}{where}: {why.message}", err=True)
        status = 2 if why.fault == "caller" else 1
    except ModuleNotFoundError as why:
        if (why.name or "clew").startswith("clew"):
            raise
        needed = (why.name or "").partition(".")[0]
        echo(f"clew: this needs the package {needed!r}: pip install {_source_of(needed)}", err=True)
        status = 1
    except click.ClickException as why:
        why.show()
        status = why.exit_code
    except (click.Abort, KeyboardInterrupt):
        echo("clew: interrupted", err=True)
        status = 130
    except BrokenPipeError:
        sys.stderr.close()
        status = 141
    # Everything goes with the process: looking through it for garbage first takes longer than many a command.
    gc.freeze()
    sys.exit(status if isinstance(status, int) else 0)
