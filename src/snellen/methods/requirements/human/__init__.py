"""What people can still do in changed images: their answers, and the thresholds in them."""
