"""How much an image differs visibly from its reference: delta_v, 0 (the same) to 1 (all lost)."""
