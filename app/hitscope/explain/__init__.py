"""A traced run of a method: the lines of its own source as they ran, with the values."""

from hitscope.explain.trace import Step, Trace, trace

__all__ = ["Step", "Trace", "trace"]
