"""Headless: evaluate scene files against their own expectations."""

from hitscope.check.runner import Checks, Outcome, check

__all__ = ["Checks", "Outcome", "check"]
