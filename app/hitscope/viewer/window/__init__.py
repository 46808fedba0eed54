"""The pyglet window, what draws into it, and the host that it runs on."""
