"""Object libraries on disk and in memory, and how they are built, pruned and opened."""
