"""docs/models.md names only what `--writer` takes, and what the doctor says of it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from clew.engine.bootstrap import make_writer
from clew.errors import InvalidInput, ModelUnavailable

PAGE = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"`((?:CLEW_API_KEY=… )?clew chat [^`]+)`", PAGE)


def options(command: str) -> dict[str, str]:
    words = shlex.split(command.split("clew chat ")[1])
    return dict(zip(words[::2], words[1::2], strict=True))


def test_every_place_a_model_may_run_has_one_command() -> None:
    named = [options(c)["--writer"] for c in COMMANDS]
    assert {w.split("/")[2] for w in named if w.startswith("http")} == {
        "localhost:11434", "localhost:8080", "localhost:8000", "host",
    }  # fmt: skip
    assert {"local", "model.gguf"} <= set(named)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_writer_of_each_command_is_one_that_is_taken(command: str) -> None:
    given = options(command)
    try:
        make_writer(given["--writer"], given.get("--model"))
    except ModelUnavailable as why:  # the example's file is not there, its kind is known
        assert given["--writer"].endswith(".gguf") and "no model file" in why.message
    except ImportError:
        assert given["--writer"] == "local"


def test_anything_else_is_refused_by_name() -> None:
    with pytest.raises(InvalidInput, match="composer, local"):
        make_writer("ollama")
