"""HTTP. Enters: requests of programs in any language.
Leaves: JSON, problem documents (RFC 9457), server-sent events after the gate.
Does not know: rules; it asks the engine's services and says what they say.
"""
