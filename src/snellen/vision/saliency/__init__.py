"""Saliency: the parts of an image that a detection depends on, from answers of a black box."""
