"""The language of the house: spoken where another has no words for something, and where none is known."""

from __future__ import annotations

HOUSE = "en"
