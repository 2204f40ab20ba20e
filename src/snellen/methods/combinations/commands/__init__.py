"""The commands of label combinations."""
