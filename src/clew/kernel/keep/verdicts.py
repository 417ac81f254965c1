"""The verdict on one held memory: what the reader of change proposes, beside what speaks against it (ruling M7).

What plain words say is done. What the reader is sure of beyond doubt is done too: the doubts below were written for
messages that it is unsure of. Some things never change by a remark, however sure it is.
"""

from __future__ import annotations

from functools import cached_property

from clew.kernel.keep import surely_over
from clew.kernel.keep.change_reader import Judged, Verdict
from clew.kernel.keep.change_signs import shared_words
from clew.kernel.keep.changeable import another_ended, nothing_in_its_place, only_ahead, swept
from clew.kernel.keep.keys import row_of
from clew.kernel.keep.same_side import names_things, touches_side
from clew.kernel.keep.successors import attribute_in
from clew.kernel.keep.switched import is_time, switched_to
from clew.kernel.keep.values import abstains
from clew.kernel.keep.whose_change import (
    another,
    delivered,
    given_up,
    left_alone,
    moved_out,
    names_its_people,
    naming,
    of_something_else,
    says_no_more,
    unsaid,
    works_there,
)
from clew.kernel.read.change_words import says, says_change, says_over, tells_change, without_common
from clew.kernel.statements.features import mentions
from clew.model.memory import SELF, MemoryRecord
from clew.model.utterance import Statement, Status, Utterance
from clew.policy import Policy

_NAME = "name"
_OVER = (Status.NOT, Status.ENDED)
_TASTES = ("like", "dislike")
_LIKED = (*_TASTES, "hobby", "sport", "game")
# Told under these, a message may be about anything.
_LOOSE = ("event", "plan", "note", "goal")
# What one may have several of, each on its own day; what stands on a day.
_DAYS = ("plan",)
_DATED = ("plan", "event", "routine", "work_hours", "birthday", "rule", "limit")


def decided(judged: Judged, record: MemoryRecord, message: Utterance, policy: Policy) -> Verdict | None:
    """The verdict where it is sure enough; None where nothing can be said."""
    case = _Case(judged, record, message, policy)
    for ask in (_said_plainly, _never) if case.beyond_doubt else (_said_plainly, _never, _doubted):
        if (verdict := ask(case)) is not None:
            return verdict
    if judged.undone >= _least(case):
        return _undone(case)
    plain = case.plain
    if judged.of(Verdict.COEXISTS) >= policy.changes.beside_at and (not plain or case.says("beside")):
        return Verdict.COEXISTS
    if judged.of(Verdict.OTHER) >= policy.changes.no_change_at and not plain:
        return Verdict.OTHER
    return None


class _Case:
    """One held memory beside one message: what they have in common, each looked up once."""

    def __init__(self, judged: Judged, record: MemoryRecord, message: Utterance, policy: Policy) -> None:
        self.judged, self.record, self.message, self.policy = judged, record, message, policy
        self.table, self.told, self.text = policy.changes, message.statements, message.text
        self.attribute = attribute_in(record, policy)
        self.row = row_of(self.attribute, policy)
        self.beyond_doubt = judged.undone >= self.table.undone_beyond_doubt and not (self.apart and self.far)

    def says(self, kind: str) -> bool:
        return says(self.text, kind, self.policy)

    @cached_property
    def alike(self) -> list[Statement]:
        """What the message tells of the same group of sides."""
        return [s for s in self.told if row_of(s.attribute, self.policy).group == self.row.group]

    @cached_property
    def near(self) -> list[Statement]:
        """The same, of the same one."""
        own = (s for s in self.alike if s.subject == self.record.subject)
        return [s for s in own if not another(s, self.record, self.policy)]

    @cached_property
    def called(self) -> bool:
        """It is a name, and the message holds it."""
        return self.attribute == _NAME and bool(shared_words(self.record.memory_value, self.text, self.policy))

    @cached_property
    def of_them(self) -> str:
        return naming(self.record, self.message, self.policy) if self.called else self.text

    @cached_property
    def new(self) -> str | None:
        return switched_to(self.text, self.policy) or None

    @cached_property
    def apart(self) -> bool:
        """No word is shared that says anything."""
        common = self.table.common
        had, said = (without_common(words, common) for words in (self.record.memory_value, self.text))
        return not shared_words(had, said, self.policy)

    @cached_property
    def strange(self) -> bool:
        """It names things of its own, and speaks of nothing that this one is about."""
        loose = any(s.attribute in _LOOSE and s.value.strip() for s in self.told)
        loose = loose or (not self.told and names_things(self.text, self.policy))
        return loose and not touches_side(self.record, self.attribute, self.text, self.policy)

    @cached_property
    def kin(self) -> tuple[str | None, ...]:
        """The attributes whose news is news of this one."""
        return next((k for k in self.table.kin if self.attribute in k), (self.attribute,))

    @cached_property
    def fresh(self) -> bool:
        """Another value of the very same side is told."""
        return any(s.attribute == self.attribute and s.status is Status.IS for s in self.near)

    @cached_property
    def plain(self) -> bool:
        """… in so many words."""
        told = (s for s in self.near if s.certainty == 1 and s.attribute == self.attribute)
        return any(s.status is Status.IS for s in told) or (self.fresh and says_no_more(self.message, self.policy))

    @cached_property
    def firm(self) -> list[Statement]:
        """What the message tells of a side of its own, and not only that something happens."""
        return [s for s in self.told if s.attribute not in _LOOSE]

    @cached_property
    def lasting(self) -> bool:
        return self.attribute in (*self.policy.checks.single, "language", "nationality")

    @property
    def replaces(self) -> bool:
        return self.judged.undoing is Verdict.REPLACES

    @cached_property
    def far(self) -> bool:
        """Two messages about different things, and not in a few words: of such the reader may be sure for nothing."""
        return self.judged.alike < self.table.alike and len(self.text.split()) > self.table.no_more_words


