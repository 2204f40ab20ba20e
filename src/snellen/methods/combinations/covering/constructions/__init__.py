"""Arrays that are known by construction."""
