"""A hard thing is heard as what it is, and ordinary talk with the same words is not (ruling S5)."""

from __future__ import annotations

import re

import pytest

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.read.hardship import HARDSHIP, Hardship, hardship_of, tells_hardship
from clew.kernel.read.signals import hear
from clew.model.signals import Need, Signals
from clew.policy import default

POLICY = default()


def heard(text: str) -> Signals:
    return hear(text, POLICY, vector=embedder().embed([text])[0])


@pytest.mark.rule("S5")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("our depot's closing down, all forty of us are out of work", "job"),
        ("no idea how we'll cover the heating bill, we can't pay the rent as it is", "money"),
        ("the landlord has given us notice and there's nowhere to go", "home"),
        ("my grandad's been rushed into hospital", "ill_theirs"),
        ("I gave up work to care for my mother round the clock", "caring"),
        ("he won't let me see my sister and he goes through my phone", "hurt"),
        ("동생이 회사에서 해고됐어", "job"),
        ("관리비랑 대출 이자를 못 내고 있어", "money"),
        ("집주인이 이번 달까지 방 빼래", "home"),
        ("할아버지가 쓰러지셔서 중환자실에 계셔", "ill_theirs"),
        ("팀장이 사람들 앞에서 또 망신 줬어", "bullied"),
    ],
)
def test_a_hardship_is_heard_and_named(text: str, kind: str) -> None:
    told = heard(text)
    assert told.need is Need.CARE
    assert kind in [r.detail for r in told.need_reasons if r.rule == HARDSHIP]


@pytest.mark.rule("S5")
@pytest.mark.parametrize(
    "text",
    [
        "my aunt is a nurse at the hospital", "the shop closes at six today", "our landlord brought us tomatoes",
        "I look after the garden on Sundays", "heating is so expensive these days", "my rent is 700 a month",
        "she threw a party for her boss", "I fired up the grill", "이모는 병원에서 간호사로 일해", "가게는 여섯 시에 닫아",
        "월세는 사십만 원이야", "공을 세게 던졌더니 멀리 갔어", "할머니가 떡을 보내 주셨어",
    ],
)  # fmt: skip
def test_ordinary_talk_with_the_same_words_is_none(text: str) -> None:
    assert heard(text).need is Need.NONE


@pytest.mark.parametrize("text", ["got made redundant in the sims lol", "we lost our house in the game haha"])
def test_what_is_laughed_at_or_played_is_none(text: str) -> None:
    assert all(r.rule != HARDSHIP for r in heard(text).need_reasons)


def test_without_a_vector_none_is_read() -> None:
    assert hardship_of("we were evicted", "en", (), None, POLICY) == Hardship("", 0.0)


def test_what_ordinary_talk_is_full_of_has_to_be_surer_and_less_tells_soon_after() -> None:
    table = POLICY.listen.hardship
    between = float(table.care["en"] + table.common_care) / 2
    assert tells_hardship(Hardship("job", between), "en", POLICY)
    assert not tells_hardship(Hardship("money", between), "en", POLICY)
    assert tells_hardship(Hardship("money", between), "en", POLICY, amid=True)
    assert not tells_hardship(Hardship("", 1.0), "en", POLICY)


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("table", ["hardship", "hardship_plain"])
def test_every_row_matches_its_examples(language: str, table: str) -> None:
    for name, row in getattr(POLICY.listen.languages[language], table).items():
        assert all(re.search(row.pattern, said, re.I) for said in row.says), name
        assert not any(re.search(row.pattern, said, re.I) for said in row.not_says), name


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_kind_has_words_to_be_met_with(language: str) -> None:
    rows = POLICY.care.languages[language].hardships
    for table in ("hardship", "hardship_plain"):
        assert set(getattr(POLICY.listen.languages[language], table)) <= set(rows)
    assert all(row.heard and row.asks and row.amid for row in rows.values())
