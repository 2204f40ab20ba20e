"""The commands of object insertion."""
