"""Two runs of requirements side by side."""
