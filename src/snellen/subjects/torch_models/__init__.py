"""Detectors as torch modules: tested, explained, sampled and trained. Needs the extra `torch`."""
