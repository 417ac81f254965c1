"""What people type: politeness, ordinals, deictics, labels, scope cues, whole utterances."""

from __future__ import annotations

import pytest

from clew.kernel.ground.acts import read_act
from clew.kernel.ground.canonical import canonical
from clew.kernel.ground.scopes import CueStrength, scope_cue
from clew.model.evidence import Act
from clew.policy import default
from tests.kernel.ground.asking import FRESH, WIDGET, ask, listed, rules, shown

POLICY = default().ground


@pytest.mark.parametrize(
    ("text", "rest", "verb"),
    [
        ("open the sample2 pls", "sample2", "open"),
        ("Open that sample2 now, pls, thank you!", "sample2", "open"),
        ("hey good assistant could you please open my sample2 for me again", "sample2", "open"),
        ("show me the sample2?", "sample2", "show"),
        ("i want sample2", "sample2", None),
        ("would you mind deleting sample2", "sample2", "delete"),
        ("sample2를 열어줘", "sample2", "open"),
        ("샘플을 좀 열어주세요", "샘플", "open"),
        ("please", "please", None),
        ("", "", None),
    ],
)
def test_politeness_is_peeled_to_a_fixpoint(text: str, rest: str, verb: str | None) -> None:
    plain = canonical(text, POLICY)
    assert (plain.text, plain.verb) == (rest, verb)
    assert canonical(plain.text, POLICY).text == plain.text


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("the second one", "c2"),
        ("2", "c2"),
        ("2nd", "c2"),
        ("number two", "c2"),
        ("option 2", "c2"),
        ("b", "c2"),
        ("last", "c3"),
        ("the last one", "c3"),
        ("top one", "c1"),
        ("bottom", "c3"),
        ("open the third", "c3"),
        ("i'll take the second one please", "c2"),
        ("the second one sounds good", "c2"),
        ("forget the second one", "c2"),
        ("두 번째 거 열어줘", "c2"),
        ("첫번째", "c1"),
        ("마지막 걸로 할게", "c3"),
        ("2번", "c2"),
    ],
)
def test_ordinals_count(text: str, choice: str) -> None:
    assert ask(text)["choice_id"] == choice


@pytest.mark.parametrize("text", ["the fifth one", "10", "list", "test", "all"])
def test_ordinals_out_of_range_or_mistyped_never_execute(text: str) -> None:
    assert ask(text)["outcome"] == "clarify"


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("no, the second one", "c2"),
        ("no, sample3", "c3"),
        ("nope open the third", "c3"),
        ("not sample1 but sample2", "c2"),
        ("sample2, not sample1", "c2"),
        ("아니 sample3", "c3"),
    ],
)
def test_a_correction_chooses_and_turns_down(text: str, choice: str) -> None:
    answer = ask(text, last_offered_id="c1")
    assert answer["choice_id"] == choice
    assert answer["continuity"]["recentRejectedChoiceIds"] == ["c1"]


@pytest.mark.parametrize(
    ("text", "gone"), [("not the second one", "c2"), ("no", "c1"), ("don't open sample3", "c3")]
)
def test_a_refusal_turns_down_what_it_names_or_what_is_in_view(text: str, gone: str) -> None:
    answer = ask(text, last_offered_id="c1")
    assert answer["outcome"] == "clarify"
    assert answer["continuity"]["recentRejectedChoiceIds"] == [gone]


@pytest.mark.parametrize("text", ["sampel2", "open smaple2", "open sample22"])
def test_a_label_one_slip_away_is_confirmed_never_executed(text: str) -> None:
    answer = ask(text, candidates=listed("notes", "sample2", "budget"))
    assert (answer["clarifier"]["type"], shown(answer)) == ("confirmation", ["c2"])


@pytest.mark.parametrize(
    "text",
    [
        "show me how to open sample2",
        "how to open sample2",
        "walk me through sample2",
        "tell me how to delete it",
    ],
)
def test_asking_for_instructions_is_no_command(text: str) -> None:
    assert ask(text, last_offered_id="c2")["outcome"] == "answer"


