"""Objects cut out of scenes: outline, alpha, quality and recognition."""
