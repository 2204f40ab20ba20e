"""The comparison of two runs of requirements."""
