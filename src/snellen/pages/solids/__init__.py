"""Parts that show a camera+LiDAR case: from above, in 3D, in words."""
