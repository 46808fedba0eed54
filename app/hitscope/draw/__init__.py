"""From a report to a draw list of shapes with roles; no colours and no GL."""
