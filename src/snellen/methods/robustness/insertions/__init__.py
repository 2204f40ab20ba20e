"""What is inserted around a base instance, and where."""
