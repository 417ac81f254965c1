"""The real SillyTavern in front of us: its server calls ours, and keeps our cards. Needs node and its folder.

    npm install sillytavern && CLEW_SILLYTAVERN_DIR=node_modules/sillytavern python -m pytest tests/clients/test_sillytavern.py
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from clew.formats.card import read_card, write_png
from tests.clients.openai_door import keys
from tests.clients.serving import Served, free_port, serving

FOLDER = os.environ.get("CLEW_SILLYTAVERN_DIR", "")
pytestmark = pytest.mark.skipif(not FOLDER, reason="CLEW_SILLYTAVERN_DIR names SillyTavern's folder")
CARD: dict[str, Any] = {
    "spec": "chara_card_v3", "spec_version": "3.0",
    "data": {
        "name": "Mira", "description": "a baker", "personality": "", "scenario": "", "first_mes": "hi", "mes_example": "",
        "creator_notes": "", "system_prompt": "", "post_history_instructions": "", "alternate_greetings": [], "tags": [],
        "creator": "", "character_version": "", "group_only_greetings": [], "extensions": {"a": {"b": 1}},
        "character_book": {"entries": [{
            "keys": ["oven"], "content": "The oven is old.", "extensions": {"clew": {"memory_id": "m1"}}, "enabled": True,
            "insertion_order": 2, "use_regex": False}], "extensions": {}},
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def tavern(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    port, data = free_port(), tmp_path_factory.mktemp("tavern")
    command = ["node", "server.js", "--port", str(port), "--dataRoot", str(data), "--configPath", str(data / "config.yaml"),
               "--disableCsrf", "true", "--browserLaunchEnabled", "false", "--listen", "false"]  # fmt: skip
    with (data / "log.txt").open("w") as log:
        process = subprocess.Popen(command, cwd=FOLDER, stdout=log, stderr=log)
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
                for _ in range(600):
                    assert process.poll() is None, (data / "log.txt").read_text(encoding="utf-8")[-2000:]
                    try:
                        if client.get("/").status_code == 200:
                            break
                    except httpx.TransportError:
                        time.sleep(0.2)
                yield client
        finally:
            process.terminate()
            process.wait(20)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("served") / "talk.db") as found:
        yield found


def asked(served: Served, generation: str, *texts: str, **more: Any) -> dict[str, Any]:
    """A generation as its page sends it; the headers are those of docs/connect/openai.md with the macros filled in."""
    told = f'X-Clew-User: "tav"\nX-Clew-Generation: "{generation}"\nX-Clew-Conversation: "one"'
    roles = ("user", "assistant")
    return {
        "chat_completion_source": "custom", "custom_url": served.openai, "custom_include_headers": told,
        "model": "clew/friend", "stream": False, "max_tokens": 200, "temperature": 1,
        "messages": [{"role": roles[n % 2], "content": text} for n, text in enumerate(texts)], **more,
    }  # fmt: skip


def test_it_finds_our_models_and_its_chats_are_remembered(tavern: httpx.Client, served: Served) -> None:
    source = {"chat_completion_source": "custom", "custom_url": served.openai}
    status = tavern.post("/api/backends/chat-completions/status", json=source).json()
    assert "clew/friend" in [m["id"] for m in status["data"]]
    at = "/api/backends/chat-completions/generate"
    first = tavern.post(at, json=asked(served, "normal", "I live in Lisbon")).json()["choices"][0]["message"]["content"]
    assert first and keys(served, "tav") == ["fact:current_city"]
    # A swipe: the same history again gives another generation and teaches nothing twice.
    served.voice.says = "Something else this time, friend."
    second = tavern.post(at, json=asked(served, "swipe", "I live in Lisbon")).json()["choices"][0]["message"]["content"]
    assert "Something else" in second
    # What it asks for itself is no message of the user.
    tavern.post(at, json=asked(served, "quiet", "I live in Lisbon", second, "Summarize: I love olives"))
    assert keys(served, "tav") == ["fact:current_city"]
    # An edit of the first message takes back what it taught.
    tavern.post(at, json=asked(served, "normal", "I love ramen"))
    assert keys(served, "tav") == ["pref:food:ramen"]


def test_a_stream_comes_through_it(tavern: httpx.Client, served: Served) -> None:
    body = asked(served, "normal", "I love ramen", "Good.", "and sushi", stream=True)
    text = tavern.post("/api/backends/chat-completions/generate", json=body).text
    chunks = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]
    assert "".join(c["choices"][0]["delta"].get("content", "") for c in chunks if c["choices"]) == served.voice.says
    assert text.rstrip().endswith("[DONE]")


def test_our_cards_survive_it(tavern: httpx.Client, tmp_path: Path) -> None:
    picture = write_png(read_card(json.dumps(CARD).encode()), {"seed": 7})
    sent = {"avatar": ("mira.png", picture, "image/png")}
    made = tavern.post("/api/characters/import", files=sent, data={"file_type": "png"}).json()
    asked_for = {"format": "json", "avatar_url": f"{made['file_name']}.png"}
    back = read_card(tavern.post("/api/characters/export", json=asked_for).content)
    assert back.name == "Mira" and back.data["extensions"]["clew"] == {"seed": 7}
    assert back.data["extensions"]["a"] == {"b": 1} and back.book is not None
    assert back.book["entries"][0]["extensions"]["clew"] == {"memory_id": "m1"}
