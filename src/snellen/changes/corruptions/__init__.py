"""What weather, lenses, sensors and codecs do to an image, by a level from 0 to 1."""
