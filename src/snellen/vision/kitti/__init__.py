"""KITTI's objects and evaluation: who counts, average precision, classes of errors."""
