"""Numbers of an image that tell how natural or how alike it is."""
