"""DIALECTS. Enters: files of other programs.
Leaves: lines and records of our model, with what was skipped.
Does not know: rules and stores.
"""
