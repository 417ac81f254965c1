"""RECALL. Enters: a query and indexed turns or memories.
Leaves: ranked, thinned, budgeted results with score parts.
Does not know: where the index is stored.
"""
