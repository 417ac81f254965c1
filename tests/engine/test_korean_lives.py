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
