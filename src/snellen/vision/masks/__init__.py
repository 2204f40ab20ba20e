"""Masks: run lengths, polygons and overlap."""
