"""Commands that read and write KITTI folders."""
