"""How cases of a scene go together, and the bounds of a rate that follow from it."""
