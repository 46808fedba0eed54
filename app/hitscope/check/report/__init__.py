"""The page of `hitscope check --report FILE.html`: each failure with its picture, its numbers and its steps."""

from hitscope.check.report.check_report import CheckReport

__all__ = ["CheckReport"]
