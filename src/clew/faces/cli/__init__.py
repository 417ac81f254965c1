"""TERMINAL DOOR. Enters: commands and piped lines.
Leaves: text for people, JSON for programs.
Does not know: rules.
"""
