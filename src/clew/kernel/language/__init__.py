"""LANGUAGE. Enters: a text.
Leaves: what only its language can tell: whose words these are, what a sentence does, how words join.
Does not know: what a message means for the user.
"""
