"""Published experiments, reproduced with one command each."""
