"""What the words of a follow-up alone say: named, counted or pointed at, before the learned readers are asked (Step 3).

A winner is named (a label, told apart from equal ones), counted (an ordinal),
or pointed at while exactly one thing can be meant.
"""

from __future__ import annotations

from dataclasses import replace

from clew.kernel.ground.acts import Reading, read_act
from clew.kernel.ground.canonical import Plain, canonical, peel, polite, verb_alone
from clew.kernel.ground.clause import Kind
from clew.kernel.ground.counts import asked_how_many, counts_pieces
from clew.kernel.ground.describe import described
from clew.kernel.ground.lexicon import words
from clew.kernel.ground.manners import only_manners
from clew.kernel.ground.naming import mentioned
from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.refer import is_deictic, ordinal
from clew.kernel.ground.resolution import Resolution, counted, named, pointed, remaining, turned_down
from clew.kernel.ground.scopes import CueStrength, scope_cue
from clew.kernel.ground.taking import by_act
from clew.kernel.ground.turn import Focus, Turn, after_failure, focus
from clew.kernel.text.tokens import split
from clew.model.evidence import Act
from clew.policy.ground import GroundPolicy

# A longer number is no place in a list.
_DIGITS = 2
# Longer lists are not looked through for one word.
_FEW = 100


def by_rules(turn: Turn, policy: GroundPolicy) -> Resolution:
    """What the words alone say, before the learned readers are asked."""
    return _not_rejected(_find(turn, policy), turn)


def _not_rejected(found: Resolution, turn: Turn) -> Resolution:
    """Of several with the same name, the only one not yet turned down in this set."""
    if found.winner is not None or found.exact < 2:
        return found
    left = tuple(p for p in found.matches if p not in turned_down(turn))
    if len(left) != 1 or len(left) == len(found.matches):
        return found
    return replace(found, winner=left[0], rule="ground.label_not_rejected", blocked=None)


def _find(turn: Turn, policy: GroundPolicy) -> Resolution:
    plain = canonical(turn.text, policy)
    whole = turn.options.whole(plain, policy)
    if whole and only_manners(read_act(turn.text, policy).clauses, policy):
        # "cheers" beside a greeting of that name: thanks, or the greeting?
        return Resolution(Act.OTHER, "ground.thanks", None, whole, "soft_match_only")
    if whole:
        return named(whole, "ground.label")
    cue = scope_cue(plain.tokens, policy, turn.options)
    reading = read_act(turn.text, policy)
    if cue is not None and reading.act is not Act.QUESTION:
        if cue.strength is not CueStrength.EXACT:
            return Resolution(Act.OTHER, "ground.scope_cue", blocked=cue.strength.value)
        if not cue.binds(turn.scope):
            return Resolution(Act.OTHER, "ground.scope_cue", blocked="scope_not_available")
        rest = " ".join(cue.rest)
        return _find_here(turn, canonical(rest, policy), read_act(rest, policy), policy)
    return _find_here(turn, plain, reading, policy)


def _find_here(turn: Turn, plain: Plain, reading: Reading, policy: GroundPolicy) -> Resolution:
    options = turn.options
    whole = options.whole(plain, policy)
    if whole and only_manners(read_act(turn.text, policy).clauses, policy):
        # "cheers" beside a greeting of that name: thanks, or the greeting?
        return Resolution(Act.OTHER, "ground.thanks", None, whole, "soft_match_only")
    if whole:
        return named(whole, "ground.label")
    if found := _whole_utterance(turn, plain, policy):
        return found
    if only_manners(read_act(turn.text, policy).clauses, policy):
        return Resolution(Act.OTHER, "ground.thanks", blocked="nothing_offered")
    if _kept(turn, plain, policy):
        here = focus(turn, policy)
        gone = () if here.position is None else (options.candidates[here.position].id,)
        return Resolution(Act.NEGATE, "ground.kept", rejected=gone)
    if counts_pieces(plain.tokens, policy) or _so_many(turn, plain, policy) or asked_how_many(turn.heard.words, policy):
        return by_act(turn, plain, reading, policy)
    position = ordinal(plain, policy, options.type_words)
    if position and reading.act is not Act.QUESTION and not _also_a_name(plain, options):
        if reading.rule == "ground.act.accepts" and (here := focus(turn, policy)).offered:
            # "fine, 3 please" may be a number of something: ask.
            both = tuple(p for p in (here.position, position.number - 1) if p is not None)
            if plain.rest and plain.rest[-1].isdigit() and len(set(both)) > 1:
                return Resolution(Act.SELECT, "ground.ordinal", blocked="ambiguous_number")
        return counted(turn, position.number, guessed=position.guessed)
    verb, here = verb_alone(plain.tokens, policy), focus(turn, policy)
    if verb is not None and here.position is not None and not after_failure(turn, policy):
        return replace(pointed(turn, here, "ground.deictic", offered_only=False), verb=verb)
    if is_deictic(plain, policy) and reading.act in (Act.SELECT, Act.OTHER):
        if after_failure(turn, policy):
            return Resolution(Act.OTHER, "ground.confirms_retry", blocked="confirms_retry")
        return pointed(turn, focus(turn, policy), "ground.deictic", offered_only=False)
    if found := _after_no(turn, reading, policy) or mentioned(turn, reading, policy):
        return found
    if found := described(turn, reading, policy):
        return found
    return by_act(turn, plain, reading, policy)


