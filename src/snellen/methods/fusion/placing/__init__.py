"""Where objects may stand in a camera+LiDAR frame."""
