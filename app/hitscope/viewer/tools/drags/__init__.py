"""What a held mouse button does, from press to release: one class for each kind of drag."""
