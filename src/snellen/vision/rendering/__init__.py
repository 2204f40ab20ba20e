"""Pictures of meshes through a camera's projection: what is seen where, how far, and its colour."""
