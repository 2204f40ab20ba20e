"""LV-CIT's experiments on three small detectors read as classifiers."""
