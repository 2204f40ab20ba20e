"""Readers of human answers in the files of studies."""
