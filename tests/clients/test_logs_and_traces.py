"""What a server tells its operator: JSON lines and spans with one trace id, and never a name, a text or a key."""

from __future__ import annotations

import io
import json
import logging
import os
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from clew.adapters import cache
from clew.faces.http.logs import configure
from tests.clients.serving import free_port, until_ready

CLEW = str(Path(sys.executable).parent / "clew")
TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}
KEY = "a-long-key-that-nobody-guesses"
SAID = "I live in Ouagadougou"


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """Where spans are sent to: it keeps what comes."""
    got: list[bytes] = []

    class Takes(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(self.path.encode() + b"\n" + self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Takes)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", got
    server.shutdown()
    server.server_close()


def test_a_server_as_a_process_logs_json_lines_and_sends_spans_with_the_same_trace_id(tmp_path: Path) -> None:
    port = free_port()
    with collector() as (where, got):
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONUTF8": "1", "OMP_NUM_THREADS": "1",
            "CLEW_SERVER_KEY": KEY, "OTEL_EXPORTER_OTLP_ENDPOINT": where, "CLEW_CACHE": str(cache.folder() or ""),
        }  # fmt: skip
        command = [CLEW, "serve", "--port", str(port), "--no-embed", "--db", f"sqlite:///{tmp_path / 'a.db'}"]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            until_ready(f"http://127.0.0.1:{port}", process)
            headers = {"Authorization": f"Bearer {KEY}", **PARENT}
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=30) as api:
                made = api.post("/v1/users/Wilhelmina/conversations", json={}).json()["conversation_id"]
                turn = {"message_id": str(uuid.UUID(int=7)), "text": SAID}
                reply = api.post(f"/v1/conversations/{made}/turns", json=turn).json()["reply"]
                # Refused, wrong, and unknown: what was sent is not told either.
                api.post("/v1/users/Wilhelmina/memories", json={"text": SAID, "odd": SAID})
                api.get("/v1/users/Wilhelmina/memories", headers={"Authorization": "Bearer clew_forged_secret"})
                body = {"model": "clew/friend", "user": "Wilhelmina", "messages": [{"role": "user", "content": SAID}]}
                api.post("/openai/v1/chat/completions", json=body)
            process.send_signal(signal.SIGTERM)
            printed, _ = process.communicate(timeout=30)
        finally:
            process.kill()
        assert process.returncode == 0, printed
    head, *lines = printed.strip().splitlines()
    assert head.startswith("Clew on ")
    told = [json.loads(line) for line in lines]
    turns = [row for row in told if row["route"].endswith("/turns")]
    assert [(t["status"], t["turn"], t["trace"]) for t in turns] == [(200, str(uuid.UUID(int=7)), TRACE)]
    assert {row["status"] for row in told} == {200, 401, 422}
    spans = b"".join(got)
    assert got and all(chunk.startswith(b"/v1/traces\n") for chunk in got)
    assert bytes.fromhex(TRACE) in spans and b"invoke_agent" in spans and b"/v1/conversations/{conversation_id}/turns" in spans
    for secret in (SAID, "Ouagadougou", "Wilhelmina", reply, KEY, "clew_forged_secret"):
        assert secret not in printed and secret.encode() not in spans, secret


def test_an_unexpected_error_is_logged_by_its_type_and_place_alone() -> None:
    before, out = logging.getLogger().handlers[:], io.StringIO()
    level = logging.getLogger().level
    try:
        configure(out)
        try:
            raise ValueError(SAID)
        except ValueError:
            logging.getLogger("elsewhere.error").error("Exception in ASGI application\n", exc_info=True)
        logging.getLogger("somebody").warning("could not read %s", SAID)
    finally:
        logging.getLogger().handlers[:] = before
        logging.getLogger().setLevel(level)
    first, second = (json.loads(line) for line in out.getvalue().splitlines())
    assert first["error"] == "ValueError" and "test_an_unexpected" in first["through"][0]
    assert second["message"] == "could not read %s" and "Ouagadougou" not in out.getvalue()


@pytest.mark.parametrize("given", ["zipkin", "http://x"])
def test_an_exporter_that_is_not_known_is_refused_before_the_server_starts(given: str, tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "OTEL_TRACES_EXPORTER": given}
    done = subprocess.run([CLEW, "serve", "--port", "0"], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "OTEL_TRACES_EXPORTER" in done.stderr
