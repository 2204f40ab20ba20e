"""Objects that can be inserted into a scene: cut-outs, meshes and libraries of them."""
