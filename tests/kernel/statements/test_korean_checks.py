"""Korean shapes beside the learned reader: what they state, of whom, and what they ask for."""

import pytest

from clew.kernel.read.utterance import sentences_of
from clew.kernel.statements.checked_asks import checked_asks
from clew.kernel.statements.checks import checked_statements, may_return
from clew.kernel.statements.people import Known, last_spoken_of, spoken_of
from clew.kernel.statements.short_questions import carried
from clew.model.utterance import Ask, Evidence, Statement, Status
from clew.policy import default

policy = default()


def told(text: str, *read: Statement) -> list[tuple[str, str, str, Status]]:
    found = checked_statements(text, "ko", sentences_of(text, "ko", policy), read, policy)
    return [(s.subject, s.attribute, s.value, s.status) for s in found]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("요즘 수영 배워", ("self", "hobby", "수영", Status.IS)),
        ("준호랑 헤어졌어", ("self", "relationship", "준호", Status.ENDED)),
        ("나 알바 그만뒀어", ("self", "job", "알바", Status.ENDED)),
        ("판교에서 송파로 이사도 했어", ("self", "city", "송파", Status.IS)),
        ("나 새우 못 먹어", ("self", "diet", "새우", Status.NOT)),
        ("아들은 군인입니다", ("person:son", "job", "군인", Status.IS)),
        ("큰아들은 미국에 살아요", ("person:son", "city", "미국", Status.IS)),
        ("룸메 이름은 지우", ("person:roommate", "name", "지우", Status.IS)),
        ("민수는 고등학교 때부터 친구야", ("person:friend", "name", "민수", Status.IS)),
        ("이번주 금요일 토익 시험 있어", ("self", "plan", "토익 시험", Status.FUTURE)),
        ("내 꿈은 유튜버야", ("self", "goal", "유튜버", Status.IS)),
    ],
)
def test_a_plain_shape_states_by_itself(text: str, fact: tuple[str, str, str, Status]) -> None:
    assert fact in told(text)


@pytest.mark.parametrize("text", ["회사 그만두고 싶어", "요즘 수영 배워?", "더 배워야 해", "우리 고양이 못 봤어"])
def test_a_wish_or_a_question_states_nothing(text: str) -> None:
    assert told(text) == []


def test_what_was_read_under_a_wrong_attribute_is_put_right() -> None:
    text = "안녕 나 지민이라고 해"
    start = text.index("지민")
    read = Statement("self", "called", "지민", text, start, start + 2, certainty=0.9)
    assert told(text, read) == [("self", "name", "지민", Status.IS)]


def test_a_learned_reading_gives_way_to_a_shape_in_its_sentence() -> None:
    text = "지금은 신촌에서 자취해"
    start = text.index("자취")
    read = Statement("self", "city", "자취", text, start, start + 2, certainty=0.9)
    assert told(text, read) == [("self", "city", "신촌", Status.IS)]


@pytest.mark.parametrize(
    ("text", "subject", "attribute"),
    [
        ("우리 누나 뭐 해?", "person:sister", "job"),
        ("나 어디 살아?", "self", "city"),
        ("내가 못 먹는 거 뭐야?", "self", "allergy"),
        ("동생 몇학년이야?", "person:sibling", "grade"),
        ("민준이 뭐 좋아하죠?", "person:any", "like"),
    ],
)
def test_a_plain_question_asks_for_its_attribute(text: str, subject: str, attribute: str) -> None:
    first = checked_asks(text, "ko", (), policy)[0]
    assert (first.subject, first.attribute) == (subject, attribute)


def test_a_question_by_shape_keeps_the_wish_for_what_is_over() -> None:
    asks = checked_asks("나 전에 어디 살았지?", "ko", (Ask("self", "history"),), policy)
    assert {a.attribute for a in asks} >= {"city", "history"}


def test_a_name_may_be_told_before_something_else() -> None:
    text = "나는 민수고 서른이야"
    read = Statement("self", "school", "민수", text, 3, 5)
    assert ("self", "name", "민수", Status.IS) in told(text, read)
    assert all(attribute != "name" for _, attribute, _, _ in told("나는 경기고 다녀"))


def test_who_left_school_goes_to_none() -> None:
    assert [(a, s) for _, a, _, s in told("자퇴했어")] == [("school", Status.ENDED)]
    assert told("자퇴하고 싶어") == []


