"""The library of objects that can be put into a scene."""
