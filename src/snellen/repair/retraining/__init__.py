"""Retraining sets: the places where a subject failed, in pictures with labels."""
