"""The commands of camera+LiDAR fusion."""