def test_somebody_who_is_there_is_the_value_itself() -> None:
    text = "쌍둥이 동생이 하나 있어"
    read = Statement("person:sibling", "exists", text, text, 0, len(text))
    assert [(s, a) for s, a, _, _ in told(text, read)] == [("person:sibling", "exists")]


def test_a_shape_takes_no_other_value_of_what_one_has_many() -> None:
    text = "와이프가 페스코라 고기는 안 먹고"
    read = Statement("person:wife", "diet", "페스코", text, 5, 8)
    assert {v for _, a, v, _ in told(text, read) if a == "diet"} == {"페스코", "고기"}


def test_a_drop_is_no_drink() -> None:
    assert told("술은 한 방울도 안 마심") == []


def test_what_opens_a_sentence_is_no_fragment_where_the_verb_stands_last() -> None:
    text = "결혼한 지 이십 년 됐네요"
    read = Statement("self", "relationship", "결혼한", text, 0, 3, certainty=0.75)
    assert [(a, v) for _, a, v, _ in told(text, read)] == [("relationship", "결혼한")]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("소설 속에서 나는 등대를 지키는 과부", "과부"),
        ("어떤 분이 마흔인데 토마토를 안 먹어 봤다고 하더라고요", "마흔"),
        ("크리스마스에 태어났다고 생각해 봐", "크리스마스"),
    ],
)
def test_a_story_or_a_stranger_tells_nothing_of_the_user(text: str, value: str) -> None:
    start = text.index(value)
    assert told(text, Statement("self", "note", value, text, start, start + len(value))) == []


def test_two_dogs_have_two_names() -> None:
    text = "하나는 보리고 하나는 콩이에요"
    read = [Statement("pet:dog", "name", v, text, text.index(v), text.index(v) + len(v), name="보리고") for v in ("보리고", "콩")]
    assert [f[:3] for f in told(text, *read)] == [("pet:dog", "name", "보리"), ("pet:dog", "name", "콩")]


def test_who_only_applied_does_not_work_there() -> None:
    text = "네이버에 지원하려고 해"
    read = Statement("self", "employer", "네이버", text, 0, 3)
    assert [f[3] for f in told(text, read)] == [Status.FUTURE]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("남친은 태현인데 소방관이야", ("person:boyfriend", "job", "소방관", Status.IS)),
        ("남친은 태현인데 소방관이야", ("person:boyfriend", "name", "태현", Status.IS)),
        ("강아지는 뽀삐 시츄고 열살이다", ("pet:dog", "name", "뽀삐", Status.IS)),
        ("강아지는 뽀삐 시츄고 열살이다", ("pet:dog", "age", "열살", Status.IS)),
        ("저 서른넷 두 아이 엄마예요", ("self", "age", "서른넷", Status.IS)),
        ("저는 스물아홉 취준생 은비에요", ("self", "name", "은비", Status.IS)),
        ("아빤 내가 중딩때 돌아가셨어", ("person:father", "death", "돌아가셨어", Status.PAST)),
        ("난 나중에 스포츠트레이너 되고싶다", ("self", "goal", "스포츠트레이너", Status.IS)),
        ("복직은 내년 3월이에요", ("self", "plan", "복직", Status.FUTURE)),
    ],
)
def test_what_is_told_in_passing_is_somebody_s(text: str, fact: tuple[str, str, str, Status]) -> None:
    assert fact in told(text)


def test_children_told_in_order_each_have_their_name() -> None:
    names = [f[2] for f in told("첫째는 여섯 살 하린이, 둘째는 이제 돌 지난 하준이요") if f[1] == "name"]
    assert names == ["하린", "하준"]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("어제 하준이가 처음으로 걸었어요", "name", "하준"),
        ("지도교수가 완전 또라이야", "job", "지도교수"),
        ("수학 개못함", "job", "수학 개"),
        ("입대 전에는 요리학교를 다녔습니다", "school", "입대"),
        ("수빈이 결혼식이 11월 28일이에요", "birthday", "11월 28일"),
        ("나 새우 알러지 있음 횟집딸인데", "job", "횟집딸"),
    ],
)
def test_what_the_words_cannot_mean_is_not_read_from_them(text: str, attribute: str, value: str) -> None:
    start = text.index(value)
    read = Statement("self", attribute, value, text, start, start + len(value), certainty=0.9)
    assert not [f for f in told(text, read) if f[1] == attribute]


