"""ROUTE. Enters: signals, user state, age band.
Leaves: one RoutingDecision.
Does not know: memories, personas, models.
"""
