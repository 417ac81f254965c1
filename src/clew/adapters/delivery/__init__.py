"""DELIVERY. Enters: a parcel and a channel.
Leaves: nothing, or a typed failure.
Does not know: whether the message should be sent.
"""
