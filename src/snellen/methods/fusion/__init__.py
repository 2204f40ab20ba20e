"""Camera+LiDAR fusion: one physical object in both sensors, and a search for failures."""
