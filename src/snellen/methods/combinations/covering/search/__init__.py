"""Arrays found by search."""
