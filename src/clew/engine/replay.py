"""Rebuilding the state from the journal."""

from __future__ import annotations

from clew.errors import InvalidInput
from clew.frozen import dataclass
from clew.ports.store import Store


@dataclass(frozen=True, slots=True)
class Comparison:
    """Per table: the hash of what stands, and of what the journal gives."""

    entries: int
    stands: dict[str, str]
    rebuilt: dict[str, str]
    # What breaks the hash chain over the journal, in words.
    chain_faults: tuple[str, ...] = ()

    @property
    def differing(self) -> tuple[str, ...]:
        return tuple(name for name in self.stands if self.stands[name] != self.rebuilt.get(name))

    @property
    def identical(self) -> bool:
        return not self.differing and not self.chain_faults


def rebuild(source: Store, target: Store) -> Comparison:
    """Apply every journal entry to an empty store and compare the two, table by table."""
    count = 0
    with source.read() as old, target.write("replay") as new:
        if next(iter(new.journal()), None) is not None:
            raise InvalidInput("the database to rebuild into is not empty; name a new one", pointer="--into")
        for entry in old.journal():
            new.append([entry.event])
            count += 1
        faults = tuple(old.chain_faults())
        return Comparison(count, old.state_hash(), new.state_hash(), faults)
