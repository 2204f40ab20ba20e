"""Training of a torch detector on original and repair scenes. Needs the extra `torch`."""