def test_grandchildren_named_behind_the_wife_are_not_hers() -> None:
    text = "아내랑 텃밭 하고 손주 둘 있어요"
    start = text.index("손주")
    read = Statement("person:wife", "exists", "손주 둘", text, start, start + 4, certainty=0.9)
    assert told(text, read) == [("person:grandchild", "exists", "손주 둘", Status.IS)]


def test_what_two_people_do_is_told_in_one_sentence() -> None:
    text = "남편은 택시 몰고 저는 육아휴직 중이에요"
    read = Statement("person:husband", "job", "택시 몰", text, 4, 8, certainty=0.9)
    assert {f[:3] for f in told(text, read)} == {("person:husband", "job", "택시"), ("self", "job", "육아휴직 중")}


def test_what_happens_each_week_is_no_plan() -> None:
    assert [f for f in told("화요일마다 필라테스 가") if f[1] == "plan"] == []


def test_what_is_told_of_a_name_that_was_cut_wrongly_is_told_of_the_right_one() -> None:
    text = "우리 언니 이름은 수지고 간호사야"
    read = [
        Statement("person:sister", "name", "수지고", text, 9, 12, name="수지고", certainty=0.9),
        Statement("person:sister", "job", "간호사", text, 13, 16, name="수지고", certainty=0.9),
    ]
    found = checked_statements(text, "ko", sentences_of(text, "ko", policy), read, policy)
    assert {s.name for s in found} == {"수지"}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("나는 고양이털 알레르기 있는데", ("self", "allergy", "고양이털", Status.IS)),
        ("아내는 베트남 사람이고 이름은 린이에요", ("person:wife", "name", "린", Status.IS)),
        ("고양이 루나 있는데 다들 보내래", ("pet:cat", "name", "루나", Status.IS)),
        ("진주에서 혼자 살아요", ("self", "city", "진주", Status.IS)),
        ("시험은 내년 3월 28일", ("self", "plan", "시험", Status.FUTURE)),
    ],
)
def test_a_thing_a_place_and_a_name_are_told_in_few_words(text: str, fact: tuple[str, str, str, Status]) -> None:
    assert fact in told(text)


def test_three_children_in_one_breath_have_three_names() -> None:
    names = [f[2] for f in told("첫째는 영호고 은행 다니고 둘째는 영수고 백수고 막내는 영철이고 대학생이오") if f[1] == "name"]
    assert names == ["영호", "영수", "영철"]


@pytest.mark.parametrize(
    ("text", "value"),
    [("대신 선인장 키워요 이름은 뾰족이", "뾰족이"), ("걔이름은 윤서", "윤서"), ("최애는 카리나", "최애")],
)
def test_a_name_of_something_else_is_not_the_user_s(text: str, value: str) -> None:
    start = text.index(value)
    read = Statement("self", "name", value, text, start, start + len(value), certainty=0.9)
    assert not [f for f in told(text, read) if f[:2] == ("self", "name")]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("다음 주 토요일에 동생이 전시회 해요", "job", "전시회"),
        ("그래도 301호 할머니가 떡을 주셨습니다", "code", "그래도 301호"),
        ("부케는 제가 받기로 했어요", "money", "부케는 제가 받기로"),
        ("치매가 오셔서 요양원에 모셨소", "job", "오셔서"),
        ("강아지 키우고 싶은데 교대근무라 못 키워요", "exists", "강아지"),
    ],
)
def test_what_only_stands_near_is_no_side_of_a_life(text: str, attribute: str, value: str) -> None:
    start = text.index(value)
    read = Statement("self", attribute, value, text, start, start + len(value), certainty=0.9)
    assert not [f for f in told(text, read) if f[1] == attribute]


