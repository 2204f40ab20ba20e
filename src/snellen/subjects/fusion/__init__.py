"""Rule-based camera+LiDAR detectors: LiDAR only, weak fusion and late fusion."""
