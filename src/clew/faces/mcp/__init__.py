"""MCP. Enters: calls of an agent's tools, over standard input or HTTP.
Leaves: structured results, resources and prompts; failures that start with their code.
Does not know: rules; it asks the engine's services and says what they say.
"""
