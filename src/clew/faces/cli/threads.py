"""`clew threads check FILE`: a state and a proposal in, the verdict out; `clew threads prompt PAGE`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from clew import policy as policies
from clew.errors import InvalidInput
from clew.faces.cli.out import echo, to_json
from clew.faces.cli.screen import Screen
from clew.kernel.door import Mode, call
from clew.kernel.weave.duplicate import loop_tokens
from clew.kernel.weave.narrate import narrate
from clew.kernel.weave.prompt import contract_prompt
from clew.kernel.weave.shelves import read_story
from clew.model.canonical import plain
from clew.model.fields import Fields
from clew.model.thread import PageKind, ThreadType
from clew.policy import Policy

_POLICY = click.option(
    "--policy",
    "policy_file",
    type=click.Path(path_type=Path),
    help="A TOML file laid over the shipped policy.",
)
_COLOURS = {"reject": "red", "repair": "yellow", "warn": "cyan"}


@click.group()
def threads() -> None:
    """Open loops for story tools: check a proposal, print the rules for a model."""


@threads.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--mode", type=click.Choice(["strict", "repair"]), default="strict", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the kernel's answer as JSON.")
@_POLICY
def check(file: Path, mode: Mode, as_json: bool, policy_file: Path | None) -> int:
    """Check the proposal in FILE (- for standard input) against its state; status 1 when it is rejected.

    FILE holds {"state": …, "proposal": …}, or one object of the `threads` kernel.
    """
    policy = policies.load(policy_file)
    document = _read(file)
    answer = judge(document, mode, policy)
    if as_json:
        echo(to_json(answer, indent=2))
    else:
        Screen(soft_wrap=False).print(verdict_text(answer, document, policy))
    return 0 if answer["accepted"] else 1


@threads.command()
@click.argument("page", type=click.Choice([p.value for p in PageKind]))
@_POLICY
def prompt(page: str, policy_file: Path | None) -> int:
    """Print the thread contract as text for any model."""
    echo(contract_prompt(PageKind(page), policies.load(policy_file).weave), nl=False)
    return 0


def _read(file: Path) -> dict[str, Any]:
    try:
        raw = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        document = json.loads(raw.decode("utf-8"))
    except OSError as why:
        raise InvalidInput(f"{file}: {why.strerror or why}", pointer="/") from None
    except UnicodeDecodeError as why:
        raise InvalidInput(f"{file}: not UTF-8 at byte {why.start}", pointer="/") from None
    except (ValueError, RecursionError) as why:
        raise InvalidInput(f"{file}: not JSON: {why}", pointer="/") from None
    if not isinstance(document, dict):
        raise InvalidInput(f"{file}: expected an object with state and proposal", pointer="/")
    return document


def judge(document: dict[str, Any], mode: Mode, policy: Policy) -> dict[str, Any]:
    """Threads alone go to the `threads` kernel; a page with more than threads to the narrator's reconciler."""
    if "proposal" not in document:
        return call("threads", document, mode=mode, policy=policy)
    fields = Fields(document)
    state, proposal = fields.child("state", Fields({}, "/state")), fields.child("proposal")
    if "add" in proposal.data or "resolve" in proposal.data or not proposal.data:
        return call("threads", {**state.data, **proposal.data}, mode=mode, policy=policy)
    verdict = narrate(read_story(state, policy.weave), proposal, policy, mode)
    story = plain(verdict.story)
    return {
        "accepted": verdict.accepted,
        "state": {**{k: v for k, v in story.items() if k != "entries"}, **story["entries"]},
        "threads": story["threads"],
        "added": plain(verdict.added),
        "removed": plain(verdict.removed),
        "diagnostics": [d.as_dict() for d in verdict.diagnostics],
        "notices": list(verdict.notices),
        "policy": policy.fingerprint,
    }


def verdict_text(answer: dict[str, Any], document: dict[str, Any], policy: Policy) -> RenderableType:
    """For people: the verdict, each diagnostic, and near-duplicates side by side."""
    head = Text("accepted", "bold green") if answer["accepted"] else Text("rejected", "bold red")
    open_threads, adds = _sides(document)
    parts: list[RenderableType] = [head]
    shown: set[tuple[Any, Any]] = set()
    for told in answer["diagnostics"]:
        parts.append(_diagnostic(told))
        pair = (told.get("index"), told.get("thread_id"))
        if "similarity" in told and told.get("thread_id") in open_threads and pair not in shown:
            shown.add(pair)
            parts.append(
                _beside(adds[told["index"]], open_threads[told["thread_id"]], told["similarity"], policy)
            )
    parts.append(_summary(answer))
    parts.extend(Text(f"! {line}", "yellow") for line in answer.get("notices", ()))
    return Group(*parts)


def _sides(document: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
    state, proposal = document.get("state", document), document.get("proposal", document)
    page = proposal.get("threads") if "proposal" in document else None
    adds = (page if isinstance(page, dict) else proposal).get("add") or []
    held = state.get("threads") or []
    return {str(t.get("id")): t for t in held if isinstance(t, dict)}, adds


def _diagnostic(told: dict[str, Any]) -> Text:
    place = told.get("field") or ("add" if "index" in told else told.get("thread_id", ""))
    where = f"{place}[{told['index']}]" if "index" in told else place
    line = Text.assemble(
        (f"{told['severity']:<7}", _COLOURS[told["severity"]]),
        (told["code"], "bold"),
        f" {where}: {told['message']}",
    )
    if "hint" in told:
        line.append(f"\n        → {told['hint']}", "dim")
    return line


def _beside(add: dict[str, Any], old: dict[str, Any], score: float, policy: Policy) -> RenderableType:
    kind = ThreadType(old.get("type", policy.weave.default_type))
    shared = loop_tokens(add["text"], ThreadType(add["type"]), policy.weave) & loop_tokens(
        old["text"], kind, policy.weave
    )
    table = Table.grid(padding=(0, 2), expand=True)
    table.add_column(ratio=1)
    table.add_column(ratio=1)
    table.add_row(Text(f"proposed {add['type']}", "bold"), Text(f"{old['id']} {kind.value}", "bold"))
    table.add_row(_marked(add["text"], shared), _marked(old["text"], shared))
    limit = float(policy.weave.thresholds[ThreadType(add["type"])])
    return Panel(table, title=f"similarity {score:.3f} (same from {limit:g})", border_style="dim")


def _marked(text: str, shared: frozenset[str]) -> Text:
    out = Text(text)
    out.highlight_words(sorted(shared, key=len, reverse=True), "green", case_sensitive=False)
    return out


def _summary(answer: dict[str, Any]) -> Text:
    added, gone = answer["added"], answer.get("resolved", answer.get("removed", {}))
    if isinstance(added, dict):
        counts = ", ".join(f"{len(v)} {k}" for k, v in added.items() if v) or "nothing"
        left = ", ".join(i for ids in gone.values() for i in ids) or "nothing"
        return Text(f"added {counts}; ended {left}")
    lines = [f"+ {t['id']} {t['type']} {t['urgency']}: {t['text']}" + _from(t) for t in added]
    lines += [f"- {thread_id}" for thread_id in gone]
    return Text("\n".join(lines) or "nothing changes")


def _from(thread: dict[str, Any]) -> str:
    return f"  (from {', '.join(thread['supersedes'])})" if thread["supersedes"] else ""
