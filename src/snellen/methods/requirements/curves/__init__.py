"""Precision and recall over visual change, their areas and losses."""
