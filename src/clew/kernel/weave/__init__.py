"""WEAVE. Enters: open-loop threads and a proposal.
Leaves: reconciled threads with diagnostics.
Does not know: the story around them.
"""
