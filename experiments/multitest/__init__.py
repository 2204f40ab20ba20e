"""MultiTest's tables reproduced with our subjects, on KITTI frames and generated streets."""
