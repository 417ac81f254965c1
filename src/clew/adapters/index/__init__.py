"""INDEXES. Enters: vectors and tokens of one owner.
Leaves: nearest ids with scores.
Does not know: which of them may be shown.
"""
