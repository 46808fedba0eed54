"""Users' own tests in any language: what a TARGET of the command line names, called on arrays of cases.

A target runs in a process of its own (`process`), where a runner (`runners`) calls the user's code. It gets the
numbers of the cases in shared memory and writes its answers there, so that whatever it does to its process, the
numbers and the truth about them are out of its reach.
"""
