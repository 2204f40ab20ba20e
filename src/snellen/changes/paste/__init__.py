"""Objects and patches pasted into an image."""
