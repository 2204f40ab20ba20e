"""Image files: opened by their header, within limits, and masks read from them."""
