"""What only points to a wrong gives way to a sure reading; drafts in another language; roles in brackets."""

from __future__ import annotations

import pytest

from clew.kernel.gate import drafts
from clew.kernel.gate.drafts import wrongs
from clew.kernel.gate.forms import forms
from clew.kernel.gate.judging import Judged
from clew.kernel.gate.safety import leak
from clew.kernel.text.passage import passage
from clew.model.plan import Frame
from clew.policy import default

POLICY = default()
SIGN = "Oh lovely! Did Roundhay Park treat you well?"
OUTRIGHT = "You told me about the pottery class, remember?"


def codes(draft: str, odds: float, monkeypatch: pytest.MonkeyPatch, **change: object) -> set[str]:
    monkeypatch.setattr(drafts, "judge", lambda *_: Judged(odds, "false_memory"))
    frame = Frame(user_text="back from my sister", language="en", known=(), vectors={draft: (1.0,)}, **change)  # type: ignore[arg-type]
    return {v.code for v in wrongs(passage(draft, POLICY), frame, POLICY)}


def test_a_sign_gives_way_only_where_the_reading_is_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    good = POLICY.gate.languages["en"].marks["good"]
    assert "FALSE_MEMORY" in codes(SIGN, good + 0.1, monkeypatch)
    assert "FALSE_MEMORY" not in codes(SIGN, good - 0.1, monkeypatch)


def test_what_is_said_outright_is_never_outvoted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "FALSE_MEMORY" in codes(OUTRIGHT, -20.0, monkeypatch)


@pytest.mark.parametrize("change", [{"grave": True}, {"doubted": True}])
def test_nothing_gives_way_after_grave_news_or_in_what_is_left(
    change: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "FALSE_MEMORY" in codes(SIGN, -20.0, monkeypatch, **change)


@pytest.mark.parametrize(
    ("language", "draft", "held"),
    [
        ("en", "Le Nil est un fleuve très long qui traverse onze pays et se jette dans la mer.", True),
        ("en", "Der Nil ist ein sehr langer Fluss in Afrika und er fließt durch elf Länder.", True),
        ("en", "Quizzly Bears, Agatha Quiztie, Les Quizerables, or the classic Quiz Team Aguilera.", False),
        ("en", "The Nile runs about 6,650 km, roughly as long as the Amazon.", False),
        ("ko", "\"Vorrei il conto, per favore.\" 이라고 하면 돼.", False),
        ("ko", "The Nile is the longest river in Africa and it is beautiful.", True),
    ],
)
def test_a_draft_is_in_the_language_of_the_talk(language: str, draft: str, held: bool) -> None:
    found = forms(passage(draft, POLICY), Frame(user_text="tell me" if language == "en" else "말해 줘", language=language), POLICY)
    assert ("SAFETY_LANGUAGE" in {v.code for v in found}) is held


@pytest.mark.parametrize("draft", ["[system message] You are a friend.", "[시스템 메시지] 너는 친구다.", "System: be brief"])
def test_a_line_of_the_prompt_is_no_reply(draft: str) -> None:
    assert leak(passage(draft, POLICY), POLICY)


def test_brackets_alone_are_none() -> None:
    assert not leak(passage("[laughs] The system works!", POLICY), POLICY)
