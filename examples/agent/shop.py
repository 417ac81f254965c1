"""A small shop you talk to: it shows shelves, proposes one thing, and sells only what you clearly want.

    python examples/agent/shop.py
    printf 'show me lamps\\nthe cheaper one\\nyes\\nwhat is in my cart?\\nquit\\n' | python examples/agent/shop.py

The pattern for an agent of your own: `show` what you list, `say` what you said and what you put forward,
`hear` what comes back, and act on nothing else.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime

from clew.engine.grounding import Grounding, Step
from clew.model.evidence import Candidate, GroundOutcome, Said

SHELVES = {
    "lamps": (
        Candidate("lamp-1", "Desk lamp", sublabel="black, $35, 4.6 stars", type="lamp"),
        Candidate("lamp-2", "Reading lamp", sublabel="brass, $59, 4.8 stars", type="lamp"),
        Candidate("lamp-3", "Night light", sublabel="white, $12, 4.1 stars", type="lamp"),
    ),
    "mugs": (
        Candidate("mug-1", "Camping mug", sublabel="blue, $9, 300 ml", type="mug"),
        Candidate("mug-2", "Coffee mug", sublabel="white, $7, 250 ml", type="mug"),
    ),
}
OFFERS = "I have lamps and mugs."
SELLING = ("order", "buy", "purchase", "pay")
NAMES = {item.id: item.label for shelf in SHELVES.values() for item in shelf}


class Shop:
    def __init__(self) -> None:
        self.cart: list[str] = []
        # Selling is confirmed: the shop declares its own verbs.
        self.talk = Grounding(
            clock=lambda: datetime.now(UTC),
            executor=self.act,
            destructive=SELLING,
        )

    def act(self, item: Candidate, verb: str | None) -> str:
        if verb in ("remove", "delete", "drop"):
            self.cart = [i for i in self.cart if i != item.id]
            return f"{item.label} is out of the cart."
        if verb in SELLING:
            # Grounding has asked "Really order …?" before this line is reached.
            self.cart = [i for i in self.cart if i != item.id]
            return f"{item.label} is ordered."
        self.cart.append(item.id)
        return f"{item.label} is in the cart."

    def answer(self, text: str) -> str:
        shelf = next((name for name in SHELVES if name in text.casefold()), None)
        if shelf is not None and not self._on_the_table(shelf):
            return self.show(shelf)
        if "cart" in text.casefold() and "?" in text:
            return "In the cart: " + (", ".join(NAMES[i] for i in self.cart) or "nothing") + "."
        if not self.talk.options.ids:
            # Nothing is shown yet, so nothing can be pointed at.
            return OFFERS
        return self.said(self.talk.hear(text))

    def _on_the_table(self, shelf: str) -> bool:
        return tuple(self.talk.options.ids) == tuple(item.id for item in SHELVES[shelf])

    def show(self, shelf: str) -> str:
        items = SHELVES[shelf]
        self.talk.show(items)
        listed = "\n".join(f"  {i}. {c.label} ({c.sublabel})" for i, c in enumerate(items, 1))
        said = f"Shall I put the {items[0].label.lower()} into the cart?"
        self.talk.say(said, offer=items[0].id)
        return f"{listed}\n{said}"

    def said(self, step: Step) -> str:
        verdict = step.verdict
        if step.error is not None:
            return f"That failed: {step.error}"
        if verdict.outcome is GroundOutcome.EXECUTE:
            return " ".join(str(result) for result in step.results)
        if step.text is not None:
            return step.text
        about = (verdict.answer or {}).get("about")
        if about is not None:
            item = self.talk.options.candidates[self.talk.options.position[about]]
            return f"{item.label}: {item.sublabel}."
        if verdict.acts and verdict.acts[0].act is Said.CLOSE:
            return "You're welcome."
        return OFFERS


def main() -> int:
    shop = Shop()
    print("Lamps or mugs?")
    prompt = "> " if sys.stdin.isatty() else ""
    while True:
        try:
            text = input(prompt).strip()
        except EOFError:
            return 0
        if text in ("quit", "exit"):
            return 0
        if text:
            print(shop.answer(text))


if __name__ == "__main__":
    raise SystemExit(main())
