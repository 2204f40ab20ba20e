"""The commands of reliability requirements."""
