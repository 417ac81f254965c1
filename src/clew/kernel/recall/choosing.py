"""What is told of what the chooser weighed: rules check what it proposes (ruling M10)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.keep.keys import row_of
from clew.kernel.read.change_words import says, tells_change
from clew.kernel.recall.answers import meant_by
from clew.kernel.recall.beside_the_point import beside_the_point, guesses, strays
from clew.kernel.recall.known import MEMORY, TURN, Known, Question
from clew.kernel.recall.naming_first import naming_first, of_the_thing
from clew.kernel.recall.narrowing import held as words_held
from clew.kernel.recall.of_others import anothers, elsewhere
from clew.kernel.statements.features import mentions
from clew.model.memory import SELF
from clew.model.plan import MAYBE
from clew.policy import Policy

# Kinds of questions that name the thing they ask for.
_WHETHER = "whether"
_NAMED = (_WHETHER, "mine")
_COUNTS = "much"
_WHICH = "which"
_NOTE = "note"
# Shapes of words that put right what was told before.
_PUTS_RIGHT = ("instead", "corrected", "opener")


def chosen(
    question: Question, known: Sequence[Known], chances: Sequence[float], at: float, policy: Policy
) -> list[tuple[int, float]]:
    """Places of what is told, the likeliest first, each with how surely it answers.

    A guess stands alone.
    """
    limits = policy.recall
    order = sorted(range(len(known)), key=lambda i: (-chances[i], i))
    wrong = anothers(question, known, policy) | elsewhere(question, known, policy)
    off = beside_the_point(question, known, policy)
    own = _of_oneself(question, policy)
    despite = limits.answers_despite_plainly if own else limits.answers_despite
    off = {i for i in off if own or chances[i] < despite}
    order = [i for i in order if i not in off and (i not in wrong or chances[i] >= despite)]
    best = chances[order[0]] if order else 0.0
    if best < at:
        return []
    plainly = [i for i in order if chances[i] >= limits.answers_plain and _stands_plainly(question, known[i], policy)]
    if plainly and not _names_more(question, known[order[0]], known[plainly[0]], best, policy):
        # Where one lives and how old one is was read and is held: no quotation says it better.
        whole = _whole(known, plainly[:1], chances, best, policy)
        return [(i, 1.0) for i in (*whole, *_namesakes(question, known, whole, order, policy))]
    if best >= limits.answers_sure and (every := _all_of_a_kind(question, known, order, policy)):
        return [(i, 1.0) for i in every[: limits.answers_each]]
    order = naming_first(question, known, chances, order, policy)
    picked = _retold(question, known, chances, order, policy)
    if _of_another_kind(question, known[picked[0]], policy):
        return []
    unnamed = _names_none_of_it(question, known[picked[0]], policy)
    # "Sold it to a lad in Hull" decides a yes or no without naming the bike.
    if_so = _asks_if(question, policy) and not says(known[picked[0]].words, "ended", policy)
    unnamed = unnamed and not (best >= limits.answers_sure and _names_whom(question, known[picked[0]]))
    if unnamed and best < (limits.answers_despite_plainly if if_so else limits.answers_despite):
        # What names the thing answers, though something else came nearer.
        named = [i for i in order if chances[i] >= at and not _names_none_of_it(question, known[i], policy)]
        if not named:
            return []
        if not tells_change(known[picked[0]].words, policy):
            picked, best = _retold(question, known, chances, named, policy), chances[named[0]]
        unnamed = False
    if best < limits.answers_despite_plainly and _meets_no_word(question, known[picked[0]], policy):
        return []
    # A quotation claims no more than that it was said; of likely ones as many are right without a word in common.
    read = known[picked[0]].kind == MEMORY
    stray = read and (unnamed or strays(question, known[picked[0]], known, policy))
    if best < limits.answers_despite and guesses(question, known[picked[0]], known, policy):
        return []
    if best < limits.answers_sure or stray:
        return [(picked[0], MAYBE)]
    if known[picked[0]].kind == MEMORY:
        picked = of_the_thing(question, known, _whole(known, picked, chances, best, policy), policy)
    picked = [*picked, *_also(question, known, picked, chances, order, policy)]
    return [(i, 1.0) for i in sorted(picked[: limits.answers_each], key=lambda i: (-chances[i], i))]


def _names_more(question: Question, best: Known, plain: Known, chance: float, policy: Policy) -> bool:
    """ "Where's the shop moving to?": what surely answers, and names what is asked about, is no town one lives in."""
    if chance < policy.recall.answers_sure:
        return False
    named = question.wanted.own & words_held(f"{best.words} {best.value}", policy)
    return bool(named - words_held(f"{plain.words} {plain.value}", policy))


def _of_oneself(question: Question, policy: Policy) -> bool:
    """ "How old am I?" asks plainly, and of nobody else."""
    sure = any(a.certainty >= policy.recall.answers_asked_plainly for a in question.asks)
    return sure and all(a.subject == SELF and not a.name for a in question.asks)


def _asks_if(question: Question, policy: Policy) -> bool:
    """ "Do I smoke?" """
    spoken = policy.checks.languages.get(question.language)
    shape = spoken.question_kinds.get(_WHETHER) if spoken else None
    return shape is not None and re.search(shape.pattern, question.text.strip(), re.I) is not None


def _namesakes(
    question: Question, known: Sequence[Known], told: Sequence[int], order: Sequence[int], policy: Policy
) -> list[int]:
    """ "How old is my daughter?", and two children are held: the same of the other one too, each told by name."""
    names = {known[i].name for i in told}
    out: list[int] = []
    for i in order:
        k = known[i]
        places = {(known[j].subject, known[j].attribute) for j in told if known[j].name}
        another = bool(k.name) and k.name not in names and (k.subject, k.attribute) in places
        if another and _stands_plainly(question, k, policy):
            out.append(i)
            names.add(k.name)
    return out


def _of_another_kind(question: Question, known: Known, policy: Policy) -> bool:
    """나 무슨 부야?: whoever asks which club is not told of a trade; what no attribute is read for must be named."""
    spoken = policy.checks.languages.get(question.language)
    plainly = any(a.certainty == 1 for a in question.asks)
    shape = spoken.question_kinds.get(_WHICH) if spoken and not plainly else None
    asked = re.search(shape.pattern, question.text.strip(), re.I) if shape else None
    return asked is not None and asked["what"] not in f"{known.words} {known.value}"


def _names_none_of_it(question: Question, known: Known, policy: Policy) -> bool:
    """ "Do I smoke?" is not guessed from golf on Wednesdays: yes or no is told by words that name the thing.

    Nor is "what's my favourite film?" from a lasagna.
    """
    spoken = policy.checks.languages.get(question.language)
    recalled = policy.recall.languages.get(question.language)
    # How many sheep there are is told by words that name them, or whoever is asked of.
    plain = recalled is not None and bool(recalled.read_surely) and not mentions(question.text, policy.reader)
    kinds = (*_NAMED, _COUNTS) if plain else _NAMED
    shapes = [spoken.question_kinds[k] for k in kinds if k in spoken.question_kinds] if spoken else []
    said = question.text.strip()
    if not question.wanted.own or not any(re.search(shape.pattern, said, re.I) for shape in shapes):
        return False
    return not question.wanted.own & words_held(f"{known.words} {known.value}", policy)


def _names_whom(question: Question, known: Known) -> bool:
    """ "Do I still owe Leon?": words that surely answer, and speak of Leon."""
    said = f"{known.words} {known.name}".lower()
    return any(a.name and a.name.lower() in said for a in question.asks)


def _meets_no_word(question: Question, known: Known, policy: Policy) -> bool:
    """ "What's Sam's surname?": a side of somebody that has no name in the table must be named in the words."""
    if known.kind != TURN or not question.asks or any(a.attribute != _NOTE or not a.name for a in question.asks):
        return False
    return not question.wanted.own & words_held(f"{known.words} {known.before}", policy)


def _also(
    question: Question,
    known: Sequence[Known],
    picked: Sequence[int],
    chances: Sequence[float],
    order: Sequence[int],
    policy: Policy,
) -> list[int]:
    """What answers as surely and was told in another message: "what do my brothers do?".

    Asked for Mondays, what does not hold the word is no second answer to what does.
    """
    first = words_held(known[picked[0]].words, policy) & question.wanted.all
    told = {source for i in picked for source in _messages(known[i])}
    out: list[int] = []
    for i in order:
        if chances[i] < policy.recall.answers_also:
            break
        own = _messages(known[i])
        if i in picked or known[i].past or not known[i].newest or not own or told & own:
            continue
        if first - words_held(known[i].words, policy):
            continue
        out.append(i)
        told |= own
    return out


def _messages(known: Known) -> set[str]:
    return {known.id} if known.kind == TURN else set(known.sources)


def _retold(
    question: Question, known: Sequence[Known], chances: Sequence[float], order: list[int], policy: Policy
) -> list[int]:
    """The best, or all that was read from the best quotation where that is the very thing asked for and as likely.

    A sentence tells more than the value that was read from it ("climbing on Sundays").
    """
    first = order[0]
    if known[first].kind != TURN:
        return [first]
    held = words_held(known[first].words, policy) & question.wanted.own
    return [
        i
        for i in order
        if known[first].id in known[i].sources
        and chances[i] >= chances[first] * _share(question, known[i], policy)
        and asked_by_name(question, known[i], policy)
        and not held - words_held(known[i].value, policy)
    ] or [first]


def _share(question: Question, known: Known, policy: Policy) -> float:
    """How much of a quotation's chance what was read from it needs: least where its very side is plainly asked for."""
    limits = policy.recall
    plainly = any(
        a.attribute == known.attribute and a.certainty >= limits.answers_asked_plainly for a in question.asks
    )
    return limits.answers_named if known.named == 1 and plainly else limits.answers_retold


