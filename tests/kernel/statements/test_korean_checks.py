"""Korean shapes beside the learned reader: what they state, of whom, and what they ask for."""

import pytest

from clew.kernel.read.utterance import sentences_of
from clew.kernel.statements.checks import checked_asks, checked_statements
from clew.model.utterance import Ask, Statement, Status
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
