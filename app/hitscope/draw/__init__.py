"""What is to be seen of a report, as a draw list of roles and shapes; no colours and no GL."""
