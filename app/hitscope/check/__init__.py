"""Headless: evaluate scene files against their own expectations."""

from hitscope.check.runner import Outcome, check, find_scenes

__all__ = ["Outcome", "check", "find_scenes"]
