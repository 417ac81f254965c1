"""Finding the few words of a message that a friend would pick up, turned towards the speaker."""

from __future__ import annotations

import re

from clew.kernel.text.normalize import normalize
from clew.policy import Policy
from clew.policy.plan import FocusWords

_CLAUSE = re.compile(r"[.,!?;:\n…()\"]+|\s[-–—]+\s")
_EDGE = re.compile(r"^[^\w'’]+|[^\w'’]+$")


def thing_en(text: str, policy: Policy) -> str:
    words = policy.plan.focus["en"]
    clauses = [_tokens(c) for c in _CLAUSE.split(text) if c.strip()]
    for clause in clauses:
        if found := _after_deed(clause, words, policy):
            return found
    for clause in clauses:
        if found := _owned(clause, words, policy):
            return found
    return ""


def _tokens(clause: str) -> list[str]:
    return [t for t in (_EDGE.sub("", w) for w in clause.replace("’", "'").split()) if t]


def _after_deed(clause: list[str], words: FocusWords, policy: Policy) -> str:
    low = [normalize(t) for t in clause]
    best: tuple[int, int, str] | None = None
    for deed in words.deeds:
        parts = deed.split()
        for at in range(len(low) - len(parts)):
            told = any(t in words.subjects for t in low[max(0, at - 4) : at])
            if told and low[at : at + len(parts)] == parts:
                key = (at, -len(parts), deed)
                best = key if best is None or key < best else best
    if best is None:
        return ""
    start = best[0] - best[1]
    rest, plain = clause[start:], low[start:]
    bare = not plain or plain[0] not in (*words.articles, *words.owners)
    if bare and best[2] in words.deeds_with_article:
        return ""
    return _phrase(rest, plain, words, policy.plan.thing_words)


def _owned(clause: list[str], words: FocusWords, policy: Policy) -> str:
    low = [normalize(t) for t in clause]
    over = words.past
    for at, token in enumerate(low[:-1]):
        if token in words.owners:
            # "my cat knocked": behind the noun a past tense begins something new.
            rest = low[at + 2 : at + 5]
            end = next((i for i, w in enumerate(rest) if w in over or w.endswith("ed")), 3)
            found = _phrase(clause[at : at + 2 + end], low[at : at + 2 + end], words, 4)
            if found:
                return found
    return ""


def _phrase(rest: list[str], low: list[str], words: FocusWords, most: int) -> str:
    """Up to the first word that starts something new, turned from me to you."""
    kept: list[str] = []
    plain: list[str] = []
    for raw, word in zip(rest, low, strict=True):
        if len(kept) == most or (word in words.stops and word not in words.flips):
            break
        if word in words.stops and plain:
            break
        kept.append(raw)
        plain.append(word)
    determined = plain[:1] and plain[0] in (*words.articles, *words.owners)
    while plain and plain[-1] in words.trailing:
        # "a weird week" is a thing, "this week" only says when.
        if determined and plain[-1] in words.spans and len(plain) > 2 and plain[-2] not in words.trailing:
            break
        kept.pop()
        plain.pop()
    core = [w for w in plain if w not in words.articles and w not in words.owners]
    if not core or core[0] in words.not_things or (len(core) == 1 and core[0] in words.not_things):
        return ""
    if core[0] in words.stops or any(not w[0].isalnum() for w in core):
        return ""
    pairs = list(zip(kept, plain, strict=True))
    # A capital stays on names; "My" and "The" lose the one that only began the sentence.
    out = [words.flips.get(w, raw if raw[:1].isupper() else w) for raw, w in pairs]
    if plain[0] in (*words.articles, *words.owners):
        out[0] = words.flips.get(plain[0], plain[0])
    return " ".join(out)


def thing_ko(text: str, policy: Policy) -> str:
    words = policy.plan.focus["ko"]
    clauses = [_tokens(c) for c in _CLAUSE.split(text) if c.strip()]
    for endings in (words.object_particles, words.company_particles, words.subject_particles):
        for clause in clauses:
            for at, token in enumerate(clause):
                bare = next((token[: -len(e)] for e in endings if token.endswith(e)), "")
                if _is_noun(bare, words):
                    return _with_modifier(clause, at, bare, words)
    for clause in clauses:
        for at, token in enumerate(clause):
            bare = next((token[: -len(e)] for e in words.verb_endings if token.endswith(e)), "")
            if _is_noun(bare, words):
                return _with_modifier(clause, at, bare, words)
            # 영화 봤어: the object often comes without its particle.
            before = clause[at - 1] if at else ""
            if token.endswith(words.past_endings) and _is_noun(before, words) and _plain(before, words):
                return _with_modifier(clause, at - 1, before, words)
    return ""


def topic_ko(text: str, policy: Policy) -> str:
    """What a question is about: 백신은 …, 에탄올 끓는점이 …"""
    words = policy.plan.focus["ko"]
    for clause in (_tokens(c) for c in _CLAUSE.split(text) if c.strip()):
        for at, token in enumerate(clause):
            ends = (*words.topic_particles, *words.subject_particles)
            bare = next((token[: -len(e)] for e in ends if token.endswith(e)), "")
            if _is_noun(bare, words) and not bare.startswith(words.owners):
                return _with_modifier(clause, at, bare, words)
    return ""


def _plain(word: str, words: FocusWords) -> bool:
    return not word.endswith((*words.not_noun_endings, *words.particles))


def _is_noun(bare: str, words: FocusWords) -> bool:
    return (
        len(bare) >= 2
        and all("가" <= c <= "힣" or c.isalnum() for c in bare)
        and bare not in words.not_things
        and bare not in words.deed_softeners
        and not any(bare.startswith(stem) for stem in words.feelings)
    )


def _with_modifier(clause: list[str], at: int, bare: str, words: FocusWords) -> str:
    """수학 시험, not only 시험: a plain noun just before it belongs to it."""
    if at == 0:
        return bare
    before = clause[at - 1]
    belongs = _is_noun(before, words) and _plain(before, words)
    return f"{before} {bare}" if belongs else bare
