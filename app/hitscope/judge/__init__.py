"""Targets put against exact geometry: campaigns of drawn cases, and differences shrunk and saved as scenes."""
