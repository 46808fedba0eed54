"""The viewer: a window on scenes whose probes are dragged."""

from hitscope.viewer.window.launch import play, run

__all__ = ["play", "run"]
