"""Rules over what the learned reader takes to be asked: of whom, by which name, and what else is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from clew.kernel.statements.asked import asked_by_shape, narrowed
from clew.kernel.statements.belonging import PERSON
from clew.kernel.statements.features import lexicon, mentions
from clew.kernel.statements.needs import with_needs
from clew.kernel.statements.patterns import compiled as _compiled
from clew.kernel.statements.people import Called, Known
from clew.model.memory import SELF
from clew.model.utterance import Ask
from clew.policy import Policy
from clew.policy.checks import CheckWords
from clew.policy.language import Shape

_PRONOUNS = ("person:she", "person:he", "person:they", "person:it")
_NOBODY_KNOWN = Known()
_EDGE = " .,!?;:'\"’”~()"


def checked_asks(
    text: str,
    language: str,
    asks: Sequence[Ask],
    policy: Policy,
    called: Sequence[Called] = (),
    known: Known = _NOBODY_KNOWN,
) -> tuple[Ask, ...]:
    """A question for somebody by name keeps the name; "she" is whoever was spoken of last."""
    words = policy.checks.languages.get(language)
    if words is None:
        return tuple(asks)
    asks = [narrowed(text, language, ask, policy) for ask in asks]
    if _compiled(tuple(words.animal_of_asked.values())).any(text):
        # "what's my sister's dog called?" does not ask what she is called.
        asks = [replace(a, attribute="note") if a.subject.startswith(PERSON) else a for a in asks]
    whole = _compiled(tuple(words.whole_asked.values()))
    if whole and not whole.any(text):
        # "did I do something wrong?" asks for no list.
        asks = [a for a in asks if a.attribute != "any" or a.subject != SELF or a.name]
    if _compiled(tuple(words.one_asked.values())).any(text):
        # "Do you know who I live with?" asks for one thing, whether or not it has a name in the table.
        sides = [a for a in asks if a.attribute != "any" or a.subject != SELF or a.name]
        asks = sides or [replace(a, attribute="note") for a in asks]
    asks = asked_by_shape(text, language, asks, words, policy)
    if _compiled(tuple(words.thing_named.values())).any(text):
        # What a shop is called is not what its owner is called.
        asks = [replace(a, attribute="note") if (a.subject, a.attribute) == (SELF, "name") else a for a in asks]
    name = _named(text, words.who) or _known_of(text, words, called)
    if name is not None and not any(a.attribute == "who" for a in asks):
        asks = (Ask(SELF, "who", name), *asks)
    elif name is not None:
        asks = [replace(a, name=name) if a.attribute == "who" and not a.name else a for a in asks]
    elif (stranger := _named(text, words.who_known)) and stranger.lower() not in policy.reader.not_names:
        # "what do you know about Marcus?", of whom nothing is held now, asks for no list of all that is.
        asks = [a for a in asks if a.attribute != "any" or a.subject != SELF or a.name]
        asks = asks or [Ask("person:any", "who", stranger, policy.reader.ask_at)]
    here = next((c for c in called if c.start >= 0 and c.name), None)
    if kin := _of_their_kin(text, asks, words, called, policy):
        return kin
    found = [_own_side(text, _of_whom(_of_asker(text, a, words, policy), here, known), known, policy) for a in asks]
    # What somebody is called is no question when the question calls them by it; "who's minding Duchess?" asks for
    # somebody else.
    does = name is None and _compiled(tuple(words.of_whom.values())).any(text)
    called_so = ("name", "who") if does else ("name",)
    anew = "note" if does else "who"
    ranks = lexicon(policy.reader)[0]  # 둘째 이름이 뭐였지?: the second one's name; a rank is none
    found = [
        replace(a, attribute=anew) if a.attribute in called_so and a.name and a.name not in ranks else a for a in found
    ]
    return with_needs(text, found, words, policy, called)


def _of_their_kin(
    text: str, asks: Sequence[Ask], words: CheckWords, called: Sequence[Called], policy: Policy
) -> tuple[Ask, ...]:
    """ "What's Ian's wife called?" asks of the daughter-in-law, where Ian is the son."""
    for mention in mentions(text, policy.reader):
        for c in called:
            between = text[c.end : mention.start] if 0 <= c.start < mention.start else None
            if between is None or not _compiled(tuple(words.has_them.values())).any(between):
                continue
            owner, kin = c.subject.partition(":")[2], mention.subject.partition(":")[2]
            theirs = policy.checks.kin.get(owner, {}).get(kin)
            if theirs and mention.subject.startswith(PERSON):
                side = [a.attribute for a in asks if a.attribute not in ("who", "any")] or ["name"]
                return tuple(Ask(f"{PERSON}{theirs}", a) for a in dict.fromkeys(side))
    return ()


def _known_of(text: str, words: CheckWords, called: Sequence[Called]) -> str | None:
    """ "what do you know about Mila?" asks who she is, where one of the user's people has the name."""
    name = _named(text, words.who_known)
    known = {c.name.lower() for c in called if c.name and c.start >= 0}
    return name if name and name.lower() in known else None


def _of_whom(ask: Ask, here: Called | None, known: Known) -> Ask:
    if here is not None and ask.subject in (SELF, "person:any", here.subject):
        return replace(ask, subject=here.subject, name=here.name)
    if ask.subject in _PRONOUNS and known.last is not None and ask.name is None:
        return replace(ask, subject=known.last[0], name=known.last[1])
    return ask


def _of_asker(text: str, ask: Ask, words: CheckWords, policy: Policy) -> Ask:
    """ "What do I do for a living, in case they ask?": what everybody has once is asked of the asker."""
    own = ask.subject in _PRONOUNS and not ask.name and ask.attribute in policy.checks.single
    return replace(ask, subject=SELF) if own and _compiled(tuple(words.asker_does.values())).any(text) else ask


def _own_side(text: str, ask: Ask, known: Known, policy: Policy) -> Ask:
    """ "Do I live in London?" asks where the user lives: a place is nobody's name."""
    named = ask.name is not None and ask.subject == "person:any" and ask.name.lower() not in known.names
    spoken = set(text.lower().replace("’", "'").replace("?", " ").split())
    own = ask.attribute in policy.checks.placed and not spoken.isdisjoint(policy.reader.speakers)
    return replace(ask, subject=SELF, name=None) if named and own else ask


def _named(text: str, shapes: Mapping[str, Shape]) -> str | None:
    found = _compiled(tuple(shapes.values())).matches(text.strip())
    return next((match["name"].strip(_EDGE) for _, match in found), None)
