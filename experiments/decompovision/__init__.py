"""DecompoVision's experiment on four small detectors and a segmenter."""
