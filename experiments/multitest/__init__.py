"""MultiTest's tables again, with our subjects, on KITTI frames and generated streets."""
