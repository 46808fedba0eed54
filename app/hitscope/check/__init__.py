"""Headless: evaluate scene files against their own expectations."""

from hitscope.check.runner import Outcome, check

__all__ = ["Outcome", "check"]
