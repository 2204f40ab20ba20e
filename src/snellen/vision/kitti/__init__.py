"""KITTI's ground truth and evaluation: average precision and error classes."""
