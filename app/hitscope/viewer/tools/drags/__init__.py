"""The drags, from the press of a mouse button to its release: one class for each kind."""