def test_which_child_one_is_stands_before_the_name() -> None:
    text = "딸 둘 있는데 큰애는 미영이고 작은애는 선영입니다"
    read = [Statement("person:child", "name", v, text, text.index(v), text.index(v) + 2, name=v) for v in ("미영", "선영")]
    assert [f[:3] for f in told(text, *read)] == [("person:child", "name", "미영"), ("person:child", "name", "선영")]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("전주에서 나고 자랐고 지금은 수원에 삽니다", ("self", "origin", "전주", Status.IS)),
        ("지금은 전남 영암에 살아요", ("self", "city", "전남 영암", Status.IS)),
        ("2019년에 제주로 내려왔고요", ("self", "city", "제주", Status.IS)),
        ("커피는 안 마시고 차를 좋아해", ("self", "diet", "커피", Status.NOT)),
        ("고양이 털 알레르기 있어서 친구네 집 못 가", ("self", "allergy", "고양이 털", Status.IS)),
        ("필라테스는 지난주에 그만뒀어", ("self", "hobby", "필라테스", Status.ENDED)),
        ("여행은 포르투갈에 제일 가보고 싶어요", ("self", "goal", "포르투갈에 제일 가보고 싶어요", Status.IS)),
        ("알바생은 두 명인데 현수랑 지민이에요", ("person:colleague", "name", "지민", Status.IS)),
        ("저는 카페를 운영하는 38살 오미경이에요", ("self", "name", "오미경", Status.IS)),
        ("안녕하세요 프리랜서 번역가 문세라입니다", ("self", "name", "문세라", Status.IS)),
    ],
)
def test_more_shapes_state_by_themselves(text: str, fact: tuple[str, str, str, Status]) -> None:
    assert fact in told(text)


def read_as(text: str, subject: str, attribute: str, value: str, name: str | None = None) -> Statement:
    start = text.index(value)
    sentence = next(s.text for s in sentences_of(text, "ko", policy) if s.start <= start < s.end)
    return Statement(subject, attribute, value, sentence, start, start + len(value), name=name, certainty=0.9)


@pytest.mark.parametrize(
    ("text", "attribute", "value", "bare"),
    [
        ("윤서 생일이 11월 3일이라", "birthday", "생일이 11월 3일", "11월 3일"),
        ("우리 할머니 연세가 78세셔", "age", "연세가 78세", "78세"),
        ("수학 젤 싫어하고", "dislike", "수학 젤 싫어", "수학"),
        ("나 여드름 때문에 힘들어", "condition", "여드름 때문", "여드름"),
        ("새언니는 유치원 교사래", "job", "유치원 교사래", "유치원 교사"),
        ("다음주 월요일부터 기말고사임", "plan", "다음주 월요일부터 기말고사", "기말고사"),
    ],
)
def test_a_value_goes_without_its_label_its_time_and_its_verb(
    text: str, attribute: str, value: str, bare: str
) -> None:
    assert bare in [v for _, a, v, _ in told(text, read_as(text, "self", attribute, value)) if a == attribute]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("지금은 괜찮으셔", "condition", "괜찮으셔"),
        ("올해로 7년차야", "job", "올해로 7년차"),
        ("나는 판교에 있는 회사에서 일해", "city", "판교"),
        ("가게에 유기견이었던 보리가 있어요", "job", "가게"),
        ("손주가 넷이나 돼요", "age", "넷"),
        ("성적 오르면 아이폰 사준댔어", "device", "아이폰"),
    ],
)
def test_what_is_no_such_thing_is_not_told_as_one(text: str, attribute: str, value: str) -> None:
    assert (attribute, value) not in [(a, v) for _, a, v, _ in told(text, read_as(text, "self", attribute, value))]


def test_a_sentence_that_names_nobody_is_about_whom_the_reader_took_it_for() -> None:
    text = "딸이 하나 있어요. 여섯 살이에요"
    found = told(text, read_as(text, "person:daughter", "age", "여섯 살"))
    assert ("person:daughter", "age", "여섯 살", Status.IS) in found
    assert not [f for f in found if f[:2] == ("self", "age")]


def test_why_it_is_so_is_told_of_whoever_did_it() -> None:
    text = "동생이 축구부를 그만뒀어요. 발목을 다쳐서"
    called = spoken_of(text, "ko", Known(), policy)
    found = checked_statements(text, "ko", sentences_of(text, "ko", policy), (), policy, called)
    assert ("person:sibling", "condition") in [(s.subject, s.attribute) for s in found]


def test_each_of_two_has_an_age_of_its_own() -> None:
    text = "모카는 다섯 살이고 라떼는 두 살이야"
    names = Known({"모카": "pet:cat", "라떼": "pet:cat"})
    called = spoken_of(text, "ko", names, policy)
    found = checked_statements(text, "ko", sentences_of(text, "ko", policy), (), policy, called)
    assert {(s.name, s.value) for s in found if s.attribute == "age"} == {("모카", "다섯 살"), ("라떼", "두 살")}


