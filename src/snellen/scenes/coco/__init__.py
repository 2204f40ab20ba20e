"""Data sets in COCO format."""
