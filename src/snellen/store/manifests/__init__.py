"""What a run is about: its units with digests of their scenes, and the materials of its cases."""
