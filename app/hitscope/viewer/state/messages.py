"""What the status line and the problem list show."""

HINT_SEPARATOR = "   ·   "
"""Between the parts of a line of hints."""


class Messages:
    """The texts for the user. Written by actions, tools and host events; the status line and panels show them."""

    def __init__(self, greets: bool) -> None:
        self.notice = ""
        """What was just done, or why it was not."""
        self.problem = ""
        """What went wrong, a line each; it stays until it is dismissed or overtaken."""
        self.greets = greets
        """Whether the hint of the first start is shown."""

    def add_problem(self, problem: str) -> None:
        """Append a problem to those that are shown."""
        self.problem = f"{self.problem}\n{problem}".strip()
