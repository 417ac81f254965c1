"""Plain shapes of telling about oneself, as a table: a name, what it matches, what follows.

Each shape opens a sentence (or follows "and", "but"), has the user or one of theirs as its subject, and is read
without any learned weight.
"""

# A row of the table is one line, however long its pattern.
# ruff: noqa: E501
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from clew.kernel.statements.features import Mention
from clew.kernel.statements.values import trimmed
from clew.model.utterance import Act, Sentence, Statement, Status
from clew.policy.reader import ReaderPolicy


@dataclass(frozen=True, slots=True)
class Shape:
    """`whose` takes the subject from the relation that the shape's group `who` holds."""

    name: str
    attribute: str
    pattern: re.Pattern[str]
    stance: str | None = None
    status: Status = Status.IS


_OPEN = r"(?:^|[,;]\s*|\b(?:and|but|so|well|also|btw|hi|hey|actually|by the way|fyi|remember that|note that)[,:]?\s+)"
_ME = r"(?:i am|i'm|im|i’m)"
_NP = r"(?P<value>[^.,;!?\n]{1,60}?)(?=\s*(?:$|[.,;!?\n]|\b(?:and|but|so|because|since|which|who|where|with|for|when|while|if|though|although)\b))"
_PROPER = r"(?P<value>[^\W\d_][\w'’-]*(?: (?-i:[A-Z])[\w'’-]*){0,2})(?=\s*(?:$|[.,;!?\n]|\band\b|\bbut\b))"
_WHO = r"my (?P<who>[a-z-]+(?: (?:in law|friend|mate))?)"
_END = r"(?=\s*(?:$|[.,;!?~\nㅋㅎ]))"
_COPULA = r"(?:이야|야|이에요|예요|에요|입니다|임|이다)"
_ME_KO = r"(?:^|[.,!?]\s*)(?:(?:저|나|난|전)(?:는|은)?|내|제)\s*"


def _en(pattern: str) -> re.Pattern[str]:
    return re.compile(_OPEN + pattern, re.IGNORECASE)


