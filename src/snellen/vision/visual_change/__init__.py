"""Visual change of an image from its reference: delta_v, 0 (the same) to 1 (all lost)."""
