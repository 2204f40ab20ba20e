"""Data sets in COCO form."""
