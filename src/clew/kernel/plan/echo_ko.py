"""Korean told back: the last verb takes -구나, and 내 becomes 네."""

from __future__ import annotations

import re
from itertools import pairwise

from clew.kernel.text.normalize import normalize
from clew.policy import Policy
from clew.policy.plan import EchoWords

_SENTENCE = re.compile(r"[.!?~;\n…()\"“”]+")
_NOISE = re.compile(r"[^\w\s,'%-]|[ㄱ-ㅎㅏ-ㅣᄀ-ᇿ]+")
_BASE, _LAST = 0xAC00, 0xD7A3
_VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_N, _L, _B, _SS = 4, 8, 17, 20
# One syllable and 해.
_LONE = 2
# 채식주의자야 says enough alone, 나야 does not.
_COPULA = ("야", "예요", "에요", "입니다")
_TELLING = 5
_PAST = re.compile(r"(?:어|다|지|네|는데|거든|더라고|던데|습니다|단 말이야|잖아|거든|어요|지요)$")
# A contracted stem vowel, and the one it came from.
_OPEN = {"ㅕ": "ㅣ", "ㅝ": "ㅜ", "ㅘ": "ㅗ", "ㅙ": "ㅚ"}
_EU = {"파": "프", "퍼": "프", "빠": "쁘", "뻐": "쁘", "커": "크"}
_REU = {
    "몰라": "모르는", "달라": "다르", "빨라": "빠르", "올라": "오르는", "골라": "고르는", "불러": "부르는",
    "흘러": "흐르는",
}  # fmt: skip
_POLITE = ("어요", "아요", "해요", "네요", "지요", "대요", "래요", "돼요", "워요", "져요", "다고요", "게요")
_TOLD = (
    ("이래", "이라는구나"), ("대", "다는구나"), ("이야", "이구나"),
    ("이에요", "이구나"), ("예요", "구나"), ("아니야", "아니구나"), ("거야", "거구나"),
)  # fmt: skip


def retold_ko(text: str, words: EchoWords, policy: Policy) -> str:
    plain = _NOISE.sub(" ", text)
    # People lead up to what they mean: the last sentence that can be told back.
    parts = [p for s in _SENTENCE.split(plain) for p in _verbs_apart(s.split())]
    for part in reversed(parts):
        if told := _clause(part, words, policy):
            return told
    return ""


def _verbs_apart(tokens: list[str]) -> list[list[str]]:
    """옮겼어 이제 …: a past verb ends a sentence, with or without its full stop."""
    out: list[list[str]] = [[]]
    for token in tokens:
        out[-1].append(token.strip(","))
        if len(token) > 1 and token.endswith("어") and final(token[-2]) == _SS:
            out.append([])
    return [part for part in out if part]


def _clause(tokens: list[str], words: EchoWords, policy: Policy) -> str:
    tokens = _trimmed(tokens, words)
    if any(t in words.barred for t in tokens) or not tokens:
        return ""
    tokens = _short(tokens, words, policy)
    if not tokens:
        return ""
    last = exclaimed(tokens[-1], words)
    if len(tokens) == 1 and (not tokens[0].endswith(_COPULA) or len(last) < _TELLING):
        return ""
    if tokens[-1:] == ["같아"] and len(tokens) > 1 and not tokens[-2].endswith(("것", "거", "듯")):
        # 꿈 같아: felt so by the speaker, which is not the same as being so.
        last = "같다고 느끼는구나"
    if not last or last.endswith(words.unsaid):
        return ""
    out = []
    for token, after in pairwise(tokens):
        shared = token in words.ours and after.startswith(words.shared)
        out.append("너희" if shared else words.flips.get(token, token))
    return " ".join(t for t in (*out, last) if t)


def _trimmed(tokens: list[str], words: EchoWords) -> list[str]:
    known = {normalize(w) for w in words.lead}
    while tokens and (tokens[0] in known or " ".join(tokens[:2]) in known):
        tokens = tokens[1:] if tokens[0] in known else tokens[2:]
    while tokens and tokens[-1] in words.tail:
        tokens = tokens[:-1]
    return tokens


def _short(tokens: list[str], words: EchoWords, policy: Policy) -> list[str]:
    """Too long: only what follows the last turn that leaves two words or more."""
    while sum(map(len, tokens)) > policy.plan.echo_syllables:
        cut = next((i for i, t in enumerate(tokens[:-2]) if t.endswith(words.breaks) and len(t) > 2), None)
        if cut is None:
            return tokens if sum(map(len, tokens)) <= 2 * policy.plan.echo_syllables else []
        tokens = tokens[cut + 1 :]
    return tokens


