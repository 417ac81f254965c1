"""DOORS. Enters: a person's or program's request.
Leaves: an answer in that door's manners.
Does not know: rules.
"""
