"""LV-CIT's experiments on three small detectors as classifiers."""
