"""STATEMENTS. Enters: a message.
Leaves: what it states of the user's life, as candidates.
Does not know: what is remembered already.
"""
