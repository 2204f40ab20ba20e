"""Boxes in space: overlap, events, and what hides what."""
