"""Retraining sets: labelled pictures with objects at places where a subject failed."""