def test_the_small_plural_list() -> None:
    assert ask("open setting", candidates=listed("Settings", "Notes"))["choice_id"] == "c1"
    assert ask("open note", candidates=listed("Settings", "Notes", "Note"))["choice_id"] == "c3"


def test_a_label_outranks_an_ordinal() -> None:
    assert ask("option 2", candidates=listed("first", "x", "Option 2"))["choice_id"] == "c3"
    assert ask("the first", candidates=listed("x", "First"))["choice_id"] == "c2"


@pytest.mark.parametrize(
    "label", ["Show Time", "The Open Door", "Go", "Skip intro", "exit survey", "Please hold"]
)
def test_a_label_may_begin_with_a_verb_or_hold_a_stop_word(label: str) -> None:
    answer = ask(f"open {label} please", candidates=listed("something", label))
    assert answer["choice_id"] == "c2"
    assert ask(label, candidates=listed("something", label))["choice_id"] == "c2"


def test_sublabels_and_paths_name_and_tell_apart() -> None:
    pool = [
        {"id": "a", "label": "notes", "sublabel": "Q1 draft", "path": "work/notes.md"},
        {"id": "b", "label": "notes", "sublabel": "Q2 draft", "path": "home/notes.md", "owner": "Mina"},
    ]
    assert ask("open notes", candidates=pool)["outcome"] == "clarify"
    assert ask("open notes", candidates=pool)["clarifier"]["text"] == "Which notes, the Q1 one or the Q2 one?"
    for text, choice in [
        ("open the Q2 draft", "b"),
        ("work/notes.md", "a"),
        ("open notes in home", "b"),
        ("the notes by Mina", "b"),
    ]:
        assert ask(text, candidates=pool)["choice_id"] == choice


@pytest.mark.parametrize("text", ["delete the sample2 backup", "open my sample2 archive copy"])
def test_a_label_inside_unexplained_words_is_confirmed_not_executed(text: str) -> None:
    answer = ask(text)
    assert answer["clarifier"]["type"] == "confirmation"
    assert shown(answer) == ["c2"]


@pytest.mark.parametrize(
    ("text", "kind", "strength"),
    [
        ("open it from chat", "chat", CueStrength.EXACT),
        ("back to options", "chat", CueStrength.EXACT),
        ("open x from the links panel", "widget", CueStrength.EXACT),
        ("open x from active", "widget", CueStrength.EXACT),
        ("open x from active dashboard", "dashboard", CueStrength.EXACT),
        ("open x in the workspace", "workspace", CueStrength.EXACT),
        ("open x from chatt", "chat", CueStrength.LOW_TYPO),
        ("open x from dashbord", "dashboard", CueStrength.LOW_TYPO),
        ("open x in the wrkspce", "workspace", CueStrength.SCOPE_UNCERTAIN),
    ],
)
def test_scope_cues(text: str, kind: str, strength: CueStrength) -> None:
    cue = scope_cue(tuple(text.split()), POLICY)
    assert cue is not None
    assert (cue.kind, cue.strength) == (kind, strength)


def test_chat_wins_over_widget_and_the_conflict_is_said() -> None:
    cue = scope_cue(tuple("open x from chat from this widget".split()), POLICY)
    assert cue is not None
    assert (cue.kind, cue.conflict) == ("chat", True)


@pytest.mark.parametrize("text", ["in that case open it", "from march on", "in here", "from there"])
def test_common_words_are_no_mistyped_scope(text: str) -> None:
    assert scope_cue(tuple(text.split()), POLICY) is None


@pytest.mark.parametrize(
    "text", ["open sample2 from chatt", "open sample2 from dashbord", "sample2 in the wdiget"]
)
def test_a_mistyped_scope_never_executes(text: str) -> None:
    for scope in ({"kind": "chat", "instance_id": "room-1"}, WIDGET):
        answer = ask(text, scope=scope, continuity={})
        assert answer["clarifier"]["type"] == "scope_disambiguation"


