"""LANGGRAPH. Enters: the operations of a LangGraph store.
Leaves: items; under the namespace `clew` they are memories that obey the rules of memory.
Does not know: graphs, checkpoints, or rules.
"""
