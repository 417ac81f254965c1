"""KOREAN. Enters: a text in Hangul.
Leaves: whether it asks, what it does, how particles join.
Does not know: any other language.
"""

from clew.kernel.language.ko.korean import Korean

__all__ = ["Korean"]
