"""Dockerfile and compose.yaml against the code: extras, commands, options, ports, variables and roles that are there.

An image was built and the services were run by hand (docs/operations.md); these tests keep the files from drifting.
"""

from __future__ import annotations

import os
import re
import secrets
import shlex
import signal
import subprocess
import sys
import threading
import tomllib
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import httpx
import psycopg
import pytest
import sqlalchemy as sa
import yaml

from clew.adapters import cache
from clew.faces.cli.main import COMMANDS, cli
from clew.faces.http.settings import Settings
from tests.clients.serving import free_port, until_ready
from tests.house.tree import PACKAGE, ROOT, modules

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = {name: row for name, row in SERVICES.items() if "build" in row}
CLEW = str(Path(sys.executable).parent / "clew")
# Set for other programs: Python, NumPy, PostgreSQL's own image, and the folder by which data is found.
OTHERS = {"PYTHONUTF8", "OMP_NUM_THREADS", "XDG_DATA_HOME", "POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD"}


def lines(word: str) -> list[str]:
    return [line.split(None, 1)[1] for line in DOCKERFILE.splitlines() if line.startswith(f"{word} ")]


def as_list(text: str) -> list[str]:
    return [str(word) for word in yaml.safe_load(text)]


def parsed(arguments: list[str]) -> dict[str, Any]:
    """What a command of ours makes of these arguments; a wrong option or name raises."""
    assert arguments[0] in COMMANDS, arguments
    command = cli.get_command(click.Context(cli), arguments[0])
    assert command is not None
    return command.make_context(arguments[0], arguments[1:], resilient_parsing=False).params


def test_the_extras_that_are_built_are_installed_and_there() -> None:
    asked = [set(found.split(",")) for found in re.findall(r"(?:\.|clew)\[([\w,]+)\]", DOCKERFILE)]
    known = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert len(asked) == 2 and asked[0] == asked[1] <= set(known)
    assert asked[0] >= {"server", "mcp", "postgres"}  # what compose.yaml serves, and from where


def test_everything_that_is_copied_is_there_and_not_ignored() -> None:
    ignored = set((ROOT / ".dockerignore").read_text(encoding="utf-8").split())
    sources = [word for line in lines("COPY") if "--from" not in line for word in shlex.split(line)[:-1]]
    assert {"pyproject.toml", "src"} <= set(sources)
    for source in sources:
        assert (ROOT / source).exists() and source not in ignored
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {needed["readme"], *needed["license-files"]} <= set(sources)


def test_the_images_own_command_is_one_of_ours() -> None:
    assert as_list(lines("ENTRYPOINT")[-1]) == ["clew"]
    told = parsed(as_list(lines("CMD")[-1]))
    assert told["host"] == "0.0.0.0" and str(told["port"]) == lines("EXPOSE")[-1]
    assert lines("STOPSIGNAL") == ["SIGTERM"]
    assert lines("USER")[-1] not in ("root", "0")


def test_the_volume_is_made_for_the_user_before_it_is_declared() -> None:
    """A folder that the image does not have is made by root, and the server could not write into it."""
    folder = lines("VOLUME")[0]
    assert any(f"install -d -o {lines('USER')[-1]}" in line and folder in line for line in lines("RUN"))
    assert f"XDG_DATA_HOME={folder}" in DOCKERFILE


@pytest.mark.parametrize("name", sorted(OURS))
def test_a_services_command_is_one_of_ours(name: str) -> None:
    told = parsed(OURS[name]["command"])
    if name == "server":
        (port,) = OURS[name]["ports"]
        near, _, inside = port.rpartition(":")
        assert int(inside) == told["port"] == Settings().port and near.startswith("127.0.0.1:")
        assert told["no_worker"], "the worker beside it does the jobs"


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_every_variable_is_read_by_somebody(name: str) -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in modules())
    roles = (ROOT / "compose.roles.sh").read_text(encoding="utf-8")
    for variable in SERVICES[name].get("environment", {}):
        assert variable in OTHERS or f'"{variable}"' in code or (name == "database" and f"${variable}" in roles), variable


def test_what_a_user_must_set_is_said_where_it_is_told_to_start() -> None:
    asked = set(re.findall(r"\$\{(\w+):\?", (ROOT / "compose.yaml").read_text(encoding="utf-8")))
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert asked == {"CLEW_SERVER_KEY", "POSTGRES_PASSWORD", "CLEW_DB_PASSWORD"}
    assert all(f"`{name}`" in page for name in asked)


