"""Frames of video files, and of folders of frames, as scenes."""
