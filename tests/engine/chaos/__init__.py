"""Subjects that fail in many ways, and what a run must make of them."""
