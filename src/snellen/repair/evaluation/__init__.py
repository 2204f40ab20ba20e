"""Before/after comparison of a repair: the same cases put to two subjects."""
