"""PLAN. Enters: signals, persona, stage, controls.
Leaves: a ResponsePlan with hard constraints.
Does not know: the model that will write.
"""