def _said_plainly(case: _Case) -> Verdict | None:
    """Words that need no chance: who parted, who moved out, who is called otherwise now."""
    record, message, policy, table = case.record, case.message, case.policy, case.table
    name = case.attribute == _NAME
    if name and record.subject in table.parting and says(case.of_them, "parted", policy):
        ours = record.subject in table.lovers and not message.of_others and not mentions(case.text, policy.reader)
        if case.called or (ours and all(s.subject == SELF for s in case.told)):
            return Verdict.ENDS  # "Selin and me broke up", "we broke up"
    if surely_over.parted_from(record, case.attribute, case.text, policy):
        return Verdict.ENDS
    left = surely_over.left_their_work(record, case.attribute, case.told, case.text, policy)
    moved = case.attribute == "home" and moved_out(record, case.text, policy)
    if left or moved or given_up(record, case.attribute, message, policy) or delivered(record, message, policy):
        return Verdict.ENDS
    if name and surely_over.still_called(record, case.judged, case.told, case.text, policy):
        return Verdict.OTHER
    if name and surely_over.renamed(record, case.judged, case.told, case.text, policy):
        return Verdict.REPLACES
    over = all(s.status in _OVER for s in case.near) and (case.near or says_over(case.text, policy))
    if over and abstains(record, policy):
        return Verdict.OTHER  # "I quit drinking" ends no "I don't drink"
    if name and not case.called and not (message.of_others and record.subject == SELF) and _succeeded(case):
        return Verdict.REPLACES  # one has one boss: whoever is named in her place is the boss now
    return None


def _never(case: _Case) -> Verdict | None:
    """What the message is not about, and what no remark undoes."""
    record, policy, near, told, text = case.record, case.policy, case.near, case.told, case.text
    attribute, ends = case.attribute, case.judged.undoing is Verdict.ENDS
    over = surely_over.over_by_name(case.judged, apart=case.apart, policy=policy)
    spoken_of = case.called or case.row.timeless or over
    if not spoken_of and left_alone(record, attribute, near, case.message, policy, apart=case.apart, ends=ends):
        return Verdict.OTHER  # a day at the seaside takes nothing from what the shop charges
    if ends and surely_over.one_of_several(record, text, policy):
        return Verdict.OTHER  # a hive lost in the frost leaves the other thirty-nine
    if case.says("thing_named") and not says(record.statement or "", "thing_named", policy):
        return Verdict.OTHER  # another name for the shop changes nothing of its hours
    if case.alike and not near:
        return Verdict.OTHER  # where the sister lives says nothing of the user
    if another_ended(near, record, text, policy):
        return Verdict.OTHER  # where one worked once says nothing of where one works
    nearer = any(s.attribute == "relationship" and s.status is Status.IS for s in told)
    surely = ends and case.judged.undone >= case.table.undone_at_parting
    over = says(case.of_them, "ended", policy) and not surely_over.of_their_own(case.of_them, policy)
    parted = surely and (over or says(case.of_them, "parted", policy))
    if attribute == _NAME and record.subject in case.table.parting and parted and not nearer:
        return Verdict.ENDS  # "Tim moved out": he is the lodger no more
    if attribute == "employer" and case.says("promoted") and all(s.attribute != attribute for s in near):
        return Verdict.OTHER  # who rises where she works still works there
    if case.new and attribute not in _DATED and is_time(case.new, record.last_confirmed_at, policy):
        return Verdict.OTHER  # a day takes the place of a day, never of a job
    if attribute in _TASTES and case.apart and any(s.attribute in _LIKED and s.status is Status.IS for s in near):
        return Verdict.COEXISTS  # liking one thing now takes nothing from another
    if attribute in policy.checks.work and near and all(s.attribute == "work_hours" for s in near):
        return Verdict.OTHER  # who works no more nights works on
    moved = case.apart and (case.says("shifted") or says_over(text, policy))
    if attribute in _DAYS and (case.apart or case.far) and not moved and any(s.attribute in _DAYS for s in near):
        return Verdict.COEXISTS  # an operation in December takes nothing from going back to work in March
    if case.called and surely_over.parted_by_name(record, case.judged, told, text, policy) and not nearer:
        return Verdict.ENDS
    if case.called and not case.says("instead"):
        return Verdict.OTHER  # whoever is called by it is called so
    if (ends or attribute in policy.checks.work) and case.apart and not near and case.strange:
        return Verdict.OTHER  # a hive lost in the frost ends no job
    elsewhere = case.firm if case.beyond_doubt else told
    of_kin = any(s.attribute in case.kin for s in near)
    if elsewhere and case.apart and not of_kin and not swept(attribute, record, policy):
        return Verdict.OTHER  # getting engaged takes nobody's job, and another medicine no illness
    away = case.says("visit") or works_there(record, told, text, policy)
    if attribute in case.table.places and away and not case.plain:
        return Verdict.OTHER
    if near or (case.says("switched") and not case.says("beside")):
        return None
    if case.lasting and told and not case.new and unsaid(record, text, case.replaces, policy):
        return Verdict.OTHER  # taking the cat to the clinic ends no work at a hospital
    named = names_its_people(case.message, policy)
    if case.apart and not told and not case.row.timeless and named and not tells_change(text, policy):
        return Verdict.OTHER  # "got in!!!" is about nothing that is held, and ends none of it
    return None


