"""Spinning LiDARs: beams, rays and their hits, the ground, drivable area and dense depth."""
