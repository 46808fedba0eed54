"""Calls as bytes of a log, written from the description of the format alone."""

import struct


def call(pair, *numbers, real="d"):
    """One call; the numbers include the answer."""
    name = pair.encode()
    name += bytes(-len(name) % 8)
    head = struct.pack("<4sBBBB", b"\x9ehit", {"d": 8, "f": 4}[real], len(numbers), len(name), 0)
    body = struct.pack(f"<{len(numbers)}{real}", *numbers)
    return head + name + body + bytes(-len(body) % 8)
