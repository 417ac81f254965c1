"""Speech level: how the user speaks, and a sentence of ours in polite speech (존댓말)."""

from __future__ import annotations

import re

from clew.kernel.language.ko.particles import final_of

_ENDED = re.compile(r"[\s.!?~…ㅋㅎㅠㅜ,\"'”’)]+$")
_PARTS = re.compile(r"[.!?\n]+|(?<=[가-힣])\s*[~…ㅋㅎㅠㅜ]{2,}")
_POLITE = re.compile(r"(?:요|니다|니까|세요|시죠|죠|데요|까요|네요|군요|십시오|습니당|슴다|여쭤)$")
# What one says to oneself too (비 오네, 피곤하다, 퇴근함, 뭐 먹을까) tells no level.
_PLAIN = re.compile(r"(?:어|아|야|해|니|냐|자|줘|봐|돼|워|와|려|셔|녀|써|여|서|거든)$")
_POLITE_WORD = re.compile(
    r"(?:[어아해네대래예에세까데고거셔와봐줘려져워켜써펴쳐혀겨녀돼둬꿔춰껴나]|거든|니까|는데|군|지)요(?=[\s,~]|$)|[가-힣](?:습니다|합니다|입니다|됩니다)(?=[\s,~]|$)"
)
_MINE = re.compile(
    r"(?:^|\s)(?:저는|전(?!\s(?:여|남|애인|와이프|직장|회사|집|주인|처))|저도|제가|제|저의|저희|저를|저한테)(?=\s)"
)
# The user is not named in polite speech: what is said of them goes without 너.
_YOU = re.compile(r"^(?:너는 네가|너를|너는|너의|네가|네|너) ")
_OF_YOU = re.compile(r"^(?:너는|네가) ")
# What the user does is told with 시.
_HONOURED = (
    (re.compile(r"(?<![가-힣])살아$"), "사세요"), (re.compile(r"살았어$"), "사셨어요"),
    (re.compile(r"(?:(?<=[을를] )먹어|안 먹어)$"), "{}드세요"), (re.compile(r"먹었어$"), "드셨어요"),
    (re.compile(r"다녀$"), "다니세요"), (re.compile(r"다녔어$"), "다니셨어요"),
    (re.compile(r"(?<![가-힣])지어$"), "지으세요"), (re.compile(r"고 있어$"), "고 계세요"),
    (re.compile(r"있어$"), "있으세요"), (re.compile(r"있었어$"), "있으셨어요"),
    (re.compile(r"없어$"), "없으세요"),
    (re.compile(r"썼어$"), "쓰셨어요"), (re.compile(r"써$"), "쓰세요"), (re.compile(r"알아$"), "아세요"),
    (re.compile(r"불렸어$"), "불리셨어요"), (re.compile(r"만들었어$"), "만드셨어요"),
    (re.compile(r"했어$"), "하셨어요"),
    (re.compile(r"했었어$"), "하셨었어요"), (re.compile(r"해$"), "하세요"), (re.compile(r"않아$"), "않으세요"),
)  # fmt: skip
# Spoken Korean leaves out 너는 and the 의 of kinship: 강아지 이름은, 아내 생일은.
_STIFF = re.compile(r"^(?:너는|너의) ")
_OF = re.compile(r"(?<=[가-힣])의 (?=(?:이름|생일|나이|직업|일|전공|취미|집|성격|건강|목표|팀|국적)(?:은|:|이))")
# Of what is told with a plain ending, what the polite one is.
_ENDINGS = (
    (re.compile(r"(?:이라고|라고|다고) 했어$"), "{}하셨어요"),
    (re.compile(r"(?<=[가-힣0-9A-Za-z])이야$"), "이에요"),
    (re.compile(r"아니야$"), "아니에요"),
    (re.compile(r"(?<=[가-힣0-9A-Za-z])야$"), "예요"),
    (re.compile(r"(?<=[가-힣])구나$"), "군요"),
    (re.compile(r"(?<=[가-힣])지$"), "죠"),
    (re.compile(r"(?<=[해어아워와려셔녀써여줘봐돼라네게데])$"), "요"),
)


