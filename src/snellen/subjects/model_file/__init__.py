"""Shared parts of all subjects in model files: input, network, class names, NMS."""