def _ko(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


SHAPES = (
    Shape("name", "name", _en(rf"my (?:full |real |first )?name(?:'s|’s| is) {_PROPER}")),
    Shape("called", "called", _en(rf"(?:please )?(?:call me|i go by) (?-i:(?=[A-Z])){_PROPER}")),
    Shape("age", "age", _en(rf"{_ME} (?P<value>\d{{1,2}})(?: years old| yrs old| y/?o)?(?=\s*(?:$|[.,!\n]|and\b|but\b))")),
    Shape("birthday", "birthday", _en(rf"my birthday(?:'s|’s| is) (?:on )?{_NP}")),
    Shape("city", "city", _en(r"(?:i (?:still |now |currently )?live|i'm living|i am living|i'm based|i am based|we live) in (?P<value>(?-i:[A-Z])[^.,;!?\n]{1,40}?)(?=\s*(?:$|[.,;!?\n]|\b(?:and|but|with|now|since|for)\b))")),
    Shape("origin", "origin", _en(rf"(?:{_ME} (?:originally )?from|i come from|i grew up in) (?P<value>(?-i:[A-Z])[^.,;!?\n]{{1,40}}?)(?=\s*(?:$|[.,;!?\n]|\b(?:and|but)\b))")),
    Shape("allergy", "allergy", _en(rf"{_ME} (?:really |very |severely |deathly )?allergic to {_NP}")),
    Shape("diet", "diet", _en(rf"{_ME} (?:a |an )?(?:strict )?(?P<value>vegan|vegetarian|pescatarian|coeliac|celiac|gluten[- ]free|lactose intolerant|halal)(?=\s*(?:$|[.,;!?\n]|\b(?:and|but|so)\b))")),
    Shape("language", "language", _en(r"i (?:also |still )?speak (?:fluent |some |a little |a bit of |decent )?(?P<value>(?-i:[A-Z])[^.;!?\n]{1,40}?)(?=\s*(?:$|[.;!?\n]))")),
    Shape("job", "job", _en(rf"i work as (?:an? )?{_NP}")),
    Shape("employer", "employer", _en(r"i work (?:for|at) (?P<value>(?-i:[A-Z])[^.,;!?\n]{1,40}?)(?=\s*(?:$|[.,;!?\n]|\b(?:and|but|as|in)\b))")),
    Shape("fear", "fear", _en(rf"{_ME} (?:really |very |so )?(?:afraid of|scared of|terrified of) {_NP}")),
    Shape("like", "like", _en(rf"i (?:really |absolutely |just )?(?:love|like|adore|enjoy) (?!(?:that|this|it|you|how|when|what|the way|these|those|him|her|them|to|my|our|your?)\b|\w+ing \w){_NP}"), "like"),
    Shape("dislike", "dislike", _en(rf"i (?:really |absolutely )?(?:hate|can't stand|cannot stand|dislike|don't like|do not like) (?!(?:that|this|it|you|how|when|what|the way|these|those|him|her|them|to|my|our|your?)\b|\w+ing \w){_NP}"), "dislike"),
    Shape("their name", "name", _en(rf"{_WHO}(?:'s|’s) name(?:'s|’s| is) {_PROPER}")),
    Shape("they are called", "name", _en(rf"{_WHO} is (?:called|named) {_PROPER}")),
    Shape("their age", "age", _en(rf"{_WHO} (?:is|just turned|turned) (?P<value>\d{{1,2}})(?: years old)?(?=\s*(?:$|[.,!\n]))")),
    Shape("their city", "city", _en(rf"{_WHO} lives in (?P<value>(?-i:[A-Z])[^.,;!?\n]{{1,40}}?)(?=\s*(?:$|[.,;!?\n]|\b(?:and|but|with|now)\b))")),
    Shape("their job", "job", _en(rf"{_WHO} (?:works as|is) an? (?P<value>[a-z][^.,;!?\n]{{2,30}}?)(?=\s*(?:$|[.,;!?\n]|\b(?:and|but|at|in)\b))")),
    Shape("their allergy", "allergy", _en(rf"{_WHO} is allergic to {_NP}")),
    Shape("pet's name", "name", _en(r"(?:i|we) (?:have|'ve got|got) an? (?:[\w-]+ ){0,2}(?P<who>[a-z]+) (?:called|named) (?P<value>(?-i:[A-Z])[\w'’-]*)")),
    Shape("이름", "name", _ko(rf"(?:^|[.,!?]\s*)(?:내|제|저의|나의) (?:이름은|이름이) (?P<value>[가-힣]{{2,5}}?|[A-Za-z]+){_COPULA}{_END}")),
    Shape("이라고 합니다", "name", _ko(rf"{_ME_KO}(?P<value>[가-힣]{{2,5}}?|[A-Za-z]+)(?:이라고|라고) (?:합니다|해요|해|불러)")),
    Shape("나이", "age", _ko(rf"{_ME_KO}(?:올해 |이제 )?(?P<value>(?:\d{{1,2}}|[가-힣]{{2,4}}) ?살){_COPULA}?{_END}")),
    Shape("생일", "birthday", _ko(rf"(?:^|[.,!?]\s*)(?:내|제) 생일은 (?P<value>[^.,!?\n]{{2,20}}?){_COPULA}{_END}")),
    Shape("사는 곳", "city", _ko(rf"{_ME_KO}(?:지금 |요즘 )?(?P<value>[가-힣]{{2,8}}(?: [가-힣]{{2,6}})?)에서? (?:살아요?|삽니다|살고 있어요?|살고 있습니다|살고있어요?|살아)")),
    Shape("사는 곳, 조사 없이", "city", _ko(r"(?:^|[.,!?]\s*)(?:저|나|난|전)(?:는|은)?\s+(?!(?:혼자|같이|둘이|셋이|함께|따로|그냥|아직|계속|여기|거기) )(?P<value>[가-힣]{2,6}(?<![랑게히고이])) (?:살아요?|삽니다)(?=\s*(?:$|[.,!?~ㅋㅎ]))")),
    Shape("출신", "origin", _ko(rf"{_ME_KO}(?P<value>[가-힣]{{2,8}}) (?:출신|사람){_COPULA}?{_END}")),
    Shape("알레르기", "allergy", _ko(r"(?:^|[.,!?]\s*)(?:(?:저|나|난|전)(?:는|은)?\s+)?(?P<value>[가-힣]{1,8})\s?(?:알레르기|알러지)(?:가|도)?\s?(?:있어요?|있습니다|있음)")),
    Shape("직업", "job", _ko(rf"(?:^|[.,!?]\s*)(?:내|제) 직업은 (?P<value>[가-힣 ]{{2,15}}?){_COPULA}{_END}")),
    Shape("좋아하는 것", "like", _ko(r"(?:^|[.,!?]\s*)(?:저|나|난|전)(?:는|은)?\s+(?P<value>[^\s.,!?]{1,10}(?: [^\s.,!?]{1,8})?)(?:을|를) (?:정말 |진짜 |아주 |제일 |가장 |너무 )?좋아(?:해요?|합니다|함)"), "like"),
    Shape("싫어하는 것", "dislike", _ko(r"(?:^|[.,!?]\s*)(?:저|나|난|전)(?:는|은)?\s+(?P<value>[^\s.,!?]{1,10}(?: [^\s.,!?]{1,8})?)(?:을|를) (?:정말 |진짜 |아주 |제일 |가장 |너무 )?싫어(?:해요?|합니다|함)"), "dislike"),
)  # fmt: skip


def plain_statements(
    text: str, language: str, sentences: Sequence[Sentence], found: Sequence[Mention], policy: ReaderPolicy
) -> list[Statement]:
    """One statement for each shape that a stating sentence has."""
    out: list[Statement] = []
    for sentence in sentences:
        if sentence.act is not Act.STATEMENT or sentence.negated or sentence.text.rstrip().endswith(("?", "？")):
            continue
        for shape in SHAPES:
            for m in shape.pattern.finditer(sentence.text):
                made = _made(shape, m, text, sentence, found, policy)
                if made and not any(made.start < s.end and s.start < made.end for s in out):
                    out.append(made)
    return sorted(out, key=lambda s: s.start)


def _made(
    shape: Shape, m: re.Match[str], text: str, sentence: Sentence, found: Sequence[Mention], policy: ReaderPolicy
) -> Statement | None:
    subject = "self"
    if "who" in shape.pattern.groupindex:
        at = sentence.start + m.start("who"), sentence.start + m.end("who")
        known = [x.subject for x in found if x.start < at[1] and at[0] < x.end]
        if not known:
            return None
        subject = known[-1]
    start, end = sentence.start + m.start("value"), sentence.start + m.end("value")
    start, end = trimmed(text, start, end, (), shape.attribute in policy.phrases, policy)
    if start >= end or text[start:end].lower() in policy.no_values:
        return None
    return Statement(
        subject, shape.attribute, text[start:end], sentence.text, start, end, shape.stance, shape.status
    )
