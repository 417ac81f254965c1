"""What a clause does where the verb comes last: its ending tells asking from wanting (Korean)."""

from __future__ import annotations

from clew.kernel.ground.clause import Kind
from clew.kernel.ground.lexicon import Words
from clew.kernel.ground.phrases import Tokens


def kind_by_ending(body: Tokens, asked: bool, lists: Words) -> Kind | None:
    """None when the endings say nothing; the word lists then decide."""
    grammar, last = lists.grammar, body[-1]
    if last in grammar["rather_than_ko"] and len(body) > 1:
        return Kind.REFUSE
    if _ends(last, grammar["tell_ko"]) or _starts(body[-2:], grammar["tell_stem_ko"]):
        return Kind.QUESTION
    if any(_ends(t, grammar["whether_ko"]) for t in body[-3:]):
        return Kind.QUESTION
    more = body[0] in grammar["more_ko"] and _ends(last, grammar["exist_ko"])
    if more or _starts(body, grammar["others_ko"]):
        return Kind.ALTERNATIVES
    if all(_ends(t, grammar["exist_ko"]) for t in body):
        return Kind.ALTERNATIVES if asked else None
    if _ends(last, grammar["search_ko"]):
        return Kind.SEARCH
    if _ends(" ".join(body), grammar["forbid_ko"]):
        return Kind.REFUSE
    if (
        not asked
        and len(body) > 1
        and _praises(body[0], lists)
        and not _starts(body[1:2], grammar["doing_ko"])
    ):
        return Kind.ACCEPT
    if _ends(last, grammar["request_ko"]):
        return None
    asks = _ends(last, grammar["question_ko"]) and not _ends(last, grammar["not_question_ko"])
    if asks or _starts(body, grammar["wh_ko"]):
        return Kind.QUESTION
    if _starts(body[-1:], grammar["dislike_ko"]):
        return Kind.REFUSE
    if asked and len(body) > 1:
        return Kind.QUESTION
    if _praises(body[0], lists):
        return Kind.ACCEPT
    return None


def _praises(token: str, lists: Words) -> bool:
    """괜찮네요 says it is good; 좋은 only describes what follows."""
    return _starts((token,), lists.grammar["praise_ko"]) and _ends(token, lists.grammar["predicate_ko"])


def concedes(token: str, lists: Words) -> bool:
    """좋은데, 괜찮긴: what follows is a but."""
    return _starts((token,), lists.grammar["praise_ko"]) and _ends(token, lists.grammar["concede_ko"])


def _ends(token: str, endings: frozenset[str]) -> bool:
    return token.endswith(tuple(endings))


def _starts(tokens: Tokens, stems: frozenset[str]) -> bool:
    heads = tuple(stems)
    return any(t.startswith(heads) for t in tokens)
