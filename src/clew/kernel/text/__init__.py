"""TEXT. Enters: raw text.
Leaves: normal forms, tokens, matches, exact similarities.
Does not know: what a message means.
"""