def _so_many(turn: Turn, plain: Plain, policy: GroundPolicy) -> bool:
    """ "two please" orders two of something; "two" and "2 please" count along the list."""
    cardinal, words_of = policy.grammar["cardinal"], plain.tokens
    asked = len(words_of) == 2 and words_of[1] in policy.grammar["asked_politely"]
    return asked and words_of[0] in cardinal and len(words_of[0]) > 1 and words_of[0] not in policy.pointing.small.one


def _also_a_name(plain: Plain, options: OptionSet) -> bool:
    """ "final" beside contract_final: the word for the end of a list is also a name."""
    if options.count > _FEW or not plain.rest:
        return False
    word = plain.rest[-1]
    if len(word) == 1 and word.isalpha():
        # "row A" beside rows A, B and F.
        return any(word in split(f"{c.label} {c.sublabel or ''}") for c in options.candidates)
    if _numbered(plain, options):
        return True
    if len(plain.rest) != 1 or word.isdigit():
        return False
    holding = sum(word in own for own in options.words)
    return 0 < holding < options.count


def _numbered(plain: Plain, options: OptionSet) -> bool:
    """ "two" beside Lesson 2, Lesson 3 and Lesson 4 is what is called so, not what stands second."""
    numbers = [[int(w) for w in own if w.isdigit() and len(w) <= _DIGITS] for own in options.words]
    if len(numbers) < 2 or any(len(n) != 1 for n in numbers):
        return False
    named = [n[0] for n in numbers]
    return len(set(named)) == len(named) and named != list(range(1, len(named) + 1)) and len(plain.rest) == 1


def _kept(turn: Turn, plain: Plain, policy: GroundPolicy) -> bool:
    """ "keep it" to "shall I delete it?" declines."""
    asked = (turn.last_assistant_text or "").rstrip().endswith("?")
    keeps = not words(policy).grammar["keeping"].isdisjoint(plain.tokens[:1] + plain.tokens[-1:])
    return asked and focus(turn, policy).offered and keeps and is_deictic(plain, policy)


def _after_no(turn: Turn, reading: Reading, policy: GroundPolicy) -> Resolution | None:
    """ "no, the second one": the correction counts or names, and what was in view is turned down."""
    if len(reading.clauses) < 2 or reading.clauses[0].kind is not Kind.REFUSE:
        return None
    if reading.act is not Act.NEGATE or len(reading.clauses[0].body) > 1:
        return None
    rest = peel(tuple(t for c in reading.clauses[1:] for t in c.tokens), policy)
    position = ordinal(rest, policy, turn.options.type_words)
    whole = turn.options.whole(rest, policy)
    if whole:
        found = named(whole, "ground.label")
    elif position is not None:
        found = counted(turn, position.number, guessed=position.guessed)
    else:
        return None
    here = focus(turn, policy)
    gone = () if here.position in (None, found.winner) else (turn.options.candidates[here.position or 0].id,)
    return replace(found, rejected=gone, verb=rest.verb)


def _whole_utterance(turn: Turn, plain: Plain, policy: GroundPolicy) -> Resolution | None:
    """Stop, hesitation, repair, list rejection: the whole message or not at all."""
    lists = words(policy)
    forms = {plain.tokens, polite(plain.tokens, policy)}
    here = focus(turn, policy)
    ids = turn.options.candidates
    if forms & lists.stop.whole and _proposed(turn, here):
        return pointed(turn, here, "ground.deictic", offered_only=True)
    if forms & lists.stop.whole:
        others = not lists.alternative_words.isdisjoint(plain.tokens)
        return Resolution(Act.ALTERNATIVES if others else Act.NEGATE, "ground.stop")
    if forms & lists.hesitation.whole:
        return Resolution(Act.OTHER, "ground.hesitation")
    if forms & lists.list_rejection.whole:
        shown = tuple(c.id for c in ids[: policy.choice_window])
        return Resolution(Act.NEGATE, "ground.list_rejection", rejected=shown)
    if (forms | set(plain.stages)) & lists.other_one.whole:
        return _other_one(turn, here)
    if forms & lists.repair.whole:
        gone = (ids[here.position].id,) if here.position is not None else ()
        return Resolution(Act.NEGATE, "ground.repair", rejected=gone)
    return None


def _proposed(turn: Turn, here: Focus) -> bool:
    """ "drop it" to "I'd drop that one": what was put forward, and no stop."""
    return here.offered and here.position is not None and turn.said.words[0] in turn.heard.words


def _other_one(turn: Turn, here: Focus) -> Resolution:
    gone = turned_down(turn) | ({here.position} if here.position is not None else set())
    ids = turn.options.candidates
    refused = (ids[here.position].id,) if here.position is not None else ()
    left = remaining(turn, gone)
    if gone and len(left) == 1:
        return Resolution(Act.SELECT, "ground.other_one", left[0], left, rejected=refused)
    why = "all_candidates_rejected" if not left else f"ambiguous_{len(left)}_candidates"
    return Resolution(Act.NEGATE, "ground.other_one", None, left, why, rejected=refused)
