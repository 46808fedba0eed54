"""Text in HTML that is well-formed XML, too."""

from html import escape

from hitscope.terminal import one_line


def text(value: str) -> str:
    """Return a text as one line of HTML: nothing in it is markup, and what is too long is shortened."""
    return escape(one_line(value))
