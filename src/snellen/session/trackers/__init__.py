"""Runs logged to experiment trackers: MLflow, and Weights & Biases."""
