"""CARD. Enters: a character card, version 1, 2 or 3, as PNG, JSON or CHARX; untrusted.
Leaves: the card with every field it came with, known or not, and the same file formats again.
Does not know: what a persona is made of, or what becomes of the text.
"""

from __future__ import annotations

from clew.formats.card.read import Card, read_card
from clew.formats.card.write import write_charx, write_json, write_png

__all__ = ["Card", "read_card", "write_charx", "write_json", "write_png"]
