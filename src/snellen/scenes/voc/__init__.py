"""Data sets in Pascal VOC form."""