def _doubted(case: _Case) -> Verdict | None:
    """What speaks against a change that the reader is not sure of."""
    record, policy, near, told, text = case.record, case.policy, case.near, case.told, case.text
    attribute = case.attribute
    if of_something_else(case.message, near, record, attribute, policy, ends=case.judged.undoing is Verdict.ENDS):
        return Verdict.OTHER  # what becomes of Joe says nothing of Ben
    if case.message.of_others and record.subject == SELF:
        return Verdict.OTHER  # "Len's not selling after all" says nothing of the user's own garage
    if case.lasting and only_ahead(told) and not says_over(text, policy):
        return Verdict.OTHER  # what one wants to be takes nothing from what one is
    elsewhere_now = bool(near) and all(s.attribute == "employer" and s.status is Status.IS for s in near)
    if attribute == "job" and elsewhere_now and not case.says("ended"):
        return Verdict.COEXISTS  # another place to work at takes nobody's trade
    planned = bool(told) and all(s.attribute in ("plan", "event") for s in told)
    if attribute == "routine" and planned and not says_change(text, policy):
        return Verdict.COEXISTS  # meeting on Saturday is no end of meeting every other week
    if case.replaces and not case.new and nothing_in_its_place(record, near, case.kin, text, policy):
        return Verdict.OTHER  # a boss who counts the sick days takes nobody's job
    if near or (case.says("switched") and not case.says("beside")):
        return None
    if told and not case.new and unsaid(record, text, case.lasting and case.replaces, policy):
        return Verdict.OTHER  # nothing says that it changed, or what it changed to
    return None


def _least(case: _Case) -> float:
    """The chance from which on it gives way: surer where several may stand, and where nothing new was read."""
    table, policy, text = case.table, case.policy, case.text
    least = table.undone_at_many if case.row.many else table.undone_at
    if case.row.many and case.apart:
        least = max(least, table.undone_at_many_apart)
    if case.attribute in table.gathered and case.fresh and not says_change(text, policy):
        least = max(least, table.undone_at_gathered)  # a second hobby or language takes nothing from the first
    if case.says("switched") and not case.says("beside"):
        least = min(least, table.undone_at_switched)
    elif not case.near and not case.beyond_doubt:
        # What was read of something else is seldom this one's new value; without a word in common almost never.
        elsewhere = case.told and case.replaces
        least = max(least, table.undone_at_elsewhere if elsewhere else table.undone_at_unread)
        replaced = case.replaces and not says_over(text, policy)
        if case.apart and (case.told or case.record.subject != SELF or replaced):
            least = max(least, table.undone_at_apart)  # nothing was told that could take its place
    stays = case.attribute in (*table.places, "routine") and not any(s.attribute in case.kin for s in case.near)
    if stays and not says_change(text, policy):
        least = max(least, table.undone_at_unsaid)
    return least


def _undone(case: _Case) -> Verdict | None:
    """How it gives way. A name or a birthday may be put right; it does not end."""
    undoing, timeless = case.judged.undoing, case.row.timeless
    if case.attribute == "relationship" and case.says("together_again"):
        return None  # moving back in with her ends nothing
    swapped = case.new or any(case.says(kind) for kind in ("instead", "switched", "swap"))
    if undoing is Verdict.REPLACES and timeless and not case.fresh and (case.called or not swapped):
        return None  # a name gives way to a name, never to a sentence
    if undoing is Verdict.REPLACES and case.near and all(s.status is Status.ENDED for s in case.near):
        undoing = Verdict.ENDS  # nothing was told that could take its place
    return None if (timeless or case.attribute == "age") and undoing is Verdict.ENDS else undoing


def _succeeded(case: _Case) -> bool:
    """Of those whom one has one of: somebody else surely stands in their place."""
    if case.record.subject not in case.table.one_of or not case.replaces:
        return False
    wed = any(s.attribute == "relationship" and s.subject == SELF and s.status is Status.IS for s in case.told)
    return case.judged.undone >= case.table.undone_at_succeeded and not wed
