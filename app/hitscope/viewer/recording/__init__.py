"""Recordings of what a user did, and playing them."""
