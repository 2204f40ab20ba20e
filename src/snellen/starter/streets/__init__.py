"""Generated streets: camera+LiDAR frames in KITTI format, with exact labels and no download."""
