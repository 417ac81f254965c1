"""ENGLISH. Enters: a text in Latin letters.
Leaves: whether it is English, whether it asks, what it does, how its words join.
Does not know: any other language.
"""

from clew.kernel.language.en.english import English

__all__ = ["English"]
