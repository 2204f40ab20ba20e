"""Camera+LiDAR detectors built from parts, without learning: LiDAR alone, weak and late fusion."""
