"""The evidence for requirements: every case with its outcomes."""
