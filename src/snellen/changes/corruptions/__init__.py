"""Corruptions of images by weather, lenses, sensors and codecs, with a level from 0 to 1."""
