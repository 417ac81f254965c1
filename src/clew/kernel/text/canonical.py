"""Canonical JSON and content ids, for kernels. The one implementation stands beside the nouns."""

from clew.model.canonical import canonical_json, derived_id, iso, sha256

__all__ = ["canonical_json", "derived_id", "iso", "sha256"]
