"""Damaged and hostile input files: every reader returns a value or an error that names the file."""
