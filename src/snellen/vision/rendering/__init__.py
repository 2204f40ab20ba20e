"""Rendering of meshes with a camera's projection, and the light and sensor of a frame."""
