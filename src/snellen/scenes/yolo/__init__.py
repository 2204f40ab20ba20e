"""Data sets in YOLO format."""
