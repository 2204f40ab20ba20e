"""Images composed of objects on a canvas."""
