"""Meshes inserted into both the camera image and the LiDAR sweep of a frame."""
