"""A spinning LiDAR: its beams, recovered from a frame or given, and what they meet."""
