"""Likes and facts the user states in Korean, by Hangul rules of our own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from clew.kernel.language.ko.stems import bare_noun, has_final
from clew.kernel.statements.categories import category_of, is_known, kinds
from clew.kernel.statements.items import Item, Liking
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.normalize import normal
from clew.policy import Policy


def said(policy: Policy) -> Mapping[str, tuple[str, ...]]:
    """The lists by which a Korean statement is read."""
    return policy.remember.languages["ko"].said


def others(policy: Policy) -> tuple[str, ...]:
    """Words for somebody else."""
    return policy.remember.languages["ko"].people


def adverbs(policy: Policy) -> tuple[str, ...]:
    return policy.remember.languages["ko"].adverbs


def is_mine(sentence: str, policy: Policy) -> bool:
    """Not hearsay, not a condition, and no other person is its subject."""
    words = normal(sentence).no_punct.split()
    korean = said(policy)
    if not words:
        return False
    last = words[-1]
    if (
        len(last) > 2
        and last.endswith(korean["hearsay"])
        and not last.endswith(("래요", "노래", "원래", "미래", "그래"))
    ):
        return False
    for word in words:
        bare = bare_noun(word, policy)
        subject = word == bare or word.endswith(("은", "는", "이", "가", "도", "께서"))
        if subject and bare in others(policy) and not _object_of(word, words):
            return False
        if any(word == f"{c}" for c in ("만약", "만약에", "만일")):
            return False
    return True


def _object_of(word: str, words: list[str]) -> bool:
    """엄마랑, 친구와, 동생한테 name company, not the subject."""
    return word.endswith(("랑", "이랑", "와", "과", "한테", "에게", "의", "하고", "보다"))


@lru_cache(maxsize=8)
def _verbs(policy: Policy) -> tuple[tuple[str, str], ...]:
    pairs = [(v, "like") for v in said(policy)["like"]] + [(v, "dislike") for v in said(policy)["dislike"]]
    return tuple(sorted(pairs, key=lambda p: (-len(p[0]), p[0])))


def clauses(sentence: str, policy: Policy) -> list[str]:
    return [c.strip() for c in pattern("korean_clause", policy).split(sentence) if c.strip()]


def likings(sentence: str, policy: Policy, unknown: str | None = None) -> Iterator[Liking]:
    """Every liking stated, clause by clause; the verb closes its clause."""
    if not is_mine(sentence, policy):
        return
    for clause in clauses(normal(sentence).norm, policy):
        words = normal(clause).no_punct
        favourite = pattern("korean_favourite", policy).search(words)
        if favourite:
            found = _favourite(favourite, policy)
            if found:
                yield found
            continue
        for verb, stance in _verbs(policy):
            if words == verb or words.endswith(" " + verb):
                for part in pattern("korean_and", policy).split(words[: -len(verb)].strip()):
                    item = item_before(part, policy, unknown)
                    if item:
                        yield Liking(stance, item)
                break


def _favourite(match: re.Match[str], policy: Policy) -> Liking | None:
    text = without_copula(match["item"].strip(), policy)
    kind = kinds(policy.remember.items).get(match["kind"]) or category_of(text, policy)
    stance = "dislike" if match["word"] == "싫어하는" else "like"
    return Liking(stance, Item(kind, text)) if kind and text and len(text.split()) <= 3 else None


def without_copula(text: str, policy: Policy) -> str:
    """떡볶이야 is 떡볶이 + 야, 음악이야 is 음악 + 이야: a known thing decides, else the sound before it."""
    stems = [text[: -len(e)] for e in _COPULAS if text.endswith(e) and len(text) > len(e)]
    known = [
        s
        for s in stems
        if category_of(s, policy) and category_of(s, policy) == category_of(s.split()[-1], policy)
    ]
    exact = [s for s in known if bare_noun(s, policy) == s or has_final(s[-1])]
    if exact or known:
        return (exact or known)[0]
    fits = [
        s
        for e, s in zip([e for e in _COPULAS if text.endswith(e) and len(text) > len(e)], stems, strict=True)
        if has_final(s[-1]) == (e[0] in "이입임")
    ]
    return fits[0] if fits else text


# 기계공학이고: where the next clause is joined.
_JOINED = re.compile(r"(?<=[가-힣]{2})(?:이고|인데|이며|이라서|이지만)$")
_COPULAS = ("이야", "이에요", "입니다", "이다", "임", "야", "예요", "에요", "다", "요", "이요")


def item_before(before: str, policy: Policy, unknown: str | None = None) -> Item | None:
    """The last noun before the verb, with the words that belong to it."""
    words = before.split()
    changed = True
    while words and changed:
        changed = False
        for adverb in sorted(adverbs(policy), key=lambda a: (-len(a), a)):
            tail = adverb.split()
            if words[-len(tail) :] == tail:
                words, changed = words[: -len(tail)], True
                break
    company = others(policy)
    words = [w for w in words if w not in said(policy)["mine"] and not (w.endswith("보다") and len(w) > 2)]
    words = [w for w in words if not (_object_of(w, words) and bare_noun(w, policy) in company)]
    if words and len(words[-1]) > 2 and words[-1].endswith(("하는", "하기", "하기는")):
        words[-1] = pattern("korean_doing", policy).sub("", words[-1])
    while words and words[0] in adverbs(policy):
        words = words[1:]
    if not words:
        return None
    if not is_known(words[-1], policy):
        words[-1] = bare_noun(words[-1], policy)
    for size in range(min(3, len(words)), 0, -1):
        text = " ".join(words[-size:])
        known = category_of(text, policy)
        if known and (
            size == 1
            or not words[-size].endswith(("은", "는", "이", "가", "을", "를", "에", "에서", "서"))
            or words[-size] in ("매운", "단", "짠", "신")
            or (
                words[-size].endswith(("은", "는", "한", "운"))
                and category_of(words[-size], policy) is None
                and not words[-size].endswith(("에는", "에서는"))
            )
        ):
            return Item(known, text)
    named = len(words[-1]) > 1 and words[-1] not in others(policy)
    return Item(unknown, words[-1]) if unknown and named else None


def facts(sentence: str, policy: Policy) -> Iterator[tuple[str, str]]:
    """(field, value) of every fact stated."""
    if not is_mine(sentence, policy):
        return
    say = policy.remember.say
    korean = said(policy)
    for clause in clauses(normal(sentence).norm, policy):
        plain = normal(clause).no_punct
        if _of_another(plain.split(), policy):
            continue
        words = [
            w
            for w in plain.split()
            if w not in korean["mine"]
            and w not in adverbs(policy)
            and w not in ("지금", "현재", "이제", "원래", "얼마 전에")
        ]
        text = " ".join(words)
        for ending in sorted(korean["live"], key=lambda e: (-len(e), e)):
            if text == ending or text.endswith(" " + ending):
                place = _place(text[: -len(ending)].split(), ("에서", "에", "으로", "로"), policy)
                if place and place not in say.countries:
                    yield "current_city", place
                break
        for ending in sorted(korean["from"], key=lambda e: (-len(e), e)):
            if text.endswith(ending) and len(text) > len(ending):
                place = _place(text[: -len(ending)].split(), ("에서", "에"), policy)
                if place:
                    yield ("home_country" if place in say.countries else "home_city"), place
                break
        home = pattern("korean_home", policy).search(text)
        if home:
            place = without_copula(home["a"], policy)
            yield ("home_country" if place in say.countries else "home_city"), place
        native = pattern("korean_native", policy).search(text)
        if native and native["a"] in say.languages:
            yield "language_primary", native["a"]
        major = pattern("korean_major", policy).search(text)
        if major:
            yield "major", _JOINED.sub("", major["a"] or major["b"] or major["c"])
        yield from _school(text, policy)
        lives_as = pattern("korean_lives_as", policy).search(text)
        if lives_as and _job(lives_as["rest"], policy):
            text = lives_as["rest"]
            place = _place([lives_as["place"]], (), policy)
            if place and place not in say.countries:
                yield "current_city", place
        job = _job(text, policy)
        if job:
            yield "occupation", job


def _of_another(words: list[str], policy: Policy) -> bool:
    """아이유는 서울에 살아: the topic is somebody else (ruling M2). A time or the name of a fact is no somebody."""
    korean = said(policy)
    for word in words[:-1]:
        bare = bare_noun(word, policy)
        topic = word.endswith(("은", "는")) and len(bare) > 1 and bare != word
        if word in korean["mine"]:
            return False
        if topic and bare not in korean["own_topics"] and bare not in korean["mine"]:
            return True
    return False


def _place(words: list[str], particles: tuple[str, ...], policy: Policy) -> str | None:
    if not words:
        return None
    word = words[-1]
    for particle in particles:
        if word.endswith(particle) and len(word) > len(particle) + 1:
            word = word[: -len(particle)]
            break
    refused = said(policy)["not_places"]
    return (
        None
        if word in refused
        or len(word) < 2
        or not word[0].isalpha()
        or word.endswith(("랑", "와", "과", "면서", "하고"))
        else word
    )


def _school(text: str, policy: Policy) -> Iterator[tuple[str, str]]:
    say = policy.remember.say
    for ending in sorted(said(policy)["attend"], key=lambda e: (-len(e), e)):
        if text.endswith(ending) and len(text) > len(ending):
            words = text[: -len(ending)].split()
            if words:
                name = re.sub(r"(?:에|을|를)$", "", words[-1])
                if len(name) > 2 and (
                    name.endswith(tuple(w for w in say.school_words if not w.isascii()))
                    or name in say.schools
                ):
                    yield "school", name
            return


def _job(text: str, policy: Policy) -> str | None:
    say = policy.remember.say
    named = pattern("korean_job_is", policy).search(text)
    if named:
        text = named["item"]
    for ending in sorted(said(policy)["copula"], key=lambda e: (-len(e), e)):
        if text.endswith(ending) and len(text) > len(ending):
            words = text[: -len(ending)].split()
            for size in (2, 1):
                job = " ".join(words[-size:])
                if job in say.jobs and len(words) <= size + (1 if named is None else 0):
                    return job
    return text if named and text in say.jobs else None
