"""SEARCH. Enters: vectors and terms of the turns of one conversation.
Leaves: positions of those nearest to a question.
Does not know: what was said there, and how a turn is weighed.
"""
