"""The viewer: a window on scenes whose probes are dragged."""

from hitscope.viewer.launch import run

__all__ = ["run"]