def test_a_word_for_kin_behind_a_name_is_a_title() -> None:
    called = spoken_of("민재 오빠는 스물아홉이에요", "ko", Known({"민재": "person:boyfriend"}), policy)
    assert {c.subject for c in called} == {"person:boyfriend"}


def test_a_sentence_without_its_subject_stands_with_the_one_that_has_it() -> None:
    text = "여동생은 간호사야. 다음 달에 결혼한대"
    called = spoken_of(text, "ko", Known(), policy)
    read = read_as(text, "person:sister", "plan", "결혼")
    found = checked_statements(text, "ko", sentences_of(text, "ko", policy), (read,), policy, called)
    assert "여동생은 간호사야." in [s.before for s in found if s.attribute == "plan"]


@pytest.mark.parametrize(
    ("before", "text", "asks", "meant"),
    [
        ("동생은 어디서 일해?", "그럼 이름은 뭐야?", Ask("self", "name"), ("person:sibling", "name")),
        ("내 동생 어디서 일해?", "나이는?", Ask("self", "age"), ("self", "age")),
        ("동생은 어디서 일해?", "내 이름은 뭐야?", Ask("self", "name"), ("self", "name")),
        ("동생은 어디서 일해?", "상견례 몇 시예요?", Ask("self", "plan"), ("self", "plan")),
        ("동생은 이직했어.", "이름은 뭐야?", Ask("self", "name"), ("self", "name")),
    ],
)
def test_a_question_that_leaves_out_of_whom_it_asks_means_whom_the_one_before_did(
    before: str, text: str, asks: Ask, meant: tuple[str, str]
) -> None:
    known = Known({}, last_spoken_of((before,), "ko", {}, policy))
    called = spoken_of(text, "ko", known, policy)
    found = carried(text, "ko", (asks,), (before,), called, known, policy)
    assert [(a.subject, a.attribute) for a in found] == [meant]


def test_who_alone_is_named_is_asked_what_was_asked_before() -> None:
    known = Known({}, last_spoken_of(("우리 딸 뭐 먹으면 안 되죠?",), "ko", {}, policy))
    called = spoken_of("나는?", "ko", known, policy)
    found = carried("나는?", "ko", (), ("우리 딸 뭐 먹으면 안 되죠?",), called, known, policy)
    assert ("self", "diet") in [(a.subject, a.attribute) for a in found]


def whom(text: str, *read: Statement, names: dict[str, str] | None = None) -> list[tuple[str, str, str]]:
    called = spoken_of(text, "ko", Known(names or {}), policy)
    found = checked_statements(text, "ko", sentences_of(text, "ko", policy), read, policy, called)
    return [(s.subject, s.attribute, s.value) for s in found]


def test_who_is_pointed_out_is_the_one_it_is_told_of() -> None:
    text = "호두 알레르기 있는 사람은 우리 이모야"
    assert ("person:aunt", "allergy", "호두") in whom(text)
    assert ("person:son", "allergy", "계란") in whom("계란 알레르기 있는 건 도윤이예요", names={"도윤": "person:son"})
    assert ("self", "allergy", "먼지") in whom("먼지 알레르기 있는 건 나야")
    # Of somebody who is not known nothing is told of the user.
    assert all(attribute == "note" for _, attribute, _ in whom("우유 알레르기 있는 건 상철이야"))


def test_what_follows_an_introduction_is_theirs_and_what_is_done_together_ones_own() -> None:
    text = "룸메랑 1년째 사는데 이름은 나경이고 변호사야"
    name, job = text.index("나경"), text.index("변호사")
    read = (
        Statement("person:roommate", "name", "나경", text, name, name + 2, name="나경"),
        Statement("person:roommate", "job", "변호사", text, job, job + 3, name="나경"),
    )
    assert ("person:roommate", "job", "변호사") in whom(text, *read)
    text = "남편이랑 세탁소 해"
    read = (Statement("person:husband", "job", "세탁소", text, 5, 8),)
    assert whom(text, *read) == [("self", "job", "세탁소")]


