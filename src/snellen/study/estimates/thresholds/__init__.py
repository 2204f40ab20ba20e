"""Human thresholds of a study, by a fitted curve and by the published procedures."""
