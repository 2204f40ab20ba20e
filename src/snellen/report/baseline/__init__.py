"""The gate against a baseline: whether a new subject is worse than an old one."""
