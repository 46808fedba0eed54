"""What mouse and keys do to the scene: picking, dragging, snapping, drawing, nudging."""
