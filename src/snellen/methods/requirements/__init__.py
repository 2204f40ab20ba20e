"""Reliability requirements: what a person can see in a changed image, the subject must see."""
