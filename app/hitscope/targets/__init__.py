"""Users' own tests in any language: what a TARGET of the command line names, called on arrays of cases.

A target runs in a process of its own (`process`), where a runner (`runners`) calls the user's code on numbers in
shared memory, which takes its answers: the judge's numbers and the truth about them are out of its reach.
"""
