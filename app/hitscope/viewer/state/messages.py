"""The texts of the status line and of the problem list, the introduction, the lessons and the review."""

from hitscope.viewer.state.introduction import Introduction
from hitscope.viewer.state.lessons import Lessons
from hitscope.viewer.state.review import Review

HINT_SEPARATOR = "   ·   "
"""Between the parts of a line of hints."""


class Messages:
    """The texts for the user. Written by actions, tools and host events; the status line and panels show them."""

    def __init__(self, introduction: Introduction, lessons: Lessons, review: Review) -> None:
        self.notice = ""
        """The notice in the status line: what was just done, or why it was not."""
        self.problem = ""
        """The problems, a line each; they stay until they are dismissed or replaced."""
        self.introduction = introduction
        """The card of the first steps."""
        self.lessons = lessons
        """The cards of the lessons."""
        self.review = review
        """The scenes under review, and their card."""

    def add_problem(self, problem: str) -> None:
        """Append a problem to those that are shown."""
        self.problem = f"{self.problem}\n{problem}".strip()
