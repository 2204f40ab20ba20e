"""Human performance in changed images: answers, and the thresholds estimated from them."""
