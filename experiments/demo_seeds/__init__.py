"""What the demo shows with different seeds."""
