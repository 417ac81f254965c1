"""REACH. Enters: controls, a clock reading, attempts; or a message that wishes for a reminder, a mute, silence.
Leaves: SEND or SKIP with its reason and what to say; or the wish with its moment.
Does not know: delivery, jobs.
"""
