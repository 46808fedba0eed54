"""The wrong line of a user's function: the edits of it that make it right, proven on new cases.

`syntax` finds the functions of a file, `edits` has the kinds of edits, `sample` the cases and what is right of
them, and `search` tries the edits, as `variant_texts` writes them, each in the process that judges.
"""
