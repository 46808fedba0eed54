"""Commands that select, hide, edit and nudge items, and arm tools; the table of bindings runs them."""
