"""RERANKERS. Enters: a question and the texts found for it.
Leaves: the places of the texts in a better order, or nothing.
Does not know: where the texts come from, or how they were ranked.
"""
