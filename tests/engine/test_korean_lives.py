"""Korean lives told in passing, and asked for later: through the whole turn, with the built-in writer and encoder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.test_who_is_who import talked


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("첫째는 여섯 살 하린이, 둘째는 이제 돌 지난 하준이요", "둘째 이름이요"), "둘째 이름은 하준"),
        (("여자친구가 있는데 이름은 채원입니다", "채원이는 수원에서 간호사로 일합니다", "여자친구 직업"), "간호사"),
        (("남편은 택시 몰고 저는 육아휴직 중이에요", "남편은 많이 아쉬워했어요", "우리 남편 무슨 일 하는지 기억나요?"), "택시"),
        (("딸 이름은 소율이고 중1이야", "걔 요즘 아이브 좋아하더라", "소율이 뭐 좋아한다고 했지"), "아이브"),
        (("토끼 키워요 이름은 당근이에요", "친구 수빈이는 공무원이에요", "제가 키우는 동물 뭐예요?"), "당근"),
        (("저번주에 발목 삐끗해가 쉬고있다", "나 다친데 어디게"), "발목"),
        (("남친은 태현인데 소방관이야", "태현이랑 헤어졌어", "나 남친 있어?"), "헤어졌어"),
        (("여동생 지은이는 부산에서 간호사로 일해", "동생은 어디서 일해?", "그럼 이름은?"), "지은"),
        (("나는 매운 거 못 먹어", "나중에 물리치료사 되고 싶음", "꿈이 뭐라고 했지 내가"), "물리치료사"),
        (("토요일에 민서랑 속초 가기로 했어", "아 속초 말고 강릉으로 가기로 했어", "토요일에 어디 가?"), "강릉"),
    ],
)
def test_what_was_told_in_passing_is_told_when_it_is_asked_for(
    tmp_path: Path, lines: tuple[str, ...], told: str
) -> None:
    assert told in talked(tmp_path, *lines)[0][-1]


def test_what_was_forgotten_is_not_answered_with_something_else(tmp_path: Path) -> None:
    lines = ("사실 도박도 좀 했었어", "오토바이 타다가 작년에 크게 다쳤어", "도박한 거 잊어줘", "내가 도박했다고 말한 적 있어?")
    reply = talked(tmp_path, *lines)[0][-1]
    assert "오토바이" not in reply and "도박도" not in reply


def test_who_asks_the_friend_is_not_told_of_themself(tmp_path: Path) -> None:
    reply = talked(tmp_path, "요즘 하모니카를 배우고 있습니다", "선생은 취미가 뭡니까?")[0][-1]
    assert "하모니카" not in reply


def test_a_name_put_right_takes_the_place_of_the_wrong_one(tmp_path: Path) -> None:
    lines = ("여자친구 이름은 채원입니다", "사실 채원이가 아니라 채윤입니다. 잘못 썼습니다")
    held = talked(tmp_path, *lines)[1]
    assert any("채윤" in line for line in held) and not any("채원" in line for line in held)


def test_who_cats_are_is_no_third_name(tmp_path: Path) -> None:
    held = talked(tmp_path, "고양이 두마리 키워 모찌랑 두부", "모찌는 치즈냥이고 두부는 삼색이야")[1]
    assert sorted(line for line in held if "이름은" in line) == ["고양이 이름은 두부야", "고양이 이름은 모찌야"]


def test_a_quarrel_is_no_parting(tmp_path: Path) -> None:
    held = talked(tmp_path, "여친 이름은 하은이야", "하은이랑 싸웠어...")[1]
    assert "여친 이름은 하은이야" in held


@pytest.mark.parametrize(
    ("lines", "never"),
    [
        (("곰이가 새끼를 네 마리 낳았어요",), ("그만해", "어려워", "다른 얘기")),
        (("아버지는 사과농사 지으시고 어머니는 도와주세요",), ("모델",)),
        (("나 우는중",), ("듣는 거 좋다",)),
    ],
)
def test_a_plain_telling_is_not_refused(tmp_path: Path, lines: tuple[str, ...], never: tuple[str, ...]) -> None:
    reply = talked(tmp_path, *lines)[0][-1]
    assert not [word for word in never if word in reply]


def test_a_day_that_moved_is_told_with_the_thing_and_leaves_other_days_alone(tmp_path: Path) -> None:
    lines = (
        "다음 주 화요일 오후 3시에 치과 예약 있어",
        "매주 수요일마다 필라테스 다녀",
        "아 맞다 치과 화요일이 아니라 목요일로 바뀌었어",
        "치과 언제야?",
    )
    replies, held = talked(tmp_path, *lines)
    assert "목요일 오후 3시" in replies[-1] and "치과" in replies[-1]
    assert any("수요일마다 필라테스" in line for line in held)


@pytest.mark.parametrize(
    ("lines", "stays"),
    [
        (("우리 엄마는 학원 원장님이야", "축구 학원 끊었어 이제 수영 다님"), "원장님"),
        (("저는 제주에 살아요", "저는 원래 서울에서 은행 다녔어요. 2019년에 제주로 내려왔고요"), "제주에 살아"),
        (("다음 주 금요일까지 발표 자료 만들어야 해", "나 사실 이직 준비 중이야. 네이버 면접이 다음 달 3일이야"), "발표 자료"),
    ],
)
def test_what_is_not_spoken_of_does_not_end(tmp_path: Path, lines: tuple[str, ...], stays: str) -> None:
    assert any(stays in line for line in talked(tmp_path, *lines)[1])


def test_who_has_daughters_and_is_asked_for_a_son_is_not_told_of_them(tmp_path: Path) -> None:
    lines = ("큰딸 이름은 은정이, 작은딸은 은영이", "제일 큰 애가 대학생이에요", "아들 이름이 뭐죠?")
    reply = talked(tmp_path, *lines)[0][-1]
    assert "은정" not in reply and "은영" not in reply


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("룸메 이름은 태리야", "나 룸메 있어?"), ("응, 있어", "태리")),
        (("여친 이름은 서윤이야", "여친이랑 헤어졌어", "나 여친 있나?"), ("지금은", "헤어졌어")),
        (("햄스터 키워요 이름은 도토리예요", "저 반려동물 있나요?"), ("네, 있으세요", "도토리")),
        (("나는 부산에 살아", "나 동생 있어?"), ("동생",)),
    ],
)
def test_whether_there_is_somebody_is_answered_yes_or_no(
    tmp_path: Path, lines: tuple[str, ...], told: tuple[str, ...]
) -> None:
    reply = talked(tmp_path, *lines)[0][-1]
    assert not [part for part in told if part not in reply] and "부산" not in reply


@pytest.mark.parametrize(
    ("lines", "told", "never"),
    [
        (("복숭아 알레르기 있어", "강아지를 두 마리 키워", "오늘 점심 뭐 먹지?"), ("복숭아",), ("강아지",)),
        (("나 맥주는 싫어해", "와인 좋아해", "카페 가는데 뭐 마실까?"), (), ("와인", "맥주")),
        (("아들 이준이는 호두 알레르기가 있어", "나는 게 알레르기 있어", "이준이 간식 뭐 사줄까?"), ("호두",), ("게 ",)),
        (("남편은 굴을 못 먹어", "나는 땅콩 알레르기 있어", "남편이랑 저녁 뭐 먹지?"), ("굴", "땅콩"), ()),
        (("나 고등어 알레르기 있어", "고양이 털 알레르기도 있어", "고등어조림 먹어도 돼?"), ("고등어",), ("털",)),
    ],
)
def test_what_must_not_be_eaten_comes_first_where_food_is_in_question(
    tmp_path: Path, lines: tuple[str, ...], told: tuple[str, ...], never: tuple[str, ...]
) -> None:
    reply = talked(tmp_path, *lines)[0][-1]
    assert not [part for part in told if part not in reply]
    assert not [part for part in never if part in reply]


def test_whose_trade_is_told_behind_an_introduction(tmp_path: Path) -> None:
    held = talked(tmp_path, "나는 초등학교 교사야", "여자친구랑 2년 됐는데 이름은 유림이고 약사야")[1]
    assert any("유림" in line and "약사" in line for line in held)
    assert any("직업은" in line and "교사" in line for line in held)


@pytest.mark.parametrize(
    ("lines", "never"),
    [
        (("아내는 이름이 미래야", "아내 직업이 뭐야?"), "미래"),
        (("나는 약사야", "나 무슨 부야?"), "약사"),
        (("남편은 택배 일 해", "남편 이름 뭐게?"), "택배"),
    ],
)
def test_what_was_never_told_is_not_answered_with_the_nearest_thing(
    tmp_path: Path, lines: tuple[str, ...], never: str
) -> None:
    assert never not in talked(tmp_path, *lines)[0][-1]


@pytest.mark.parametrize("asked", ["주말에 나 보통 뭐해?", "나 주말에 보통 뭐 한다고 했지?"])
def test_what_the_user_does_is_no_small_talk(tmp_path: Path, asked: str) -> None:
    assert "볼링" in talked(tmp_path, "주말엔 보통 볼링 쳐", asked)[0][-1]


def test_another_workplace_takes_nobodys_trade(tmp_path: Path) -> None:
    lines = ("나는 고등학교 수학 교사야", "원주에서 일하고 있어", "학교 옮겼어 이제 춘천에서 일해", "나 어디서 일해?", "나 무슨 일 해?")
    replies, held = talked(tmp_path, *lines)
    assert "춘천" in replies[-2] and "교사" in replies[-1] and not any("원주에" in line for line in held)


def test_a_move_takes_nothing_from_another_change(tmp_path: Path) -> None:
    held = talked(tmp_path, "나 지난달에 퇴사했어", "인천에서 부천으로 이사했어")[1]
    assert any("퇴사" in line for line in held) and any("부천" in line for line in held)


def test_whom_an_event_is_told_of_keeps_the_name(tmp_path: Path) -> None:
    assert "세라" in talked(tmp_path, "친구 세라가 내년 5월에 결혼해", "세라 결혼 언제야?")[0][-1]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("썸남 이름은 민규야", "민규 생일은 4월 9일이래", "민규랑 사귀기로 했어", "남친 생일 언제야?"), "4월 9일"),
        (("민아랑 사귀고 있어", "나 여친 있어?"), "응, 있어"),
        (("부모님은 여수에 사셔", "엄마 어디 사셔?"), "여수"),
        (("시각디자인과 다녀", "졸업하고 웹디자이너 되고 싶어", "나 무슨 과야?"), "시각디자인"),
        (("알바는 도서관에서 하고 있어", "나 알바 어디서 해?"), "도서관"),
    ],
)
def test_what_is_known_under_another_word_is_found(tmp_path: Path, lines: tuple[str, ...], told: str) -> None:
    assert told in talked(tmp_path, *lines)[0][-1]


@pytest.mark.parametrize(
    ("lines", "told", "never"),
    [
        (("수욜마다 탁구 쳐", "11월 30일에 면접 봐", "수요일에 나 뭐해?"), "탁구", "면접"),
        (("매주 목요일 저녁마다 요가 가", "목요일에 나 뭐 하더라?"), "요가", "못 들었"),
        (("우리 가게 이름은 은하수야", "내 가게 이름이 뭐였지?"), "은하수", "못 들었"),
        (("여동생은 나보다 세 살 어려", "내 동생 몇 살이야?"), "세 살 어려", "여동생은 세 살이야"),
        (("할머니가 재작년에 돌아가셨어", "할머니 건강하셔?"), "돌아가셨어", "못 들었"),
        (("나 코치 만났어", "내 트레이너 이름 뭐야?"), "", "Clew"),
    ],
)
def test_a_plain_question_meets_what_was_told_for_it(
    tmp_path: Path, lines: tuple[str, ...], told: str, never: str
) -> None:
    reply = talked(tmp_path, *lines)[0][-1]
    assert told in reply and never not in reply


def test_a_new_name_for_the_shop_takes_nothing_from_its_hours(tmp_path: Path) -> None:
    lines = ("나 꽃집 해", "화요일은 가게 쉬는 날이야", "가게 이름 바꿨어 이제 봄날이야")
    held = talked(tmp_path, *lines)[1]
    assert any("화요일은 가게 쉬는 날" in line for line in held) and any("봄날" in line for line in held)


def test_politeness_is_heard_where_a_reason_ends_the_sentence(tmp_path: Path) -> None:
    assert talked(tmp_path, "녹차만 마셔요 속이 쓰려서")[0][-1].rstrip(".!?")[-1] in "요죠다까"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("나 탁구부야", "나 무슨 부야?"), "탁구부"),
        (("우리 부부는 자녀가 없어요", "저 아이 있나요?"), "없으세요"),
        (("언니는 육군이야", "언니 제대했어 이제 옷 수선하는 가게 다녀", "언니 어디서 일해?"), "옷 수선하는 가게"),
        (("비 오는 날을 좋아해요", "요즘 볼링 시작했는데 진짜 좋아요", "저 어떤 날씨 좋아해요?"), "비 오는 날"),
        (("위염이 심해서 죽만 먹어", "나 어디 아프다고 했지?"), "위염이 있어"),
    ],
)
def test_what_was_told_stands_and_is_found(tmp_path: Path, lines: tuple[str, ...], told: str) -> None:
    assert told in talked(tmp_path, *lines)[0][-1]


@pytest.mark.parametrize(
    ("lines", "told", "never"),
    [
        (("친구 수진이 다음 주에 이사해", "수진이 이사 언제야?"), ("수진", "다음 주"), "일에"),
        (("아내랑 네 살 딸이랑 살아", "딸 몇 살이지?"), ("네 살",), "못 들었"),
        (("고양이 두부는 재작년에 무지개다리 건넜어", "두부는 잘 지내?"), ("두부",), "나는"),
        (("복숭아는 괜찮은데 자두는 알러지 있어", "나 무슨 알레르기 있어?"), ("자두",), "복숭아"),
        (("나는 대리야", "나 이번에 과장으로 승진했어", "내 직업이 뭐야?"), ("과장",), "대리야"),
    ],
)
def test_when_who_and_what_are_told_as_they_were_said(
    tmp_path: Path, lines: tuple[str, ...], told: tuple[str, ...], never: str
) -> None:
    reply = talked(tmp_path, *lines)[0][-1]
    assert not [part for part in told if part not in reply] and never not in reply


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("토요일마다 등산 갑니다", "토요일에 저 뭐 합니까?"), "등산"),
        (("저는 원주에 삽니다", "딸 이름이 뭡니까?"), "딸 이름이 뭔지"),
    ],
)
def test_a_formal_question_is_a_question(tmp_path: Path, lines: tuple[str, ...], told: str) -> None:
    assert told in talked(tmp_path, *lines)[0][-1]