# Of whom one speaks with 시, whoever is spoken to; 엄마 생일은 is said of a day.
_ELDER = re.compile(
    r"^(?:우리 |울 ?)?(?:엄마|아빠|어머니|아버지|어머님|아버님|부모님|(?:외|친)?할머니|(?:외|친)?할아버지"
    r"|시어머니|시아버지|시부모님|장모님?|장인어른|장인|큰아버지|작은아버지|큰어머니|작은어머니"
    r"|[가-힣]*(?:선생|교수|팀장|부장|과장|사장|원장|대표)님)"
    r"(?: (?!이름|생일|생신|나이|직업|일|전공|취미|집|성격|건강|목표|팀|국적|고향|얘기|몸)[가-힣]{2,4})?(?:은|는) "
)
# An elder's birthday has a word of its own.
_BIRTHDAY = re.compile(
    r"^((?:우리 )?(?:어머니|아버지|어머님|아버님|(?:외|친)?할머니|(?:외|친)?할아버지|시어머니|시아버지|장모님?|장인어른"
    r"|장인|큰아버지|작은아버지|큰어머니|작은어머니)(?: [가-힣]{2,4})?) 생일(?=은 )"
)
# What an elder does, plain and polite. What the user said of them stays as it is.
_OF_ELDERS = (
    (re.compile(r"(?:[”\"]|라고|다고|얘기[를야]|일이야) ?(?:했어|해)?$"), None),
    (re.compile(r"(?<![가-힣])살아$"), ("사셔", "사세요")), (re.compile(r"살았어$"), ("사셨어", "사셨어요")),
    (re.compile(r"(?<![가-힣])먹어$"), ("드셔", "드세요")), (re.compile(r"먹었어$"), ("드셨어", "드셨어요")),
    (re.compile(r"다녀$"), ("다니셔", "다니세요")), (re.compile(r"다녔어$"), ("다니셨어", "다니셨어요")),
    (re.compile(r"(?<![가-힣])지어$"), ("지으셔", "지으세요")),
    (re.compile(r"고 있어$"), ("고 계셔", "고 계세요")), (re.compile(r"있어$"), ("있으셔", "있으세요")),
    (re.compile(r"있었어$"), ("있으셨어", "있으셨어요")),
    (re.compile(r"없어$"), ("없으셔", "없으세요")), (re.compile(r"세상을 떠났어$"), ("돌아가셨어", "돌아가셨어요")),
    (re.compile(r"했어$"), ("하셨어", "하셨어요")), (re.compile(r"해$"), ("하셔", "하세요")),
    (re.compile(r"이었어$"), ("이셨어", "이셨어요")), (re.compile(r"였어$"), ("셨어", "셨어요")),
    (re.compile(r"(?<!거)(?<!아니)이야$"), ("이셔", "이세요")),
    (re.compile(r"(?<!거)(?<!아니)(?<![일월])야$"), ("셔", "세요")),
)  # fmt: skip


def _of_elder(sentence: str, polite: bool) -> str:
    """엄마는 대구에 살아 → 엄마는 대구에 사셔, 사세요; as it is where nobody older is spoken of."""
    if _ELDER.match(sentence) is None:
        return sentence
    for shape, forms in _OF_ELDERS:
        if found := shape.search(sentence):
            return sentence if forms is None else f"{sentence[: found.start()]}{forms[polite]}"
    return sentence


def is_polite(text: str) -> bool | None:
    """True for 존댓말, False for 반말, None where the words do not tell. The last sentence that tells counts."""
    if _MINE.search(text) or _POLITE_WORD.search(text):
        return True
    for part in reversed(_PARTS.split(text)):
        bare = _ENDED.sub("", part)
        if _POLITE.search(bare):
            return True
        if len(bare) > 1 and _PLAIN.search(bare):
            return False
    return None


def plainly(sentence: str) -> str:
    """너의 강아지의 이름은 콩이야 → 강아지 이름은 콩이야."""
    return _of_elder(_BIRTHDAY.sub(r"\1 생신", _OF.sub(" ", _STIFF.sub("", sentence))), polite=False)


def politely(sentence: str) -> str:
    """너는 서울에 살아 → 서울에 사세요; 네 이름은 민지야 → 이름은 민지예요. What ends otherwise stays as it is."""
    bare = _BIRTHDAY.sub(r"\1 생신", _OF.sub(" ", _YOU.sub("", sentence)))
    if (elder := _of_elder(bare, polite=True)) != bare:
        return elder
    shapes = (*_HONOURED, *_ENDINGS) if _OF_YOU.match(sentence) else _ENDINGS
    for shape, polite in shapes:
        if (found := shape.search(bare)) is None:
            continue
        head = bare[: found.start()]
        if polite == "예요" and final_of(head):
            polite = "이에요"
        # The last word changes, what was matched before it stays.
        kept = found.group()[: found.group().rfind(" ") + 1]
        return f"{head}{polite.format(kept)}"
    return bare
