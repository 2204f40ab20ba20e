"""Page parts for camera+LiDAR cases: from above, in 3D, in words."""
