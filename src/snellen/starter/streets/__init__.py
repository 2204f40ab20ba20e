"""Generated streets: camera+LiDAR frames in KITTI's form, with exact labels and no download."""
