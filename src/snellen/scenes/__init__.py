"""Readers and writers of scene sets, one folder per format."""