@pytest.mark.parametrize(
    ("text", "outcome", "rule"),
    [
        ("hmm", "clarify", "ground.hesitation"),
        ("let me think", "clarify", "ground.hesitation"),
        ("글쎄", "clarify", "ground.hesitation"),
        ("none of these", "clarify", "ground.list_rejection"),
        ("neither, thanks", "clarify", "ground.list_rejection"),
        ("not that one", "clarify", "ground.repair"),
        ("something else please", "escape", "ground.stop"),
        ("🙂🙂", "clarify", "ground.noise"),
        ("", "clarify", "ground.noise"),
        ("?!", "clarify", "ground.noise"),
        ("xkcdq", "clarify", "ground.noise"),
    ],
)
def test_whole_utterances(text: str, outcome: str, rule: str) -> None:
    answer = ask(text)
    assert (answer["outcome"], rules(answer)[0]) == (outcome, rule)


def test_hesitation_does_not_count_as_an_attempt() -> None:
    assert ask("hmm", attempt=2)["attempt"] == 2
    assert ask("open sample", attempt=1)["attempt"] == 2


def test_later_attempts_offer_a_way_out_and_then_give_up() -> None:
    assert "none of these" not in ask("open sample", attempt=1)["clarifier"]["text"]
    assert "none of these" in ask("open sample", attempt=2)["clarifier"]["text"]
    assert ask("open sample", attempt=4)["outcome"] == "escape"


@pytest.mark.parametrize("text", ["the other one", "open the other one", "no, the other one", "다른 하나"])
def test_the_other_one_of_two(text: str) -> None:
    pool = listed("sample1", "sample2")
    assert ask(text, candidates=pool, last_offered_id="c1")["choice_id"] == "c2"
    assert ask(text, candidates=pool)["outcome"] == "clarify"
    assert ask(text, last_offered_id="c1")["outcome"] == "clarify"


@pytest.mark.parametrize("text", ["yes", "sounds good", "perfect, thanks", "네", "그걸로 할게요", "do it"])
def test_an_offer_is_taken_up(text: str) -> None:
    assert ask(text, last_offered_id="c2")["choice_id"] == "c2"
    assert ask(text, last_assistant_text="How about sample2?")["choice_id"] == "c2"
    assert ask(text, offered=["c1", "c2"])["outcome"] == "clarify"


@pytest.mark.parametrize("text", ["thanks", "great, thanks", "bye", "thank you, that's all"])
def test_thanks_execute_nothing_that_was_not_offered(text: str) -> None:
    done = {**FRESH, "lastAcceptedChoiceId": "c2"}
    assert ask(text, continuity=done)["outcome"] == "escape"


def test_a_yes_after_a_reported_failure_confirms_the_retry_and_picks_nothing() -> None:
    said = "Sorry, I could not open sample2. Shall I try again?"
    answer = ask("yes please", last_offered_id="c2", last_assistant_text=said)
    assert (answer["outcome"], answer["act"]) == ("escape", "other")


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("That sounds great, let's do it", Act.SELECT),
        ("Ok, what is the address?", Act.QUESTION),
        ("Sounds good, but do you have anything else?", Act.ALTERNATIVES),
        ("No, find me something cheaper", Act.ALTERNATIVES),
        ("Is there anything on Friday?", Act.ALTERNATIVES),
        ("Is there any parking?", Act.QUESTION),
        ("Tell me more about it", Act.QUESTION),
        ("No thank you", Act.NEGATE),
        ("That won't work for me.", Act.NEGATE),
        ("I'd prefer a red one instead", Act.ALTERNATIVES),
        ("Can you tell me their phone number?", Act.QUESTION),
        ("Good to know.", Act.SELECT),
        ("다른 거 없어?", Act.ALTERNATIVES),
    ],
)
def test_acts(text: str, act: Act) -> None:
    assert read_act(text, POLICY).act is act
