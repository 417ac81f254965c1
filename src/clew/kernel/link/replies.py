"""Profile `best` without a game master: every message looks for the one it replies to.

Each reply has one parent, a parent may have many replies. Scores are log-odds in coarse steps
against the choice of starting a new thread; the weights are policy.
"""

from __future__ import annotations

import math

from clew.frozen import dataclass
from clew.kernel.link.allocate import Claim
from clew.kernel.link.mask import Mask
from clew.kernel.link.params import Params
from clew.kernel.link.sheet import Sheet
from clew.kernel.link.talk import Hall, Message
from clew.model.link import Allocation, ClaimReason, Intent, IntentType, PossibleConsequence, Strength
from clew.policy.link import BestTable, LinkPolicy


@dataclass(slots=True)
class _Past:
    """What has been settled before the message in hand."""

    parent: dict[int, int]
    thread: dict[int, int]
    latest: dict[int, int]
    replies: dict[int, int]
    partner: dict[int, int]
    toward: dict[int, int]
    turned: dict[int, int]


class Listener:
    def __init__(self, hall: Hall, sheet: Sheet, mask: Mask, policy: LinkPolicy, run: Params) -> None:
        self.hall, self.sheet, self.mask, self.run = hall, sheet, mask, run
        self.table: BestTable = policy.best
        self.small = len(sheet.names) <= self.table.small_group
        self.past = _Past({}, {}, {}, {}, {}, {}, {})

    def hear(self, n: int) -> tuple[int | None, float, list[tuple[int, float]]]:
        """The number of the parent (or None), its score, and all candidates with theirs."""
        messages, table = self.hall.messages, self.table
        reply = messages[n]
        walls, reach = self.mask.walls, self.run.scoring.k_local
        hint = self.sheet.lines[reply.position].reply_to
        rows: list[tuple[int, float]] = []
        for m in range(n - 1, max(-1, n - 1 - table.candidates), -1):
            source = messages[m]
            if reply.index - source.index > reach or walls[reply.position] != walls[source.position]:
                break
            if source.voice == reply.voice and not self.run.continuations:
                continue
            if hint is not None and source.index == hint:
                rows.append((m, table.hinted))
                continue
            rows.append((m, self._score(m, n, source, reply)))
        if not rows:
            return None, 0.0, rows
        best = max(rows, key=lambda row: (row[1], row[0]))
        start = self._start(n, reply)
        if best[1] < start:
            return None, 0.0, rows
        return best[0], best[1], rows

    def settle(self, n: int, parent: int | None) -> None:
        past, message = self.past, self.hall.messages[n]
        if parent is None:
            past.thread[n] = n
        else:
            past.parent[n] = parent
            past.thread[n] = past.thread.get(parent, parent)
            past.replies[parent] = past.replies.get(parent, 0) + 1
            other = self.hall.messages[parent].voice
            if other != message.voice:
                past.partner[message.voice] = other
                past.partner[other] = message.voice
                past.toward[n] = other
            elif parent in past.toward:
                past.toward[n] = past.toward[parent]
        past.latest[message.voice] = n
        for voice in (*message.to, *message.named):
            past.turned[voice] = n
        if n in past.toward and not message.to:
            past.turned[past.toward[n]] = n

    def answered_by(self, n: int) -> int | None:
        """When a speaker goes on with an answer, the question that is being answered."""
        messages, past = self.hall.messages, self.past
        reply = messages[n]
        parent = past.parent.get(n)
        if parent is None or reply.asks or messages[parent].voice != reply.voice:
            return None
        steps = 0
        while parent is not None and messages[parent].voice == reply.voice:
            steps += 1
            if messages[parent].asks or steps > self.table.answer_goes_on:
                return None
            parent = past.parent.get(parent)
        if parent is None or not messages[parent].asks:
            return None
        return parent if reply.index - messages[parent].index <= self.run.scoring.k_local else None

    def _score(self, m: int, n: int, source: Message, reply: Message) -> float:
        table, past = self.table, self.past
        same = source.voice == reply.voice
        score = -table.far * math.log2(n - m)
        if same:
            score += self._going_on(m, n, source, reply)
        else:
            score += self._answering(m, source, reply)
        own = past.latest.get(reply.voice)
        if own is not None and past.thread.get(own) == past.thread.get(m, m):
            score += table.own_thread
        if past.latest.get(source.voice) != m:
            score -= table.not_latest
        return score + table.kin * min(self.hall.kinship(source, reply), table.kin_cap)

    def _answering(self, m: int, source: Message, reply: Message) -> float:
        table = self.table
        score = 0.0
        if reply.to:
            score += table.addressed if source.voice in reply.to else -table.addressed_other
        elif source.voice in reply.named:
            score += table.named
        elif reply.named:
            score -= table.named_other
        if source.to:
            score += table.asked_for if reply.voice in source.to else -table.asked_other
        elif (heard := self.past.toward.get(m)) is not None:
            score += table.heard_by if heard == reply.voice else -table.heard_other
        elif reply.voice in source.named:
            score += table.named
        if source.asks and not reply.asks:
            score += table.answers_small if self.small else table.answers
        if m not in self.past.parent and not self.past.replies.get(m):
            score += table.unanswered
        if self.past.partner.get(reply.voice) == source.voice:
            score += table.partner
        elif reply.voice in self.past.latest and not source.asks and not reply.to:
            score -= table.stranger
        if source.greets and reply.greets and source.length <= table.short_words:
            score += table.greets
        return score

    def _going_on(self, m: int, n: int, source: Message, reply: Message) -> float:
        table = self.table
        score = -table.same_voice
        if self.past.latest.get(reply.voice) == m:
            score += table.own_latest
            if self.past.turned.get(reply.voice, -1) < m:
                score += table.own_quiet
        if n - m == 1:
            score += table.own_adjacent
        if reply.to:
            score += table.same_target if reply.to == source.to else -table.other_target
        elif source.asks and reply.asks:
            score += table.asks_on
        return score

    def _start(self, n: int, reply: Message) -> float:
        """How much a message looks like the start of a thread."""
        table = self.table
        score = table.start_small if self.small else table.start
        known = self.past.latest.get(reply.voice)
        if known is None or n - known > table.away:
            score += table.start_new
        if reply.to or reply.named:
            score -= table.start_addressed
        elif reply.asks and reply.length > table.short_words:
            score += table.start_asks
        if reply.calls:
            score += table.start_calls
        if reply.greets:
            score += table.start_greets
        if reply.short or reply.leans or reply.thanks:
            score -= table.start_leans
        return score


