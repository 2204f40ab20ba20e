"""Before and after a repair: the same cases put to two subjects, and what that shows."""
