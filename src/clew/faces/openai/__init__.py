"""OPENAI. Enters: requests of any OpenAI-compatible client, which re-sends its whole history each time.
Leaves: completions in that shape, whole or streamed after the gate.
Does not know: rules; only how such a history relates to what was said before.
"""
