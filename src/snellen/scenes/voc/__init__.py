"""Data sets in Pascal VOC format."""
