"""Meshes in metres, to be inserted into camera+LiDAR frames."""
