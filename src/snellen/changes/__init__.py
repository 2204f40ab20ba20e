"""Changes of a scene: each is a pure function of the scene and a recipe."""