def exclaimed(verb: str, words: EchoWords) -> str:
    """깼어 → 깼구나, 가르쳐 → 가르치는구나, 없어 → 없구나, 친구야 → 친구구나; empty if unsure."""
    if verb.endswith(_POLITE):
        verb = verb.removesuffix("요")
    past = _PAST.search(verb)
    if past and past.start() and final(verb[past.start() - 1]) == _SS:
        return verb[: past.start()] + "구나"
    for ending, new in _TOLD:
        if verb.endswith(ending) and len(verb) >= len(ending):
            return verb.removesuffix(ending) + new
    if verb.endswith("ㄹ게") or (verb.endswith("게") and len(verb) > 1 and final(verb[-2]) == _L):
        stem = verb[:-2] + _with(verb[-2], 0)
        return (verb[:-2] if verb[-2] == "을" else stem) + "기로 했구나"
    if verb.endswith("래") and len(verb) > 1:
        # 할래 wants, 그만두래 passes on what someone said.
        stem = verb[:-2] + _with(verb[-2], 0)
        return f"{stem}려는구나" if final(verb[-2]) == _L else f"{verb[:-1]}라고 하는구나"
    if verb.endswith("다고"):
        return _plain(verb[:-2], words)
    if verb.endswith("려고"):
        return verb.removesuffix("고") + "는구나"
    if verb.endswith("는데"):
        return verb.removesuffix("는데") + "는구나"
    if verb.endswith("은데"):
        return verb.removesuffix("은데") + "구나"
    if verb.endswith("다") and len(verb) > 1:
        return _plain(verb[:-1], words)
    if verb.endswith("네") and len(verb) > 1:
        return _noticed(verb[:-1], words)
    return _present(verb, words)


def _noticed(stem: str, words: EchoWords) -> str:
    """춥네, 없네 describe; 가네, 우네 act."""
    if _describes(stem, words) or final(stem[-1]) == _B:
        return stem + "구나"
    return stem + "는구나" if final(stem[-1]) >= 0 else ""


def _describes(stem: str, words: EchoWords) -> bool:
    if stem.endswith("하"):
        return stem[:-1].endswith(words.describing_ha)
    return stem.endswith(words.describing) or stem[-1] in _EU.values()


def _plain(stem: str, words: EchoWords) -> str:
    if not stem:
        return ""
    if stem.endswith("는"):
        return stem + "구나"
    if final(stem[-1]) == _N:
        return stem[:-1] + _with(stem[-1], 0) + "는구나"
    return stem + "구나" if final(stem[-1]) > 0 or _describes(stem, words) else ""


def _present(verb: str, words: EchoWords) -> str:
    tail = verb[-1:]
    if not tail or not _is(tail):
        return ""
    if tail in ("아", "어") and len(verb) > 1 and final(verb[-2]) > 0:
        return _closed(verb[:-1], words)
    if verb in words.going or verb.endswith(tuple(w for w in words.going if len(w) > 1)):
        return verb + "는구나"
    if tail == "어" and len(verb) > 1 and final(verb[-2]) == 0:
        return verb[:-1] + "는구나"
    if tail == "해":
        adjective = len(verb) > 1 and verb[:-1].endswith(words.describing_ha)
        adjective = adjective or (len(verb) == _LONE and verb[0] not in words.acting_ha)
        return verb[:-1] + ("하구나" if adjective else "하는구나")
    if tail == "워" and len(verb) > 1:
        if verb in words.acting_wo or verb.endswith(words.acting_wo):
            return verb[:-1] + "우는구나"
        return verb[:-2] + _with(verb[-2], _B) + "구나" if final(verb[-2]) == 0 else ""
    known = next((new for old, new in _REU.items() if verb.endswith(old)), "")
    if known:
        return verb[:-2] + known + "구나"
    if tail in _EU:
        return verb[:-1] + _EU[tail] + "구나"
    if tail == "써":
        return verb[:-1] + "쓰는구나"
    vowel = _VOWELS[(ord(tail) - _BASE) // 28 % 21]
    if vowel in _OPEN and final(tail) == 0:
        return verb[:-1] + _voiced(tail, _OPEN[vowel]) + "는구나"
    if tail == "야" and len(verb) > 1:
        return verb[:-1] + "구나" if final(verb[-2]) == 0 else ""
    return ""


def _closed(stem: str, words: EchoWords) -> str:
    if stem.endswith(words.describing):
        return stem + "구나"
    if final(stem[-1]) == _L:
        # 만들어, 살아: the ㄹ goes before ㄴ.
        stem = stem[:-1] + _with(stem[-1], 0)
    return stem + "는구나"


def final(syllable: str) -> int:
    return (ord(syllable) - _BASE) % 28 if _is(syllable) else -1


def _is(syllable: str) -> bool:
    return _BASE <= ord(syllable) <= _LAST


def _with(syllable: str, new: int) -> str:
    return chr(ord(syllable) - (ord(syllable) - _BASE) % 28 + new) if _is(syllable) else syllable


def _voiced(syllable: str, vowel: str) -> str:
    first = (ord(syllable) - _BASE) // 588
    return chr(_BASE + first * 588 + _VOWELS.index(vowel) * 28)
