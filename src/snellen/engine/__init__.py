"""Runs a method over scenes: batching, cache, budget, retries, resume."""
