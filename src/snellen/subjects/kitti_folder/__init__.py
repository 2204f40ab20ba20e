"""Programs that read and write KITTI folders."""
