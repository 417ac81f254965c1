"""MIGRATIONS. Enters: an empty or older database.
Leaves: the schema of this version.
Does not know: what the rows mean.
"""
