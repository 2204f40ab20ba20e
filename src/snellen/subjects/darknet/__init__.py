"""Darknet networks: cfg and weights files, conversion to ONNX and to torch."""
