"""Tests of the readers of raw exports."""
