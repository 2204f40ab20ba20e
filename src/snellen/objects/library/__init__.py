"""Object libraries: on disk, in memory, and what is chosen from them."""