def reply_links(
    sheet: Sheet, mask: Mask, intents: list[Intent], policy: LinkPolicy, run: Params, emit: bool
) -> tuple[list[Intent], list[Claim], list[Allocation] | None]:
    positions = [p for p in range(len(sheet.low)) if not mask.bits[p]]
    hall = Hall(sheet, intents, positions, policy)
    listener = Listener(hall, sheet, mask, policy, run)
    known = {intent.position: intent for intent in intents}
    pairs: list[tuple[Intent, Claim]] = []
    rows: dict[int, list[PossibleConsequence]] = {}
    for n, message in enumerate(hall.messages):
        parent, score, tried = listener.hear(n)
        listener.settle(n, parent)
        if emit:
            for m, found in tried:
                source = hall.messages[m]
                gap = message.index - source.index
                row = PossibleConsequence(message.index, gap, squash(found), 0.0, hall.kinship(source, message), 0.0)
                rows.setdefault(source.position, []).append(row)
        if parent is not None and sheet.may_intend(position := hall.messages[parent].position):
            intent = known.get(position) or _statement(sheet, position)
            pairs.append((intent, Claim(message.position, squash(score), ClaimReason.BEST_PARENT)))
        question = listener.answered_by(n)
        if question is not None and sheet.may_intend(position := hall.messages[question].position):
            intent = known.get(position) or _statement(sheet, position)
            pairs.append((intent, Claim(message.position, squash(score), ClaimReason.BEST_PARENT)))
    answered = {intent.position for intent, _ in pairs}
    pairs += [(i, Claim(None, None, ClaimReason.NO_CANDIDATE)) for i in intents if i.position not in answered]
    pairs.sort(key=lambda pair: (pair[0].position, pair[1].position or 0))
    traced = [_trace(i, c, rows.get(i.position, []), sheet) for i, c in pairs] if emit else None
    return [i for i, _ in pairs], [c for _, c in pairs], traced


def squash(score: float) -> float:
    """Log-odds to 0..1, so that scores read the same in both profiles."""
    return 1.0 / (1.0 + math.exp(-score))


def _statement(sheet: Sheet, position: int) -> Intent:
    """Any message may be an intent; one that no rule names is a weak declaration."""
    line = sheet.lines[position]
    actor = sheet.actors[sheet.voices[position]] or line.speaker
    return Intent(
        position, line.index, actor, line.text, IntentType.DECLARE, Strength.WEAK, "link.intent.any_message"
    )


def _trace(intent: Intent, claim: Claim, rows: list[PossibleConsequence], sheet: Sheet) -> Allocation:
    winner = None if claim.position is None else sheet.index[claim.position]
    detail = "parent of this reply" if winner is not None else "no later message replies to it"
    return Allocation(
        intent.index, intent.actor, intent.strength, intent.rule, tuple(rows), winner, claim.reason, detail
    )
