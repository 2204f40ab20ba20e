"""Torch detectors: testing, explanation, Monte Carlo dropout, training. Needs extra `torch`."""
