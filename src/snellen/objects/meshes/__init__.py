"""Solid things with metric size, to be put into a scene that a camera and a LiDAR see."""