def _stands_plainly(question: Question, known: Known, policy: Policy) -> bool:
    """The rules found it, or read the question, under the very name, and everybody has one: a town, an age, a job."""
    if known.kind != MEMORY or not known.newest or not asked_by_name(question, known, policy):
        return False
    if known.attribute not in policy.checks.single and known.attribute != "birthday":
        return False
    read = any(a.certainty == 1 and a.attribute == known.attribute for a in question.asks)
    return known.named == 1 or (read and known.named > 0)


def asked_by_name(question: Question, known: Known, policy: Policy) -> bool:
    """It stands under the very person and attribute that were asked for; the kids are the sons too."""
    return not known.past and any(
        a.attribute == known.attribute and known.subject in meant_by(a.subject, policy) for a in question.asks
    )


def _whole(
    known: Sequence[Known], held: list[int], chances: Sequence[float], best: float, policy: Policy
) -> list[int]:
    """Of what one has many, the others too; of what one has once, what put it right."""
    out: dict[int, None] = {}
    for i in held:
        place = known[i].subject, known[i].attribute
        same = [
            j
            for j, k in enumerate(known)
            if k.kind == MEMORY and not k.past and not known[i].past and (k.subject, k.attribute) == place
        ]
        if known[i].attribute == "name" and known[i].subject != SELF:
            # Two sons have two names.
            out |= dict.fromkeys([i, *same])
            continue
        if not same or not known[i].attribute:
            out[i] = None
        elif row_of(known[i].attribute, policy).many:
            out |= dict.fromkeys([i, *(j for j in same if chances[j] >= best * policy.recall.answers_beside)])
        else:
            last = next((j for j in same if known[j].newest), i)
            out[last if any(says(known[last].words, kind, policy) for kind in _PUTS_RIGHT) else i] = None
    return list(out)


def _all_of_a_kind(question: Question, known: Sequence[Known], order: Sequence[int], policy: Policy) -> list[int]:
    """ "What languages do I speak?": all of them, where the likeliest words told one of them, and the question has no
    word that only some were told with.
    """
    limits, first = policy.recall, known[order[0]]
    asked = {(a.subject, a.attribute) for a in question.asks if a.certainty >= limits.answers_asked_plainly}
    same = [
        i
        for i in order
        if known[i].kind == MEMORY
        and not known[i].past
        and known[i].attribute in limits.answers_all
        and (known[i].subject, known[i].attribute) in asked
    ]
    told = any(known[i] == first or first.id in known[i].sources for i in same)
    own = {word for word in question.wanted.own if len(word) > 1}
    return same if told and not any(own & words_held(known[i].words, policy) for i in same) else []
