"""What was found, as an answer; and an honest word when nothing was."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from clew.kernel.compose.choosing import Choice, filled, levelled, longest
from clew.kernel.compose.gathered import page_of
from clew.kernel.compose.lacking import free_then, not_held, of_other_sides, unnamed
from clew.kernel.compose.moments import tidied
from clew.kernel.compose.naming import joined, who_is
from clew.kernel.compose.portrait import alone, of_oneself, of_theirs, paragraphs
from clew.kernel.compose.surely import surely_answered
from clew.kernel.compose.told import sentence, told_of
from clew.kernel.compose.who import introduced
from clew.kernel.compose.yes_no import decisive, with_verdict
from clew.kernel.keep.keys import bare_value
from clew.kernel.language.packs import pack
from clew.kernel.language.scripts import has_syllables
from clew.kernel.recall.counting import asks_how_many
from clew.kernel.recall.there_is import THERE, asks_whether_there, is_there
from clew.model.memory import SELF
from clew.model.plan import MAYBE, Finding, ResponsePlan
from clew.model.utterance import Act
from clew.policy import Policy
from clew.policy.compose import ComposeWords
from clew.programs import program

_WHOLE = ("any",)
_COUNTED = ("exists", "name")
# A value of so few letters stands in many words.
_SHORT = 2
# Of oneself, what may say that somebody is there no more.
_TOLD_OF_THEM = ("relationship", "event", "note")


def answer(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """Empty when nothing was asked."""
    if not plan.findings:
        return ""
    # What surely answers was asked for, however the message is put.
    surely = plan.findings[0].source != "none" and plan.findings[0].named == 1
    if surely and not surely_answered(plan, policy) and _tells_on(plan, words, policy):
        surely = any(f.source == "memory" for f in plan.findings)  # old words are no answer to who only tells
    if not surely and (
        _states(plan, words, policy) or _tells_on(plan, words, policy) or _no_question(plan, words)
    ):
        return ""
    if plan.findings[0].source == "none":
        of_user = not words.asked_of or bool(re.search(words.asked_of, plan.user_text, re.I))
        first = plan.findings[0]
        of_user = of_user or free_then(first, words) or bool(who_is(first.subject, choice, policy))
        if not of_user or _only_tells(plan, words):
            return ""
        return unknown(plan.findings[0], plan, words, choice, policy)
    if asks_whole(plan):
        return everything(plan, words, choice, policy)
    if number := counted(plan, words, choice, policy):
        return number
    if said := whether(plan, words, choice, policy):
        return said
    if lack := unnamed(plan, policy) or of_other_sides(plan, policy):
        return unknown(lack, plan, words, choice, policy)
    sure = [f for f in plan.findings if f.named == 1]
    if not sure and plan.findings[0].named == MAYBE:
        if lack := not_held(plan, policy):
            return unknown(lack, plan, words, choice, policy)
        told = " ".join(told_of(plan.findings[:1], plan, words, choice, policy))
        if (decided := with_verdict(told, plan.findings[:1], plan, words, choice, policy)) != told:
            return decided  # words that decide it are no guess
        return choice.pick(words.answers["maybe"], "maybe", {"told": told})
    beside = "" if sure else _beside(plan, words, choice, policy)
    if beside:
        return beside
    sure = sure or [f for f in plan.findings if f.named == max(g.named for g in plan.findings)]
    sure = of_kind(sure, plan, words)
    if not sure:
        return unknown(Finding("", "none"), plan, words, choice, policy)
    if person := introduced(sure, plan, words, choice, policy):
        return person
    sure = list(decisive(sure, plan, words, policy))
    shown = sure[: policy.compose.findings_most]
    told = " ".join(_together(shown, plan, words, choice, policy))
    said = with_verdict(told, sure, plan, words, choice, policy)
    rest = len(sure) - len(shown)
    return f"{said} {_more(rest, words, choice)}" if rest > 0 else said


def _together(
    shown: Sequence[Finding], plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy
) -> list[str]:
    """What is held of one life, or of those of one relation, in as few sentences as it takes."""
    held = all(f.source == "memory" and not f.past for f in shown)
    if len(shown) < 2 or not held or len({f.subject for f in shown}) > 1:
        return told_of(shown, plan, words, choice, policy)
    tell = of_oneself if shown[0].subject == SELF else of_theirs
    return tell(shown, plan, words, choice, policy)


def counted(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """ "How many kids do I have?": the number that was told, or that of those known by name; and their names."""
    held = [f for f in plan.findings if f.source == "memory" and f.attribute in _COUNTED]
    if not asks_how_many(plan.user_text, policy) or len(held) < len(plan.findings) or not words.answers.get("counted"):
        return ""
    names = [bare_value(f.value) for f in held if f.attribute == "name"]
    told = " ".join(sentence(f, words, choice, policy) for f in held if f.attribute != "name")
    if not names:
        return told
    kind = "counted_named" if told else "counted"
    said = {"count": str(len(set(names))), "values": joined(names, words), "told": told}
    return choice.pick(words.answers[kind], kind, said)


def whether(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """ "Do I have a flatmate?": yes, and who; or no longer, and what said so."""
    if not asks_whether_there(plan.user_text, policy) or not words.answers.get("there_is"):
        return ""
    held = [f for f in plan.findings if f.source == "memory" and f.named == 1]
    somebody = any(f.subject != SELF or f.past or f.attribute in _TOLD_OF_THEM for f in held)
    if not somebody or len(held) < len(plan.findings):
        return ""
    here = [f for f in held if is_there(f, policy)]
    named = [f for f in here if f.attribute == "name"]
    told = " ".join(told_of((named or here or held)[: policy.compose.findings_most], plan, words, choice, policy))
    kind = "there_is" if here else "there_is_none" if not any(f.attribute in THERE for f in held) else "there_was"
    return choice.pick(words.answers[kind], kind, {"told": told})


def _beside(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """Asked for a name, only a town is known: the lack is said first, then what there is."""
    asks = plan.utterance.asks if plan.utterance else ()
    asked = next((a for a in asks if a.attribute in policy.compose.exact), None)
    wanted = {a.attribute for a in asks}
    if asked is None or any(f.source != "memory" or f.attribute in wanted for f in plan.findings):
        return ""
    lack = unknown(Finding("", "none", subject=asked.subject, attribute=asked.attribute), plan, words, choice, policy)
    own = asked.attribute == "job"  # where one works is told to who asks what they do
    about = [f for f in plan.findings if f.subject == asked.subject and (own or f.subject != SELF)][:1]
    if any("“" in f.told for f in about):
        return ""
    return " ".join((lack.split("? ")[0], *told_of(about, plan, words, choice, policy)))


def _states(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """ "the new one keeps getting my name wrong": a whole statement without a word of a question."""
    if plan.utterance is not None and plan.utterance.asks_surely:
        return False
    acts = [s.act for s in plan.utterance.sentences] if plan.utterance else []
    whole = len(plan.user_text.split()) >= policy.compose.whole_statement
    plain = bool(acts) and all(act is Act.STATEMENT for act in acts)
    return plain and whole and bool(words.asking) and not re.search(words.asking, plan.user_text, re.I)


def _tells_on(plan: ResponsePlan, words: ComposeWords, policy: Policy) -> bool:
    """ "Prices are down, I don't know how we'll manage": a word of a question, and nothing is asked for."""
    heard, spoken = plan.utterance, policy.occasions.languages.get(plan.language)
    if heard is None or spoken is None or heard.asks or heard.asks_surely or "?" in plan.user_text:
        return False
    plain = all(s.act is Act.STATEMENT for s in heard.sentences)
    whole = len(plan.user_text.split()) >= policy.compose.whole_statement
    whole = whole or (bool(words.past) and bool(re.search(words.past, plan.user_text, re.I)))
    return plain and whole and not re.search(spoken.begins_asking, tidied(plan.user_text, words), re.I)


def _no_question(plan: ResponsePlan, words: ComposeWords) -> bool:
    """Old words are only quoted to a question that looks like one: "I may meet somebody there, who knows" does not."""
    asks = plan.utterance is not None and (plan.utterance.asks or plan.utterance.asks_surely)
    quoted = not asks and all(f.source == "turn" for f in plan.findings)
    return quoted and bool(words.asking) and not re.search(words.asking, tidied(plan.user_text, words), re.I)


def _only_tells(plan: ResponsePlan, words: ComposeWords) -> bool:
    """A statement in which something like a question was read: "he said I can stay with him"."""
    if words.asking and not re.search(words.asking, plan.user_text, re.I):
        return True
    if plan.utterance is not None and plan.utterance.asks_surely:
        return False
    acts = {s.act for s in plan.utterance.sentences} if plan.utterance else set()
    if Act.QUESTION not in acts and words.asking and not re.search(words.asking, plan.user_text):
        return True
    return bool(acts) and not acts & {Act.QUESTION, Act.REQUEST} and "?" not in plan.user_text


def of_kind(findings: Sequence[Finding], plan: ResponsePlan, words: ComposeWords) -> list[Finding]:
    """ "my favourite colour" is answered by a colour alone: by its category, or where the word itself is named."""
    shape = _favourite(words)
    found = shape.search(plan.user_text) if shape is not None else None
    if found is None or not found.group(1):
        return list(findings)
    wanted = found.group(1).lower()
    category = next((c for c, named in words.kinds.items() if wanted in named), None)
    held = [
        f
        for f in findings
        if (category is not None and f.key.startswith(f"pref:{category}:"))
        or wanted in f"{f.told} {f.value} {f.key}".lower()
        or not f.key.startswith("pref:")
    ]
    return held if category is None or held else list(findings)


@lru_cache(maxsize=8)
def _favourite(words: ComposeWords) -> re.Pattern[str] | None:
    return program(words.favourite, re.I) if words.favourite else None


def asks_whole(plan: ResponsePlan) -> bool:
    return plan.utterance is not None and any(a.attribute in _WHOLE for a in plan.utterance.asks)


def everything(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> str:
    """All that is held, in pages: the user first, then each of their people; "what else" goes on."""
    already = _pages(plan.recent_replies[-policy.compose.page_memory :], words)
    going_on = bool(already) and (_paged(already[-1], words) or goes_on(plan, words))
    said_already = "\n".join(already).lower() if going_on else ""
    if told := page_of(plan.findings, said_already, words, choice, policy):
        said, left = told
        said = said or choice.pick(words.answers["all_told"], "all_told")
        return f"{said}\n{_more(left, words, choice)}" if left > 0 else said
    rows = list(policy.attributes.rows)
    ordered = sorted(plan.findings, key=lambda f: (f.subject != "self", f.subject, _place(f, rows), f.told))
    if going_on:
        ordered = [f for f in ordered if not _was_told(f, said_already, words, choice, policy)]
    page = _whole_people(ordered, policy.compose.page)
    rest = len(ordered) - len(page)
    if not page:
        return choice.pick(words.answers["all_told"], "all_told")
    said = "\n".join(paragraphs(page, plan, words, choice, policy))
    return f"{said}\n{_more(rest, words, choice)}" if rest > 0 else said


def _whole_people(ordered: Sequence[Finding], most: int) -> Sequence[Finding]:
    """As many as a page holds; somebody who would be cut in two stands on the next."""
    page, behind = ordered[:most], ordered[most : most + 1]
    if not behind or behind[0].subject == SELF or page[-1].subject != behind[0].subject:
        return page
    return [f for f in page if f.subject != behind[0].subject] or page


def _pages(replies: Sequence[str], words: ComposeWords) -> tuple[str, ...]:
    """The pages of the list that was told last; what was answered before it is told in it once more."""
    first = len(replies)
    while first and (first == len(replies) or _paged(replies[first - 1], words)):
        first -= 1
    return tuple(replies[first:])


def goes_on(plan: ResponsePlan, words: ComposeWords) -> bool:
    """ "what else?" """
    row = words.moments.get("else")
    return row is not None and bool(re.search(row.pattern, plan.user_text, re.I))


def _was_told(
    finding: Finding, said: str, words: ComposeWords, choice: Choice, policy: Policy
) -> bool:
    value = bare_value(finding.value).replace("_", " ").lower()
    told = sentence(finding, words, choice, policy)
    if told.lower().rstrip(".") in said or (len(value) > _SHORT and value in said):
        return True
    spoken = pack(choice.language)
    part = spoken.fragment(told, alone(finding), policy).lower() if spoken is not None else ""
    return re.search(rf"(?<!\w){re.escape(part or value)}(?!\w)", said) is not None if part or value else False


def _place(finding: Finding, rows: Sequence[str]) -> int:
    """In the order of the attribute table: a name before an age."""
    return rows.index(finding.attribute) if finding.attribute in rows else len(rows)


def _paged(page: str, words: ComposeWords) -> bool:
    """One of our own replies that named how many more there are."""
    ways = (levelled(way, polite=polite) for way in words.answers["more"] for polite in (False, True))
    return any(longest(way) in page.lower() for way in ways)


def _more(rest: int, words: ComposeWords, choice: Choice) -> str:
    return choice.pick(words.answers["more"], "more", {"count": str(rest)})


def unknown(
    finding: Finding, plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy
) -> str:
    """Nothing is held: said plainly, and with the thing's own name where it has one."""
    if free_then(finding, words):
        return choice.pick(words.unknown["free"], "unknown", {"when": finding.value})
    named = finding.value if has_syllables(finding.value) and finding.subject != SELF else ""
    who = named or who_is(finding.subject, choice, policy)
    # Asked for all that is known of somebody, it is that one who was never told of.
    asked = "exists" if finding.attribute in _WHOLE and who else finding.attribute
    pair = words.things.get(asked, ())
    what = ""
    if pair:
        what = pair[0] if not who else filled(pair[1], {"who": who}, choice.language) if len(pair) > 1 else ""
    if asks_whole(plan) and not who:
        return choice.pick(words.unknown["all"], "unknown")
    return choice.pick(words.unknown["named" if what else "any"], "unknown", {"what": what})
