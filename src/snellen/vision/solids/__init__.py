"""3D boxes: geometry, overlap, projection, occlusion and events."""
