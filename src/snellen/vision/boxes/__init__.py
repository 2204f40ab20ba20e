"""Boxes in an image and the matcher: overlap, and which object is which."""
