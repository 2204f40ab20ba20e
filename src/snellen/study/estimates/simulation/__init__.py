"""Simulated participants, whose curves are known: for tests, power and comparisons of designs."""
