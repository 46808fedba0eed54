"""The wrong line of a user's function: the edits of it that make it right, proven on cases that are new to them.

`syntax` finds the functions of a file, `edits` has the kinds of edits, `sample` the cases and what is right of them,
and `search` tries the edits, each in the process that judges.
"""

from hitscope.judge.fixing.search import Fix, Fixes, Suspect, find_fixes

__all__ = ["Fix", "Fixes", "Suspect", "find_fixes"]
