"""The accuracy of a subject on annotated scenes, and whether another reading of it is better."""
