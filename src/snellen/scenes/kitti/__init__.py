"""Camera and LiDAR frames in KITTI form."""
