"""What was said, told back to the one who said it: "your cat knocked a mug over", 화분을 깼구나.

A clause that cannot be turned round safely is not used at all.
"""

from __future__ import annotations

import re
from functools import lru_cache

from clew.kernel.plan.echo_ko import retold_ko
from clew.kernel.text.normalize import normalize
from clew.policy import Policy
from clew.policy.plan import EchoWords

_SENTENCE = re.compile(r"[.!?;:\n…()\"“”]+(?:\s|$)|\s[-–—]+\s")
_NOISE = re.compile(r"[^\w\s,'’&%$€£₩+#./-]")
_TURN = re.compile(
    r",\s*(?:and |but |so |because )?|\s(?:but|because|so|and)\s(?=(?:i|we|he|she|they|it|my|the)\b)"
)
# SHOUTING, wEiRd or run-together words are not repeated.
_ODD = re.compile(r"[A-Z]{4,}|[a-z][A-Z]\w*[a-z][A-Z]|[a-z]\.{2,}[A-Za-z]|^.{25,}$")
_EDGE = re.compile(r"^[^\w]+|[^\w%]+$")
_WHAT = re.compile(
    r"(?i)^(?:so |hey |ok |well |and |do you know |can you tell me |any idea )*(?P<ask>what|who|where|when)"
    r"(?P<verb>'s| is| are| was| were|'re) (?P<thing>(?:the|an?|my|our|his|her|their|its)? ?[\w' .-]+?)\s*\??$"
)
_HOW = re.compile(
    r"(?i)^(?:so |hey |ok |well |and |please )*(?:(?:can|could) you )?(?:explain|tell me|do you know) "
    r"(?P<thing>(?:how|why|what|who|where|when) [\w' -]+?)\s*\??$"
)
_DOES = re.compile(
    r"(?i)^(?:so |hey |and )*(?P<ask>how|why|where|when) do (?P<who>[\w -]+?) (?P<verb>\w+)\s*\??$"
)
_GOING_ON = re.compile(r"(?i)\b(?:going|happening|up|wrong|like|best|better|good|next|new)\b|\byou\w*\b")


_HANGS = re.compile(
    r"(?i)\b(?:of|for|from|about|with|in|to|on|at|made|called|used|\w+ed) (?:is|are|was|were)$"
)


def echo(text: str, language: str, policy: Policy) -> str:
    """The message as a clause about "you"; empty if none can be made."""
    words = policy.plan.echo.get(language)
    if words is None or _any(words.hurtful, text) or _any(words.grave, text):
        return ""
    return retold_ko(text, words, policy) if language == "ko" else _retold(text, words, policy)


def hurts(text: str, language: str, policy: Policy) -> bool:
    """Does the speaker speak ill of themself, or of how little they matter?"""
    words = policy.plan.echo.get(language)
    return words is not None and _any(words.hurtful, text)


def _any(patterns: tuple[str, ...], text: str) -> bool:
    return any(p.search(text.replace("’", "'")) for p in _compiled(patterns))


@lru_cache(maxsize=8)
def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(p, re.IGNORECASE) for p in patterns)


def question_en(text: str, policy: Policy) -> str:
    """A question as part of a sentence: "what the boiling point of ethanol is"."""
    read = " ".join(text.replace("’", "'").split())
    if found := _HOW.match(read):
        told = found["thing"]
    elif found := _WHAT.match(read):
        verb = {"'s": "is", "'re": "are"}.get(found["verb"], found["verb"].strip())
        told = f"{found['ask'].lower()} {found['thing'].strip()} {verb}"
    elif found := _DOES.match(read):
        told = f"{found['ask'].lower()} {found['who']} {found['verb']}"
    else:
        return ""
    # "what is ramen made of" would need its verb in the middle.
    if _GOING_ON.search(told) or _HANGS.search(told) or not 3 <= len(told.split()) <= policy.plan.echo_words:
        return ""
    return _flipped(told.split(), policy.plan.echo["en"])


def _retold(text: str, words: EchoWords, policy: Policy) -> str:
    parts = (_NOISE.sub(" ", s) for s in _SENTENCE.split(text.replace("’", "'")) if s)
    best: tuple[int, int, str] | None = None
    for at, sentence in enumerate(s for s in parts if s.strip()):
        for piece in _pieces(sentence, words, policy):
            told, weight = _clause(piece, words, policy)
            if told and (best is None or (weight, at) > best[:2]):
                best = (weight, at, told)
    return best[2] if best else ""


def _pieces(sentence: str, words: EchoWords, policy: Policy) -> list[str]:
    """The whole if it is short enough, else its clauses."""
    whole = _trimmed(sentence, words)
    if len(whole.split()) <= policy.plan.echo_words and _clause(whole, words, policy)[0]:
        return [whole]
    return [p for p in _TURN.split(sentence) if p and p.strip()]


def _trimmed(text: str, words: EchoWords) -> str:
    text = text.strip(" ,")
    low = normalize(text)
    while True:
        head = next((w for w in words.lead if low.startswith((f"{w} ", f"{w}, "))), "")
        if head and not (head == "so" and low.startswith(("so much", "so many"))):
            text = text[len(head) :].strip(" ,")
        else:
            foot = next((w for w in words.tail if low.endswith((f" {w}", f",{w}"))), "")
            if not foot:
                return text
            text = text[: -len(foot)].strip(" ,")
        low = normalize(text)


def _clause(piece: str, words: EchoWords, policy: Policy) -> tuple[str, int]:
    tokens = _trimmed(piece, words).split()
    low = [normalize(_EDGE.sub("", t)) for t in tokens]
    content = sum(1 for w in low if w and w not in words.thin)
    if content < policy.plan.echo_content or not 3 <= len(tokens) <= policy.plan.echo_words:
        return "", 0
    if any(w in words.barred or _ODD.search(t) for w, t in zip(low, tokens, strict=True)):
        return "", 0
    if low[0] in words.general:
        return "", 0
    if low[0] in words.starts:
        before = ""
    elif low[0] in words.soft and not (
        low[1] in (*words.bare, *words.finite) or low[1].endswith(("ed", "ing"))
    ):
        return "", 0
    elif low[0] in words.bare:
        before = "you "
    elif low[0].endswith("ing") and low[0] not in words.thin and not any(_acts(w, words) for w in low[1:4]):
        before = "you're "
    elif any(w in words.finite or w.endswith("ed") for w in low[1:3]):
        before = ""
    else:
        return "", 0
    return before + _flipped([tokens[0].lower(), *tokens[1:]] if before else tokens, words), content


def _acts(word: str, words: EchoWords) -> bool:
    """ "Cooking enables me": the verb comes later, so cooking is what is spoken of."""
    return word in words.finite or (word.endswith("s") and not word.endswith(("ss", "us", "is")))


def _flipped(tokens: list[str], words: EchoWords) -> str:
    out: list[str] = []
    you = False
    for at, token in enumerate(tokens):
        core = _EDGE.sub("", token)
        low = normalize(core)
        new = words.flips.get(low)
        if low == "here" and at and normalize(tokens[at - 1]) in words.this_place:
            new = None
        if new is None and you and low in words.agrees:
            new = words.agrees[low]
        if new is None and at == 0 and (low in words.starts or low in words.bare):
            new = low
        out.append(token.replace(core, new, 1) if new is not None and core else token)
        # "i really was": small words may stand between.
        you = low in ("i", "we") or (you and low in ("really", "just", "always", "never", "also", "still"))
    return " ".join(out)
