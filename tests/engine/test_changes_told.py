"""A life that changes, and what is taken back: through real turns, with the built-in writer and encoder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.engine import lookup, rights
from clew.engine.bootstrap import make_embedder
from clew.engine.parts import Parts
from clew.engine.rights import Scope
from clew.model.account import Conversation
from clew.model.memory import MemoryRecord, MemoryStatus
from clew.policy import from_tables
from clew.testing.fakes import HeldClock
from clew.testing.parts import make_parts, onboard, say


class Talk:
    def __init__(self, parts: Parts, place: Conversation, clock: HeldClock) -> None:
        self.parts, self.place, self.clock, self.count = parts, place, clock, 0

    def tell(self, *texts: str) -> str:
        reply = ""
        for text in texts:
            self.count += 1
            self.clock.pass_(minutes=30)
            reply = say(self.parts, self.place, text, self.count).reply or ""
        return reply

    def held(self, status: MemoryStatus | None = MemoryStatus.ACTIVE) -> list[MemoryRecord]:
        return rights.memories(self.parts, Scope.of(self.place), status=status)

    def holds(self, word: str) -> bool:
        return any(word in m.memory_value for m in self.held())


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    clock = HeldClock()
    parts = make_parts(f"sqlite:///{tmp_path}/clew.db", clock=clock, embedder=make_embedder())
    place = onboard(parts, preferred_name="Wilhelmina", country_or_region="GB", client_timezone="Europe/London")
    yield Talk(parts, place, clock)
    parts.store.close()


@pytest.mark.rule("M7")
@pytest.mark.parametrize(
    ("first", "then", "old", "new"),
    [
        ("I live in York, just off Bootham.", "my commute from Leeds is brutal these days", "York", "Leeds"),
        ("나 수원 살아", "세종으로 이사 온 지 이제 한 달 됐네", "수원", "세종"),
    ],
)
def test_what_takes_a_place_leaves_the_old_as_history(
    talk: Talk, first: str, then: str, old: str, new: str
) -> None:
    talk.tell(first, then)
    assert not talk.holds(old) and talk.holds(new)
    gone = [m for m in talk.held(None) if old in m.memory_value and m.status is MemoryStatus.SUPERSEDED]
    assert gone and gone[0].superseded_by in {m.memory_id for m in talk.held()}


@pytest.mark.rule("M7")
def test_an_ending_without_a_word_of_the_memory_closes_it(talk: Talk) -> None:
    talk.tell("I smoke about ten a day", "six months without a single cigarette today")
    (smoking,) = [m for m in talk.held(None) if "smoke" in m.memory_value]
    assert smoking.status is MemoryStatus.INVALID and smoking.invalid_reason == "user_ended"
    assert talk.holds("six months without")


@pytest.mark.rule("M7")
@pytest.mark.parametrize(
    "remark", ["in Porto for the weekend, the custard tarts are insane", "if I lived in Madrid I'd never sleep"]
)
def test_a_visit_and_a_supposition_change_nothing(talk: Talk, remark: str) -> None:
    talk.tell("I live in Rotterdam", remark)
    assert talk.holds("Rotterdam")


@pytest.mark.rule("M7")
def test_a_pinned_memory_stays_whatever_is_said_in_passing(talk: Talk) -> None:
    talk.tell("I smoke about ten a day")
    (smoking,) = talk.held()
    rights.pin(talk.parts, Scope.of(talk.place), smoking.memory_id)
    talk.tell("six months without a single cigarette today")
    assert talk.holds("smoke")


@pytest.mark.rule("M5")
@pytest.mark.parametrize(
    ("told", "forget", "ask", "value"),
    [
        ("I've got a thing with Marcus from accounting", "forget what I said about Marcus", "who is Marcus?", "accounting"),
        ("My salary is 42k and I bank with Monzo", "forget how much I earn", "how much do I earn?", "42k"),
        ("I'm allergic to peanuts", "delete what I just said", "am I allergic to anything?", "peanut"),
        ("the locker code is 8812", "the locker code - don't save that", "what's my locker code?", "8812"),
        ("3월에 토토로 이백만원 날렸어", "토토 얘기 잊어줘", "나 얼마 잃었어?", "이백만"),
        ("my dog Biscuit has diabetes", "forget about my dog's illness", "is my dog ill?", "diabetes"),
        ("내 연봉은 5천만원이야", "연봉 얘기한 거 잊어버려", "내 연봉 얼마야?", "5천"),
    ],
)
def test_what_is_forgotten_does_not_come_back(talk: Talk, told: str, forget: str, ask: str, value: str) -> None:
    talk.tell(told, forget)
    assert value not in talk.tell(ask)
    talk.tell(*(f"I walked for {n} minutes today" for n in range(11, 23)))  # out of the window of the history
    assert value not in talk.tell(ask) and value not in talk.tell("what do you know about me?")


@pytest.mark.rule("M4")
def test_off_the_record_lasts_until_it_is_lifted_and_stays_unkept(talk: Talk) -> None:
    talk.tell("stop remembering things please", "my sister Ada lives in Lagos")
    assert "Lagos" not in talk.tell("where does my sister live?")
    talk.tell("please remember that my locker code is 4417")
    assert talk.holds("4417") and not talk.holds("Lagos")  # an explicit wish always stores
    talk.tell("you can remember things again", "my brother lives in Accra")
    assert "Accra" in talk.tell("where does my brother live?")
    assert "Lagos" not in talk.tell("where does my sister live?")


@pytest.mark.rule("M9")
def test_a_kind_is_kept_only_for_its_days_and_a_pinned_memory_for_good(tmp_path: Path) -> None:
    clock = HeldClock()
    policy = from_tables({"attributes": {"keep_days": {"health": 30}}})
    parts = make_parts(f"sqlite:///{tmp_path}/clew.db", clock=clock, policy=policy)
    talk = Talk(parts, onboard(parts), clock)
    talk.tell("I'm allergic to peanuts", "I live in Oslo")
    clock.pass_(days=29)
    talk.tell("good morning")
    assert talk.holds("peanuts")
    clock.pass_(days=3)
    talk.tell("good morning again")
    assert not talk.holds("peanuts") and talk.holds("Oslo")
    (over,) = [m for m in talk.held(None) if "peanuts" in m.memory_value]
    assert over.invalid_reason == "retention_over"
    parts.store.close()


def test_what_is_called_off_is_not_told_anew_by_its_name(talk: Talk) -> None:
    talk.tell("I've got an interview at Rolls Royce on the 12th", "rolls royce pulled the job so no interview")
    assert "12" not in talk.tell("when is my interview?")


def test_who_has_moved_out_is_no_lodger(talk: Talk) -> None:
    talk.tell("my lodger is called Tim", "Tim moved out at the weekend, peace at last")
    assert "is called Tim" not in talk.tell("does Tim still lodge with me?")


@pytest.mark.rule("M7")
@pytest.mark.parametrize(
    ("told", "news", "still"),
    [
        ("난 동욱이고 배달일 해", "오늘 비와서 배달 콜 많았어", "배달일"),
        ("복직은 내년 3월이에요", "수술은 12월 2일이에요", "복직"),
        ("빚이 삼천 있어", "15만원 벌었다", "빚이 삼천"),
        ("면접은 다음주 화요일 오후 2시예요", "작년에 면접보다가 울었거든요", "면접"),
    ],
)
def test_a_busy_day_another_day_or_last_year_ends_nothing(talk: Talk, told: str, news: str, still: str) -> None:
    talk.tell(told, news)
    assert talk.holds(still)


@pytest.mark.rule("M7")
def test_words_whose_memory_gave_way_are_not_quoted_though_another_of_them_stands(talk: Talk) -> None:
    talk.tell("I weigh 94 kilos, my knees complain", "scale said 88 this morning!! six down")
    told = talk.tell("What do I weigh?")
    assert "88" in told and "94" not in told


@pytest.mark.rule("M7")
def test_what_is_over_is_told_by_its_name_whatever_it_was_held_as(talk: Talk) -> None:
    talk.tell("베트남어 배우는 중", "베트남어 포기함")
    assert "포기" in talk.tell("나 베트남어 배우고 있나?")


def test_what_is_told_too_brings_what_it_stands_beside(talk: Talk) -> None:
    talk.tell("우표 모아요", "옛날 지도도 모으기 시작했어요")
    told = talk.tell("저 뭐 모으죠?")
    assert "우표" in told and "지도" in told


@pytest.mark.rule("M7")
def test_of_whom_one_has_one_another_in_their_place_is_told(talk: Talk) -> None:
    talk.tell("my therapist is Dr Meyer", "I changed therapists, Dr Osei suits me better")
    told = talk.tell("who's my therapist?")
    assert "Osei" in told and "Meyer" not in told


@pytest.mark.rule("M5")
@pytest.mark.parametrize(
    ("told", "other", "forget", "ask", "stays"),
    [
        ("I'm bi", "I study law", "don't remember that I'm bi", "what do I study?", "law"),
        ("이마트에서 잘렸어", "보위 좋아해", "잘린 거 잊어주라", "나 어떤 가수 좋아해?", "보위"),
    ],
)
def test_a_wish_to_forget_costs_nothing_that_it_does_not_name(
    talk: Talk, told: str, other: str, forget: str, ask: str, stays: str
) -> None:
    talk.tell(told, other, forget)
    assert stays in talk.tell(ask)


@pytest.mark.rule("M7")
def test_what_gave_way_is_told_in_the_words_that_undid_it_where_the_question_names_it(talk: Talk) -> None:
    talk.tell("My gran has a stairlift", "gran had the stairlift taken out, says she'd rather climb than hum")
    assert "taken out" in talk.tell("has gran got a stairlift?")


@pytest.mark.parametrize(
    ("told", "news", "asked", "answer"),
    [
        ("아 나 대학병원 간호사야", "병원 데려갔더니 헤어볼이래 다행", "내 직업이 뭐게", "간호사"),
        ("아 나 대학병원 간호사야", "병원 그만두고 카페 차렸어", "내 직업이 뭐게", "카페"),
        ("나 대구 살아", "엄마 보러 부산 다녀왔어", "나 어디 살게", "대구"),
        ("I live in York", "we're all settled in Leeds", "where do I live?", "Leeds"),
    ],
)
def test_where_one_lives_or_works_is_undone_only_by_what_tells_of_a_change(
    talk: Talk, told: str, news: str, asked: str, answer: str
) -> None:
    talk.tell(told, news)
    reply = talk.tell(asked)
    assert answer in reply and "헤어볼" not in reply


@pytest.mark.rule("M7")
@pytest.mark.parametrize(
    ("told", "news", "asked", "answer"),
    [
        ("my husband Marek drives a bus for Stagecoach", "Marek got the sack last week", "does Marek still drive a bus?", "sack"),
        ("my sister Nell is a radiographer", "Nell's handed in her notice", "is Nell still a radiographer?", "notice"),
        ("I do the church flowers on Saturdays", "binned off the church flowers", "do I do the church flowers?", "binned"),
        ("I've a lodger called Bram", "Bram's found a flat of his own, he's gone", "do we still have a lodger?", "Not any more"),
        ("I play the cornet in the colliery band", "colliery band's folded, not enough of us", "am I still in the band?", "folded"),
    ],
)
def test_what_is_over_is_told_as_over_however_it_was_put(
    talk: Talk, told: str, news: str, asked: str, answer: str
) -> None:
    talk.tell(told, news)
    reply = talk.tell(asked)
    assert answer in reply and not reply.startswith("Yes")


@pytest.mark.rule("M7")
@pytest.mark.parametrize(
    ("told", "news", "asked", "answer"),
    [
        ("my boyfriend Theo plays the drums", "Theo's sold his drum kit", "who's my boyfriend?", "Theo"),
        ("my wife June is a baker", "June's jacked in the slimming club", "who's my wife?", "June"),
        ("my aunt Rosa works at the library", "Rosa says hello by the way", "does Rosa still work at the library?", "library"),
        ("I play badminton at the leisure centre", "badminton was a right laugh tonight", "do I play badminton?", "Yes"),
    ],
)
def test_what_somebody_gives_up_or_does_ends_nothing_else(
    talk: Talk, told: str, news: str, asked: str, answer: str
) -> None:
    talk.tell(told, news)
    reply = talk.tell(asked)
    assert answer in reply and "Not any more" not in reply


@pytest.mark.rule("M10")
@pytest.mark.parametrize(
    ("told", "news", "asked", "answer"),
    [
        ("my lad Jamie plays in goal for the under 11s", "Jamie has gone off football, it's all trumpet now", "does jamie still play football", "gone off"),
        ("i owe my cousin Petra 150", "paid petra back at last", "do i still owe petra", "paid petra"),
        ("I'm treasurer of the rowing club", "I shall be stepping down as rowing club treasurer", "am I still the rowing club treasurer?", "stepping down"),
    ],
)
def test_asked_whether_it_still_is_what_was_told_since_is_told_and_no_yes_before_it(
    talk: Talk, told: str, news: str, asked: str, answer: str
) -> None:
    talk.tell(told, news)
    reply = talk.tell(asked)
    assert answer in reply and not reply.startswith("Yes")


@pytest.mark.rule("M10")
def test_of_what_was_told_since_that_is_told_which_bears_on_the_question(talk: Talk) -> None:
    talk.tell("living in a barge w 2 others, rents 480", "doin a welding course nights")
    talk.tell("moved off the barge, got a studio in Totnes, 650", "finished the course, got my level 3!")
    assert "level 3" not in talk.tell("whats my rent")


@pytest.mark.rule("M7")
def test_who_was_left_is_not_said_to_be_there_nor_the_user_to_be_with_them(talk: Talk) -> None:
    talk.tell("I have a girlfriend, Imke", "Imke dumped me on the phone")
    assert "You have a girlfriend" not in talk.tell("do I have a girlfriend?")


@pytest.mark.rule("M10")
@pytest.mark.parametrize(
    ("told", "news", "asked", "answer", "now"),
    [
        ("I'm a porter at Seacroft", "started at Jimmy's last week", "where did I work before Jimmy's?", "Seacroft", "started"),
        ("I live in Otley", "moved to Selby in the autumn", "where did I use to live?", "Otley", "Selby"),
        ("last job was at Asda on the tills", "I'm at Boots now", "where was I before Boots?", "Asda", "Boots"),
    ],
)
def test_what_was_before_is_told_and_not_what_is(
    talk: Talk, told: str, news: str, asked: str, answer: str, now: str
) -> None:
    talk.tell(told, news)
    reply = talk.tell(asked)
    assert answer in reply and now not in reply


@pytest.mark.rule("M5")
@pytest.mark.parametrize(
    ("told", "forget", "ask", "value"),
    [
        ("I earn 28k at the garage", "what I earn, take that out please", "what's my salary?", "28k"),
        ("my gym locker is 207", "no need to keep my locker number", "which locker is mine?", "207"),
        ("I've bought a flat in Whitby on the quiet", "I want the Whitby flat out of your head", "what have I bought?", "Whitby"),
        ("I have gout, found out in May", "erase that thing about my foot trouble, the gout", "do I have any illnesses?", "gout"),
    ],
)
def test_a_wish_to_forget_is_heard_by_what_it_names_of_what_was_told(
    talk: Talk, told: str, forget: str, ask: str, value: str
) -> None:
    talk.tell("my sister Pia lives on Hope Street", told, forget)
    assert value not in talk.tell(ask) and value not in talk.tell("what do you know about me?")
    assert "Hope Street" in talk.tell("where does Pia live?")


@pytest.mark.rule("M5")
def test_what_only_sounds_like_a_wish_to_forget_takes_nothing(talk: Talk) -> None:
    talk.tell("my locker at the pool is 118", "I always lose my locker key", "had to clear out the locker")
    assert talk.holds("118")


@pytest.mark.rule("M5")
@pytest.mark.parametrize(
    ("told", "forget", "gone", "stays"),
    [
        ("my son Owen is in Wakefield, two years", "Forget where Owen is.", "Wakefield", "Owen is your son"),
        ("my cat Pepper is 11", "please forget how old Pepper is", "11", "Pepper is your cat"),
        ("my lodger Jan is doing botany", "forget about Jan's studies", "botany", "Jan is your"),
    ],
)
def test_to_forget_one_side_of_somebody_is_not_to_forget_them(
    talk: Talk, told: str, forget: str, gone: str, stays: str
) -> None:
    talk.tell(told, forget)
    reply = talk.tell(f"who's {stays.split()[0]}?")
    assert stays in reply and gone not in reply and gone not in talk.tell("what do you know about me?")


@pytest.mark.rule("M5")
@pytest.mark.parametrize(
    ("told", "wish", "asked", "named"),
    [
        ("저희 집 대출이 2억이에요", "대출 얘기 괜히 했네요 못 들은 걸로 해주세요", "저희 대출이 얼마였죠?", "대출"),
        ("My locker code is 4417.", "forget my locker code", "what's my locker code?", "locker"),
    ],
)
def test_a_wish_to_forget_is_not_found_again(talk: Talk, told: str, wish: str, asked: str, named: str) -> None:
    talk.tell(told, wish)
    found = lookup.find(talk.parts, Scope.of(talk.place), asked)
    assert not any(named in hit.text for hit in found), [hit.text for hit in found]


@pytest.mark.rule("M10")
@pytest.mark.parametrize(
    ("told", "news", "asked", "answer"),
    [
        ("my cousin Dai owes me £90 for the tent and says he's forgotten", "forgot to say, the chapel left me its harmonium, an 1890 Mason", "who owes me money?", "Dai"),
        ("my sourdough starter died, I'd had it for years", "spent the night at the police station, not arrested, I do their locks", "what happened to my sourdough?", "died"),
        ("the mock trial final is in Glasgow on the 8th", "the well's gone bad so it's bowsers till the council come on the 12th", "when is my mock trial final?", "8"),
    ],
)  # fmt: skip
def test_news_of_something_else_undoes_no_quotation(talk: Talk, told: str, news: str, asked: str, answer: str) -> None:
    talk.tell(told, news)
    assert answer in talk.tell(asked)


@pytest.mark.rule("M10")
def test_a_plan_stands_for_its_message_only_where_it_answers_more_than_the_rest_of_it(talk: Talk) -> None:
    talk.tell("my uncle Bryn left the navy after 14 years and is training as a baker, starts his placement on Tuesday")
    assert "14 years" in talk.tell("how long was Bryn a sailor?")
    assert "Tuesday" in talk.tell("when does Bryn start his placement?")


@pytest.mark.rule("M7")
def test_one_of_many_that_is_lost_leaves_the_others(talk: Talk) -> None:
    talk.tell("I am a bee-keeper near Ely with forty hives", "we lost our eldest hive to varroa this autumn, very sad")
    assert talk.holds("forty hives")


@pytest.mark.rule("M7")
def test_where_one_works_moves_nobody_who_said_where_they_live(talk: Talk) -> None:
    talk.tell("we live in Otley, by the river", "I do two days a week at a bakery in Leeds")
    assert "Otley" in talk.tell("where do I live?")
    talk.tell("we've moved to Leeds now")
    assert "Leeds" in talk.tell("where do I live?")
