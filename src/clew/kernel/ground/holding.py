"""What holds a choice open although something is named, and the plain yes that stands whatever follows it."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

from clew.kernel.ground.acts import read_act
from clew.kernel.ground.canonical import polite
from clew.kernel.ground.clause import Kind
from clew.kernel.ground.hearing import TAKING, Heard
from clew.kernel.ground.lexicon import laughter, words
from clew.kernel.ground.reader import ActsRead
from clew.kernel.ground.remarks import agrees_first, asks_for_it, remarks
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.turn import Turn, after_failure
from clew.kernel.ground.whole import has, spoken
from clew.kernel.language.scripts import has_syllables
from clew.kernel.text.tokens import split
from clew.model.evidence import Act, Said
from clew.policy.ground import GroundPolicy

_SENTENCE = re.compile(r"[.!?…\n]+\s*")
_CLAUSE = re.compile(r"[.!?…\n,]+\s*")
# So many letters of a Korean verb tell it from another.
_STEM = 4
# A longer question may well tell a choice: "어디다 놨대 그거 좀 보자".
_SHORT = 5
# A doubt is the last word when it is among so many.
_LAST = 3
BY_MANNERS = frozenset(
    {
        "ground.acceptance",
        "ground.presupposed",
        "ground.transaction",
        "ground.deictic_inside",
        "ground.label_inside",
        "ground.label_offered",
    }
)


def held_open(turn: Turn, heard: Heard, policy: GroundPolicy) -> bool:
    """Nothing is taken yet, or several could be, or all of it is refused."""
    pointed = heard.pointed
    among = len(pointed.positions) > 1 and not pointed.several
    if laughs(turn, policy) or remarks(turn, policy):
        return True
    if pointed.how == "name" and pointed.foreign and not frozenset(policy.pointing.other).isdisjoint(turn.said.words):
        # "open sample1 and the other report": one of the two is not known.
        return True
    return among or hedges(turn, policy) or none_in_particular(turn, heard, policy)


def none_in_particular(turn: Turn, heard: Heard, policy: GroundPolicy) -> bool:
    """Any such thing is asked for, or all of it is refused: no odds make that one thing."""
    return _indefinite(turn, heard, policy) or refuses_all(turn, policy)


def asks_which(turn: Turn, policy: GroundPolicy) -> bool:
    """ "move it to when?": the last word asks."""
    said = turn.said.words
    return turn.said.asks and said[-1:] != () and said[-1] in words(policy).wh_words


def only_asks(turn: Turn, policy: GroundPolicy) -> bool:
    """설치파일은 뭐에 쓰는 거야: a short question, with a word that asks. 뭐 alone only fills a pause."""
    lists, clauses = words(policy), read_act(turn.text, policy).clauses
    short = len(turn.said.words) <= _SHORT
    if not short or any(c.kind is not Kind.QUESTION for c in clauses) or asks_for_it(turn, policy):
        return False
    stems = tuple(stem for own in lists.endings.values() for stem in own.asking)
    asking = (c.body[0] in lists.wh_words and not c.body[0].startswith(stems) for c in clauses if c.body)
    return any(asking) or any(w.startswith(stems) and w not in stems for c in clauses for w in c.tokens)


def likes_all(turn: Turn, policy: GroundPolicy) -> bool:
    """ "they both sound nice", 둘 다 마음에 드는데: praise of all of them takes none of them."""
    said, pointing, lists = turn.said.words, policy.pointing, words(policy)
    every = (*pointing.both, *pointing.all)
    if not spoken(f" {' '.join(said)} ", every) or spoken(f" {' '.join(turn.heard.words)} ", every):
        return False
    stems = tuple(stem for own in lists.endings.values() for stem in own.praise)
    praised = lists.praise_verbs | lists.grammar["liking"] | lists.grammar["looking"]
    likes = any(w in praised or w.startswith(stems) for w in said)
    wants = frozenset(policy.verbs) | lists.grammar["asked_politely"]
    return likes and wants.isdisjoint(said) and not asks_for_it(turn, policy)


def says_several(turn: Turn, policy: GroundPolicy) -> bool:
    """ "b and c", "the two easy ones", 영수증 두 개 다: several are spoken of, whichever they are."""
    pointing, said = policy.pointing, turn.said.words
    counted = any(pointing.number_words.get(w, 0) > 1 for w in said)
    joined = any(len(w) > 1 and w.endswith(pointing.joined_by) for w in said)
    every = (*pointing.both, *pointing.all, *pointing.everything, *pointing.others)
    return counted or joined or spoken(f" {' '.join(said)} ", (*every, *pointing.joiners, *pointing.plurals))


def laughs(turn: Turn, policy: GroundPolicy) -> bool:
    """ "the climbing one lol" chooses; "hahaha dr fang" laughs at a name."""
    said = turn.said.words
    takes = any(t in policy.articles or t in policy.verbs for t in said)
    takes = takes or has(frozenset(said), policy.pointing.a_thing, policy.pointing)
    return not takes and any(laughter(t, policy) for t in said)


def undecided(turn: Turn, policy: GroundPolicy) -> bool:
    """The last word is a doubt: "i think i did the books but i'm not sure"."""
    parts = [p for p in map(split, _CLAUSE.split(turn.text)) if p]
    return bool(parts) and _doubts(parts[-1][-_LAST:], policy)


def hedges(turn: Turn, policy: GroundPolicy) -> bool:
    """ "I may go thursday, not sure": nothing is taken yet."""
    return _doubts(turn.said.words, policy)


def _doubts(said: tuple[str, ...], policy: GroundPolicy) -> bool:
    text = f" {' '.join(said)} "
    for phrase in policy.pointing.not_hedges:
        text = text.replace(f" {phrase} ", " ")
    return spoken(text, policy.pointing.hedges) or any(stem in text for stem in policy.pointing.hedge_stems)


def _indefinite(turn: Turn, heard: Heard, policy: GroundPolicy) -> bool:
    """ "a document by Lee" asks for any such thing; "the document by Lee" for that one."""
    said = turn.said.words
    lists = words(policy).grammar
    that = next((i for i, pair in enumerate(pairwise(said)) if " ".join(pair) in lists["one_that"]), None)
    if that is not None and lists["definite"].isdisjoint(said[:that]):
        # "find me one that lands before ten"
        return True
    if heard.pointed.how != "name" or Said.CORRECT in heard.read.acts:
        return False
    # "portrait of a lady": the article belongs to the name.
    named = {pair for p in heard.pointed.positions for pair in pairwise(turn.options.words[p])}
    # "no, Vidal" opens with a refusal; "Marc with a c" spells.
    refused = next((i + 1 for i, t in enumerate(said[:2]) if t in words(policy).refusal_words), 0)
    pairs = [(a, b) for a, b in pairwise(said[refused:]) if len(b) > 1]
    loose = any(a in lists["indefinite_article"] and (a, b) not in named for a, b in pairs)
    return loose and lists["definite"].isdisjoint(said)


def refuses_all(turn: Turn, policy: GroundPolicy) -> bool:
    """ "i'll skip both", 둘 다 패스할게; but "no, both" and 아니 둘 다 mend what was said before."""
    said, pointing = turn.said.words, policy.pointing
    said = said[1:] if said[:1] and said[0] in words(policy).refusal_words else said
    if not spoken(f" {' '.join(said)} ", (*pointing.both, *pointing.all)):
        return False
    # "Which shall I hold?" "hold both" takes them.
    said = tuple(w for w in said if w not in turn.heard.words)
    return any(w in pointing.refusing or w.startswith(pointing.refusing_stems) for w in said)



def commands(turn: Turn, policy: GroundPolicy) -> bool:
    """ "Play it?", "Send it?": the last sentence asks for leave to do something."""
    text = (turn.last_assistant_text or "").rstrip()
    last = [s for s in map(split, _SENTENCE.split(text)) if s][-1:]
    return text.endswith("?") and bool(last) and last[0][0] in words(policy).verbs


def _proposes(turn: Turn, policy: GroundPolicy) -> bool:
    """ "Shall I book it?", 예약할까요?: a yes to this is no small talk."""
    text = (turn.last_assistant_text or "").rstrip()
    said = f" {' '.join(split(text))} "
    asks = any(f" {phrase} " in said for phrase in policy.grammar["proposing"] if "?" not in phrase)
    asks = asks or text.endswith(policy.grammar["proposing_ends"]) or commands(turn, policy)
    return text.endswith("?") and asks


def echoes(turn: Turn, heard: Heard, policy: GroundPolicy) -> Resolution | None:
    """ "begin" to "Begin?", 보내 to 보낼까요?: the very thing that was asked, and nothing else."""
    if heard.offered is None or not _proposes(turn, policy) or heard.pointed.positions or heard.pointed.foreign:
        return None
    asked = next((s for s in reversed([split(p) for p in _SENTENCE.split(turn.last_assistant_text or "")]) if s), ())
    agreed = {t for phrase in words(policy).affirmation.whole for t in phrase}
    said = [t for t in turn.said.words if t not in agreed and t not in policy.polite_tails]
    said = [t for t in said if t not in words(policy).deictic_words]
    again = [t for t in said if t in asked or _same_stem(t, asked[-1:])]
    if not said or len(again) < len(said) or heard.read.lead(*TAKING) < 0 or after_failure(turn, policy):
        return None
    if not (asked[0] in said or _same_stem(said[-1], asked[-1:]) or said[-1] in asked[1:3]):
        return None
    return Resolution(Act.SELECT, "ground.echo", heard.offered, (heard.offered,), verb=None)


def _same_stem(word: str, asked: tuple[str, ...]) -> bool:
    """보내 and 보낼까요 begin with the same letters."""
    if not asked or not has_syllables(word):
        return False
    own, other = (unicodedata.normalize("NFD", w) for w in (word, asked[0]))
    return len(own) >= _STEM and own[:_STEM] == other[:_STEM]


def plain_yes(turn: Turn, heard: Heard, policy: GroundPolicy) -> bool:
    """ "by all means" to "Shall I book it?": nothing but a yes, to a proposal. No reader doubts that."""
    said = tuple(t for c in read_act(turn.text, policy).clauses for t in c.tokens)
    agreed = words(policy).affirmation.whole
    return (
        heard.offered is not None
        and not agreed.isdisjoint((said, polite(said, policy)))
        and _proposes(turn, policy)
        and not after_failure(turn, policy)
    )


def says_yes(turn: Turn, found: Resolution, heard: Heard, policy: GroundPolicy) -> Resolution | None:
    """ "Yes. How long does it take?": a plain yes to what was asked stands, whatever follows it (ruling G25)."""
    if heard.offered is None or not _proposes(turn, policy) or heard.pointed.excluded or heard.read.lead(*TAKING) < 0:
        return None
    if heard.pointed.positions not in ((), (heard.offered,)) or found.act not in (Act.QUESTION, Act.SELECT):
        return None
    if after_failure(turn, policy) or hedges(turn, policy) or not agrees_first(turn, policy):
        return None
    return Resolution(Act.SELECT, "ground.yes_first", heard.offered, (heard.offered,), verb=found.verb)


_UNSAID = (*TAKING, Said.CLOSE, Said.NEW)


def takes_up(turn: Turn, found: Resolution, read: ActsRead, policy: GroundPolicy) -> bool:
    """Thanks for a find, or moving on from it, take it up; thanks for a proposal to act do not (ruling G24)."""
    if found.rule not in BY_MANNERS or read.acts[0] not in _UNSAID:
        return False
    if not turn.last_assistant_text:
        # Nobody knows what was said: praise takes the offer up, bare thanks do not.
        return any(c.kind is Kind.ACCEPT and not c.weak for c in read_act(turn.text, policy).clauses)
    lists, heard = words(policy).grammar, turn.heard.words
    if not lists["parting_talk"].isdisjoint(turn.said.words):
        return False
    text = f" {' '.join(heard)} "
    # A figure that is told, not asked about: a price, a time, a balance.
    asks = turn.last_assistant_text.rstrip().endswith("?")
    numbered = any(w[0].isdigit() for w in heard) and not asks
    told = numbered or any(f" {phrase} " in text for phrase in policy.grammar["finding"])
    praised = any(c.kind is Kind.ACCEPT and not c.weak for c in read_act(turn.text, policy).clauses)
    parts = read.acts[0] is Said.CLOSE and not praised
    told = told and not (asks and parts)
    # Bare thanks after "how about …?" may as well decline it.
    put = not parts and any(f" {p} " in text for p in policy.grammar["suggesting"])
    proposes = commands(turn, policy) or any(f" {phrase} " in text for phrase in policy.grammar["proposing"])
    return (told or put) and not proposes
