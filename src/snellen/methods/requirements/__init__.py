"""Reliability requirements: what people still see in a changed image, the subject must see."""
