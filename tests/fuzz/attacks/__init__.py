"""The attacks, a module each: hostile input made from a seed, and the facts that must hold whatever it is.

`make(random)` returns a case as bytes, `check(case, folder)` raises where the program fails and else returns the
kind of the outcome; the folder is the case's own. CASES are run by `make test`, of which at least the share
ACCEPTED must have the outcome "accepted", and outcomes of KINDS kinds must come up: else the attack missed.
"""

NAMES = (
    "scenes",
    "meshes",
    "commands",
    "kills",
    "calls",
    "threads",
    "full_disks",
    "copies",
    "texts",
    "checks",
    "viewer_files",
)
