"""Plain shapes in which a person tells of themself or of theirs, in Korean."""

# A row of the table is one line, however long its pattern.
# ruff: noqa: E501
from __future__ import annotations

from clew.kernel.language.telling import Telling

_END = r"(?=\s*(?:$|[.,;!?~\nㅋㅎ]))"
_COPULA = r"(?:이야|야|이에요|예요|에요|입니다|임|이다)"
_ME_KO = r"(?:^|[.,!?]\s*)(?:(?:저|나|난|전)(?:는|은)?|내|제)\s*"

TELLINGS = (
    Telling("이름", "name", rf"(?:^|[.,!?]\s*)(?:내|제|저의|나의) (?:이름은|이름이) (?P<value>[가-힣]{{2,5}}?|[A-Za-z]+){_COPULA}{_END}"),
    Telling("이라고 합니다", "name", rf"{_ME_KO}(?P<value>[가-힣]{{2,5}}?|[A-Za-z]+)(?:이라고|라고) (?:합니다|해요|해|불러)"),
    Telling("나이", "age", rf"{_ME_KO}(?:올해 |이제 )?(?P<value>(?:\d{{1,2}}|[가-힣]{{2,4}}) ?살){_COPULA}?{_END}"),
    Telling("생일", "birthday", rf"(?:^|[.,!?]\s*)(?:내|제) 생일은 (?P<value>[^.,!?\n]{{2,20}}?){_COPULA}{_END}"),
    Telling("사는 곳", "city", rf"{_ME_KO}(?:지금 |요즘 )?(?P<value>[가-힣]{{2,8}}(?: [가-힣]{{2,6}})?)에서? (?:살아요?|삽니다|살고 있어요?|살고 있습니다|살고있어요?|살아)"),
    Telling("사는 곳, 조사 없이", "city", r"(?:^|[.,!?]\s*)(?:저|나|난|전)(?:는|은)?\s+(?!(?:혼자|같이|둘이|셋이|함께|따로|그냥|아직|계속|여기|거기) )(?P<value>[가-힣]{2,6}(?<![랑게히고이])) (?:살아요?|삽니다)(?=\s*(?:$|[.,!?~ㅋㅎ]))"),
    Telling("출신", "origin", rf"{_ME_KO}(?P<value>[가-힣]{{2,8}}) (?:출신|사람){_COPULA}?{_END}"),
    Telling("알레르기", "allergy", r"(?:^|[.,!?]\s*)(?:(?:저|나|난|전)(?:는|은)?\s+)?(?P<value>[가-힣]{1,8})\s?(?:알레르기|알러지)(?:가|도)?\s?(?:있어요?|있습니다|있음)"),
    Telling("직업", "job", rf"(?:^|[.,!?]\s*)(?:내|제) 직업은 (?P<value>[가-힣 ]{{2,15}}?){_COPULA}{_END}"),
    Telling("좋아하는 것", "like", r"(?:^|[.,!?]\s*)(?:저|나|난|전)(?:는|은)?\s+(?P<value>[^\s.,!?]{1,10}(?: [^\s.,!?]{1,8})?)(?:을|를) (?:정말 |진짜 |아주 |제일 |가장 |너무 )?좋아(?:해요?|합니다|함)", "like"),
    Telling("싫어하는 것", "dislike", r"(?:^|[.,!?]\s*)(?:저|나|난|전)(?:는|은)?\s+(?P<value>[^\s.,!?]{1,10}(?: [^\s.,!?]{1,8})?)(?:을|를) (?:정말 |진짜 |아주 |제일 |가장 |너무 )?싫어(?:해요?|합니다|함)", "dislike"),
)  # fmt: skip
