"""What puts tools, files and panels together: the user interface without its window, its keys and recordings."""
