"""Image features: gradient histograms, perceptual hashes and seams."""
