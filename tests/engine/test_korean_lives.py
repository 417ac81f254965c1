"""What untidy Korean tells, corrects and asks over several days; through the whole turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.test_who_is_who import talked


@pytest.mark.parametrize(
    ("told", "asked", "answer", "never"),
    [
        (["내가 올해 일흔둘이여"], "내 나이가 몇이라고 했제?", "일흔두 살", "못 들"),
        (["아 나 대학병원 간호사야", "병원 데려갔더니 헤어볼이래 다행"], "내 직업이 뭐게", "간호사", "전에"),
        (["룸메 이름 보라임"], "룸메 이름 까먹었다", "보라야", "보라임"),
        (["우리집 고양이 두마리 있거든? 나비랑 먼지ㅋㅋ"], "고양이 이름들 뭐였더라", "먼지", "적이 없"),
        (["사물함 비번 3917로 바꿨어 기억해줘"], "사물함 비번 까먹음", "3917", "못 들"),
        (["와이프가 임신 8주래", "와이프가 유산했어"], "와이프 임신중이야?", "아니", "고생"),
        (["다음주 수요일은 위생점검 있어요", "아 위생점검 목요일이래요 수요일 말고"], "위생점검 언제예요?", "목요일에", "수요일"),
        (["동생이 부산 살아", "아니 동생 말고 언니"], "언니 어디 살지?", "언니는 부산", "동생은"),
        (["금요일에 회식 있어", "회식 취소됨ㅋㅋ"], "나 금요일에 회식 있나?", "취소", "일정이 있어"),
        (["금요일에 면접 있어", "다음주 화요일에 치과 가", "치과 언제지?"], "면접 언제야", "면접", "치과"),
        (["요즘 클라이밍 시작했는데 개재밌음"], "나 요즘 무슨 운동해", "클라이밍", "“"),
        (["주말에 이사함 분당에서 용인으로"], "나 어디 살아?", "용인", "분당"),
        (["나는 한복 짓는 사람이야"], "내 일이 뭐였지?", "한복", "못 들"),
        (["원고 마감이 9월 4일이야"], "원고 마감 언제지?", "9월 4일", "마감 일정"),
        (["천식이 있어서 약을 먹어"], "나 무슨 약 먹는다고 했지?", "천식", "약을 먹어."),
    ],
)
def test_what_was_told_is_answered(tmp_path: Path, told: list[str], asked: str, answer: str, never: str) -> None:
    replies, _ = talked(tmp_path, *told, asked)
    assert answer in replies[-1] and never not in replies[-1], replies[-1]


@pytest.mark.parametrize(
    ("told", "false"),
    [
        ("옥자가 넘어져서 다리가 부러졌대요", "너는 다리"),
        ("영호가 대전으로 이사갔어", "너는 대전"),
        ("네이버에서 제의옴", "네이버에 살"),
        ("이번에 1학년 담임 맡았어요", "1학년이야"),
        ("저 복숭아 알레르기 있는데 시어머니가 맨날 복숭아 보내요", "시어머니는 복숭아 알레르기"),
        ("남편이 회사원이라 그나마 버티죠", "버티죠"),
        ("이제 장사 접을까봐요", "접을까"),
    ],
)
def test_nothing_false_is_kept(tmp_path: Path, told: str, false: str) -> None:
    _, held = talked(tmp_path, "안녕하세요", told)
    assert not any(false in line for line in held), held


@pytest.mark.rule("M7")
@pytest.mark.parametrize(
    ("first", "then", "asked", "told"),
    [
        ("아파트 부녀회장 맡고 있어요", "부녀회 장부 새 회장님께 다 드렸어요 이제 제 일이 아니네요", "저 아직 부녀회장인가요?", "드렸"),
        ("동생이 교도소에서 교도관으로 일해", "동생이 소방서로 옮겼대 이제 불 끄러 다닌대", "동생 요즘 무슨 일 하지?", "소방서"),
        ("할아버지가 요양병원에 계셔", "할아버지 어제 퇴원하셔서 집으로 모셨어", "할아버지 아직 병원에 계신가?", "퇴원"),
        ("드럼 학원 다녀", "드럼 스틱 조카 줬어 손목이 나가서", "나 아직 드럼 쳐?", "조카 줬어"),
    ],
)
def test_what_was_said_since_is_told(tmp_path: Path, first: str, then: str, asked: str, told: str) -> None:
    replies, _ = talked(tmp_path, first, then, asked)
    assert told in replies[-1], replies[-1]


@pytest.mark.parametrize(
    ("first", "then", "asked", "right", "beside"),
    [
        ("형은 기관사야", "누나는 약사야", "형 요즘 무슨 일 해?", "기관사", "약사"),
        ("나 인천 살아", "오늘 비가 너무 와서 양말 다 젖음 짜증", "나 지금 어디 살지?", "인천", "양말"),
        ("큰언니는 기장이에요", "작은언니는 미용사예요", "큰언니 직업이 뭐죠?", "기장", "미용"),
    ],
)
def test_other_news_is_no_answer(
    tmp_path: Path, first: str, then: str, asked: str, right: str, beside: str
) -> None:
    replies, _ = talked(tmp_path, first, then, asked)
    assert right in replies[-1] and beside not in replies[-1], replies[-1]


def test_what_one_does_oneself_is_no_small_talk(tmp_path: Path) -> None:
    replies, _ = talked(tmp_path, "독서실 총무 알바 한다", "나 알바 뭐해", "뭐해?")
    assert "총무" in replies[1] and "총무" not in replies[2], replies


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        ("우리 지도교수님이 내년 봄에 안식년 가신대 어쩌지", "교수님 언제 안식년이라 했지", "내년 봄"),
        ("근로장학금 52만원으로 어케 사냐", "나 근로장학금 얼마였지", "52만원"),
        ("베프는 하람이", "하람이가 누구지?", "베프"),
        ("고모는 왜관에 사세요", "고모 어디 사시지?", "왜관"),
    ],
)
def test_what_is_told_with_a_sigh_or_a_name_is_found(
    tmp_path: Path, told: str, asked: str, answer: str
) -> None:
    replies, _ = talked(tmp_path, told, asked)
    assert answer in replies[-1], replies[-1]
