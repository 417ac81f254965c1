"""The invariants of links hold on any transcript, in both profiles."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.kernel.link.extract import Extraction, extract
from clew.kernel.link.hierarchy import grow
from clew.kernel.link.link_door import as_answer
from clew.model.canonical import canonical_json
from clew.model.link import ExcludedRange, Exclusion, Strength
from clew.model.transcript import Line
from clew.policy import default

POLICY = default().link
SAYINGS = st.sampled_from(
    [
        "I open the door slowly.", "Can I see the sword?", "Let's go to the inn.", "Yes.", "You see a sword.",
        "What do you do?", "Roll initiative!", "brb", "[laughter]", "Meanwhile, it rains.", "", "Combat ends.",
        "Al: are you there?", "I attack, does 18 hit?", "문을 열어 볼게요", "hm", "please help me, anyone",
    ]
) | st.text(max_size=40)  # fmt: skip


@st.composite
def transcripts(draw: st.DrawFn) -> list[Line]:
    rows = draw(
        st.lists(st.tuples(st.integers(1, 4), st.sampled_from(["DM", "Al", "Bo"]), SAYINGS), max_size=60)
    )
    out, index = [], 0
    for gap, speaker, text in rows:
        index += gap if gap > 2 else 1
        out.append(Line(index, speaker, text.encode("utf-8", "ignore").decode()))
    return out


RANGES = st.lists(
    st.builds(
        lambda a, b, r: ExcludedRange(min(a, b), max(a, b), r),
        st.integers(0, 80), st.integers(0, 80), st.sampled_from(list(Exclusion)),
    ),
    max_size=2,
)  # fmt: skip
PARAMS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"profile": st.sampled_from(["specified", "best"])},
    optional={
        "k_local": st.integers(1, 20),
        "strong_min_score": st.sampled_from([0.0, 0.1, 0.35]),
        "allocation": st.sampled_from(["in_order", "global"]),
        "k_mode": st.sampled_from(["lines", "dm_count"]),
    },
)


def work(
    lines: list[Line], dm: tuple[str, ...], excluded: list[ExcludedRange], params: dict[str, Any]
) -> Extraction:
    return extract("s", lines, POLICY, dm=dm, excluded=excluded, params=params, emit_traces=True)


@pytest.mark.rule("C1")
@pytest.mark.rule("C7")
@pytest.mark.rule("C8")
@settings(max_examples=150, deadline=None)
@given(transcripts(), st.sampled_from([("DM",), ()]), RANGES, PARAMS)
def test_every_link_keeps_the_invariants(
    lines: list[Line], dm: tuple[str, ...], excluded: list[ExcludedRange], params: dict[str, Any]
) -> None:
    found = work(lines, dm, excluded, params)
    scoring = found.params.scoring
    by_lines = scoring.k_mode == "lines" or (params["profile"] == "best" and not dm)
    reach = scoring.k_local if by_lines else scoring.max_span
    speaker = {line.index: line.speaker for line in lines}
    owners: dict[int, set[int]] = {}
    for link in found.links:
        start, end = link.intent_anchor_index, link.consequence_anchor_index
        assert found.mask.is_line_eligible(start)
        assert link.claimed is (end is not None) is (link.score is not None) is (link.distance is not None)
        if end is None:
            continue
        assert 1 <= end - start <= reach and link.distance == end - start
        assert found.mask.is_line_eligible(end)
        between = [line.index for line in lines if start < line.index < end]
        assert all(set(found.mask.exclusion_reasons(i)) <= {Exclusion.NOISE} for i in between)
        assert link.continuation is (speaker[start] == speaker[end])
        if link.intent_strength is Strength.STRONG:
            owners.setdefault(end, set()).add(start)
        if dm:
            assert speaker[end] == "DM" and speaker[start] != "DM"
    assert all(len(strong) == 1 for strong in owners.values())
    assert len({link.id for link in found.links}) == len(found.links)
    if params["profile"] == "specified":
        assert not any(link.continuation for link in found.links)


@settings(max_examples=40, deadline=None)
@given(transcripts(), st.sampled_from([("DM",), ()]), PARAMS)
def test_the_same_input_gives_the_same_bytes(
    lines: list[Line], dm: tuple[str, ...], params: dict[str, Any]
) -> None:
    once, again = work(lines, dm, [], params), work(list(lines), dm, [], dict(params))
    assert canonical_json(as_answer(once)) == canonical_json(as_answer(again))
    assert grow(once, POLICY).as_dict() == grow(again, POLICY).as_dict()


@settings(max_examples=40, deadline=None)
@given(transcripts(), st.sampled_from([("DM",), ()]))
def test_traces_change_nothing_and_name_every_intent(lines: list[Line], dm: tuple[str, ...]) -> None:
    plain = extract("s", lines, POLICY, dm=dm)
    traced = extract("s", lines, POLICY, dm=dm, emit_traces=True)
    assert plain.links == traced.links and plain.traces is None
    assert traced.traces is not None
    assert [t.intent_index for t in traced.traces] == [link.intent_anchor_index for link in traced.links]
    for link, trace in zip(traced.links, traced.traces, strict=True):
        assert trace.winner == link.consequence_anchor_index
        if link.claimed:
            chosen = next(c for c in trace.candidates if c.index == trace.winner)
            assert chosen.score == link.score


@settings(max_examples=40, deadline=None)
@given(transcripts())
def test_the_hierarchy_holds_every_link_once_and_never_exceeds_the_transcript(lines: list[Line]) -> None:
    found = extract("s", lines, POLICY, dm=("DM",))
    tree = grow(found, POLICY)
    nodes = {node.id: node for node in tree.nodes}
    members = [m for node in tree.nodes for m in node.members]
    assert len(members) == len(set(members)) and set(members) <= set(nodes)
    assert sorted([*members, *tree.roots]) == sorted(nodes)
    context = [i for node in tree.nodes for i in node.context_line_indices]
    assert len(context) == len(set(context))
    for node in tree.nodes:
        assert node.mass == 2 * _links_under(node.id, nodes) + _context_under(node.id, nodes)
        assert node.level == 1 or node.level == 1 + max(nodes[m].level for m in node.members)


def _links_under(key: str, nodes: dict[str, Any]) -> int:
    return sum(_links_under(m, nodes) for m in nodes[key].members) or 1


def _context_under(key: str, nodes: dict[str, Any]) -> int:
    node = nodes[key]
    return len(node.context_line_indices) + sum(_context_under(m, nodes) for m in node.members)
