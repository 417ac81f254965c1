"""What a clause does where the verb comes last: its ending tells asking from wanting."""

from __future__ import annotations

import unicodedata

from clew.kernel.ground.clause import Kind
from clew.kernel.ground.lexicon import Words
from clew.kernel.ground.phrases import Tokens
from clew.kernel.language.packs import writer
from clew.policy.ground import EndingWords


def endings_of(word: str, lists: Words) -> EndingWords | None:
    """Those of the language in whose letters a word is written; None where the verb does not come last."""
    return lists.endings.get(writer(word).code)


def kind_by_ending(body: Tokens, asked: bool, own: EndingWords) -> Kind | None:
    """None when the endings say nothing; the word lists then decide."""
    if len(body) > 1 and body[-1] in own.shrugs and body[-2].endswith(own.shrugs_behind) and not asked:
        # 앱으로 하지 뭐
        body = body[:-1]
    last = body[-1]
    if last in own.rather_than and len(body) > 1:
        return Kind.REFUSE
    if asks_nicely(body, own):
        return None
    if last.endswith(own.tell) or _starts(body[-2:], own.tell_stems):
        return Kind.QUESTION
    if any(t.endswith(own.whether) for t in body[-3:]):
        return Kind.QUESTION
    more = body[0] in own.more and last.endswith(own.exist)
    if more or _starts(body, own.others):
        return Kind.ALTERNATIVES
    if all(t.endswith(own.exist) for t in body):
        return Kind.ALTERNATIVES if asked else None
    if last.endswith(own.search):
        return Kind.SEARCH
    if " ".join(body).endswith(own.forbid):
        return Kind.REFUSE
    if not asked and len(body) > 1 and _praises(body[0], own) and not _starts(body[1:2], own.doing):
        return Kind.ACCEPT
    if last.endswith(own.request):
        # 어떻게 됐대 그거 읽어줘: what is asked for is the deed.
        return Kind.FRAGMENT if len(body) > 1 and _starts(body[:-1], own.asking) and not asked else None
    if not asked and last.endswith(own.reason):
        return None
    asks = last.endswith(own.question) and not last.endswith(own.not_question)
    if asks or _starts(body, own.asking):
        return Kind.QUESTION
    if last.startswith(own.dislike):
        return Kind.REFUSE
    if asked and len(body) > 1:
        return Kind.QUESTION
    return Kind.ACCEPT if _praises(body[0], own) else None


def was(word: str, own: EndingWords) -> bool:
    """A word in the past: by its syllables taken apart."""
    for syllable in own.not_past:
        word = word.replace(syllable, "")
    return any(part in unicodedata.normalize("NFD", word) for part in own.past)


def asks_nicely(body: Tokens, own: EndingWords) -> bool:
    """방수되는 걸로 부탁드려도 될까요, 주실 수 있나요: a request, however it is put; 알려주실 수 있나요 asks."""
    told = (*own.tell_stems, *own.search)
    for i in range(max(1, len(body) - 3), len(body)):
        before, after = " ".join(body[max(0, i - 2) : i]), body[i:]
        if before.endswith(own.giving) and after[0].startswith(own.able) and not body[i - 1].startswith(told):
            return True
    return False


def _praises(token: str, own: EndingWords) -> bool:
    """괜찮네요 says it is good; 좋은 only describes what follows."""
    return token.startswith(own.praise) and token.endswith(own.predicate)


def concedes(token: str, lists: Words) -> bool:
    """좋은데, 괜찮긴: what follows is a but."""
    return any(token.startswith(own.praise) and token.endswith(own.concede) for own in lists.endings.values())


def _starts(tokens: Tokens, stems: tuple[str, ...]) -> bool:
    return any(t.startswith(stems) for t in tokens)
