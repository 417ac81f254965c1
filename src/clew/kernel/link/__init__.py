"""LINK. Enters: transcript lines.
Leaves: intent to consequence links, mask, metrics.
Does not know: file formats.
"""
