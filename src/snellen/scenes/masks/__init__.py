"""Folders of photographs with one mask image each."""
