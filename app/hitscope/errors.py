"""The one error that a user meets: bad input or bad usage, said in one line."""


class HitscopeError(Exception):
    """Something the user gave is wrong; the message is one line and names what was expected and found."""
