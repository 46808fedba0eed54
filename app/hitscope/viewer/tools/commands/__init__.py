"""Commands that select, hide, edit, nudge and take up tools; the table of bindings runs them."""
