"""Draw list -> picture, on screen and offscreen; the only reader of shaders/."""
