"""The ways in which a case can fail, for the test of the harness itself."""

import os
import time
from pathlib import Path

SECONDS = 1
LIMIT_MEMORY = True


def check(case: bytes, folder: Path) -> str:
    """Fail in the way that the case names."""
    match case:
        case b"hang":
            time.sleep(60)
        case b"crash":
            os.abort()
        case b"print":
            print("seen")
        case b"memory":
            bytearray(1 << 33)
    return "accepted"