@pytest.mark.parametrize(
    ("text", "habit"),
    [
        ("주말엔 주로 낚시 가", "주말엔 주로 낚시 가"),
        ("수요일에는 탁구 쳐요", "수요일에는 탁구 쳐요"),
    ],
)
def test_what_is_done_again_and_again_is_a_habit(text: str, habit: str) -> None:
    word = text.split()[-2]
    start = text.index(word)
    read = Statement("self", "plan", word, text, start, start + len(word), status=Status.FUTURE)
    assert told(text, read) == [("self", "routine", habit, Status.IS)]


def test_what_has_a_day_stays_a_plan() -> None:
    assert ("self", "plan", "낚시", Status.FUTURE) in told("이번 주말엔 낚시 가")


def test_who_does_something_is_no_trade_of_the_users() -> None:
    text = "부장이 또 소리 질러서 힘들어"
    assert told(text, Statement("self", "job", "부장이", text, 0, 3)) == []
    text = "나 부장이 됐어"
    assert told(text, Statement("self", "job", "부장이", text, 2, 5)) == [("self", "job", "부장", Status.IS)]


def test_a_word_of_everyday_is_a_name_behind_a_greeting() -> None:
    assert told("안녕 나 이슬이야") == [("self", "name", "이슬", Status.IS)]
    assert told("안녕 나 백수야") == []


def test_food_is_asked_for_whoever_eats() -> None:
    def needed(text: str, names: dict[str, str]) -> set[tuple[str, str | None]]:
        called = spoken_of(text, "ko", Known(names), policy)
        return {(a.subject, a.name) for a in checked_asks(text, "ko", (), policy, called) if a.attribute == "allergy"}

    assert needed("저녁 뭐 먹지", {}) == {("self", None)}
    assert needed("할머니 간식 뭐 사드릴까", {}) == {("person:grandmother", None)}
    assert needed("도윤이랑 점심 뭐 먹을까", {"도윤": "person:son"}) == {("self", None), ("person:son", "도윤")}


def test_what_two_do_alone_together_is_the_users_own() -> None:
    text = "남편이랑 둘이 속초에서 살아요"
    start = text.index("속초")
    read = Statement("person:husband", "city", "속초", text, start, start + 2)
    assert whom(text, read) == [("self", "city", "속초")]


def test_what_ends_in_another_clause_does_not_end() -> None:
    text = "떡은 좋아하는데 커피는 끊었어"
    found = told(text, Statement("self", "like", "떡", text, 0, 1, stance="like"))
    assert ("self", "like", "떡", Status.IS) in found


def test_the_day_may_stand_first() -> None:
    assert told("다음 주 금요일이 시어머니 칠순이에요")[0][1:3] == ("plan", "시어머니 칠순")
    assert told("오늘이 금요일이야") == []


def test_a_verb_by_itself_is_no_event() -> None:
    text = "어제 동생이랑 싸웠어"
    start = text.index("싸웠어")
    read = Statement("self", "event", "싸웠어", text, start, start + 3, status=Status.PAST)
    assert told(text, read) == [("self", "event", text, Status.PAST)]


def test_a_sisters_children_are_not_the_users() -> None:
    text = "누나는 결혼해서 아들 하나 있어"
    start = text.index("아들")
    read = Statement("person:son", "exists", "아들 하나", text, start, start + 5)
    assert [(s, a) for s, a, _ in whom(text, read)] == [("person:sister", "note")]
    text = "남편은 바빠서 딸 하나 내가 키워"
    start = text.index("딸")
    read = Statement("person:daughter", "exists", "딸 하나", text, start, start + 4)
    assert whom(text, read)[0][0] == "person:daughter"


def test_an_allergy_told_as_a_reason_is_to_what_the_sentence_speaks_of() -> None:
    assert told("강아지는 못 만져요 알레르기가 있어서") == [("self", "allergy", "강아지", Status.IS)]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("코치 쌤이 맨날 소리 질러", "job", "코치"),
        ("새벽에 일어나서 독서실 감", "job", "독서실 감"),
        ("가게 이름은 노을이야", "job", "가게"),
        ("나보다 다섯 살 많아", "age", "다섯 살"),
    ],
)
def test_what_the_words_do_not_say_is_not_kept_as_it(text: str, attribute: str, value: str) -> None:
    start = text.index(value)
    found = told(text, Statement("self", attribute, value, text, start, start + len(value)))
    assert not [f for f in found if f[1] == attribute]


