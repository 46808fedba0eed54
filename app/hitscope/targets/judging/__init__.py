"""A target's answers to pairs against exact geometry, under the conventions that it is judged by."""
