"""One resolve licenses one successor (ruling T5)."""

from __future__ import annotations


class Licences:
    """Who refines which resolved loop. A later add may move an earlier one to another of its own options,
    so that no add is refused while a licence for it can be freed."""

    __slots__ = ("_holder", "_options")

    def __init__(self) -> None:
        self._holder: dict[int, int] = {}
        self._options: dict[int, tuple[int, ...]] = {}

    def grant(self, add: int, options: tuple[int, ...]) -> bool:
        """Give the add one of the resolved loops, or say that all are used up."""
        self._options[add] = options
        came_from: dict[int, int] = {}
        queue = [add]
        for asking in queue:
            for loop in self._options[asking]:
                if loop in came_from:
                    continue
                came_from[loop] = asking
                if loop not in self._holder:
                    self._hand_over(loop, came_from, add)
                    return True
                queue.append(self._holder[loop])
        del self._options[add]
        return False

    def _hand_over(self, free: int, came_from: dict[int, int], add: int) -> None:
        loop = free
        while True:
            asking = came_from[loop]
            given_up = next((k for k, v in self._holder.items() if v == asking), None)
            self._holder[loop] = asking
            if asking == add or given_up is None:
                return
            del self._holder[given_up]
            loop = given_up

    def lineage(self) -> dict[int, tuple[int, ...]]:
        """Each add with what it supersedes: its own licence; what is left goes to the first that fits."""
        taken: dict[int, list[int]] = {add: [] for add in self._options}
        for loop, add in self._holder.items():
            taken[add].append(loop)
        used = set(self._holder)
        for add, options in self._options.items():
            for loop in options:
                if loop not in used:
                    used.add(loop)
                    taken[add].append(loop)
        return {add: tuple(sorted(loops)) for add, loops in taken.items()}
