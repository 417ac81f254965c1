"""COMPARE. Enters: two sentences.
Leaves: whether they say the same, the opposite, or something new.
Does not know: whose memories they are.
"""
