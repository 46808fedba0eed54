"""The user interface without its window: it joins tools, files and panels with keys and recordings."""
