"""2D boxes: geometry, overlap and matching."""
