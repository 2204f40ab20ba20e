"""Objects cut out of scenes: alpha, quality, pruning."""
