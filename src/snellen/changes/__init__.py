"""What can be done to a scene: each a pure function of the scene and a recipe."""
