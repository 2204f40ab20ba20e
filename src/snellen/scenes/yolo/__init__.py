"""Data sets in YOLO form."""
