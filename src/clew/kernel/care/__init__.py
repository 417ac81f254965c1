"""CARE. Enters: the words of someone in danger, what was said before, where they are if they told.
Leaves: a reply of reviewed sentences that names help.
Does not know: models, memories, the persona.
"""
