"""Folders of photographs with a mask each."""
