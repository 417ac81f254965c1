"""RECALL TURNS. Enters: a question and the indexed turns of one conversation.
Leaves: the turns that answer it, best first, with the parts of their scores.
Does not know: where the index is stored.
"""
