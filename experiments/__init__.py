"""Published experiments, run again with one command each."""
