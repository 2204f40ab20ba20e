"""Camera+LiDAR frames in KITTI format."""
