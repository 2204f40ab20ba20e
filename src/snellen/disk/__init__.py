"""Files: written whole or not at all, locked against other processes, and the user's cache."""
