"""Meshes inserted into camera and LiDAR alike."""
