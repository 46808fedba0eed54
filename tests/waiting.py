"""The one way to wait for something that happens by itself."""

import time

PATIENCE_S = 300
"""Seconds; a software renderer on a busy machine is slow, and nothing waits longer than it has to."""
POLL_S = 0.02


def wait_until(condition, what, poll_s=POLL_S):
    """Poll until `condition()` is true and return its value; fail with `what` after `PATIENCE_S` or more."""
    for _ in range(round(PATIENCE_S / poll_s)):
        if value := condition():
            return value
        time.sleep(poll_s)
    raise AssertionError(f"waited in vain for {what}")
