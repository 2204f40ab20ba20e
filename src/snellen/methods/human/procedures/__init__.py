"""The published procedures that turn human answers into thresholds."""
