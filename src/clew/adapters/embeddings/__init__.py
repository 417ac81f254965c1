"""EMBEDDERS. Enters: texts.
Leaves: vectors of one named space.
Does not know: what the vectors are compared with.
"""
