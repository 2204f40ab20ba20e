"""Darknet networks: configuration, weights, ONNX form and torch form."""