def test_the_server_waits_for_the_owner_who_waits_for_the_database() -> None:
    assert OURS["upgrade"]["depends_on"] == {"database": {"condition": "service_healthy"}}
    for name in ("server", "worker"):
        assert OURS[name]["depends_on"] == {"upgrade": {"condition": "service_completed_successfully"}}
        # Longer than the server itself waits for turns in flight.
        assert int(OURS[name]["stop_grace_period"].removesuffix("s")) > 30
    assert "clew_app:" in OURS["server"]["environment"]["CLEW_DB"]
    assert PACKAGE.is_dir()


# -- the same steps without an image --------------------------------------------------------------


@pytest.fixture
def stack(empty_postgres: Callable[[], str], tmp_path: Path) -> Iterator[dict[str, str]]:
    """The database of compose.yaml with the roles that its script makes, brought up to date by the owner."""
    url = sa.make_url(empty_postgres())
    role, word = f"app_{secrets.token_hex(4)}", secrets.token_hex(8)
    script = (ROOT / "compose.roles.sh").read_text(encoding="utf-8").partition("<<'SQL'\n")[2].partition("\nSQL")[0]
    owner = url.render_as_string(hide_password=False)
    with psycopg.connect(owner, autocommit=True) as connection:
        for line in script.replace("clew_app", role).replace(":'word'", f"'{word}'").split(";"):
            if line.strip():
                connection.execute(line)  # type: ignore[arg-type]
        base = {
            "PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONUTF8": "1", "OMP_NUM_THREADS": "1",
            "CLEW_CACHE": str(cache.folder() or ""), "CLEW_SERVER_KEY": "k" * 32,
        }  # fmt: skip
        app = url.set(username=role, password=word).render_as_string(hide_password=False)
        yield {**base, "OWNER": owner, "CLEW_DB": app}
        connection.execute(f"DROP OWNED BY {role} CASCADE")  # type: ignore[arg-type]
        connection.execute(f"DROP ROLE {role}")  # type: ignore[arg-type]


def test_the_services_of_compose_run_and_a_turn_in_flight_is_finished_at_the_end(stack: dict[str, str]) -> None:
    upgraded = subprocess.run(
        [CLEW, *OURS["upgrade"]["command"]], env={**stack, "CLEW_DB": stack["OWNER"]}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert upgraded.returncode == 0, upgraded.stdout
    port = free_port()
    serve = [CLEW, *OURS["server"]["command"], "--port", str(port), "--no-embed"]
    quiet: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    server = subprocess.Popen(serve, env=stack, **quiet)
    worker = subprocess.Popen([CLEW, *OURS["worker"]["command"], "--no-embed"], env=stack, **quiet)
    url, headers = f"http://127.0.0.1:{port}", {"Authorization": f"Bearer {stack['CLEW_SERVER_KEY']}"}
    try:
        until_ready(url, server)
        # As the image's own health check asks, in a process of its own.
        (check,) = re.findall(r'CMD python -c "(.+?)"', DOCKERFILE)
        assert subprocess.run([sys.executable, "-c", check.replace("8420", str(port))], check=False).returncode == 0
        with httpx.Client(base_url=url, headers=headers, timeout=60) as api:
            assert httpx.get(f"{url}/v1/me").status_code == 401
            talks = [api.post(f"/v1/users/u{n}/conversations", json={}).json()["conversation_id"] for n in range(6)]
        turns = [(where, {"message_id": str(uuid.uuid4()), "text": "I love ramen"}) for where in talks]
        answers: list[Any] = [None] * len(turns)

        def send(n: int) -> None:
            where, body = turns[n]
            with suppress(httpx.ConnectError, httpx.ReadError):  # the door was closed before it was taken in
                answers[n] = httpx.post(
                    f"{url}/v1/conversations/{where}/turns", json=body, headers=headers, timeout=60
                )

        senders = [threading.Thread(target=send, args=(n,)) for n in range(len(turns))]
        for sender in senders:
            sender.start()
        with psycopg.connect(stack["OWNER"]) as looking:
            while any(sender.is_alive() for sender in senders):
                if looking.execute("SELECT 1 FROM leases LIMIT 1").fetchone():
                    break  # somebody is being answered
                looking.rollback()
        server.send_signal(signal.SIGTERM)
        for sender in senders:
            sender.join(60)
        server.wait(60)
        worker.send_signal(signal.SIGTERM)
        assert (server.returncode, worker.wait(60)) == (0, 0)
        # What was taken in is answered; what came too late found the door closed, and is nowhere.
        done = [a.status_code if a is not None else None for a in answers]
        assert 200 in done and set(done) <= {200, None}, done
        with psycopg.connect(stack["OWNER"]) as looking:
            looking.execute("SELECT set_config('clew.tenant', '*', true)")
            rows = looking.execute("SELECT role, count(*) FROM messages GROUP BY role").fetchall()
        assert dict(rows) == {"user": done.count(200), "assistant": done.count(200)}
    finally:
        for process in (server, worker):
            process.kill()
            process.communicate()