def test_whoever_is_met_at_work_is_none_of_the_users_people() -> None:
    text = "우리 반에 쌍둥이가 있는데 이름은 가람이야"
    start = text.index("가람")
    read = Statement("person:sibling", "name", "가람", text, start, start + 2, name="가람")
    assert {s for s, _, _ in whom(text, read)} == {"self"}


def test_what_is_said_with_시_is_of_the_elder() -> None:
    text = "이모가 딸을 봐주세요 같은 빌라 사시거든요"
    start = text.index("빌라")
    read = Statement("person:daughter", "home", "빌라", text, start, start + 2)
    assert whom(text, read)[0][0] == "person:aunt"


def test_what_may_come_back_is_whole_words_and_bare_names() -> None:
    text = "손녀 유나가 대학에 다녀요"
    name = Statement("person:granddaughter", "name", "유나가", text, 3, 6, name="유나가", certainty=0.9)
    school = Statement("person:granddaughter", "school", "대학", text, 7, 9, name="유나가", certainty=0.9)
    assert [(s.value, s.name) for s in may_return(text, "ko", [name, school], policy)] == [
        ("유나", "유나"),
        ("대학", "유나"),
    ]


@pytest.mark.parametrize(
    ("text", "kept"),
    [("아빠 기일이 12월 3일인데 벌써 걱정이야", "note"), ("아빠 생신이 12월 3일인데 벌써 걱정이야", "birthday")],
)
def test_the_day_somebody_died_is_no_birthday(text: str, kept: str) -> None:
    start = text.index("12월")
    read = Statement("person:father", "birthday", "12월 3일", text, start, start + 6, certainty=0.9)
    assert [s[1] for s in told(text, read)] == [kept]


@pytest.mark.parametrize(
    "text",
    [
        "지하철에서 어떤 여자가 이혼했다고 전화하더라",
        "손님이 자기는 이혼했다고 울더라",
        "웹툰 주인공이 회귀해서 의사가 됨",
        "심즈에서 내 캐릭터가 의사 됐어",
        "꿈에서 내가 의사 됐어",
    ],
)
def test_what_strangers_dreams_and_made_up_people_do_is_not_the_users(text: str) -> None:
    assert told(text) == []
    read = Statement("self", "event", text, text, 0, len(text), certainty=0.9)
    assert told(text, read) == []


@pytest.mark.parametrize(
    ("text", "value", "read", "kept"),
    [
        ("복지관에서 뭘 배우기 시작했어요", "복지관", "hobby", []),
        ("미용실에서 스텝으로 2년째 일함", "미용실", "job", ["employer"]),
        ("이제 배달 뛰려고 헬멧 봤다", "배달 뛰", "job", ["goal"]),
    ],
)
def test_what_hangs_on_to_a_value_says_what_it_can_be(text: str, value: str, read: str, kept: list[str]) -> None:
    start = text.index(value)
    said = Statement("self", read, value, text, start, start + len(value), certainty=0.9)
    assert [s[1] for s in told(text, said)] == kept


def _read(text: str, subject: str, attribute: str, value: str) -> Statement:
    at = text.index(value)
    seen = Evidence(0.9, 0.9, 0.9, 0.0, 0.9)
    return Statement(subject, attribute, value, text, at, at + len(value), certainty=0.9, evidence=seen)


def test_a_name_that_was_read_is_not_looked_for_by_another_shape() -> None:
    text = "우리 집 강아지 이름은 보리야, 시바견이고 4살"
    names = [t for t in told(text, _read(text, "pet:dog", "name", "보리")) if t[1] == "name"]
    assert names == [("pet:dog", "name", "보리", Status.IS)]


def test_a_breed_behind_a_name_is_no_second_name() -> None:
    assert all(value != "시바견" for _, _, value, _ in told("우리 집 강아지 이름은 보리랑 시바견이야"))


def test_names_told_in_a_row_are_not_one_name() -> None:
    text = "나 고양이 세 마리 키워 두부 참치 호떡"
    read = [_read(text, "pet:cat", "name", name) for name in ("두부", "참치", "호떡")]
    assert {t[2] for t in told(text, *read) if t[1] == "name"} == {"두부", "참치", "호떡"}
