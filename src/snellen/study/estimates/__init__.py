"""From answers to estimates: scores, raters, curves, thresholds, power, placement."""
