"""What requirements are checked on: every case with its outcomes."""
