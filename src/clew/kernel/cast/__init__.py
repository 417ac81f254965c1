"""CAST. Enters: a seed and the assignments of the last day.
Leaves: a persona assignment.
Does not know: who asked.
"""
